import Foundation
import TestSupport
import Testing

/// A proxy in front of a collector, with the configuration that docs/tls-and-proxies.md recommends.
final class ProxyProcess: Sendable {
    /// A program that can be a proxy, and what makes its documented configuration work here.
    enum Kind: String, Sendable, CaseIterable, CustomTestStringConvertible {
        case nginx
        case haproxy

        var testDescription: String { rawValue }

        /// What the documented configuration names, with what stands in its place here.
        func replacements(port: Int, upstream: Int, directory: String) -> [(String, String)] {
            let server = ("127.0.0.1:8080", "127.0.0.1:\(upstream)")
            return switch self {
            case .nginx:
                [
                    server, ("listen 443 ", "listen 127.0.0.1:\(port) "),
                    ("/etc/ssl/push.example.com.pem", directory + "/cert.pem"),
                    ("/etc/ssl/push.example.com.key", directory + "/key.pem"),
                ]
            case .haproxy:
                [
                    server, ("bind :443 ", "bind 127.0.0.1:\(port) "),
                    ("/etc/ssl/push.example.com.pem", directory + "/both.pem"),
                ]
            }
        }

        /// The documented line before which a rule that refuses a path can stand, and that rule.
        func refusal(of path: String) -> (String, String) {
            switch self {
            case .nginx: ("location / {", "location = \(path) { return 403; }")
            case .haproxy: ("default_backend", "http-request deny if { path \(path) }")
            }
        }

        /// A complete configuration around the documented part, for one process in the foreground.
        func configuration(_ part: String) -> String {
            switch self {
            case .nginx:
                let paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path temp;" }
                return """
                    daemon off; master_process off; pid pid; error_log stderr;
                    events { worker_connections 4096; }
                    http {
                    access_log off; \(paths.joined(separator: " "))
                    \(part)
                    }

                    """
            case .haproxy: return "global\n    maxconn 2000\n\n" + part
            }
        }

        func command(configuration: String, directory: String) -> [String] {
            switch self {
            case .nginx: ["/usr/sbin/nginx", "-e", "stderr", "-p", directory, "-c", configuration]
            case .haproxy: ["/usr/sbin/haproxy", "-db", "-f", configuration]
            }
        }
    }

    let port: Int
    private let server: ServerProcess

    /// Starts a proxy and waits until it listens.
    ///
    /// - Parameters:
    ///   - upstream: the collector's port.
    ///   - path: a path that it refuses, besides what is documented.
    ///   - isBare: whether it adds none of the documented headers.
    init(_ kind: Kind, upstream: Int, refusing path: String? = nil, isBare: Bool = false) async throws {
        let certificate = TestCertificate()
        try await certificate.make()
        let directory = certificate.directory
        let files = try [certificate.path, certificate.key].map { try Data(contentsOf: URL(filePath: $0)) }
        try (files[0] + files[1]).write(to: URL(filePath: directory + "/both.pem"))
        port = try Sockets.freePort()
        var part = try Self.documented(kind)
        var replacements = kind.replacements(port: port, upstream: upstream, directory: directory)
        if let path {
            let (line, rule) = kind.refusal(of: path)
            replacements.append((line, rule + "\n    " + line))
        }
        for (text, replacement) in replacements {
            guard part.contains(text) else {
                throw Program.Failed(message: "no \"\(text)\" in the documented configuration of \(kind)")
            }
            part = part.replacing(text, with: replacement)
        }
        if isBare {
            let added = ["proxy_set_header", "proxy_http_version", "option forwardfor", "http-request set-header"]
            part =
                part.split(separator: "\n").filter { line in !added.contains { line.contains($0) } }
                .joined(separator: "\n") + "\n"
        }
        let file = directory + "/\(kind).conf"
        try kind.configuration(part).write(toFile: file, atomically: true, encoding: .utf8)
        server = try await ServerProcess(
            kind.command(configuration: file, directory: directory), port: port, directory: directory)
    }

    /// The configuration block of the documentation that is marked with the proxy's name.
    static func documented(_ kind: Kind) throws -> String {
        let page = Program.root.appending(path: "docs/tls-and-proxies.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let blocks = text.components(separatedBy: "```\(kind)\n").dropFirst()
        guard blocks.count == 1, let block = blocks.first?.components(separatedBy: "```").first else {
            throw Program.Failed(message: "docs/tls-and-proxies.md has \(blocks.count) configurations for \(kind)")
        }
        return block
    }
}
