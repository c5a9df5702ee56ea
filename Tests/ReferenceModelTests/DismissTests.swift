import ReferenceModel
import Testing

@Suite struct DismissTests {
    private let declarations = Declarations(categories: [
        order(1, options: ["customDismissAction"], .init("yes", title: "")),
        CategoryVersion("plain", 1, options: ["allowInCarPlay"], actions: []),
    ])

    private func isObservable(_ category: Identifier?, _ platform: Identifier?) throws -> Bool {
        let sent = event(.sent) {
            $0.category = category
            $0.platform = platform
        }
        return try row([sent], declarations).counts("dismiss_n") == [1]
    }

    @Test func `the category version decides on iOS whether dismissals are observable`() throws {
        #expect(try isObservable("order", "ios"))
        #expect(try !isObservable("plain", "ios"))
        #expect(try !isObservable("undeclared", "ios"))
    }

    @Test(arguments: ["android", "web"] as [Identifier])
    func `dismissals are always observable on Android and the web`(platform: Identifier) throws {
        #expect(try isObservable("plain", platform))
        #expect(try isObservable("undeclared", platform))
        #expect(try isObservable(nil, platform))
    }

    @Test(arguments: [nil, "macos", "watchos", "visionos"] as [Identifier?])
    func `dismissals are never observable on other platforms`(platform: Identifier?) throws {
        #expect(try !isObservable("order", platform))
    }

    @Test func `the dismissal rate is a share of the observable deliveries without the replaced ones`() throws {
        func sent(_ notification: Identifier, _ platform: Identifier) -> ModelEvent {
            event(.sent, notification) {
                $0.platform = platform
                $0.category = "order"
            }
        }
        let events = [
            sent("n1", "ios"), event(.dismissed, "n1"),
            sent("n2", "ios"),
            sent("n3", "web"), event(.replaced, "n3"),
            sent("n4", "macos"), event(.dismissed, "n4"),
        ]
        let row = try row(events, declarations)
        #expect(row.counts("base_n", "dismissed", "dismiss_n") == [4, 2, 2])
        #expect(row.rate("dismiss_rate") == 0.5)
        #expect(row.rate("dismiss_coverage") == 0.75)
    }
}
