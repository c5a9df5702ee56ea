import ReferenceModel
import Testing

@Suite struct VersionTests {
    private let declarations = Declarations(categories: [
        order(1, from: clock(20), .init("one", title: "")),
        order(2, from: clock(10, 40), .init("two", title: "")),
        order(3, from: clock(12), .init("three", title: "")),
    ])

    /// The actions offered to a delivery that was sent at the given time.
    private func offered(at time: Int, stated: Int? = nil, _ declarations: Declarations? = nil) throws -> [ModelValue?]
    {
        let sent = event(.sent, at: time) {
            $0.category = "order"
            $0.categoryVersion = stated
        }
        let rows = try actions([sent], declarations ?? self.declarations)
        return rows.filter { $0.counts("offered_n") == [1] }.map { $0["action_id"] }
    }

    @Test func `version 1 is effective from the beginning of time`() throws {
        #expect(try offered(at: clock(-9000)) == [.text("one")])
        #expect(try offered(at: clock(9, 59, 59)) == [.text("one")])
    }

    @Test func `a version is effective from the hour of its effective time`() throws {
        #expect(try offered(at: clock(10)) == [.text("two")])
        #expect(try offered(at: clock(11, 59, 59)) == [.text("two")])
        #expect(try offered(at: clock(12)) == [.text("three")])
    }

    @Test func `the version that took effect last counts, not the highest`() throws {
        let crossed = Declarations(categories: [
            order(1, .init("one", title: "")),
            order(3, from: clock(5), .init("three", title: "")),
            order(2, from: clock(8), .init("two", title: "")),
        ])
        #expect(try offered(at: clock(9), crossed) == [.text("two")])
    }

    @Test func `a stated version takes precedence over the effective one`() throws {
        #expect(try offered(at: clock(12), stated: 1) == [.text("one")])
        #expect(try offered(at: clock(8), stated: 3) == [.text("three")])
    }

    @Test func `a stated version that is not declared offers no actions`() throws {
        #expect(try offered(at: clock(12), stated: 4).isEmpty)
    }

    @Test func `a version without a category is ignored`() throws {
        let sent = event(.sent, at: clock(12)) { $0.categoryVersion = 1 }
        let confirmed = event(.delivered, at: clock(12)) { $0.category = "order" }
        let rows = try actions([sent, confirmed], declarations).filter { $0.counts("offered_n") == [1] }
        #expect(rows.map { $0["action_id"] } == [.text("three")])
    }
}
