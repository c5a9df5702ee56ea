import Testing

@testable import Server

@Suite struct LiveBroadcasterTests {
    @Test func `subscribers of an app receive only its updates`() async throws {
        let broadcaster = LiveBroadcaster()
        let one = try #require(broadcaster.follow(app: 1))
        let also = try #require(broadcaster.follow(app: 1))
        let other = try #require(broadcaster.follow(app: 2))
        #expect(broadcaster.apps == [1, 2])
        broadcaster.post("first", app: 1)
        broadcaster.post("second", app: 2)
        broadcaster.close()
        #expect(await Array(one) == ["first"])
        #expect(await Array(also) == ["first"])
        #expect(await Array(other) == ["second"])
        #expect(broadcaster.follow(app: 1) == nil, "a closed broadcaster has no streams")
    }

    @Test func `an app without subscribers is not queried`() async throws {
        let broadcaster = LiveBroadcaster()
        let reader = Task { [stream = try #require(broadcaster.follow(app: 7))] in
            for await _ in stream {}
        }
        #expect(broadcaster.apps == [7])
        reader.cancel()
        await reader.value
        #expect(broadcaster.apps.isEmpty)
    }

    @Test func `a slow reader loses the oldest updates and buffers only a few`() async throws {
        let broadcaster = LiveBroadcaster()
        let stream = try #require(broadcaster.follow(app: 1))
        for number in 1...100 { broadcaster.post("\(number)", app: 1) }
        broadcaster.close()
        #expect(await Array(stream) == ["97", "98", "99", "100"])
    }
}

extension Array {
    fileprivate init(_ sequence: AsyncStream<Element>) async {
        self.init()
        for await element in sequence { append(element) }
    }
}
