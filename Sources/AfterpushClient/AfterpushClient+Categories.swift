public import Foundation

extension AfterpushClient {
    /// Returns the categories to register: those that the collector returned last, or else those of `bundled`.
    ///
    /// This reads from disk and never uses the network. If neither source has valid categories, the result is empty.
    ///
    /// - Parameter bundled: A document that ships with the app, for the first start: `{"categories": [...]}` or a
    ///   `NotificationConfig`.
    public func categories(bundled: Data? = nil) -> [RemoteCategory] {
        if let stored = categoryCache.stored, let categories = try? RemoteCategory.decode(stored.document) {
            return categories
        }
        return bundled.flatMap { try? RemoteCategory.decode($0) } ?? []
    }

    /// Fetches the categories from the collector and stores them for all processes of the app.
    ///
    /// From then on, events state the version of their category that the device offers.
    ///
    /// - Returns: The categories, or nil if they haven't changed, if they have more than 1 MiB, if the collector can't be
    ///   reached or refuses the key, or if the person has opted out.
    public func fetchCategories() async -> [RemoteCategory]? {
        let known = categoryCache.stored
        var headers = ["Authorization": "Bearer \(configuration.key)"]
        if let tag = known?.tag { headers["If-None-Match"] = tag }
        let request = TransportRequest(
            method: "GET", url: configuration.url.appendingPathComponent("v1/categories"), headers: headers, body: nil,
            timeout: configuration.requestTimeout)
        guard !isOptedOut, let response = try? await transport.send(request), response.status == 200,
            response.body.count <= CategoryCache.Entry.maximumBytes,
            let categories = try? RemoteCategory.decode(response.body)
        else { return nil }
        categoryCache.store(CategoryCache.Entry(tag: response.headers["etag"], document: response.body))
        return response.body == known?.document ? nil : categories
    }
}
