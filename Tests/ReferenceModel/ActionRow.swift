/// A row of `actions` while it is being counted.
struct ActionRow {
    /// Category, campaign, variant.
    let group: [Identifier?]
    let action: Identifier
    let declared: Bool
    var offered = 0
    var actedWithinBase = 0
    private var acted = 0
    private var total = 0
    private var seconds: [Double] = []

    init(group: [Identifier?], action: Identifier, declared: Bool) {
        self.group = group
        self.action = action
        self.declared = declared
    }

    var category: Identifier? {
        group[0]
    }

    var key: [Identifier?] {
        group + [action]
    }

    /// Counts the deliveries among these that acted, in the base or not.
    mutating func count(_ deliveries: [SelectedDelivery]) {
        let acting = deliveries.filter { $0.isActed(action) }
        acted = acting.count
        total = acting.map { $0.total(action) }.reduce(0, +)
        seconds = acting.compactMap { $0.secondsToAction(action) }
    }

    /// The nearest-rank median: element ceil(n/2), counted from 1 (decision D7).
    private var median: Double? {
        seconds.isEmpty ? nil : seconds.sorted()[(seconds.count + 1) / 2 - 1]
    }

    func row(title: String?, minN: Int) -> ModelRow {
        let conversion = Rate("conversion", actedWithinBase, of: offered)
        var row = ModelRow()
        row.append("category_id", ModelValue(group[0]))
        row.append("campaign_id", ModelValue(group[1]))
        row.append("variant", ModelValue(group[2]))
        row.append("action_id", .text(action))
        row.append("title", ModelValue(title.map { Identifier($0) }))
        row.append("declared", .bool(declared))
        row.append("offered_n", .int(offered))
        row.append("acted", .int(acted))
        row.append("total", .int(total))
        row.append(conversion.cells(minN: minN))
        row.append("p50_seconds", median.map { .double($0) } ?? .null)
        row.append("suppressed", .bool(conversion.isSuppressed(minN: minN)))
        return row
    }
}
