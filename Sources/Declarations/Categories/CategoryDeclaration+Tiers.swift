/// What different versions of an app can handle of a category: each is a version of the category, since conversion of an
/// action counts only the deliveries to apps that offered it.
extension CategoryDeclaration {
    /// What older versions of the app handle of it, oldest first, and then the whole.
    package var tiers: [CategoryDeclaration] {
        var starts: [AppVersion] = []
        for start in actions.compactMap(\.minAppVersion).sorted() where starts.last != start {
            if let minAppVersion, start <= minAppVersion { continue }
            starts.append(start)
        }
        guard !starts.isEmpty else { return [self] }
        let least = keeping { start in minAppVersion.map { start <= $0 } ?? false }
        return [least] + starts.map { start in keeping { $0 <= start } }
    }

    /// What a version of the app is to register, and as which version of the category; nil if it can't handle it.
    ///
    /// - Parameter newest: the version of the whole. Its tiers have those just before.
    package func handled(by app: AppVersion, newest: Int32) -> (declaration: CategoryDeclaration, version: Int32)? {
        if let minAppVersion, app < minAppVersion { return nil }
        let handled = keeping { $0 <= app }
        let tiers = tiers
        guard let index = tiers.firstIndex(where: handled.offersSame) else { return nil }
        return (handled, newest - Int32(tiers.count - 1 - index))
    }

    private func keeping(_ isHandled: (AppVersion) -> Bool) -> CategoryDeclaration {
        CategoryDeclaration(
            identifier: identifier, options: options,
            actions: actions.filter { $0.minAppVersion.map(isHandled) ?? true }, textRetention: textRetention,
            minAppVersion: minAppVersion, intents: intents)
    }
}
