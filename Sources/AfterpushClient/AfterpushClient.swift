package import AfterpushWire
public import Foundation

/// Records what happens to notifications on a device and delivers it to an Afterpush collector.
///
/// ```swift
/// let client = AfterpushClient(
///     AfterpushConfiguration(url: url, key: "ap_ingest_...", appGroup: "group.com.example.shop"))
/// try await client.record(.appOpened)
/// ```
///
/// Create one client per process and keep it as long as the process lives. Creating it costs nothing: it starts no
/// request and reads nothing from disk.
///
/// ### Reliability
///
/// An event is on disk before `record` returns, and stays there until the collector has acknowledged it. Neither a killed
/// process nor weeks without a network lose it. Each event has an id and never changes, so the collector stores it once,
/// however often it is sent. <doc:OfflineQueue> says when events are sent, and in which few cases they are dropped.
///
/// ### Processes
///
/// The app, its service extension and its content extension each create a client with the same directory. Each records
/// for itself, and whichever runs sends the events of all.
///
/// ### Threads
///
/// Every method may be called from any thread and any actor. None except ``recordSynchronously(_:)`` waits for the disk
/// on the caller's thread, and none except ``flush(within:)`` and ``fetchCategories()`` waits for the network.
public final class AfterpushClient: Sendable {
    /// The configuration that the client was created with, with numbers out of range replaced by the nearest valid ones.
    public let configuration: AfterpushConfiguration
    private let queue: any EventQueue
    private let recorder: EventRecorder
    private let uploader: EventUploader
    private let now: @Sendable () -> Timestamp
    let sharedState: SharedState
    let transport: any EventTransport
    let categoryCache: CategoryCache
    /// Waits for the disk in place of the caller's thread.
    private let disk = DispatchQueue(label: "afterpush.queue", qos: .userInitiated)

    /// Creates a client, which sends waiting events of earlier processes after ``AfterpushConfiguration/delay``.
    ///
    /// - Parameter transport: Carries the requests. By default a ``URLSessionTransport`` on Apple platforms, and a
    ///   transport with the same limits on Linux.
    public convenience init(_ configuration: AfterpushConfiguration, transport: (any EventTransport)? = nil) {
        self.init(configuration, transport: transport ?? Self.defaultTransport(), now: Clock.now)
    }

    /// Returns the default transport of this platform.
    ///
    /// - Parameter connections: The number of requests at a time that have a connection to reuse.
    package static func defaultTransport(connections: Int = 1) -> any EventTransport {
        #if os(Linux)
            CurlTransport(connections: connections)
        #else
            URLSessionTransport(connections: connections)
        #endif
    }

    package convenience init(
        _ configuration: AfterpushConfiguration, transport: any EventTransport,
        now: @escaping @Sendable () -> Timestamp
    ) {
        let configuration = configuration.bounded()
        let queue = DiskQueue(
            QueueLocation(configuration.directory), maximumBytes: configuration.maximumBytes,
            maximumAge: configuration.maximumAge, now: now)
        self.init(configuration, queue, transport, now)
    }

    /// Creates a client whose queue is in memory, for a simulated device. The configuration must have a device id.
    package convenience init(
        inMemory configuration: AfterpushConfiguration, transport: any EventTransport,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.init(configuration.bounded(), MemoryQueue(), transport, now)
    }

    private init(
        _ configuration: AfterpushConfiguration, _ queue: any EventQueue, _ transport: any EventTransport,
        _ now: @escaping @Sendable () -> Timestamp
    ) {
        let location = QueueLocation(configuration.directory)
        self.configuration = configuration
        self.queue = queue
        self.now = now
        self.transport = transport
        sharedState = SharedState(location: location)
        categoryCache = CategoryCache(location)
        recorder = EventRecorder(configuration, queue, location, categoryCache)
        uploader = EventUploader(configuration, queue, transport, now: now)
        uploader.start()
    }

    // MARK: Recording

    /// Records an event that happened just now. When this returns, the event is on disk.
    ///
    /// ```swift
    /// try await client.record(.converted("order", value: 49.90, currency: "EUR", notification))
    /// ```
    ///
    /// The event's time is that of the call, however long the disk takes. No network is needed: the event is sent later.
    ///
    /// - Returns: The id of the event, or nil if the person has opted out and nothing was recorded.
    /// - Throws: A ``RecordError`` if this event could not be stored. Other events are not affected.
    @discardableResult
    public func record(_ event: DeviceEvent) async throws(RecordError) -> UUID? {
        let stamp = Stamp(now())
        return try await onDisk { () throws(RecordError) in try self.result(event, stamp).get() }
    }

    /// Records an event that happened just now, for callers that can't await.
    ///
    /// - Parameter completion: Called once, on a background queue, when the event is on disk or could not be stored.
    public func record(
        _ event: DeviceEvent, completion: @escaping @Sendable (Result<UUID?, RecordError>) -> Void
    ) {
        let stamp = Stamp(now())
        disk.async { completion(self.result(event, stamp)) }
    }

    /// Records an event that happened just now, and makes the calling thread wait for the disk, about a millisecond.
    ///
    /// Use it where the process may end right after, as in an extension. Don't call it on an app's main thread.
    ///
    /// - Returns: The id of the event, or nil if the person has opted out and nothing was recorded.
    /// - Throws: A ``RecordError`` if this event could not be stored. Other events are not affected.
    @discardableResult
    public func recordSynchronously(_ event: DeviceEvent) throws(RecordError) -> UUID? {
        try result(event, Stamp(now())).get()
    }

