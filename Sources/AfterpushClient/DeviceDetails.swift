public import AfterpushWire
import Foundation

/// The details that events state about the device. By default they state nothing.
///
/// ```swift
/// configuration.details = { .current() }
/// ```
public struct DeviceDetails: Sendable, Hashable {
    /// The operating system's platform.
    public var platform: Platform?
    /// The version of the app that people see, such as `2.4.0`. Reports can be grouped by it.
    public var appVersion: String?
    /// The version of the operating system, such as `18.1`.
    public var osVersion: String?
    /// The locale as a language tag, such as `de-DE`.
    public var locale: String?
    /// The difference between local time and UTC in minutes, positive east of Greenwich.
    public var utcOffsetMinutes: Int32?

    /// Creates details; what is left out is not stated.
    public init(
        platform: Platform? = nil, appVersion: String? = nil, osVersion: String? = nil, locale: String? = nil,
        utcOffsetMinutes: Int32? = nil
    ) {
        self.platform = platform
        self.appVersion = appVersion
        self.osVersion = osVersion
        self.locale = locale
        self.utcOffsetMinutes = utcOffsetMinutes
    }

    /// Returns all details, as the system reports them at this moment.
    public static func current() -> DeviceDetails {
        let system = ProcessInfo.processInfo.operatingSystemVersion
        let patch = system.patchVersion == 0 ? "" : ".\(system.patchVersion)"
        return DeviceDetails(
            platform: platform,
            appVersion: Bundle.main.object(forInfoDictionaryKey: "CFBundleShortVersionString") as? String,
            osVersion: "\(system.majorVersion).\(system.minorVersion)\(patch)",
            locale: Locale.current.identifier.replacingOccurrences(of: "_", with: "-"),
            utcOffsetMinutes: Int32(clamping: TimeZone.current.secondsFromGMT() / 60))
    }

    private static var platform: Platform? {
        #if os(iOS)
            .iOS
        #elseif os(macOS)
            .macOS
        #elseif os(watchOS)
            .watchOS
        #elseif os(visionOS)
            .visionOS
        #else
            nil
        #endif
    }
}
