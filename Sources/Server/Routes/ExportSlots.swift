import Synchronization

/// How many exports may run at once: each holds some megabytes for as long as its reader takes.
final class ExportSlots: Sendable {
    private let free: Mutex<Int>

    init(_ count: Int = 8) {
        free = Mutex(count)
    }

    /// A place for one more export; nil if there is none.
    func take() -> Slot? {
        let isTaken = free.withLock { free in
            guard free > 0 else { return false }
            free -= 1
            return true
        }
        return isTaken ? Slot(self) : nil
    }

    /// Given back when nobody has it any more: an answer may never be asked for its body.
    final class Slot: Sendable {
        private let slots: ExportSlots
        private let isHeld = Mutex(true)

        fileprivate init(_ slots: ExportSlots) {
            self.slots = slots
        }

        deinit { release() }

        func release() {
            let wasHeld = isHeld.withLock { held in
                defer { held = false }
                return held
            }
            if wasHeld { slots.free.withLock { $0 += 1 } }
        }
    }
}
