public import Foundation

/// What the client needs to know, and what it may do.
///
/// | property | meaning |
/// | --- | --- |
/// | `url` | the collector's, such as `https://push.example.com` |
/// | `key` | an ingest key of the app, which can only add events |
/// | `directory` | of the queue; app and extensions name the same one, in an app group |
/// | `deviceID` | as the app's server knows the device; without one, a random id of the installation |
/// | `details` | asked for each event: what to state about the device; ``DeviceDetails/current()`` states all |
/// | `batchEvents` | events that go out together at most, and without waiting for more |
/// | `delay` | seconds for which an event may wait for others; infinite ones: until ``AfterpushClient/flush(within:)`` |
/// | `maximumBytes` | of the queue; beyond it the oldest events are dropped |
/// | `maximumAge` | seconds after which an event that could not be sent is dropped |
/// | `requestTimeout` | seconds that an answer may take |
/// | `firstRetryDelay` `longestRetryDelay` | seconds between tries that fail: twice as long each time |
public struct AfterpushConfiguration: Sendable {
    public var url: URL
    public var key: String
    public var directory: URL
    public var deviceID: String?
    public var details: @Sendable () -> DeviceDetails = { DeviceDetails() }
    public var batchEvents = 100
    public var delay: TimeInterval = 5
    public var maximumBytes = 4 * 1024 * 1024
    public var maximumAge: TimeInterval = 28 * 86_400
    public var requestTimeout: TimeInterval = 30
    public var firstRetryDelay: TimeInterval = 1
    public var longestRetryDelay: TimeInterval = 300

    public init(url: URL, key: String, directory: URL, deviceID: String? = nil) {
        self.url = url
        self.key = key
        self.directory = directory
        self.deviceID = deviceID
    }

    #if canImport(Darwin)
        /// A configuration whose queue is in the directory of an app group.
        ///
        /// Without the group, as in an app whose entitlement is missing, the queue is the process's own: nothing is lost,
        /// but what an extension records waits until that extension runs again.
        public init(url: URL, key: String, appGroup: String, deviceID: String? = nil) {
            let files = FileManager.default
            let shared = files.containerURL(forSecurityApplicationGroupIdentifier: appGroup)
            let own = files.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
            self.init(url: url, key: key, directory: shared ?? own ?? files.temporaryDirectory, deviceID: deviceID)
        }
    #endif
}
