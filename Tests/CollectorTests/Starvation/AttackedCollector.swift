import AttackProcess
import Events
import Foundation
import Storage
import TestSupport

/// A collector with two apps, which one client attacks while others use it.
actor AttackedCollector {
    private let a: TestApp
    private let b: TestApp
    private let collector: CollectorProcess
    private let certificate = TestCertificate()
    private let isSecure: Bool
    /// Keys of app B that were never used.
    private let newKeys: NewKeys
    /// What was measured without an attack so far.
    private(set) var calm: [String: [Bystanders.Sample]] = [:]

    /// - Parameter isSecure: whether it uses TLS, and so HTTP/2.
    init(isSecure: Bool) async throws {
        self.isSecure = isSecure
        if isSecure { try await certificate.make() }
        a = try await TestApp(named: "a")
        b = try await TestApp(named: "b", conninfo: a.conninfo)
        var keys: [String] = []
        for _ in 0..<200 { keys.append(try await b.registry.createKey(app: b.app, scope: .read)) }
        newKeys = NewKeys(keys)
        let environment = [
            // All addresses of the test are loopback addresses.
            "AFTERPUSH_LIMITS_EXEMPT": "none",
            // A fifth of the default, because a debug build takes at least five times the processor time.
            "AFTERPUSH_RATE_KEY_ADDRESS": "1000",
        ]
        collector = try await CollectorProcess(
            conninfo: a.conninfo, environment: environment.merging(isSecure ? certificate.environment : [:]) { $1 })
        certificate.remove()
        try await b.insertEvents(100)
        // Otherwise the app's rejected events are not searched.
        let eraser = Eraser(worker: a.database.worker, owner: a.database.owner)
        _ = try await eraser.request("erased", app: a.app.id)
        // Others fill caches and open connections before anything is measured.
        _ = try await measure(for: .seconds(2)) {}
    }

    /// What an attack did, and what others experienced meanwhile.
    struct Outcome: Sendable {
        let counts: AttackCounts
        let disturbed: [String: [Bystanders.Sample]]
    }

    /// Measures others without and then with an attack.
    func attack(_ attack: StarvationAttack, calm time: Duration, for duration: Duration, rate: Double) async throws
        -> Outcome
    {
        for (name, samples) in try await measure(for: time, {}) { calm[name, default: []] += samples }
        let running = try RunningAttack(
            attack, port: collector.port, isSecure: isSecure, key: a.ingestKey, rate: rate)
        let disturbed = try await measure(for: duration) { try await Task.sleep(for: attack.rampUp) }
        let counts = try await running.stop()
        // The collector recovers before the next measurement.
        try await Task.sleep(for: .seconds(1))
        return Outcome(counts: counts, disturbed: disturbed)
    }

    /// What the collector answers to an event with new names, with each key of app A, from addresses other than the
    /// attacker's.
    func answersToNewNames() async throws -> [String] {
        var answers: [String] = []
        for (key, source) in [(a.ingestKey, "127.0.0.7"), (a.sendKey, "127.0.0.2")] {
            let names = #""campaign_id":"\#(UUID())","app_version":"9.\#(answers.count)""#
            let url = (isSecure ? "https" : "http") + "://127.0.0.1:\(collector.port)"
            let body = String(decoding: EventJSON.body(raw: [EventJSON.raw(names)]), as: UTF8.self)
            let curl = Curl(url, ["-k", "--interface", source])
            answers.append(try await curl("/v1/events", headers: ["Authorization: Bearer \(key)"], "-d", body).body)
        }
        return answers
    }

    /// Measures others for a time, which begins when `prepare` returns.
    private func measure(for time: Duration, _ prepare: () async throws -> Void) async throws
        -> [String: [Bystanders.Sample]]
    {
        let bystanders = Bystanders(port: collector.port, isSecure: isSecure)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            let (a, b, newKeys) = (a, b, newKeys)
            for operation in Bystanders.operations(a, b, newKeys) { group.addTask { await bystanders.run(operation) } }
            group.addTask { await bystanders.follow("B's open stream", key: b.readKey) }
            try await prepare()
            try await Task.sleep(for: .milliseconds(300))
            _ = bystanders.takeSamples()
            try await Task.sleep(for: time)
            let samples = bystanders.takeSamples()
            group.cancelAll()
            return samples
        }
    }

    /// The most memory that the collector used, in MiB.
    var memory: Int { (collector.size("VmHWM") ?? 0) / 1024 }
}
