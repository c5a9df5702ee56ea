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

    /// An event that says that the connection or the stream has ended.
    struct Ended {}

    private enum Place {
        case none
        case waiting(id: Int)
        case taken(id: Int)
    }

    private enum Item {
        case part(HTTPRequestPart)
        case event(Any)
        case error(any Error)
    }

    /// The time after which a request that is not answered is taken to wait for something other than a processor, in
    /// addition to the time for which other tasks keep a new one waiting.
    private static let patience = TimeAmount.microseconds(500)

    private let turns: RequestTurns
    private var place = Place.none
    /// The number of times that a place was asked for, which tells a late answer from the one that is awaited.
    private var turn = 0
    /// Whether a request waits for the response to the one before it, which comes to the responder first anyway.
    private var isBehind = false
    /// What waits with the request, in order.
    private var held: [Item] = []
    private var readIsDue = false
    /// Whose request is read or worked on, or `nil` if it isn't bounded.
    private var client: ClientAddress?
    /// Whether the response to the request has begun.
    private var isAnswered = true
    /// Whether the request was passed on to its end.
    private var isComplete = true
    private var timer: Scheduled<Void>?
    private var context: ChannelHandlerContext?

    init(_ turns: RequestTurns) {
        self.turns = turns
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        held = []
        leave()
        self.context = nil
    }

    // MARK: Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        if !isHolding { admit(part, context) }
        if isHolding { return held.append(.part(part)) }
        if case .end = part { isComplete = true }
        // Not wrapped again, which would allocate memory for each part of each request.
        context.fireChannelRead(data)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is Ended { end(context) } else { pass(.event(event), context) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        pass(.error(error), context)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        // Also if something waits now: what came before it was passed on.
        context.fireChannelReadComplete()
        if !isComplete, !isHolding { giveUpSoon() }
    }

    func read(context: ChannelHandlerContext) {
        if isHolding { readIsDue = true } else { context.read() }
    }

    private var isHolding: Bool {
        if case .waiting = place { true } else { isBehind }
    }

    private func pass(_ item: Item, _ context: ChannelHandlerContext) {
        if isHolding { return held.append(item) }
        if case .part(let part) = item {
            admit(part, context)
            if isHolding { return held.append(item) }
        }
        fire(item, context)
    }

    private func fire(_ item: Item, _ context: ChannelHandlerContext) {
        switch item {
        case .part(let part):
            if case .end = part { isComplete = true }
            context.fireChannelRead(wrapInboundOut(part))
        case .event(let event): context.fireUserInboundEventTriggered(event)
        case .error(let error): context.fireErrorCaught(error)
        }
    }

    /// Asks for a place if the server has work to do when it gets this part.
    private func admit(_ part: HTTPRequestPart, _ context: ChannelHandlerContext) {
        switch part {
        case .head where !isAnswered: isBehind = true
        case .head(let request):
            client = turns.client(ClientAddress(context.channel.remoteAddress), request.headerFields)
            isAnswered = false
            isComplete = false
            enter(context)
        case .body: break
        case .end: if case .none = place, !isAnswered { enter(context) }
        }
    }

    private func enter(_ context: ChannelHandlerContext) {
        guard let client else { return }
        turn += 1
        let (eventLoop, turn) = (context.eventLoop, turn)
        let handler = NIOLoopBound(self, eventLoop: eventLoop)
        let (id, waits) = turns.enter(client) { eventLoop.execute { handler.value.begin(turn) } }
        if waits { place = .waiting(id: id) } else { take(id, eventLoop) }
    }

    private func take(_ id: Int, _ eventLoop: any EventLoop) {
        place = .taken(id: id)
        timer = eventLoop.assumeIsolated().scheduleTask(in: Self.patience) { self.giveUpSoon() }
    }

    private func begin(_ turn: Int) {
        guard turn == self.turn, case .waiting(let id) = place, let context else { return }
        take(id, context.eventLoop)
        let items = held
        held = []
        // The first one is what the place is for.
        if let first = items.first { fire(first, context) }
        passAgain(items.dropFirst(), context)
    }

    private func passAgain(_ items: some Sequence<Item>, _ context: ChannelHandlerContext) {
        for item in items { pass(item, context) }
        context.fireChannelReadComplete()
        if isHolding { return }
        if !isComplete { giveUpSoon() }
        guard readIsDue else { return }
        readIsDue = false
        context.read()
    }

    /// Gives the place up when a task that begins now has had its turn, and so the request has, too.
    private func giveUpSoon() {
        timer?.cancel()
        timer = nil
        guard case .taken = place, let eventLoop = context?.eventLoop else { return }
        let turn = turn
        let handler = NIOLoopBound(self, eventLoop: eventLoop)
        turns.afterOthers(eventLoop) { handler.value.giveUp(turn) }
    }

    private func giveUp(_ turn: Int) {
        if turn == self.turn, case .taken = place { leave() }
    }

    private func leave() {
        timer?.cancel()
        timer = nil
        switch place {
        case .none: break
        case .waiting(let id), .taken(let id): turns.leave(id)
        }
        place = .none
    }

    /// Drops a request that waits, because its client is gone.
    private func end(_ context: ChannelHandlerContext) {
        // A responder that has the beginning of a request must not take what it has for all.
        if isHolding, !isComplete, !startsWithHead { context.fireErrorCaught(ChannelError.eof) }
        held = []
        leave()
    }

    private var startsWithHead: Bool {
        if case .part(.head) = held.first { true } else { false }
    }

    // MARK: Responses

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        context.write(data, promise: promise)
        guard !isAnswered, case .head(let response) = unwrapOutboundIn(data), response.status.kind != .informational
        else { return }
        isAnswered = true
        let wasHolding = isHolding
        leave()
        isBehind = false
        guard wasHolding else { return }
        let items = held
        held = []
        passAgain(items, context)
    }
}
