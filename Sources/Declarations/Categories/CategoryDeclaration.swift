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
        let starts = starts
        guard !starts.isEmpty else { return [self] }
        let least = keeping { start in minAppVersion.map { start <= $0 } ?? false }
        return [least] + starts.map { start in keeping { $0 <= start } }
    }

    /// Returns what an app version registers, with its category version, or `nil` if the app can't handle the category.
    ///
    /// - Parameter newest: the version of the whole category. Its tiers have the versions just before.
    package func handled(by app: AppVersion, newest: Int32) -> (declaration: CategoryDeclaration, version: Int32)? {
        if let minAppVersion, app < minAppVersion { return nil }
        let laterTiers = starts.count { app < $0 }
        return (keeping { $0 <= app }, newest - Int32(laterTiers))
    }

    /// About the bytes that all its tiers take as JSON, in which those of their actions are repeated.
    package var bytesOfTiers: Int {
        let starts = starts
        let own = intents.reduce(Self.frameBytes + identifier.utf8.count) { $0 + $1.utf8.count }
        return actions.reduce(own * (starts.count + 1)) { bytes, action in
            let earlierTiers = action.minAppVersion.map { starts.count(before: $0) } ?? 0
            return bytes + (Self.frameBytes + action.textBytes) * (starts.count + 1 - earlierTiers)
        }
    }

    /// About the bytes of the names of members in the JSON of a category or an action.
    private static let frameBytes = 64

    /// The app versions from which on further actions are handled, ascending.
    private var starts: [AppVersion] {
        var starts: [AppVersion] = []
        for start in actions.compactMap(\.minAppVersion).sorted() where starts.last != start {
            if let minAppVersion, start <= minAppVersion { continue }
            starts.append(start)
        }
        return starts
    }

    private func keeping(_ isHandled: (AppVersion) -> Bool) -> CategoryDeclaration {
        CategoryDeclaration(
            identifier: identifier, options: options,
            actions: actions.filter { $0.minAppVersion.map(isHandled) ?? true }, textRetention: textRetention,
            minAppVersion: minAppVersion, intents: intents, declaredAt: declaredAt)
    }
}

extension ActionDeclaration {
    fileprivate var textBytes: Int {
        identifier.utf8.count + title.utf8.count + (textInput?.buttonTitle?.utf8.count ?? 0)
            + (textInput?.placeholder?.utf8.count ?? 0)
    }
}

extension [AppVersion] {
    /// Returns how many tiers come before the one that starts with a version; `self` has all starts, ascending.
    fileprivate func count(before start: AppVersion) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < start { low = middle + 1 } else { high = middle }
        }
        return low < count && self[low] == start ? low + 1 : 0
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
