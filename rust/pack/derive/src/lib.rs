//! The derive macro of `samewire-pack`.
