//! The memory of a ring: a file without a name that the client makes, seals and maps.

use std::ffi::CString;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicU64, Ordering};

use samewire_bridge::ring::layout;

/// Memory that two processes share, mapped until it is dropped.
pub struct Memory {
    start: NonNull<u8>,
    length: usize,
    file: OwnedFd,
    /// The process that made it. A forked child must not touch the mapping, which the parent goes on using.
    maker: u32,
}

// SAFETY: the mapping belongs to the process, not to a thread; the ring says which side may access which bytes.
unsafe impl Send for Memory {}

fn checked(result: libc::c_int) -> io::Result<libc::c_int> {
    if result < 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(result)
}

impl Memory {
    /// Makes and maps so many bytes, all zero.
    ///
    /// All pages are allocated from the start, and the seals forbid to shrink the file. So no access can raise SIGBUS,
    /// neither for lack of memory nor because the peer truncated the file.
    ///
    /// # Errors
    /// The system's error: ENOMEM or ENOSPC for lack of memory, EMFILE for lack of descriptors.
    pub fn make(length: usize) -> io::Result<Memory> {
        let name = CString::new("samewire-ring").expect("no zero byte");
        // SAFETY: plain system calls; the descriptor is owned as soon as it is known to be one.
        let file = unsafe {
            let file = checked(libc::memfd_create(name.as_ptr(), libc::MFD_CLOEXEC | libc::MFD_ALLOW_SEALING))?;
            OwnedFd::from_raw_fd(file)
        };
        let size = libc::off_t::try_from(length).map_err(io::Error::other)?;
        loop {
            // SAFETY: a plain system call on a descriptor of ours.
            match checked(unsafe { libc::fallocate(file.as_raw_fd(), 0, 0, size) }) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                other => {
                    other?;
                    break;
                }
            }
        }
        // SAFETY: a plain system call on a descriptor of ours.
        checked(unsafe {
            let seals = libc::F_SEAL_SHRINK | libc::F_SEAL_GROW | libc::F_SEAL_SEAL;
            libc::fcntl(file.as_raw_fd(), libc::F_ADD_SEALS, seals)
        })?;
        // SAFETY: a new mapping of a file of that length, at an address that the system chooses.
        let start = unsafe {
            let access = libc::PROT_READ | libc::PROT_WRITE;
            libc::mmap(ptr::null_mut(), length, access, libc::MAP_SHARED | libc::MAP_POPULATE, file.as_raw_fd(), 0)
        };
        if start == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let start = NonNull::new(start.cast()).expect("the system maps nothing at address 0 unasked");
        Ok(Memory { start, length, file, maker: std::process::id() })
    }

    /// Where it begins.
    pub fn start(&self) -> NonNull<u8> {
        self.start
    }

    /// The path by which another process of this user opens it, as long as this one has it open.
    pub fn path(&self) -> String {
        format!("/proc/{}/fd/{}", std::process::id(), self.file.as_raw_fd())
    }
}

impl Memory {
    /// Start and length of the bytes that no peer needs any more.
    ///
    /// A channel may end before the gateway has read all that was sent: it was interrupted, timed out or closed while
    /// the gateway was stopped, collected garbage or got no CPU. The gateway reads the rest later, so bytes that fell
    /// to zero would be a broken message, which ends the session. If the gateway has read all, both directions can be
    /// freed.
    fn unneeded(&self) -> (usize, usize) {
        let bytes = self.length.saturating_sub(layout::BYTES);
        let word = |at: usize| {
            // SAFETY: the words lie in the mapping, aligned. The other peer stores one of them: all that it can do is to keep pages.
            unsafe { self.start.cast::<AtomicU64>().byte_add(layout::TO_GATEWAY + at).as_ref() }.load(Ordering::Acquire)
        };
        if word(layout::READ) == word(layout::WRITTEN) {
            return (layout::BYTES, bytes);
        }
        (layout::BYTES + bytes / 2, bytes / 2)
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: the mapping is this object's own, and nothing of it is used after the drop. The pages of its bytes
        // that no peer reads any more are given back even if the other peer keeps its mapping until its collector runs.
        // The pages of the ring's words stay: the peer would reject positions that fell to zero as corrupt.
        unsafe {
            if self.maker == std::process::id() {
                let (from, length) = self.unneeded();
                libc::madvise(self.start.as_ptr().add(from).cast(), length, libc::MADV_REMOVE);
            }
            libc::munmap(self.start.as_ptr().cast(), self.length);
        }
    }
}
