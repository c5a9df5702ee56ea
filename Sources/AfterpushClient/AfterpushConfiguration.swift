public import Foundation

/// The settings of a client.
///
/// ```swift
/// var configuration = AfterpushConfiguration(url: url, key: "ap_ingest_...", appGroup: "group.com.example.shop")
/// configuration.details = { .current() }
/// let client = AfterpushClient(configuration)
/// ```
///
/// | property | default | meaning |
/// | --- | --- | --- |
/// | ``url`` | | the address of the collector, such as `https://push.example.com` |
/// | ``key`` | | an ingest key of the app, which can only add events |
/// | ``directory`` | | where the queue is stored; the app and its extensions use the same directory |
/// | ``deviceID`` | a random id | the id by which the app's server knows the device |
/// | ``details`` | nothing | what events state about the device |
/// | ``batchEvents`` | 100 | most events in one request |
/// | ``delay`` | 5 s | how long an event waits for others |
/// | ``maximumBytes`` | 4 MiB | size of the queue |
/// | ``maximumAge`` | 28 days | age at which an unsent event is dropped |
/// | ``requestTimeout`` | 30 s | time limit of a request |
/// | ``firstRetryDelay``, ``longestRetryDelay`` | 1 s, 300 s | waits between failed requests |
///
/// Numbers out of range don't stop the app: the client uses the nearest valid ones.
public struct AfterpushConfiguration: Sendable {
    /// The address of the collector. The client appends `/v1/events` and `/v1/categories`.
    public var url: URL
    /// An ingest key of the app. It is public by nature, since it ships inside the app: it can only add events.
    public var key: String
    /// The directory in which the queue is stored. The client creates a folder of its own there.
    public var directory: URL
    /// The id by which the app's server knows the device, at most 256 bytes. If it is nil, the client uses a random id,
    /// which all processes of the app share and which ``AfterpushClient/optOut()`` deletes.
    public var deviceID: String?
    /// Returns what an event states about the device. It is called for each event, on any thread.
    public var details: @Sendable () -> DeviceDetails = { DeviceDetails() }
    /// The number of events that are sent without waiting for more, and the most in one request. From 1 to 5,000.
    public var batchEvents = 100
    /// The seconds that an event waits for others before it is sent. Infinite means that only
    /// ``AfterpushClient/flush(within:)`` sends.
    public var delay: TimeInterval = 5
    /// The size of the queue in bytes. If it grows beyond that, the oldest events are dropped and counted.
    public var maximumBytes = 4 * 1024 * 1024
    /// The seconds after which an event that could not be sent is dropped and counted.
    public var maximumAge: TimeInterval = 28 * 86_400
    /// The seconds that a request may take until the last byte of its response has arrived.
    public var requestTimeout: TimeInterval = 30
    /// The seconds to wait after the first failed request. The wait doubles with each further failure; up to half of it
    /// is taken off at random, so that devices don't return in step.
    public var firstRetryDelay: TimeInterval = 1
    /// The most seconds to wait after a failed request, unless the collector asks for more with `Retry-After`.
    public var longestRetryDelay: TimeInterval = 300

    /// Creates a configuration whose queue is in a directory of your choice.
    public init(url: URL, key: String, directory: URL, deviceID: String? = nil) {
        self.url = url
        self.key = key
        self.directory = directory
        self.deviceID = deviceID
    }

    #if canImport(Darwin)
        /// Creates a configuration whose queue is in the container of an app group, which the app and its extensions
        /// share.
        ///
        /// If the process has no access to the group because its entitlement is missing, the queue is in the process's
        /// own directory. Nothing is lost then, but what an extension records waits until the extension runs again.
        public init(url: URL, key: String, appGroup: String, deviceID: String? = nil) {
            let files = FileManager.default
            let shared = files.containerURL(forSecurityApplicationGroupIdentifier: appGroup)
            let own = files.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
            self.init(url: url, key: key, directory: shared ?? own ?? files.temporaryDirectory, deviceID: deviceID)
        }
    #endif

    /// Returns the configuration with numbers in their valid ranges. A wrong number must not crash the app.
    func bounded() -> AfterpushConfiguration {
        var bounded = self
        bounded.batchEvents = min(max(1, batchEvents), 5_000)
        bounded.maximumBytes = max(0, maximumBytes)
        // Infinity is valid here.
        bounded.delay = delay.isNaN ? 0 : max(0, delay)
        bounded.maximumAge = Self.bounded(maximumAge, 0, 100 * 365 * 86_400)
        bounded.requestTimeout = Self.bounded(requestTimeout, 1, 86_400)
        // A device must not spend all its time on retries.
        bounded.firstRetryDelay = Self.bounded(firstRetryDelay, 0.01, 86_400)
        bounded.longestRetryDelay = Self.bounded(longestRetryDelay, 0.01, 86_400)
        return bounded
    }

    private static func bounded(_ seconds: TimeInterval, _ least: TimeInterval, _ most: TimeInterval) -> TimeInterval {
        seconds.isNaN ? least : min(max(least, seconds), most)
    }
}
