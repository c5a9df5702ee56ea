public import Foundation

extension AfterpushClient {
    /// The categories to register: those that the collector gave last, else the ones that came with the app.
    ///
    /// - Parameter bundled: a document of the app's own for its first start, `{"categories": [...]}` or a
    ///   `NotificationConfig`.
    public func categories(bundled: Data? = nil) -> [RemoteCategory] {
        if let kept = categoryCache.kept, let categories = try? RemoteCategory.read(kept.document) { return categories }
        return bundled.flatMap { try? RemoteCategory.read($0) } ?? []
    }

    /// Asks the collector for its categories, and keeps them.
    ///
    /// - Returns: Them, if they are others than before; nil if nothing changed, or the collector can't be reached.
    public func fetchCategories() async -> [RemoteCategory]? {
        let known = categoryCache.kept
        var headers = ["Authorization": "Bearer \(configuration.key)"]
        if let tag = known?.tag { headers["If-None-Match"] = tag }
        let request = TransportRequest(
            method: "GET", url: configuration.url.appendingPathComponent("v1/categories"), headers: headers, body: nil,
            timeout: configuration.requestTimeout)
        guard !isOptedOut, let answer = try? await transport.answer(to: request), answer.status == 200,
            let categories = try? RemoteCategory.read(answer.body)
        else { return nil }
        categoryCache.keep(CategoryCache.Kept(tag: answer.headers["etag"], document: answer.body))
        return answer.body == known?.document ? nil : categories
    }
}
