import Testing

@testable import HTTPTransport

/// Tests when the client of an HTTP/2 connection has left its responses unread for too long.
struct ResponseBacklogTests {
    private let start = ContinuousClock.now
    private var backlog = ResponseBacklog(HTTPLimits())

    @Test mutating func `a stream without a window is stuck after the write timeout`() {
        backlog.setInitialWindow(0, at: start)
        backlog.open(1)
        backlog.open(3)
        #expect(backlog.check(at: start) == .done)
        #expect(backlog.add(100, to: 1, at: start) == true)
        #expect(backlog.check(at: start + .seconds(2)) == .checkAgain(start + .seconds(10)))
        #expect(backlog.check(at: start + .seconds(10)) == .stuck([1]))
        backlog.abandon(1)
        #expect(backlog.check(at: start + .seconds(11)) == .done)
        #expect(backlog.waiting == 100)
        backlog.close(1, at: start)
        #expect(backlog.waiting == 0)
    }

    @Test mutating func `a connection on which every stream is stuck is reported as a whole`() {
        backlog.setInitialWindow(0, at: start)
        for id in [1, 3] {
            backlog.open(id)
            #expect(backlog.add(100, to: id, at: start + .seconds(id)) == true)
        }
        #expect(backlog.check(at: start + .seconds(11)) == .stuck([1]))
        backlog.abandon(1)
        #expect(backlog.check(at: start + .seconds(11)) == .checkAgain(start + .seconds(13)))
        #expect(backlog.check(at: start + .seconds(13)) == .allStuck)
    }

    @Test mutating func `a client that takes bytes every few seconds is not stuck if they are enough`() {
        backlog.setInitialWindow(0, at: start)
        for id in [1, 3] {
            backlog.open(id)
            #expect(backlog.add(1 << 20, to: id, at: start) == true)
        }
        func take(_ count: Int, of id: Int, at now: ContinuousClock.Instant) {
            backlog.openWindow(id, by: count, at: now)
            backlog.openWindow(0, by: count, at: now)
            backlog.send(count, of: id, at: now)
        }
        // The first one takes ten bytes each time, the second one 10 KiB.
        take(10, of: 1, at: start + .seconds(9))
        take(10 * 1024, of: 3, at: start + .seconds(9))
        #expect(backlog.blockedStreams == 2)
        #expect(backlog.check(at: start + .seconds(9.5)) != .stuck([1]))
        #expect(backlog.check(at: start + .seconds(10.1)) == .stuck([1]))
        backlog.close(1, at: start + .seconds(10.1))
        for second in stride(from: 18, through: 180, by: 9) {
            let now = start + .seconds(second)
            #expect(backlog.check(at: now) != .allStuck)
            take(10 * 1024, of: 3, at: now)
        }
        #expect(backlog.blockedStreams == 1)
        #expect(backlog.check(at: start + .seconds(191)) == .allStuck)
    }

    @Test mutating func `a client that has taken everything has all its time again`() {
        backlog.setInitialWindow(0, at: start)
        backlog.open(1)
        for second in stride(from: 0, through: 90, by: 9) {
            // Nine seconds pass before each of the bytes is taken.
            #expect(backlog.add(1, to: 1, at: start + .seconds(second)) == true)
            #expect(backlog.check(at: start + .seconds(second + 9)) != .allStuck)
            backlog.openWindow(1, by: 1, at: start + .seconds(second + 9))
            backlog.send(1, of: 1, at: start + .seconds(second + 9))
            #expect(backlog.blockedStreams == 0)
        }
    }

    @Test mutating func `a client has a second more for each 16 KiB that it was sent and may still be reading`() {
        backlog.setInitialWindow(1 << 20, at: start)
        backlog.openWindow(0, by: 1 << 30, at: start)
        for id in [1, 3] {
            backlog.open(id)
            #expect(backlog.add(2 << 20, to: id, at: start) == true)
            backlog.send(1 << 20, of: id, at: start)
        }
        #expect(backlog.check(at: start) == .checkAgain(start + .seconds(10 + 64)))
        #expect(backlog.check(at: start + .seconds(73)) == .checkAgain(start + .seconds(74)))
        // The client reads half, and is sent as much. Then it stops.
        backlog.openWindow(1, by: 1 << 19, at: start + .seconds(73))
        backlog.send(1 << 19, of: 1, at: start + .seconds(73))
        #expect(backlog.check(at: start + .seconds(74)) == .stuck([3]))
        backlog.close(3, at: start + .seconds(74))
        #expect(backlog.check(at: start + .seconds(74)) == .checkAgain(start + .seconds(73 + 74)))
        #expect(backlog.check(at: start + .seconds(73 + 74)) == .allStuck)
    }

