import HeapModule

/// Decides whose turn it is, so that holders that wait get equal parts of the time.
///
/// The next turn belongs to the holder that has used the least time so far. A holder that returns starts at the time that
/// the others have reached, so waiting rarely gives no advantage later. This is start-time fair queueing (Goyal, Vin and
/// Cheng, 1997), except that the length of a turn is known only when it ends.
struct FairTurns<Holder: Hashable> {
    private struct Turn: Comparable {
        /// The time that the holder had used when it began to wait.
        let start: Duration
        /// Who waits longer is first if both have used the same time.
        let number: Int
        let holder: Holder

        static func == (left: Turn, right: Turn) -> Bool { left.number == right.number }
        static func < (left: Turn, right: Turn) -> Bool { (left.start, left.number) < (right.start, right.number) }
    }

    /// How often each holder waits.
    private var waiting: [Holder: Int] = [:]
    /// A turn of each holder that waits.
    private var turns = Heap<Turn>()
    private var count = 0
    /// The time that each holder has used. A holder without an entry has used at most `reached`.
    private var used: [Holder: Duration] = [:]
    /// The start of the latest turn.
    private var reached = Duration.zero
    /// The number of entries in `used` at which those of at most `reached` are removed.
    private var sweepCount = 64

    /// Whether no holder waits.
    var isEmpty: Bool { waiting.isEmpty }

    /// The number of holders whose used time is remembered.
    var remembered: Int { used.count }

    /// Adds a turn of a holder.
    mutating func wait(_ holder: Holder) {
        waiting[holder, default: 0] += 1
        if waiting[holder] == 1 { add(holder) }
    }

    /// Removes the next turn, and returns its holder, or `nil` if no holder waits.
    mutating func next() -> Holder? {
        while let turn = turns.popMin() {
            let holder = turn.holder
            if let used = used[holder], used > turn.start {
                // A turn of this holder has ended since this one was added.
                add(holder)
                continue
            }
            reached = max(reached, turn.start)
            used[holder] = reached
            let left = (waiting[holder] ?? 1) - 1
            waiting[holder] = left == 0 ? nil : left
            if left > 0 { add(holder) }
            return holder
        }
        return nil
    }

    /// Adds the time of a turn that has ended.
    mutating func charge(_ time: Duration, to holder: Holder) {
        used[holder, default: reached] += time
        guard used.count > sweepCount else { return }
        used = used.filter { $0.value > reached }
        sweepCount = max(64, 2 * used.count)
    }

    private mutating func add(_ holder: Holder) {
        count += 1
        turns.insert(Turn(start: max(reached, used[holder] ?? .zero), number: count, holder: holder))
    }
}
