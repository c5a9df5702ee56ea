import Foundation

/// "Each device belongs to one of 128 buckets by hash": the 64-bit FNV-1a hash of the name, the first half of
/// MurmurHash3's finalizer, and of that the low seven bits.
package func deviceBucket(_ device: Identifier) -> Int {
    var hash: UInt64 = 14_695_981_039_346_656_037
    for byte in device.text.utf8 {
        hash ^= UInt64(byte)
        hash = hash.multipliedReportingOverflow(by: 1_099_511_628_211).partialValue
    }
    hash ^= hash >> 33
    hash = hash.multipliedReportingOverflow(by: 0xff51_afd7_ed55_8ccd).partialValue
    hash ^= hash >> 33
    return Int(hash % 128)
}

/// The deliveries from which design effects are computed: those of the whole UTC days that the selection touches, with
/// the category versions of the day's beginning (decision D70).
struct DeviceClusters {
    private let deliveries: [SelectedDelivery]
    /// Those of the deliveries whose whole day is closed.
    private let closed: [SelectedDelivery]
    private let bases: Bases
    private let countsDeclaredSends: Bool

    /// - Parameter byTime: whether groups are days, where declared sends do not count.
    init(
        _ events: [ModelEvent], _ declarations: Declarations, _ selection: Selection, bases: Bases, byTime: Bool = false
    ) {
        let selection = selection.ripeHours
        var days = selection
        days.from = selection.from.map(dayStart)
        days.to = selection.to.map { dayStart($0) == $0 ? $0 : dayStart($0) + microsecondsPerDay }
        func placed(at time: @escaping (Int) -> Int) -> [SelectedDelivery] {
            Delivery.all(in: events, of: selection.app).compactMap {
                SelectedDelivery($0, declarations: declarations, selection: days, placedAt: time)
            }
        }
        deliveries = placed(at: dayStart)
        let lastHour = 23 * microsecondsPerHour
        let isClosed = Set(
            placed { dayStart($0) + lastHour }.filter(\.placement.isClosed).map { [$0.notification, $0.device] })
        closed = deliveries.filter { isClosed.contains([$0.notification, $0.device]) }
        self.bases = bases
        countsDeclaredSends = !byTime
    }

    private init(_ clusters: DeviceClusters, where condition: (SelectedDelivery) -> Bool) {
        deliveries = clusters.deliveries.filter(condition)
        closed = clusters.closed.filter(condition)
        bases = clusters.bases
        countsDeclaredSends = clusters.countsDeclaredSends
    }

    func part(where condition: (SelectedDelivery) -> Bool) -> DeviceClusters {
        DeviceClusters(self, where: condition)
    }

    func of(campaign: Identifier, variant: Identifier? = nil) -> DeviceClusters {
        part { delivery in
            let dimensions = delivery.placement.dimensions
            return dimensions.campaign == campaign && (variant == nil || dimensions.variant == variant)
        }
    }

    /// All deliveries of a campaign with declared sends stand for its sends (decision D71).
    var sent: [SelectedDelivery] { deliveries.filter(isSent) }
    var confirmed: [SelectedDelivery] { deliveries.filter(\.isConfirmed) }
    var inBase: [SelectedDelivery] { deliveries.filter(isInBase) }

    private func isSent(_ delivery: SelectedDelivery) -> Bool {
        delivery.campaignHasDeclaredSends ? countsDeclaredSends : delivery.isSent
    }

    private func isInBase(_ delivery: SelectedDelivery) -> Bool {
        switch bases[delivery.placement.dimensions.campaign] {
        case .sent: isSent(delivery)
        case .confirmed: delivery.isConfirmed
        case .none, .mixed: false
        }
    }

    /// The design effect of a rate within the base; 1 without deliveries.
    func designEffect(_ state: (SelectedDelivery) -> Bool) -> Double {
        let all = inBase
        return ReferenceModel.designEffect(all, all.filter(state))
    }

