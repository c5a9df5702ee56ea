import Foundation
import RawHTTP2
import TestSupport
import Testing

/// Tests E33 on every way in: no request that is hidden in another one is ever answered or stored.
@Suite struct SmugglingTests {
    /// Runs attacks, some at a time, and checks that the event that each of them hides was not stored.
    private static func run<Attack: Sendable & CustomStringConvertible>(
        _ attacks: [Attack], _ entrance: WayIn.Entrance,
        _ attack: @escaping @Sendable (Attack, _ hidden: String) async throws -> Void
    ) async throws {
        let prefix = "hidden-\(entrance.way.word)-"
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, item) in attacks.enumerated() {
                if index >= 32 { try await group.next() }
                let hidden = SmugglingAttack.hidden(campaign: "\(prefix)\(index)", key: entrance.app.sendKey)
                group.addTask {
                    try await attack(item, hidden)
                    try await checkOthers(entrance, after: item.description)
                }
            }
            try await group.waitForAll()
        }
        let stored = try await entrance.app.value(
            "select string_agg(campaign_id, ' ') from afterpush.events where campaign_id like '\(prefix)%'")
        let indices = (stored ?? "").split(separator: " ").compactMap { Int($0.dropFirst(prefix.count)) }
        #expect(indices.isEmpty, "stored: \(indices.map { attacks[$0].description })")
    }

    /// Checks that others get their own responses, over connections to the collector that an attack may have used.
    private static func checkOthers(_ entrance: WayIn.Entrance, after attack: String) async throws {
        let connection = try await RawTLSConnection(
            port: entrance.port, isSecure: entrance.way.isSecure, source: "127.0.0.30")
        try await connection.send("GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        let response = await connection.receive() ?? "nothing"
        #expect(response.hasPrefix("HTTP/1.1 200 ") && response.hasSuffix("alive\n"), "after \(attack): \(response)")
    }

    @Test(arguments: WayIn.http1)
    func `E33: a request that is hidden in another one is never answered or stored`(way: WayIn) async throws {
        let entrance = try await way.open()
        let control = "seen-\(way.word)"
        // The hidden request is refused by a proxy, and would succeed if it reached the collector.
        let direct = try RawConnection(port: entrance.collector.process.port)
        let hidden = SmugglingAttack.hidden(campaign: control, key: entrance.app.sendKey)
        if way.proxy != nil {
            let connection = try await entrance.connect()
            try await connection.send(hidden)
            #expect(await connection.receive { $0.contains("HTTP/1.1 403") } != nil)
            #expect(try await entrance.stored(campaign: control) == "0")
        }
        await direct.send(hidden)
        #expect(await direct.receive { $0.contains(#""accepted":1"#) } != nil)
        #expect(try await entrance.stored(campaign: control) == "1")

        let ambiguous = SmugglingAttack.ambiguous
        try await Self.run(ambiguous + SmugglingAttack.other, entrance) { attack, hidden in
            let connection = try await entrance.connect()
            try await connection.send(attack.text(hiding: hidden, key: entrance.app.ingestKey))
            // Some leave the server waiting for more. A second response would come at once.
            let text = await connection.receive(timeout: .seconds(2)) ?? connection.received
            let statuses = text.matches(of: /HTTP\/1\.[01] ([2-5][0-9]+)/).map { $0.1 }
            // What a proxy reads as two requests, the collector gets as two, and the proxy refuses the second one.
            #expect(
                statuses.count <= 1 || way.proxy != nil && statuses.dropFirst().allSatisfy { $0 >= "400" },
                "\(attack): \(text)")
            let isAmbiguous = ambiguous.contains { $0.description == attack.description }
            if way.proxy == nil, isAmbiguous { #expect(text.contains("request_malformed"), "\(attack): \(text)") }
        }
    }

    @Test(arguments: WayIn.http2)
    func `E33: a malformed request over HTTP/2 is refused, and hides no other one`(way: WayIn) async throws {
        let entrance = try await way.open()
        for isHidden in [true, false] {
            try await Self.run(HTTP2Attack.all, entrance) { attack, hidden in
                let connection = try await entrance.connectHTTP2()
                // If nothing else was wrong, it would be accepted.
                let body = isHidden ? "0\r\n\r\n" + hidden : #"{"events":[]}"#
                try await connection.send(attack.frames(body: body, hiding: hidden, key: entrance.app.ingestKey))
                _ = try await connection.receives(within: .seconds(2)) {
                    $0.isClosed || $0.ended == [1] || $0.resets[1] != nil
                }
                let status = connection.received.statuses[1]
                #expect((status ?? 400) >= 400 || way.proxy != nil && attack.isNormalized, "\(attack)")
            }
        }
    }
}
