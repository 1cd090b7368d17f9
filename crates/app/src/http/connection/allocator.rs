//! Settings of the system allocator that limit unused resident memory.

/// Limits glibc malloc to one arena per core. The default is eight per core, and memory freed in one arena cannot be
/// reused by threads of another. Must be called before another thread allocates.
pub(crate) fn few_heaps() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        #[allow(unsafe_code)]
        // SAFETY: `mallopt` takes two integers and no pointer.
        unsafe {
            libc::mallopt(libc::M_ARENA_MAX, i32::try_from(processors).unwrap_or(i32::MAX));
        }
    }
}

/// Returns free memory to the system. The allocator would otherwise keep it for threads that may never allocate again.
pub(crate) fn give_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    #[allow(unsafe_code)]
    // SAFETY: `malloc_trim` takes no pointer and is thread-safe.
    unsafe {
        libc::malloc_trim(0);
    }
}
