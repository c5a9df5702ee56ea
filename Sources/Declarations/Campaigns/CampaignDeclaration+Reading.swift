import AfterpushWire
import Events
import Foundation

extension CampaignDeclaration {
    /// Reads the body of `PUT /v1/campaigns/{id}`.
    ///
    /// - Parameter identifier: the identifier in the path.
    package init(_ body: [UInt8], identifier: String) throws(DeclarationError) {
        let entry = try DeclarationError.decode(Entry.self, from: body)
        try self.init(entry, identifier: identifier, EntryFields(place: "campaign"))
    }

    private init(_ entry: Entry, identifier: String, _ fields: EntryFields) throws(DeclarationError) {
        let identifier = try fields.required("id", identifier)
        self.init(identifier: identifier, name: try fields.identifier("name", entry.name) ?? identifier)
        category = try fields.identifier("category_id", entry.categoryID)
        variants = try Self.variants(entry.variants?.elements ?? [], fields)
        goalActions = try Self.identifiers("goal_actions", entry.goalActions?.elements ?? [], fields)
        if let window = entry.responseWindow { responseWindow = try Self.window("response_window", window, fields) }
        if let window = entry.conversionWindow {
            conversionWindow = try Self.window("conversion_window", window, fields)
        }
        if let text = entry.startsAt {
            guard let time = Timestamp(text) else {
                throw fields.error("starts_at", .fieldInvalid, "is not an RFC 3339 time")
            }
            startsAt = time
        }
        if let planned = entry.plannedDeliveries {
            guard let planned = Int64(exactly: planned), planned > 0, planned <= Self.mostPlannedDeliveries else {
                throw fields.error("planned_deliveries", .fieldInvalid, "is not a whole number from 1 to a trillion")
            }
            plannedDeliveries = planned
        }
        if let effect = entry.minimumEffect {
            guard effect > 0, effect < 1 else {
                throw fields.error("minimum_effect", .fieldInvalid, "is not a difference of rates between 0 and 1")
            }
            minimumEffect = effect
        }
        if let share = entry.holdout {
            // PostgreSQL refuses to calculate with what is nearly 0, and no campaign has so many devices.
            guard share >= 1e-9, share < 1 else {
                throw fields.error("holdout", .fieldInvalid, "is not a share between 0.000000001 and 1")
            }
            holdout = share
        }
        isArchived = entry.archived ?? false
    }

    private static func variants(_ entries: [Entry.Variant], _ fields: EntryFields) throws(DeclarationError)
        -> [Variant]
    {
        var variants: [Variant] = []
        for (index, entry) in entries.enumerated() {
            let own = EntryFields(place: "\(fields.place).variants[\(index)]")
            let weight = entry.weight ?? 1
            // Sums and quotients of weights have to be numbers, too.
            guard (0.000_001...1_000_000).contains(weight) else {
                throw own.error("weight", .fieldInvalid, "must be from 0.000001 to 1000000")
            }
            variants.append(
                Variant(
                    identifier: try own.required("id", entry.id), weight: weight, isControl: entry.control ?? false))
        }
        _ = try identifiers("variants", variants.map(\.identifier), fields)
        guard variants.count(where: \.isControl) <= 1 else {
            throw fields.error("variants", .fieldInvalid, "has more than one control")
        }
        return variants
    }

    /// Checks that the identifiers are distinct.
    private static func identifiers(
        _ name: String, _ texts: [String], _ fields: EntryFields
    ) throws(DeclarationError) -> [String] {
        var seen: Set<[UInt8]> = []
        for text in texts {
            let text = try fields.required(name, text)
            guard seen.insert(Array(text.utf8)).inserted else {
                throw fields.error(name, .fieldInvalid, "has a duplicate")
            }
        }
        return texts
    }

    private static func window(
        _ name: String, _ text: String, _ fields: EntryFields
    ) throws(DeclarationError) -> Duration {
        guard let match = text.wholeMatch(of: /([0-9]{1,8})([smhd])/), let count = Int64(match.1) else {
            throw fields.error(name, .fieldInvalid, "is not a duration: 90m, 72h or 7d")
        }
        let units: [Substring: Int64] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
        let seconds = count * (units[match.2] ?? 1)
        guard seconds > 0, seconds <= 366 * 86_400 else {
            throw fields.error(name, .fieldInvalid, "is not between a second and 366 days")
        }
        return .seconds(seconds)
    }

    /// The most entries of one list in a body. The limit for a campaign's variants is a setting.
    private static let limit = 1_000

    private static let mostPlannedDeliveries: Int64 = 1_000_000_000_000

    /// A list of the body, whose entries are decoded only if there are not too many.
    private struct List<Element: Decodable>: Decodable {
        let elements: [Element]

        init(from decoder: any Decoder) throws {
            let limit = CampaignDeclaration.limit
            guard try decoder.unkeyedContainer().count ?? 0 <= limit else {
                let name = decoder.codingPath.last?.stringValue ?? "list"
                throw EntryFields(place: "campaign").error(name, .limitExceeded, "has more than \(limit) entries")
            }
            elements = try [Element](from: decoder)
        }
    }

    private struct Entry: Decodable {
        struct Variant: Decodable {
            let id: String?
            let weight: Double?
            let control: Bool?
        }

        let name: String?
        let categoryID: String?
        let variants: List<Variant>?
        let goalActions: List<String>?
        let responseWindow: String?
        let conversionWindow: String?
        let startsAt: String?
        // A double, because a fraction is then an error that names the field.
        let plannedDeliveries: Double?
        let minimumEffect: Double?
        let holdout: Double?
        let archived: Bool?

        enum CodingKeys: String, CodingKey {
            case name
            case categoryID = "category_id"
            case variants
            case goalActions = "goal_actions"
            case responseWindow = "response_window"
            case conversionWindow = "conversion_window"
            case startsAt = "starts_at"
            case plannedDeliveries = "planned_deliveries"
            case minimumEffect = "minimum_effect"
            case holdout
            case archived
        }
    }
}
