package import AfterpushWire

/// A notification category, as the app's team declares it: the content of one version.
package struct CategoryDeclaration: Sendable, Equatable {
    package let identifier: String
    /// The names of the category's UNNotificationCategoryOptions, sorted.
    package let options: [String]
    /// The actions in the order of their buttons.
    package let actions: [ActionDeclaration]
    /// The time that reply texts are kept, in seconds: 0 keeps none, and `nil` uses the app's setting.
    package let textRetention: Int64?
    /// The first app version that handles it, or `nil` if all do.
    package let minAppVersion: AppVersion?
    /// The identifiers of Siri intents, for devices to register. Changing them doesn't make a new version.
    package let intents: [String]
    /// When this version was declared, which the collector notes; `nil` before.
    package let declaredAt: Timestamp?

    package init(
        identifier: String, options: [String], actions: [ActionDeclaration], textRetention: Int64?,
        minAppVersion: AppVersion? = nil, intents: [String] = [], declaredAt: Timestamp? = nil
    ) {
        self.identifier = identifier
        self.options = options
        self.actions = actions
        self.textRetention = textRetention
        self.minAppVersion = minAppVersion
        self.intents = intents
        self.declaredAt = declaredAt
    }

    /// Whether both offer the same, so that they are the same version.
    package func offersSame(as other: CategoryDeclaration) -> Bool {
        identifier == other.identifier && options == other.options && actions == other.actions
            && minAppVersion == other.minAppVersion
    }
}

/// The parts of a category that different app versions handle.
///
/// Each part is a version of the category, because an action's conversion rate counts only deliveries to apps that
/// offered it.
extension CategoryDeclaration {
    /// The parts that older app versions handle, oldest first, and then the whole category.
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

    /// Returns what an app version registers, with its category version, or `nil` if the app can't handle the category.
    ///
    /// - Parameter newest: the version of the whole category. Its tiers have the versions just before.
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
            minAppVersion: minAppVersion, intents: intents, declaredAt: declaredAt)
    }
}

/// The options of Apple's categories and actions, with their bits in a `NotificationConfig`.
package enum NotificationOption {
    package static let ofCategories: [(name: String, bit: Int)] = [
        ("customDismissAction", 1), ("allowInCarPlay", 2), ("hiddenPreviewsShowTitle", 4),
        ("hiddenPreviewsShowSubtitle", 8), ("allowAnnouncement", 16),
    ]
    package static let ofActions: [(name: String, bit: Int)] = [
        ("authenticationRequired", 1), ("destructive", 2), ("foreground", 4),
    ]

    /// Returns the bit mask of the named options.
    package static func bits(_ names: [String], of options: [(name: String, bit: Int)]) -> Int {
        options.filter { names.contains($0.name) }.reduce(0) { $0 | $1.bit }
    }
}