    /// The design effect of a rate of `conversion`.
    ///
    /// - Parameter isTotal: whether the denominators of replies and dismissals are all deliveries of the base (decision
    ///   D75).
    func designEffect(ofRate name: String, isTotal: Bool = false) -> Double {
        let offered = inBase.filter { isTotal || $0.placement.version?.offersText ?? false }
        let observable = inBase.filter { isTotal || $0.placement.isDismissObservable }.filter { !$0.isReplaced }
        let answerable = closed.filter(isInBase).filter { !$0.isReplaced }
        return switch name {
        case "delivery_rate": ReferenceModel.designEffect(sent, sent.filter(\.isDelivered))
        case "confirmation_coverage": ReferenceModel.designEffect(sent, sent.filter(\.isConfirmed))
        case "response_rate": designEffect(\.isResponded)
        case "open_rate": designEffect(\.isOpened)
        case "action_rate": designEffect(\.isActed)
        case "conversion_rate": designEffect(\.isConverted)
        case "reply_rate": ReferenceModel.designEffect(offered, offered.filter(\.isReplied))
        case "dismiss_rate": ReferenceModel.designEffect(observable, observable.filter(\.isDismissed))
        case "dismiss_coverage": designEffect(\.placement.isDismissObservable)
        case "read_rate": designEffect(\.isRead)
        case "no_response_rate":
            ReferenceModel.designEffect(answerable, answerable.filter { !$0.isResponded && !$0.isRefusedSend })
        default: 1
        }
    }
}

/// "`devices` and `deliveries_per_device` stand beside" design effects.
struct DeviceCount {
    let devices: Int
    let deliveriesPerDevice: Double?

    init(of deliveries: [SelectedDelivery]) {
        devices = Set(deliveries.map(\.device)).count
        deliveriesPerDevice = devices == 0 ? nil : Double(deliveries.count) / Double(devices)
    }

    /// Nil without clusters, where both are null.
    static func cells(_ count: DeviceCount?) -> [ModelRow.Cell] {
        [
            ModelRow.Cell(name: "devices", value: count.map { .int($0.devices) } ?? .null),
            ModelRow.Cell(name: "deliveries_per_device", value: ModelValue(count?.deliveriesPerDevice)),
        ]
    }
}

/// "With n_b deliveries and y_b of them in the state in bucket b, the variance of a rate p is 128/127 times the sum of
/// (y_b - p n_b)², divided by (sum of n_b)²."
func ratioVariance(_ all: [SelectedDelivery], _ some: [SelectedDelivery]) -> Double {
    let (n, y) = (counts(all), counts(some))
    let total = Double(all.count)
    let rate = Double(some.count) / total
    let squares = zip(n, y).map { n, y in (Double(y) - rate * Double(n)) * (Double(y) - rate * Double(n)) }
    return 128.0 / 127.0 * squares.reduce(0, +) / total / total
}

/// "`design_effect` is that over p (1 - p) / n, never under 1."
func designEffect(_ all: [SelectedDelivery], _ some: [SelectedDelivery]) -> Double {
    guard !some.isEmpty, some.count < all.count else { return 1 }
    let rate = Double(some.count) / Double(all.count)
    return max(1, ratioVariance(all, some) / (rate * (1 - rate) / Double(all.count)))
}

/// The design effect of a mean value per delivery, like that of a rate with values instead of 0 and 1 (decision D82).
func valueDesignEffect(_ deliveries: [SelectedDelivery], currency: Identifier) -> Double {
    valueDesignEffect(deliveries, deliveries.map { Double($0.values[currency] ?? 0) })
}

/// The same for any values of the deliveries.
func valueDesignEffect(_ deliveries: [SelectedDelivery], _ values: [Double]) -> Double {
    let n = Double(values.count)
    guard n > 1 else { return 1 }
    let mean = values.reduce(0, +) / n
    let variance = values.map { ($0 - mean) * ($0 - mean) }.reduce(0, +) / (n - 1)
    guard variance > 0 else { return 1 }
    var excess = [Double](repeating: 0, count: 128)
    for (delivery, value) in zip(deliveries, values) { excess[deviceBucket(delivery.device)] += value - mean }
    let ofRatio = 128.0 / 127.0 * excess.map { $0 * $0 }.reduce(0, +) / n / n
    return max(1, ofRatio / (variance / n))
}

private func counts(_ deliveries: [SelectedDelivery]) -> [Int] {
    var counts = [Int](repeating: 0, count: 128)
    for delivery in deliveries { counts[deviceBucket(delivery.device)] += 1 }
    return counts
}

private let microsecondsPerDay = 24 * microsecondsPerHour

/// The start of the UTC day that contains a time; both in microseconds since the Unix epoch.
private func dayStart(_ time: Int) -> Int {
    let day = time / microsecondsPerDay * microsecondsPerDay
    return day > time ? day - microsecondsPerDay : day
}
