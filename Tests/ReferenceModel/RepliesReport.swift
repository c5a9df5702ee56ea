import Foundation

/// Computes the report `replies`: the most frequent answers to each action.
///
/// - Parameters:
///   - top: the number of answers listed for each action.
///   - fewest: the number of deliveries that an answer needs to be listed.
package func repliesReport(
    events: [ModelEvent], declarations: Declarations, selection: Selection, top: Int, fewest: Int
) -> [ModelRow] {
    let replies = replies(events, declarations, selection)
    return Dictionary(grouping: replies, by: \.group).sorted { precedes($0.key, $1.key) }.flatMap { group, replies in
        answerRows(group, replies, selection, top: top, fewest: fewest)
    }
}

/// Computes the report `replies` with `include_text`: the texts, newest first.
package func replyTexts(
    events: [ModelEvent], declarations: Declarations, selection: Selection
) -> [ModelRow] {
    replies(events, declarations, selection).sorted { precedes($0.place, $1.place) }.map { reply in
        var row = ModelRow()
        append(reply.group, to: &row)
        row.append("replied_at", .text(Identifier(rfc3339(reply.event.occurredAt))))
        row.append("text", .text(Identifier(reply.event.userText ?? "")))
        return row
    }
}

private struct Reply {
    let event: ModelEvent
    let group: [Identifier?]

    var delivery: [Identifier?] { [event.notificationID, event.deviceID] }

    /// Texts of the same moment are sorted by their bytes.
    var place: [Identifier?] {
        [Identifier(String(format: "%020ld", Int.max - event.occurredAt)), Identifier(event.userText ?? "")] + group
    }
}

private func replies(_ events: [ModelEvent], _ declarations: Declarations, _ selection: Selection) -> [Reply] {
    Delivery.all(in: events, of: selection.app).flatMap { delivery -> [Reply] in
        guard
            let selected = SelectedDelivery(delivery, declarations: declarations, selection: selection)
        else { return [] }
        let facts = selected.placement.dimensions
        return selected.events.filter { $0.kind == .text_input }.map {
            Reply(event: $0, group: [facts.category, facts.campaign, $0.actionIdentifier])
        }
    }
}

private func answerRows(
    _ group: [Identifier?], _ replies: [Reply], _ selection: Selection, top: Int, fewest: Int
) -> [ModelRow] {
    let answers = Dictionary(grouping: replies) { Identifier(normalised($0.event.userText ?? "")) }
    let frequent = answers.map { ($0.key, $0.value, Set($0.value.map(\.delivery)).count) }.filter { $0.2 >= fewest }
        .sorted { left, right in
            if left.2 != right.2 { return left.2 > right.2 }
            return left.1.count != right.1.count ? left.1.count > right.1.count : left.0 < right.0
        }.prefix(top)
    let listed = Set(frequent.map(\.0))
    let others = answers.filter { !listed.contains($0.key) }.flatMap(\.value)
    let rows = frequent.map { answer, given, _ in
        answerRow(group, answer, given, of: replies, selection)
    }
    return others.isEmpty ? rows : rows + [answerRow(group, nil, others, of: replies, selection)]
}

private func answerRow(
    _ group: [Identifier?], _ answer: Identifier?, _ given: [Reply], of all: [Reply], _ selection: Selection
) -> ModelRow {
    var row = ModelRow()
    append(group, to: &row)
    let deliveries = Set(given.map(\.delivery)).count
    let replied = Set(all.map(\.delivery)).count
    row.append("replies", .int(all.count))
    row.append("answer", ModelValue(answer))
    row.append("count", .int(given.count))
    row.append("deliveries", .int(deliveries))
    row.append("replied", .int(replied))
    let share = Rate("share", deliveries, of: replied)
    row.append(share.cells(minN: selection.minN))
    row.append("suppressed", .bool(share.isSuppressed(minN: selection.minN)))
    row.append("reason", share.reason(minN: selection.minN).map { .text($0) } ?? .null)
    return row
}

private func append(_ group: [Identifier?], to row: inout ModelRow) {
    for (name, value) in zip(["category_id", "campaign_id", "action_id"], group) {
        row.append(name, ModelValue(value))
    }
}

/// The text in lower case and composed form, trimmed and with white space collapsed.
func normalised(_ text: String) -> String {
    let words = text.precomposedStringWithCanonicalMapping.lowercased().unicodeScalars
        .split { $0.properties.isWhitespace }
        .map { String(String.UnicodeScalarView($0)) }
    return words.joined(separator: " ").precomposedStringWithCanonicalMapping
}
