import CMalloc

/// What becomes of memory that the process has freed.
package enum MallocTuning {
    /// Keeps two megabytes of it for the next answer: glibc would give them back and get them anew, page by page, which is a
    /// tenth of the work on a report.
    package static func keepSome() {
        mallopt(M_TRIM_THRESHOLD, 2 << 20)
        mallopt(M_MMAP_THRESHOLD, 1 << 20)
    }
}