    /// Records an event with a given id and time, as a simulated device does.
    package func recordSynchronously(_ event: DeviceEvent, id: UUID, at time: Timestamp) throws(RecordError) {
        _ = try result(event, Stamp(id: id, time: time)).get()
    }

    /// Records a response in the app, unless the content extension has recorded and forwarded it.
    package func recordUnlessForwarded(_ event: DeviceEvent, completion: @escaping @Sendable () -> Void) {
        let stamp = Stamp(now())
        disk.async {
            if !self.consumeForwarded(event) { _ = self.result(event, stamp) }
            completion()
        }
    }

    /// Appends a complete event to the queue without a change.
    package func enqueue(_ event: IngestEvent) throws(RecordError) {
        _ = try queue.append(at: event.occurredAt) { _ throws(RecordError) in try EventRecorder.json(event) }
        uploader.eventRecorded()
    }

    /// The id and the time of an event, taken at the call, before the disk is waited for.
    private struct Stamp {
        let id: UUID
        let time: Timestamp

        init(id: UUID, time: Timestamp) {
            self.id = id
            self.time = time
        }

        init(_ time: Timestamp) {
            self.init(id: .version7(at: time), time: time)
        }
    }

    private func result(_ event: DeviceEvent, _ stamp: Stamp) -> Result<UUID?, RecordError> {
        Result { () throws(RecordError) in
            guard try recorder.record(event, id: stamp.id, at: stamp.time) else { return nil }
            uploader.eventRecorded()
            return stamp.id
        }
    }

    /// Runs `body` on the queue that waits for the disk.
    private func onDisk<Value: Sendable>(
        _ body: @escaping @Sendable () throws(RecordError) -> Value
    ) async throws(RecordError) -> Value {
        let result = await withCheckedContinuation { continuation in
            disk.async { continuation.resume(returning: Result(catching: body)) }
        }
        return try result.get()
    }

    // MARK: Sending

    /// Sends the waiting events of all processes, and returns when the queue is empty or the time is over.
    ///
    /// Events are also sent without this call. Call it when the app goes to the background, so that they don't wait until
    /// it runs again. Requests that fail are retried as long as the time allows.
    ///
    /// ```swift
    /// func applicationDidEnterBackground(_ application: UIApplication) {
    ///     Task { await client.flush(within: 4) }
    /// }
    /// ```
    ///
    /// - Parameter seconds: The time limit. Cancelling the task ends the call early; no event is lost either way.
    @discardableResult
    public func flush(within seconds: TimeInterval = 20) async -> FlushOutcome {
        await uploader.flush(within: seconds)
    }

    /// The number of events that this client has sent since it was created, by their outcome.
    public var counts: UploadCounts {
        get async { await uploader.counts }
    }

    // MARK: Privacy

    /// Deletes all waiting events and records nothing more, in all processes, until ``optIn()``.
    ///
    /// The choice survives restarts. The random device id and everything else that the library has stored about earlier
    /// events are deleted as well. If the process is killed in between, the rest is deleted later and never sent.
    ///
    /// Events that the collector already has stay there. Your server can erase them, see <doc:OptOut>.
    ///
    /// - Throws: A ``RecordError`` if the choice could not be stored, as on a read-only disk. Try again then.
    public func optOut() async throws(RecordError) {
        try await onDisk { () throws(RecordError) in
            defer { self.sharedState.removeAll() }
            try self.queue.optOut()
        }
    }

    /// Records events again, in all processes. Nothing from before ``optOut()`` comes back.
    ///
    /// Does nothing if the person has not opted out.
    ///
    /// - Throws: A ``RecordError`` if the choice could not be stored. The person is still opted out then.
    public func optIn() async throws(RecordError) {
        try await onDisk { () throws(RecordError) in
            // A process that was killed while it opted out may have left some.
            if self.queue.isOptedOut { self.sharedState.removeAll() }
            try self.queue.optIn()
        }
    }

    /// A Boolean value that says whether the person has opted out, in this process or another one.
    public var isOptedOut: Bool { queue.isOptedOut }
}

/// An error that says why an event could not be recorded.
///
/// Only this event is affected: the app can go on, and later events are recorded as soon as the cause is gone.
public enum RecordError: Error, Sendable, Hashable {
    /// The disk is full, or a quota is used up.
    case diskFull
    /// The queue's directory can't be created or written to. `code` is the system's error number, as in `errno`.
    case notWritable(code: Int32)
    /// The event has more bytes than the 64 KiB that the queue accepts.
    case tooLarge(bytes: Int)
    /// The event contains a number that JSON can't represent, such as NaN.
    case notEncodable

    init(_ error: FileError) {
        self = error.isFull ? .diskFull : .notWritable(code: error.code)
    }
}

/// The outcome of ``AfterpushClient/flush(within:)``.
public enum FlushOutcome: Sendable, Hashable {
    /// The queue is empty: the collector has acknowledged or rejected each event, or it was dropped.
    case completed
    /// Some events could not be sent in time. They stay in the queue and are sent later.
    case waiting
    /// The collector has refused the key (401 or 403). Events stay in the queue; the client sends nothing until the
    /// process is started again.
    case keyRefused
}
