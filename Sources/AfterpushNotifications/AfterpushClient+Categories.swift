#if canImport(UserNotifications) && !os(tvOS)
    public import AfterpushClient
    public import Foundation
    public import UserNotifications

    extension AfterpushClient {
        /// Registers the categories that the collector gave last, or those that came with the app; then asks the collector,
        /// and registers its own if they are others.
        ///
        /// Call it at each start. Without a network the last ones stay.
        ///
        /// - Parameter bundled: for the first start: `{"categories": [...]}` or a `NotificationConfig` document.
        public func registerCategories(with center: UNUserNotificationCenter, bundled: Data? = nil) async {
            // Handed over to whichever thread goes on; the centre takes calls from any.
            let center = UncheckedTransfer(center)
            center.value.setNotificationCategories(UNNotificationCategory.set(categories(bundled: bundled)))
            guard let changed = await fetchCategories() else { return }
            center.value.setNotificationCategories(UNNotificationCategory.set(changed))
        }
    }

    extension UNNotificationCategory {
        /// Categories as the system registers them.
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
