package import Declarations
import Events
import Foundation
import Reports

extension AlertRule {
    /// Reads the body of `PUT /v1/alerts/{name}`, or a stored definition.
    ///
    /// A body with the name of a built-in rule that names no report changes only whether that rule is enabled, and where
    /// its alerts go.
    package init(_ body: [UInt8], name: String) throws(DeclarationError) {
        let entry = try DeclarationError.decode(Entry.self, from: body)
        let fields = EntryFields(place: "alert")
        if entry.report == nil, let builtIn = BuiltInAlerts.rules.first(where: { $0.name == name }) {
            self = builtIn
        } else {
            try self.init(entry, name: name, fields)
        }
        isEnabled = entry.enabled ?? true
        destinations = try entry.deliver.map { entries throws(DeclarationError) in
            try AlertDestination.list(entries, in: "alert")
        }
    }

    private init(_ entry: Entry, name: String, _ fields: EntryFields) throws(DeclarationError) {
        self.init(
            name: try fields.required("name", name), report: try fields.required("report", entry.report),
            column: try fields.required("column", entry.column), condition: try Self.condition(entry, fields))
        parameters = (entry.parameters ?? [:]).mapValues(\.text)
        filter = (entry.filter ?? [:]).mapValues(\.text)
        series = entry.series ?? []
        guard parameters.count <= 50, filter.count <= 20, series.count <= 5, Set(series).count == series.count,
            (Array(parameters.values) + Array(filter.values) + Array(filter.keys)).allSatisfy(Self.isName)
        else { throw fields.error("parameters", .fieldInvalid, "or where or series has too many or too long entries") }
        let day: Int64 = 86_400
        window = try Self.period("window", entry.window, 60...400 * day, fields)
        delay = try Self.period("delay", entry.delay, 0...100 * day, fields) ?? delay
        hold = try Self.period("hold", entry.hold, 0...30 * day, fields) ?? hold
        every = try Self.period("every", entry.every, 1...7 * day, fields) ?? every
        if case .band(let band) = condition, case .weeks = band.reference {
            guard let window, window >= .seconds(3_600) else {
                throw fields.error("window", .fieldInvalid, "must be at least 1h to compare with the weeks before")
            }
        }
    }

    private static func isName(_ text: String) -> Bool { text.utf8.count <= 256 && !text.utf8.contains(0) }

    private static func period(
        _ name: String, _ text: String?, _ range: ClosedRange<Int64>, _ fields: EntryFields
    ) throws(DeclarationError) -> Duration? {
        guard let text else { return nil }
        guard let period = AlertPeriod.read(text), range.contains(period.components.seconds) else {
            throw fields.error(
                name, .fieldInvalid,
                "is not a duration like 90s, 15m, 12h or 7d, from \(range.lowerBound) s to \(range.upperBound) s")
        }
        return period
    }

    private static func condition(_ entry: Entry, _ fields: EntryFields) throws(DeclarationError) -> AlertCondition {
        let hasBound = entry.below != nil || entry.above != nil
        guard [hasBound, entry.texts != nil, entry.band != nil].count(where: \.self) == 1 else {
            throw DeclarationError(
                .entry(.fieldInvalid), "alert must have a bound (below, above), or is, or a band, and only one of them")
        }
        if let texts = entry.texts {
            guard !texts.isEmpty, texts.count <= 20, texts.allSatisfy(isName) else {
                throw fields.error("is", .fieldInvalid, "is not a list of up to 20 texts")
            }
            return .texts(texts)
        }
        if let band = entry.band { return .band(try self.band(band, EntryFields(place: "alert.band"))) }
        let bounds = [entry.below, entry.above].compactMap(\.self)
        guard bounds.allSatisfy(\.isFinite), bounds == bounds.sorted() else {
            throw fields.error("below", .fieldInvalid, "is above the other bound")
        }
        return .bounds(below: entry.below, above: entry.above)
    }

    private static func band(_ entry: Entry.Band, _ fields: EntryFields) throws(DeclarationError) -> AlertBand {
        let tolerance = entry.tolerance ?? 0
        guard (0...100).contains(tolerance) else {
            throw fields.error("tolerance", .fieldInvalid, "is not between 0 and 100")
        }
        guard let side = AlertBand.Side(rawValue: entry.side ?? "both") else {
            throw fields.error("side", .fieldInvalid, "must be below, above or both")
        }
        let reference: AlertBand.Reference
        switch (entry.weeks, entry.by) {
        case (let weeks?, nil):
            guard let weeks = Int(exactly: weeks), (1...8).contains(weeks) else {
                throw fields.error("weeks", .fieldInvalid, "is not a whole number from 1 to 8")
            }
            reference = .weeks(weeks)
        case (nil, let by?): reference = .group(by)
        default: throw fields.error("weeks", .fieldMissing, "or by must be there, but not both")
        }
        return AlertBand(reference: reference, tolerance: tolerance, side: side)
    }

    private struct Entry: Decodable {
        struct Band: Decodable {
            let weeks: Double?
            let by: String?
            let tolerance: Double?
            let side: String?
        }

        /// A text, or a number or truth value as text.
        struct Value: Decodable {
            let text: String

            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                if let flag = try? container.decode(Bool.self) {
                    text = String(flag)
                } else if let number = try? container.decode(Double.self) {
                    text = AlertRule.number(number)
                } else {
                    text = try container.decode(String.self)
                }
            }
        }

        let report: String?
        let parameters: [String: Value]?
        let filter: [String: Value]?
        let series: [String]?
        let column: String?
        let below: Double?
        let above: Double?
        let texts: [String]?
        let band: Band?
        let window: String?
        let delay: String?
        let hold: String?
        let every: String?
        let deliver: [AlertDestination.Entry]?
        let enabled: Bool?

        enum CodingKeys: String, CodingKey {
            case report, parameters
            case filter = "where"
            case series, column, below, above
            case texts = "is"
            case band, window, delay, hold, every, deliver, enabled
        }
    }
}
