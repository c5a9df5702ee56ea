package import JSON

/// Files of Braze Currents: lines in the flat form, as tools write its Avro files as JSON, or in the form of requests.
package enum BrazeRecords: RecordDialect {
    package static let family = DialectFamily.braze

    package static func claims(_ record: JSONObject) -> Bool {
        let names = Set(record.all.map(\.name))
        if names.isSuperset(of: ["event_type", "id", "user"]) { return true }
        // The type of flat events is in the file's path, and fields without a value are there as null.
        return names.isSuperset(of: ["id", "user_id", "external_user_id", "time"]) && !names.contains("event")
    }

    package static func read(_ record: JSONElement, path: String, _ settings: DialectSettings) -> DialectSubmission {
        var submission = DialectSubmission()
        if let object = record.object {
            BrazeEventReader(object, type: BrazeEventReader.type(ofFile: path), index: 0, settings)
                .read(into: &submission)
        } else {
            submission.ignore(0, "", .malformed)
        }
        return submission
    }
}
