#if canImport(UserNotifications) && !os(tvOS)
    public import AfterpushClient
    public import Foundation
    public import UserNotifications

    extension AfterpushClient {
        /// Registers the app's categories with the system, first those that are known, then those of the collector if
        /// they differ.
        ///
        /// Call it at every start. Without a network, the categories of the last start stay registered.
        ///
        /// ```swift
        /// await client.registerCategories(with: .current(), bundled: bundledDocument)
        /// ```
        ///
        /// - Parameter bundled: A document that ships with the app, for the first start: `{"categories": [...]}` or a
        ///   `NotificationConfig`.
        public func registerCategories(with center: UNUserNotificationCenter, bundled: Data? = nil) async {
            // Safe to transfer, because the center accepts calls from any thread.
            let center = UncheckedTransfer(center)
            center.value.setNotificationCategories(UNNotificationCategory.set(categories(bundled: bundled)))
            guard let changed = await fetchCategories() else { return }
            center.value.setNotificationCategories(UNNotificationCategory.set(changed))
        }

        /// Records whether the person allows notifications, if that has changed since the last call in any process.
        ///
        /// Call it at every start: the Settings app revokes the permission without notifying the app. Provisional and
        /// ephemeral permission count as granted. A person who has not been asked yet causes no event.
        ///
        /// ```swift
        /// let settings = await UNUserNotificationCenter.current().notificationSettings()
        /// try await client.recordPermission(settings.authorizationStatus)
        /// ```
        ///
        /// - Returns: The id of the event, or nil if nothing has changed or the person has opted out.
        @discardableResult
        public func recordPermission(_ status: UNAuthorizationStatus) async throws(RecordError) -> UUID? {
            switch status {
            case .notDetermined: return nil
            case .denied: return try await recordPermission(isGranted: false)
            default: return try await recordPermission(isGranted: true)
            }
        }
    }

    extension UNNotificationCategory {
        /// Returns categories in the form that `setNotificationCategories` takes.
        public static func set(_ categories: [RemoteCategory]) -> Set<UNNotificationCategory> {
            Set(
                categories.map { category in
                    UNNotificationCategory(
                        identifier: category.identifier, actions: category.actions.map(action), intentIdentifiers: [],
                        options: UNNotificationCategoryOptions(
                            rawValue: OptionNames.ofCategories.bits(of: category.options ?? [])))
                })
        }

        private static func action(_ action: RemoteCategory.Action) -> UNNotificationAction {
            let options = UNNotificationActionOptions(rawValue: OptionNames.ofActions.bits(of: action.options ?? []))
            guard let input = action.textInput else {
                return UNNotificationAction(identifier: action.identifier, title: action.title, options: options)
            }
            return UNTextInputNotificationAction(
                identifier: action.identifier, title: action.title, options: options,
                textInputButtonTitle: input.buttonTitle ?? "", textInputPlaceholder: input.placeholder ?? "")
        }
    }
#endif
