import Testing

@testable import Server

@Suite struct LiveBoardTests {
    @Test func `those who follow an app see what is put up of it, and of no other`() async throws {
        let board = LiveBoard()
        let one = try #require(board.follow(app: 1))
        let also = try #require(board.follow(app: 1))
        let other = try #require(board.follow(app: 2))
        #expect(board.apps == [1, 2])
        board.post("first", app: 1)
        board.post("second", app: 2)
        board.close()
        #expect(await Array(one) == ["first"])
        #expect(await Array(also) == ["first"])
        #expect(await Array(other) == ["second"])
        #expect(board.follow(app: 1) == nil, "nothing is put up any more")
    }

    @Test func `an app that nobody follows any more is not asked about`() async throws {
        let board = LiveBoard()
        let reader = Task { [stream = try #require(board.follow(app: 7))] in
            for await _ in stream {}
        }
        #expect(board.apps == [7])
        reader.cancel()
        await reader.value
        #expect(board.apps.isEmpty)
    }

    @Test func `a slow reader misses the oldest, and holds no more than a few`() async throws {
        let board = LiveBoard()
        let stream = try #require(board.follow(app: 1))
        for number in 1...100 { board.post("\(number)", app: 1) }
        board.close()
        #expect(await Array(stream) == ["97", "98", "99", "100"])
    }
}

extension Array {
    fileprivate init(_ sequence: AsyncStream<Element>) async {
        self.init()
        for await element in sequence { append(element) }
    }
}
