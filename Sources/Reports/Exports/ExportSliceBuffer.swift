import Synchronization

/// The slice that a COPY fills.
final class ExportSliceBuffer: Sendable {
    private let state = Mutex(ExportSlice())

    var slice: ExportSlice { state.withLock { $0 } }

    /// - Returns: the bytes that are there now.
    func append(_ piece: [UInt8]) -> Int {
        state.withLock { slice in
            slice.append(piece)
            return slice.bytes
        }
    }
}
