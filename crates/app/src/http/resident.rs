//! How much memory a server holds on to that it does not use.

/// Keeps the system's allocator to one heap for each processor. It would make eight, and what one thread freed in its own
/// is of no use to the others. Nothing may have been allocated by another thread yet.
pub(crate) fn few_heaps() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        #[allow(unsafe_code)]
        // SAFETY: it takes two numbers and no pointer.
        unsafe {
            libc::mallopt(libc::M_ARENA_MAX, i32::try_from(processors).unwrap_or(i32::MAX));
        }
    }
}

/// Gives memory that is free back to the system, whose allocator would keep it for threads that may never come again.
pub(super) fn give_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    #[allow(unsafe_code)]
    // SAFETY: it takes no pointer, and any thread may call it at any time.
    unsafe {
        libc::malloc_trim(0);
    }
}
