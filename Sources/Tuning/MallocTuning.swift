import CMalloc

/// The settings of glibc's allocator for freed memory.
package enum MallocTuning {
    /// Keeps two megabytes of freed memory for the next response. By default glibc returns it to the system and then
    /// requests it again page by page, which is a tenth of the work on a report.
    package static func keepSome() {
        mallopt(M_TRIM_THRESHOLD, 2 << 20)
        mallopt(M_MMAP_THRESHOLD, 1 << 20)
    }
}
