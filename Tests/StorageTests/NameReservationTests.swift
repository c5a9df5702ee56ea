import Events
import Testing

@testable import Storage

/// Tests how names are divided among statements, without a database.
@Suite struct NameReservationTests {
    private func pieces(_ names: [ReferencedName], of size: Int) -> [[String]] {
        var reservation = NameReservation()
        reservation.namesPerStatement = size
        return reservation.pieces(of: names).map { $0.map { "\($0.appID)\($0.name)" } }
    }

    private func name(
        _ name: String, _ kind: NameKind = .campaign, _ source: NameSource = .unverified, app: Int32 = 1
    ) -> ReferencedName {
        ReferencedName(appID: app, kind: kind, parent: kind == .variant ? "c" : "", name: name, source: source)
    }

    @Test func `few names are one statement, in their own order`() {
        #expect(pieces([name("v", .variant), name("c"), name("c", app: 2)], of: 3) == [["1v", "1c", "2c"]])
        #expect(pieces([], of: 3) == [])
    }

    @Test func `no statement has more names than the limit, and apps with few names come first`() {
        let many = (0..<5).map { name("\($0)") }
        #expect(pieces(many + [name("x", app: 2)], of: 2) == [["2x", "10"], ["11", "12"], ["13", "14"]])
    }

    @Test func `parents come before the names below them, and names of the server before made-up ones`() {
        let names = [
            name("v", .variant), name("w", .variant, .server), name("a"), name("b", .campaign, .receipt),
            name("c", .campaign, .server), name("d", .action),
        ]
        #expect(pieces(names, of: 2) == [["1c", "1b"], ["1a", "1d"], ["1w", "1v"]])
    }
}
