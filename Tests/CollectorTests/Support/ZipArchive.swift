import Foundation
import TestSupport

/// A source of compressed bodies, which Python's zlib creates.
enum ZipArchive {
    /// Compresses a body.
    ///
    /// - Parameter windowBits: 31 for gzip, 15 for zlib, -15 for raw deflate.
    static func compress(_ body: Data, windowBits: Int) async throws -> Data {
        try await run(
            """
            import base64, zlib
            z = zlib.compressobj(9, zlib.DEFLATED, \(windowBits))
            print(base64.b64encode(z.compress(base64.b64decode("\(body.base64EncodedString())")) + z.flush()).decode())
            """)
    }

    /// Returns one MiB that decompresses to one GiB of spaces, in four members.
    static func bomb() async throws -> Data {
        try await run(
            """
            import base64, zlib
            z = zlib.compressobj(9, zlib.DEFLATED, 31)
            out = b"".join(z.compress(b" " * (1 << 20)) for _ in range(256)) + z.flush()
            print(base64.b64encode(out * 4).decode())
            """)
    }

    /// Returns the beginning of a gzip body, which decompresses to this size, 60 times its own, and has no end.
    static func unfinished(size: Int) async throws -> Data {
        try await run(
            """
            import base64, random, zlib
            z = zlib.compressobj(9, zlib.DEFLATED, 31)
            text = b'{"events":['
            while len(text) < \(size): text += b" " * 800 + b"%016x" % random.getrandbits(64)
            print(base64.b64encode(z.compress(text[:\(size)]) + z.flush(zlib.Z_SYNC_FLUSH)).decode())
            """)
    }

    private static func run(_ script: String) async throws -> Data {
        let output = try await Program.run(["-"], program: URL(filePath: "/usr/bin/python3"), input: script)
        let text = output.output.trimmingCharacters(in: .whitespacesAndNewlines)
        guard output.status == 0, let data = Data(base64Encoded: text) else {
            throw Program.Failed(message: output.error)
        }
        return data
    }
}