    @Test mutating func `the time for reading has an end`() {
        backlog.setInitialWindow(1 << 30, at: start)
        backlog.openWindow(0, by: 1 << 30, at: start)
        backlog.open(1)
        #expect(backlog.add(2 << 30, to: 1, at: start) == true)
        backlog.send(1 << 30, of: 1, at: start)
        #expect(backlog.check(at: start) == .checkAgain(start + .seconds(10 + 1024)))
    }

    @Test mutating func `streams that wait for the socket and not for a window are not stuck`() {
        backlog.open(1)
        #expect(backlog.add(100_000, to: 1, at: start) == true)
        #expect(backlog.check(at: start + .seconds(600)) == .done)
        // The window closes by what is sent, and opens by the client's settings.
        backlog.send(32_768, of: 1, at: start + .seconds(600))
        backlog.setInitialWindow(32_768, at: start + .seconds(601))
        #expect(backlog.check(at: start + .seconds(601)) == .checkAgain(start + .seconds(601 + 12)))
        backlog.setInitialWindow(32_769, at: start + .seconds(602))
        #expect(backlog.check(at: start + .seconds(700)) == .done)
    }

    @Test mutating func `the window of the connection stops all streams, and what is taken extends the time`() {
        for id in [1, 3] {
            backlog.open(id)
            #expect(backlog.add(60_000, to: id, at: start) == true)
        }
        backlog.send(60_000, of: 1, at: start)
        backlog.send(5_535, of: 3, at: start)
        let time = Duration.seconds(10) + .seconds(65_535) / 16_384
        #expect(backlog.check(at: start + .seconds(10)) == .checkAgain(start + time))
        #expect(backlog.blockedStreams == 1)
        backlog.send(1_024, of: 3, at: start + .seconds(12))
        backlog.openWindow(0, by: 1_024, at: start + .seconds(12))
        #expect(backlog.check(at: start + time) == .checkAgain(start + time + .seconds(1)))
        #expect(backlog.check(at: start + time + .seconds(1)) == .allStuck)
        backlog.close(3, at: start + .seconds(26))
        #expect(backlog.check(at: start + .seconds(26)) == .done)
    }

    @Test mutating func `a connection holds as many bytes as the limit, and one write more`() {
        let limits = HTTPLimits()
        for id in 0..<100 { backlog.open(2 * id + 1) }
        var taken = 0
        while backlog.add(1 << 20, to: 2 * taken + 1, at: start) { taken += 1 }
        #expect(taken == 8)
        #expect(backlog.waiting == limits.writeMemory)
        backlog.send(1, of: 1, at: start)
        #expect(backlog.add(1 << 20, to: 17, at: start) == true)
        #expect(backlog.add(1, to: 19, at: start) == false)
        #expect(backlog.waiting < limits.writeMemory + 1 << 20)
        // Empty writes need no memory.
        #expect(backlog.add(0, to: 19, at: start) == true)
        for id in 0..<100 { backlog.close(2 * id + 1, at: start) }
        #expect(backlog.waiting == 0)
    }

    @Test func `a header block has a time from its first byte to its last`() {
        var progress = HeaderBlockProgress(timeout: .seconds(5))
        #expect(progress.check(at: start) == .done)
        progress.receive(completed: 1, isIncomplete: true, at: start)
        progress.receive(completed: 1, isIncomplete: true, at: start + .seconds(4))
        #expect(progress.check(at: start + .seconds(4)) == .checkAgain(start + .seconds(5)))
        #expect(progress.check(at: start + .seconds(5)) == .tooSlow)
        // The next block begins with the bytes that end this one.
        progress.receive(completed: 2, isIncomplete: true, at: start + .seconds(4.5))
        #expect(progress.check(at: start + .seconds(5)) == .checkAgain(start + .seconds(9.5)))
        progress.receive(completed: 3, isIncomplete: false, at: start + .seconds(6))
        #expect(progress.check(at: start + .seconds(60)) == .done)
    }
}
