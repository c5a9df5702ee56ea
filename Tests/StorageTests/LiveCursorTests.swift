import Testing

@testable import Storage

@Suite struct LiveCursorTests {
    @Test func `the first reading counts nothing, and later events are reported once`() {
        var cursor = LiveCursor(delay: 3)
        #expect(cursor.floor == nil)
        cursor.record([], last: 100)
        #expect(cursor.floor == 100)
        cursor.record([102, 103], last: 103)
        #expect(cursor.floor == 100 && cursor.reported == [102, 103])
    }

    @Test func `a batch that commits late is above the floor until it can't be late`() {
        var cursor = LiveCursor(delay: 3)
        cursor.record([], last: 100)
        for second in 1...3 {
            cursor.record([100 + Int64(second) * 10], last: 100 + Int64(second) * 10)
            #expect(cursor.floor == 100, "101 may still come")
        }
        cursor.record([140], last: 140)
        #expect(cursor.floor == 110)
        #expect(cursor.reported == [120, 130, 140], "batches below the floor are not remembered")
    }

    @Test func `the floor never decreases`() {
        var cursor = LiveCursor(delay: 1)
        cursor.record([], last: 50)
        cursor.record([], last: 40)
        cursor.record([], last: 30)
        #expect(cursor.floor == 50)
    }
}
