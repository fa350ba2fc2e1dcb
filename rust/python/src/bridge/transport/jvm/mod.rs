//! A JVM within this process as a transport: how it is [loaded](machine), its [channels](link), and [Ctrl-C](interrupt).

pub mod interrupt;
pub mod jni;
pub mod link;
pub mod machine;
