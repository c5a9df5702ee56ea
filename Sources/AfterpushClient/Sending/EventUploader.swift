import AfterpushWire
import Foundation

/// Sends what is in the queue, one batch after the other.
actor EventUploader {
    private let configuration: AfterpushConfiguration
    private let queue: any EventQueue
    private let transport: any EventTransport
    private let now: @Sendable () -> Timestamp
    private let schedule: Locked<SendSchedule>
    private let alarms = DispatchQueue(label: "afterpush.alarms", qos: .utility)
    private var limits: BatchLimits
    private(set) var counts = DeliveryCounts()
    private var isSending = false
    /// An alarm rang while it was sending: perhaps for an event that this turn has not seen.
    private var isAskedAgain = false
    private var onlookers: [Int: CheckedContinuation<Void, Never>] = [:]
    private var lastOnlooker = 0

    init(
        _ configuration: AfterpushConfiguration, _ queue: any EventQueue, _ transport: any EventTransport,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.configuration = configuration
        self.queue = queue
        self.transport = transport
        self.now = now
        limits = BatchLimits(events: configuration.batchEvents)
        let backoff = Backoff(first: configuration.firstRetryDelay, longest: configuration.longestRetryDelay)
        schedule = Locked(
            SendSchedule(batchEvents: configuration.batchEvents, delay: configuration.delay, backoff: backoff))
    }

    // MARK: When

    nonisolated func start() {
        setAlarm(schedule.withLock { $0.started(at: Clock.ticks()) })
    }

    nonisolated func recorded() {
        setAlarm(schedule.withLock { $0.recorded(at: Clock.ticks()) })
    }

    nonisolated private func setAlarm(_ delay: Double?) {
        guard let delay else { return }
        alarms.asyncAfter(deadline: .now() + delay) { [weak self] in
            guard let self else { return }
            // An alarm is no part of any task. This one ends by itself: every request has its timeout.
            Task { await self.ring() }
        }
    }

    private func ring() async {
        guard schedule.withLock({ $0.rang(at: Clock.ticks()) }) else { return }
        if isSending {
            isAskedAgain = true
        } else {
            _ = await turn(until: .infinity, thoroughly: false)
        }
    }

    /// Sends until the queue is empty, there is no point in it, or the time is over.
    func flush(within seconds: Double) async -> FlushOutcome {
        let end = Clock.ticks() + seconds
        while true {
            let (isStopped, allowed) = schedule.withLock { ($0.isStopped, $0.forbiddenUntil) }
            if isStopped { return .stopped }
            guard await sleep(until: allowed, before: end) else { return .waiting }
            if isSending {
                await turnEnds(before: end)
            } else {
                switch await turn(until: end, thoroughly: true) {
                case .empty: return .delivered
                case .stopped: return .stopped
                case .kept: return .waiting
                case .busy: guard await sleep(until: Clock.ticks() + 0.05, before: end) else { return .waiting }
                case .failed:
                    let next = schedule.withLock { $0.nextTry }
                    guard await sleep(until: next, before: end) else { return .waiting }
                }
            }
            if Clock.ticks() >= end || Task.isCancelled { return .waiting }
        }
    }

    // MARK: One turn

    private func turn(until end: Double, thoroughly: Bool) async -> UploadResult {
        isSending = true
        var outcome: UploadResult
        repeat {
            isAskedAgain = false
            outcome = await sendAll(until: end)
        } while isAskedAgain && outcome == .empty
        if outcome == .empty { queue.tidy(thoroughly: thoroughly) }
        if outcome != .busy { queue.endSending() }
        isSending = false
        setAlarm(schedule.withLock { $0.ended(outcome, at: Clock.ticks(), jitter: .random(in: 0...1)) })
        for onlooker in onlookers.values { onlooker.resume() }
        onlookers = [:]
        return outcome
    }

    private func sendAll(until end: Double) async -> UploadResult {
        while true {
            let timeout = min(configuration.requestTimeout, end - Clock.ticks())
            guard timeout > 0 else { return .failed(retryAfter: nil) }
            guard queue.mayBeSent(forNext: timeout + 15) else { return .busy }
            let batch = queue.batch(limits)
            if batch.isEmpty {
                guard batch.marks.isEmpty else {
                    queue.acknowledge(batch)
                    continue
                }
                return .empty
            }
            let answer = try? await transport.answer(to: request(batch, timeout: timeout))
            if let end = act(on: SendDecision(answer, count: batch.events.count), batch) { return end }
        }
    }

    /// Why to end the turn; nil to go on.
    private func act(on decision: SendDecision, _ batch: Batch) -> UploadResult? {
        switch decision {
        case .acknowledge(let answer):
            queue.acknowledge(batch)
            count(answer, batch)
            limits.grow()
            schedule.withLock { $0.succeeded() }
        case .split: limits.halve(batch.events.count)
        case .drop:
            queue.drop(batch, .refused)
            counts.dropped[.refused, default: 0] += batch.events.count
        case .retry(let after): return .failed(retryAfter: after)
        case .keep: return .kept
        case .stop: return .stopped
        }
        return nil
    }

    private func count(_ answer: IngestResponse, _ batch: Batch) {
        counts.accepted += answer.accepted
        counts.duplicates += answer.duplicates
        for rejection in answer.rejected { counts.rejected[rejection.code, default: 0] += 1 }
        if batch.expired > 0 { counts.dropped[.age, default: 0] += batch.expired }
        if batch.damaged > 0 { counts.dropped[.damaged, default: 0] += batch.damaged }
    }

    private func request(_ batch: Batch, timeout: Double) -> TransportRequest {
        var headers = ["Authorization": "Bearer \(configuration.key)", "Content-Type": "application/json"]
        var body = RequestBody.make(batch.events, sentAt: now())
        if let packed = Compression.gzip(body), packed.count < body.count {
            headers["Content-Encoding"] = "gzip"
            body = packed
        }
        return TransportRequest(
            method: "POST", url: configuration.url.appendingPathComponent("v1/events"), headers: headers,
            body: Data(body), timeout: timeout)
    }

    // MARK: Waiting

    /// Whether the moment came before the end.
    private func sleep(until moment: Double, before end: Double) async -> Bool {
        guard moment < end else { return false }
        let seconds = moment - Clock.ticks()
        if seconds > 0 { try? await Task.sleep(nanoseconds: UInt64(seconds * 1_000_000_000)) }
        return !Task.isCancelled
    }

    /// Returns when the turn that is under way ends, or at the end of the time.
    private func turnEnds(before end: Double) async {
        lastOnlooker += 1
        let onlooker = lastOnlooker
        await withCheckedContinuation { continuation in
            onlookers[onlooker] = continuation
            alarms.asyncAfter(deadline: .now() + max(0, end - Clock.ticks())) { [weak self] in
                guard let self else { return }
                // An alarm is no part of any task; this one does nothing but let an onlooker go.
                Task { await self.letGo(onlooker) }
            }
        }
    }

    private func letGo(_ onlooker: Int) {
        onlookers.removeValue(forKey: onlooker)?.resume()
    }
}
