import Foundation
import Glibc

@testable import AfterpushClient

/// Something that a program with access to the queue's directory may put under the name of one of its files.
enum Intruder: String, CaseIterable, Sendable {
    case pipe
    case directory
    case socket
    case linkToDevice
    case linkToItself
    case danglingLink
    /// A file of a tebibyte that takes no space on the disk.
    case huge
    case garbage
    case empty

    /// Puts it under a name, in place of what was there.
    func move(to path: String) throws {
        unlink(path)
        let status =
            switch self {
            case .pipe: mkfifo(path, 0o600)
            case .directory: mkdir(path, 0o700)
            case .socket: Self.bindSocket(to: path)
            case .linkToDevice: symlink("/dev/zero", path)
            case .linkToItself: symlink(path, path)
            case .danglingLink: symlink("nowhere", path)
            case .huge: Self.write([], to: path, size: 1 << 40)
            case .garbage: Self.write((0..<5_000).map { UInt8(truncatingIfNeeded: $0 &* 167) }, to: path)
            case .empty: Self.write([], to: path)
            }
        guard status == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }

    static func write(_ bytes: [UInt8], to path: String, size: Int? = nil) -> Int32 {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        defer { close(file) }
        guard file >= 0, Glibc.write(file, bytes, bytes.count) == bytes.count else { return -1 }
        return ftruncate(file, off_t(size ?? bytes.count))
    }

    private static func bindSocket(to path: String) -> Int32 {
        // The path of a socket may have 107 bytes only.
        let short = "/tmp/s\(UInt32.random(in: 0 ... .max))"
        let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: short.utf8) }
        let status = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        return status == 0 ? rename(short, path) : status
    }
}

/// Runs `body` on a thread of its own and returns whether it has ended in time. A thread that hangs is left behind.
func ends(within seconds: Double, _ body: @escaping @Sendable () -> Void) -> Bool {
    let isDone = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
        body()
        isDone.signal()
    }
    return isDone.wait(timeout: .now() + seconds) == .success
}

/// Runs `body` in a task of its own and returns its result, or nil if it has not ended in time.
///
/// The timer is no task, because bodies that hang can block every thread that runs tasks.
func result<Value: Sendable>(
    within seconds: Double, of body: @escaping @Sendable () async throws -> Value
) async throws -> Value? {
    try await withCheckedThrowingContinuation { continuation in
        let isResumed = Locked(false)
        @Sendable func resume(_ body: () -> Void) {
            let isFirst = isResumed.withLock { isResumed in
                defer { isResumed = true }
                return !isResumed
            }
            if isFirst { body() }
        }
        Task {
            let result = await Result { try await body() }
            resume { continuation.resume(with: result.map(Optional.some)) }
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds) {
            resume { continuation.resume(returning: nil) }
        }
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
