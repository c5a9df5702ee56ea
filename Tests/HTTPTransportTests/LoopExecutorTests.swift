import NIOCore
import NIOPosix
import Testing
import Tuning

/// Tests where the tasks of a connection run.
@Suite struct LoopExecutorTests {
    @Test func `a task, its children and the actors that it calls run on the event loop`() async {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        await withTaskExecutorPreference(LoopExecutor(loop)) {
            #expect(loop.inEventLoop)
            async let child = Self.isOn(loop)
            #expect(await child)
            #expect(await Watcher().isOn(loop))
            await Task.yield()
            #expect(loop.inEventLoop)
        }
    }

    @concurrent private static func isOn(_ loop: any EventLoop) async -> Bool {
        await Task.yield()
        return loop.inEventLoop
    }

    private actor Watcher {
        func isOn(_ loop: any EventLoop) -> Bool { loop.inEventLoop }
    }
}
