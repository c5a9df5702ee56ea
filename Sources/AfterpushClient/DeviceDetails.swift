public import AfterpushWire
import Foundation

/// What events say about the device. Nothing of it is stated unless the app passes it.
public struct DeviceDetails: Sendable, Hashable {
    public var platform: Platform?
    public var appVersion: String?
    public var osVersion: String?
    /// As `de-DE`.
    public var locale: String?
    /// Minutes that local time is ahead of UTC.
    public var utcOffsetMinutes: Int32?

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

    /// Everything that the system tells, as of now.
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
