import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Keeps a request from the responder until its client may have another one worked on; see `RequestTurns`.
///
/// A request has a place until its response begins, or until it waits for something other than a processor: for the rest
/// of its body, or for PostgreSQL. So slow clients don't keep out others at their address, nor does a slow database. A
/// request whose body arrives later needs a place again for its end.
///
/// While a request waits, its connection or stream is not read. The handlers before this one have seen what was read, so
/// their timers don't run meanwhile.
final class RequestTurnHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private enum State {
        /// Without a place: between requests, or while one waits for something other than a processor.
        case outside
        /// A request waits for a place.
        case waiting(id: Int)
        /// A request has a place.
        case working(id: Int)
    }

    private enum Held {
        case part(HTTPRequestPart)
        case event(Any)
        case error(any Error)
    }

    /// The time after which a request that is not answered is taken to wait for something other than a processor, in
    /// addition to the time for which other tasks keep a new one waiting.
    private static let patience = TimeAmount.milliseconds(1)

    private let turns: RequestTurns
    private var state = State.outside
    /// What waits with the request, in order.
    private var held: [Held] = []
    private var readIsDue = false
    /// Whose request is read or worked on, or `nil` if it isn't bounded.
    private var client: ClientAddress?
    private var isAnswered = true
    private var timer: Scheduled<Void>?
    private var context: ChannelHandlerContext?

    init(_ turns: RequestTurns) {
        self.turns = turns
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        stop()
        self.context = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        stop()
        context.fireChannelInactive()
    }

    /// Drops a request that waits, because its client is gone.
    private func stop() {
        held = []
        leave()
    }

    // MARK: Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        if case .waiting = state { return held.append(.part(part)) }
        if case .outside = state, needsPlace(part, context), let client {
            enter(context, client)
            if case .waiting = state { return held.append(.part(part)) }
        }
        context.fireChannelRead(data)
    }

    /// Whether the server has work to do when it gets this part.
    private func needsPlace(_ part: HTTPRequestPart, _ context: ChannelHandlerContext) -> Bool {
        switch part {
        case .head(let request):
            client = turns.client(ClientAddress(context.channel.remoteAddress), request.headerFields)
            isAnswered = false
            return true
        case .body: return false
        case .end: return !isAnswered
        }
    }

    private func enter(_ context: ChannelHandlerContext, _ client: ClientAddress) {
        let eventLoop = context.eventLoop
        let handler = NIOLoopBound(self, eventLoop: eventLoop)
        let (id, waits) = turns.enter(client) { id in eventLoop.execute { handler.value.begin(id) } }
        if waits { state = .waiting(id: id) } else { work(id, on: eventLoop) }
    }

    private func work(_ id: Int, on eventLoop: any EventLoop) {
        state = .working(id: id)
        let handler = NIOLoopBound(self, eventLoop: eventLoop)
        timer = eventLoop.scheduleTask(in: Self.patience) {
            // It takes as long as other tasks keep it waiting, and so does the request.
            Task { eventLoop.execute { handler.value.giveUp(id) } }
        }
    }

    private func begin(_ id: Int) {
        guard case .waiting(id) = state, let context else { return }
        work(id, on: context.eventLoop)
        passHeld(context)
    }

    private func passHeld(_ context: ChannelHandlerContext) {
        let parts = held
        held = []
        for part in parts {
            switch part {
            case .part(let part): context.fireChannelRead(wrapInboundOut(part))
            case .event(let event): context.fireUserInboundEventTriggered(event)
            case .error(let error): context.fireErrorCaught(error)
            }
        }
        context.fireChannelReadComplete()
        guard readIsDue else { return }
        readIsDue = false
        context.read()
    }

    private func giveUp(_ id: Int) {
        if case .working(id) = state { leave() }
    }

    private func leave() {
        timer?.cancel()
        timer = nil
        switch state {
        case .outside: break
        case .waiting(let id), .working(let id): turns.leave(id)
        }
        state = .outside
    }

    // MARK: Order

    func channelReadComplete(context: ChannelHandlerContext) {
        if case .waiting = state { return }
        context.fireChannelReadComplete()
    }

    func read(context: ChannelHandlerContext) {
        if case .waiting = state { readIsDue = true } else { context.read() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .waiting = state { return held.append(.event(event)) }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if case .waiting = state { return held.append(.error(error)) }
        context.fireErrorCaught(error)
    }

    // MARK: Responses

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        context.write(data, promise: promise)
        guard case .head(let response) = unwrapOutboundIn(data), response.status.kind != .informational else { return }
        isAnswered = true
        let isWaiting = if case .waiting = state { true } else { false }
        leave()
        // The end of a request that was answered before it.
        if isWaiting { passHeld(context) }
    }
}
