package import AfterpushWire
public import Foundation

/// Records what happens to notifications on a device, and sends it to a collector.
///
/// An event is on the disk before `record` returns, and stays there until the collector has it: neither a kill of the
/// process nor weeks without a network lose it. App, service extension and content extension make a client each, with
/// the same directory; whichever runs sends for all.
///
/// ```swift
/// let client = AfterpushClient(AfterpushConfiguration(url: url, key: key, directory: directory))
/// try await client.record(.appOpened)
/// ```
///
/// Keep a client as long as the process lives.
public final class AfterpushClient: Sendable {
    public let configuration: AfterpushConfiguration
    private let queue: any EventQueue
    private let recorder: EventRecorder
    private let courier: EventUploader
    private let now: @Sendable () -> Timestamp
    let facts: Facts
    let transport: any EventTransport
    let categoryCache: CategoryCache
    /// Where the disk is waited for, so that no caller's thread does.
    private let disk = DispatchQueue(label: "afterpush.queue", qos: .userInitiated)

    /// Does nothing but remember: what is on the disk is looked for after a delay, elsewhere.
    ///
    /// - Parameter transport: how requests are made, by default with URLSession.
    public convenience init(_ configuration: AfterpushConfiguration, transport: (any EventTransport)? = nil) {
        self.init(configuration, transport: transport ?? URLSessionTransport(), now: Clock.now)
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

    /// A client whose queue is in memory, for a device that is simulated. It needs a device id.
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
        let place = QueueLocation(configuration.directory)
        self.configuration = configuration
        self.queue = queue
        self.now = now
        self.transport = transport
        facts = Facts(place: place)
        categoryCache = CategoryCache(place)
        recorder = EventRecorder(configuration, queue, place, categoryCache)
        courier = EventUploader(configuration, queue, transport, now: now)
        courier.start()
    }

    // MARK: Recording

    /// Records an event, which happened now. When this returns, the event is on the disk.
    ///
    /// - Returns: The event's id; nil if the person opted out.
    @discardableResult
    public func record(_ event: DeviceEvent) async throws(RecordError) -> UUID? {
        let stamp = Stamp(now())
        return try await onDisk { () throws(RecordError) in try self.result(event, stamp).get() }
    }

    /// The same for callers that can't await: the completion is called elsewhere, once the event is on the disk.
    public func record(
        _ event: DeviceEvent, completion: @escaping @Sendable (Result<UUID?, RecordError>) -> Void
    ) {
        let stamp = Stamp(now())
        disk.async { completion(self.result(event, stamp)) }
    }

    /// Records a response that the app got, unless its content extension had it first and has recorded it.
    package func recordUnlessForwarded(_ event: DeviceEvent, completion: @escaping @Sendable () -> Void) {
        let stamp = Stamp(now())
        disk.async {
            if !self.takeForwarding(of: event) { _ = self.result(event, stamp) }
            completion()
        }
    }

    /// The same on the caller's thread, which waits for the disk, about a millisecond: not for the main thread.
    @discardableResult
    public func recordHere(_ event: DeviceEvent) throws(RecordError) -> UUID? {
        try result(event, Stamp(now())).get()
    }

    /// The same for an event that has its id and its time, as those of a simulation have.
    package func recordHere(_ event: DeviceEvent, id: UUID, at time: Timestamp) throws(RecordError) {
        _ = try result(event, Stamp(id: id, time: time)).get()
    }

    /// Puts an event that is made already into the queue, as it is.
    package func keepHere(_ event: IngestEvent) throws(RecordError) {
        _ = try queue.append(at: event.occurredAt) { _ throws(RecordError) in try EventRecorder.json(event) }
        courier.recorded()
    }

    /// An event's id and time, which it gets at once, however long the disk takes.
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
            courier.recorded()
            return stamp.id
        }
    }

    /// Runs `body` on the queue that may wait for the disk.
    private func onDisk<Value: Sendable>(
        _ body: @escaping @Sendable () throws(RecordError) -> Value
    ) async throws(RecordError) -> Value {
        let result = await withCheckedContinuation { continuation in
            disk.async { continuation.resume(returning: Result(catching: body)) }
        }
        return try result.get()
    }

    // MARK: Sending

    /// Sends what is in the queue, of all processes, and returns when it is empty or the time is over.
    ///
    /// Call it when the app goes to the background, and in an extension before it ends. Events go out without it, too.
    @discardableResult
    public func flush(within seconds: TimeInterval = 20) async -> FlushOutcome {
        await courier.flush(within: seconds)
    }

    /// What became of the events that this instance sent.
    public var counts: DeliveryCounts {
        get async { await courier.counts }
    }

    // MARK: Privacy

    /// Empties the queue and records nothing more, in all processes, until ``optIn()``. The id of the installation goes,
    /// too. What the collector has, only its server can erase.
    public func optOut() async throws(RecordError) {
        try await onDisk { () throws(RecordError) in
            defer { self.facts.forget() }
            try self.queue.optOut()
        }
    }

    /// Records again from now on, in all processes. Nothing from before ``optOut()`` comes back.
    public func optIn() async throws(RecordError) {
        try await onDisk { () throws(RecordError) in
            // A process that was killed while it opted out may have left some.
            if self.queue.isOptedOut { self.facts.forget() }
            try self.queue.optIn()
        }
    }

    /// Whether the person opted out, here or in another process of the app.
    public var isOptedOut: Bool { queue.isOptedOut }
}
