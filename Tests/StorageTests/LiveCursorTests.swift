import Testing

@testable import Storage

@Suite struct LiveCursorTests {
    @Test func `the first reading counts nothing, and later events are reported once`() {
        var cursor = LiveCursor(delay: 3)
        #expect(cursor.floor == nil)
        cursor.take([], last: 100)
        #expect(cursor.floor == 100)
        cursor.take([102, 103], last: 103)
        #expect(cursor.floor == 100 && cursor.told == [102, 103])
    }

    @Test func `a batch that commits late is above the floor until it can't be late`() {
        var cursor = LiveCursor(delay: 3)
        cursor.take([], last: 100)
        for second in 1...3 {
            cursor.take([100 + Int64(second) * 10], last: 100 + Int64(second) * 10)
            #expect(cursor.floor == 100, "101 may still come")
        }
        cursor.take([140], last: 140)
        #expect(cursor.floor == 110)
        #expect(cursor.told == [120, 130, 140], "what lies below the floor need not be remembered")
    }

    @Test func `the floor never decreases`() {
        var cursor = LiveCursor(delay: 1)
        cursor.take([], last: 50)
        cursor.take([], last: 40)
        cursor.take([], last: 30)
        #expect(cursor.floor == 50)
    }
}
