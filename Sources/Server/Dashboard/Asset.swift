import Crypto
import DashboardFiles
import Foundation
import Hummingbird
import NIOCore
import Zlib

/// A file of the dashboard, ready to be sent.
struct Asset: Sendable {
    private let contentType: String
    private let plain: ByteBuffer
    /// The compressed file, or `nil` if compressing gains nothing.
    private let zipped: ByteBuffer?
    private let tag: EntityTag

    init(name: String, bytes: [UInt8]) {
        contentType = Self.contentType(of: name)
        plain = ByteBuffer(bytes: bytes)
        zipped = Self.isText(contentType) ? Self.compressed(bytes) : nil
        // A weak tag, because it is the same for the compressed and the plain file.
        let digest = SHA256.hash(data: Data(bytes)).prefix(16).map { String(format: "%02x", $0) }.joined()
        tag = EntityTag("W/\"\(digest)\"")
    }

    /// Returns the file, or 304 if the browser has it.
    ///
    /// - Parameter caching: How long browsers may use the file without asking again.
    func response(to request: Request, caching: Caching = .untilChanged) -> Response {
        var headers = HTTPFields.dashboard
        headers[.cacheControl] = caching.rawValue
        headers[.eTag] = tag.headerValue
        if zipped != nil { headers[.vary] = "Accept-Encoding" }
        if tag.isNamed(by: request.headers[.ifNoneMatch]) { return Response(status: .notModified, headers: headers) }
        headers[.contentType] = contentType
        return sending(.ok, headers, to: request)
    }

    /// Returns the asset as a page that is not cached, so that it can't be seen after signing out.
    func page(to request: Request, status: HTTPResponse.Status = .ok) -> Response {
        var headers = HTTPFields.dashboard
        headers[.cacheControl] = "no-store"
        headers[.contentType] = contentType
        return sending(status, headers, to: request)
    }

    private func sending(_ status: HTTPResponse.Status, _ headers: HTTPFields, to request: Request) -> Response {
        guard let zipped, ContentCoding.acceptsGzip(request.headers[.acceptEncoding]) else {
            return Response(status: status, headers: headers, body: .init(byteBuffer: plain))
        }
        var headers = headers
        headers[.contentEncoding] = "gzip"
        return Response(status: status, headers: headers, body: .init(byteBuffer: zipped))
    }

    /// Returns the bytes in the gzip format, or `nil` if that makes them no smaller.
    private static func compressed(_ bytes: [UInt8]) -> ByteBuffer? {
        guard let compressed = Gzip.compress(bytes), compressed.count < bytes.count else { return nil }
        return ByteBuffer(bytes: compressed)
    }

    /// How long browsers may use a file without asking again.
    enum Caching: String {
        /// Browsers ask each time whether the file has changed.
        case untilChanged = "no-cache"
        /// The file never changes, because its address has a digest of its content.
        case forever = "public, max-age=31536000, immutable"
        /// The file is not the one that the address names.
        case never = "no-store"
    }

    private static func isText(_ contentType: String) -> Bool {
        contentType.hasPrefix("text/") || contentType.hasPrefix("image/svg")
    }

    private static func contentType(of name: String) -> String {
        switch name.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "js", "mjs": "text/javascript; charset=utf-8"
        case "svg": "image/svg+xml"
        case "txt": "text/plain; charset=utf-8"
        default: "application/octet-stream"
        }
    }
}

/// The dashboard's files, by their names under `/assets/`.
///
/// The page requests them under a digest of all of them, `/assets/DIGEST/app.js`, so that browsers keep them until any of
/// them changes. A module imports its neighbors by relative addresses, which have the same digest.
struct AssetCatalog: Sendable {
    /// The name under which the page requests Chart.js.
    static let charts = "chart.js"

    let page: Asset
    /// The login page, with placeholders.
    let login: String
    /// The digest of all files.
    let digest: String
    private let assets: [String: Asset]

    /// Prepares all files.
    ///
    /// - Parameter charts: Chart.js; without it the page shows only tables.
    init(charts: [UInt8]?) {
        var files = DashboardFiles.assets.map { (name: $0.name, bytes: $0.bytes) }
        if let charts { files.append((name: Self.charts, bytes: charts)) }
        var hash = SHA256()
        for file in files {
            hash.update(data: Data("\(file.name) \(file.bytes.count)\n".utf8))
            hash.update(data: Data(file.bytes))
        }
        let digest = hash.finalize().prefix(8).map { String(format: "%02x", $0) }.joined()
        self.digest = digest
        assets = Dictionary(uniqueKeysWithValues: files.map { ($0.name, Asset(name: $0.name, bytes: $0.bytes)) })
        func addressed(_ file: DashboardFile) -> String {
            String(decoding: file.bytes, as: UTF8.self).replacing("\"/assets/", with: "\"/assets/\(digest)/")
        }
        page = Asset(name: DashboardFiles.page.name, bytes: Array(addressed(DashboardFiles.page).utf8))
        login = addressed(DashboardFiles.login)
    }

    subscript(name: String) -> Asset? { assets[name] }
}
