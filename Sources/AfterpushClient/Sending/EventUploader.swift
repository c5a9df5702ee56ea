import AfterpushWire
import Backoff
import Foundation
import Zlib

/// Sends the events of the queue, one batch after the other.
actor EventUploader {
    private let configuration: AfterpushConfiguration
    private let queue: any EventQueue
    private let transport: any EventTransport
    private let now: @Sendable () -> Timestamp
    private let schedule: Locked<SendSchedule>
    private let timers = DispatchQueue(label: "afterpush.timers", qos: .utility)
    private var limits: BatchLimits
    private(set) var counts = UploadCounts()
    private var isSending = false
    /// A timer has fired during sending, perhaps for an event that was recorded after the queue was read.
    private var mustSendAgain = false
    /// The `flush` calls that wait for the end of sending.
    private var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
    private var lastWaiter = 0

    init(
        _ configuration: AfterpushConfiguration, _ queue: any EventQueue, _ transport: any EventTransport,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.configuration = configuration
        self.queue = queue
        self.transport = transport
        self.now = now
        limits = BatchLimits(events: configuration.batchEvents)
        let backoff = ExponentialBackoff(
            first: configuration.firstRetryDelay, limit: configuration.longestRetryDelay, jitter: 0.5)
        schedule = Locked(
            SendSchedule(batchEvents: configuration.batchEvents, delay: configuration.delay, backoff: backoff))
    }

    // MARK: Scheduling

    nonisolated func start() {
        setTimer(schedule.withLock { $0.started(at: Clock.uptime()) })
    }

    nonisolated func eventRecorded() {
        setTimer(schedule.withLock { $0.eventRecorded(at: Clock.uptime()) })
    }

    nonisolated private func setTimer(_ delay: Double?) {
        guard let delay else { return }
        timers.asyncAfter(deadline: .now() + delay) { [weak self] in
            guard let self else { return }
            // Unstructured, because a timer belongs to no task. It ends by itself: every request has a time limit.
            Task { await self.timerFired() }
        }
    }

    private func timerFired() async {
        guard schedule.withLock({ $0.timerFired(at: Clock.uptime()) }) else { return }
        if isSending {
            mustSendAgain = true
        } else {
            _ = await upload(until: .infinity, thoroughly: false)
        }
    }

    /// Sends until the queue is empty, the collector refuses the key, a retry is pointless, or the time is over.
    func flush(within seconds: Double) async -> FlushOutcome {
        let end = Clock.uptime() + seconds
        while true {
            let (isKeyRefused, earliest) = schedule.withLock { ($0.isKeyRefused, $0.retryAfterEnd) }
            if isKeyRefused { return .keyRefused }
            guard await sleep(until: earliest, before: end) else { return .waiting }
            if isSending {
                await waitUntilSent(before: end)
            } else {
                switch await upload(until: end, thoroughly: true) {
                case .empty: return .completed
                case .keyRefused: return .keyRefused
                case .postponed: return .waiting
                case .busy: guard await sleep(until: Clock.uptime() + 0.05, before: end) else { return .waiting }
                case .failed:
                    let next = schedule.withLock { $0.nextAttempt }
                    guard await sleep(until: next, before: end) else { return .waiting }
                }
            }
            if Clock.uptime() >= end || Task.isCancelled { return .waiting }
        }
    }

    // MARK: Sending

    private func upload(until end: Double, thoroughly: Bool) async -> UploadResult {
        isSending = true
        var result: UploadResult
        repeat {
            mustSendAgain = false
            result = await sendBatches(until: end)
        } while mustSendAgain && result == .empty
        if result == .empty { queue.cleanUp(thoroughly: thoroughly) }
        if result != .busy { queue.releaseSenderLease() }
        isSending = false
        setTimer(schedule.withLock { $0.ended(result, at: Clock.uptime(), jitter: .random(in: 0...1)) })
        for waiter in waiters.values { waiter.resume() }
        waiters = [:]
        return result
    }

    private func sendBatches(until end: Double) async -> UploadResult {
        while true {
            let timeout = min(configuration.requestTimeout, end - Clock.uptime())
            guard timeout > 0 else { return .failed(retryAfter: nil) }
            guard queue.acquireSenderLease(seconds: timeout + 15) else { return .busy }
            let batch = queue.nextBatch(limits)
            if batch.isEmpty {
                if batch.isPartial { continue }
                guard batch.positions.isEmpty else {
                    // All of its events are too old.
                    queue.acknowledge(batch)
                    continue
                }
                return .empty
            }
            let response = try? await transport.send(request(batch, timeout: timeout))
            if let result = apply(SendDecision(response, count: batch.events.count), to: batch) { return result }
        }
    }

    /// Returns why to stop sending, or nil to continue with the next batch.
    private func apply(_ decision: SendDecision, to batch: Batch) -> UploadResult? {
        switch decision {
        case .acknowledge(let response):
            queue.acknowledge(batch)
            count(response, batch)
            limits.grow()
            schedule.withLock { $0.batchAccepted() }
        case .split: limits.halve(batch.events.count)
        case .drop:
            queue.drop(batch, .refused)
            counts.dropped[.refused, default: 0] += batch.events.count
        case .retry(let after): return .failed(retryAfter: after)
        case .postpone: return .postponed
        case .refuseKey: return .keyRefused
        }
        return nil
    }

    private func count(_ response: IngestResponse, _ batch: Batch) {
        counts.accepted += response.accepted
        counts.duplicates += response.duplicates
        for rejection in response.rejected { counts.countRejection(rejection.code) }
        if batch.expired > 0 { counts.dropped[.age, default: 0] += batch.expired }
        if batch.damaged > 0 { counts.dropped[.damaged, default: 0] += batch.damaged }
    }

    private func request(_ batch: Batch, timeout: Double) -> TransportRequest {
        var headers = ["Authorization": "Bearer \(configuration.key)", "Content-Type": "application/json"]
        var body = batch.requestBody(sentAt: now())
        if let compressed = Gzip.compress(body), compressed.count < body.count {
            headers["Content-Encoding"] = "gzip"
            body = compressed
        }
        return TransportRequest(
            method: "POST", url: configuration.url.appendingPathComponent("v1/events"), headers: headers,
            body: Data(body), timeout: timeout)
    }

    // MARK: Waiting

    /// Sleeps until a moment. Returns false if it is not before `end`, or if the task was cancelled.
    private func sleep(until moment: Double, before end: Double) async -> Bool {
        guard moment < end else { return false }
        let seconds = moment - Clock.uptime()
        if seconds > 0 { try? await Task.sleep(nanoseconds: UInt64(seconds * 1_000_000_000)) }
        return !Task.isCancelled
    }

    /// Waits for the end of sending, but no longer than until `end`.
    private func waitUntilSent(before end: Double) async {
        lastWaiter += 1
        let waiter = lastWaiter
        await withCheckedContinuation { continuation in
            waiters[waiter] = continuation
            timers.asyncAfter(deadline: .now() + max(0, end - Clock.uptime())) { [weak self] in
                guard let self else { return }
                // Unstructured, because a timer belongs to no task. It only resumes the waiter.
                Task { await self.resume(waiter) }
            }
        }
    }

    private func resume(_ waiter: Int) {
        waiters.removeValue(forKey: waiter)?.resume()
    }
}
