import Foundation
import Reports
import Testing

@Suite struct ReportParametersTests {
    private func value(_ name: String, _ given: [String: String]) throws -> String? {
        try ReportParameters(validating: given, for: Sample.definition())[name]
    }

    @Test func `a parameter that is not given has the default of the head`() throws {
        let definition = try Sample.definition()
        let parameters = try ReportParameters(validating: ["base": "", "campaign": "spring"], for: definition)
        #expect(parameters.entries.map(\.value) == ["", "", "UTC", "spring", "false", "auto", "30", "12h", ""])
    }

    static let accepted: [(String, String, bound: String)] = [
        ("from", "2026-11-01", "2026-11-01T00:00:00Z"), ("from", "2026-11-01T10:30:00+02:00", "2026-11-01T08:30:00Z"),
        ("from", "2026-11-01t10:30:00.5z", "2026-11-01T10:30:00.500Z"),
        ("from", "2026-11-01T10:30:00 02:00", "2026-11-01T08:30:00Z"), ("from", "2024-02-29", "2024-02-29T00:00:00Z"),
        ("from", "2026-11-01 10:30:00 02:00", "2026-11-01T08:30:00Z"),
        ("from", "2026-11-01 10:30:00Z", "2026-11-01T10:30:00Z"), ("from", "0001-01-01", "0001-01-01T00:00:00Z"),
        ("from", "1969-12-31T23:59:59.9999999Z", "1969-12-31T23:59:59.999999Z"),
        ("to", "9999-12-31", "9999-12-31T00:00:00Z"),
        ("tz", "Europe/Berlin", "Europe/Berlin"), ("tz", "America/Argentina/Ushuaia", "America/Argentina/Ushuaia"),
        ("tz", "Etc/GMT+3", "Etc/GMT+3"), ("verified", "true", "true"), ("base", "confirmed", "confirmed"),
        ("min_n", "1", "1"), ("min_n", "007", "7"), ("window", "90s", "90s"), ("window", "7d", "7d"),
        ("by", "campaign", "campaign"), ("by", "day,campaign", "day,campaign"), ("by", "app_version", "app_version"),
        ("by", "app_version,day", "app_version,day"), ("by", "platform,app_version", "platform,app_version"),
        ("campaign", "'; drop table x; --", "'; drop table x; --"), ("campaign", ":'app' $1 \\", ":'app' $1 \\"),
    ]

    @Test(arguments: accepted) func `a value is bound in one canonical form`(
        _ name: String, _ given: String, bound: String
    )
        throws
    {
        #expect(try value(name, [name: given]) == bound)
    }

    static let refused: [(String, String, part: String)] = [
        ("from", "yesterday", "RFC 3339"), ("from", "2026-11-01T10:30:00", "RFC 3339"),
        ("from", "2026-02-29", "RFC 3339"),
        ("from", "2026-13-01", "RFC 3339"), ("from", "2026-11-01T24:00:00Z", "RFC 3339"),
        ("from", "0000-01-01", "RFC 3339"),
        ("from", "٢٠٢٦-11-01", "RFC 3339"),
        ("from", "2026-11-00", "RFC"),
        ("from", "9999-12-31T23:59:59-01:00", "RFC 3339"), ("from", "2026-11-01T10:30:00+24:00", "RFC 3339"),
        ("from", " 2026-11-01", "RFC 3339"), ("from", "2026-11-01'", "RFC 3339"), ("to", "never", "RFC 3339"),
        ("tz", "Mars/Olympus", "time zone"), ("tz", "GMT+3", "time zone"), ("tz", "EST", "time zone"),
        ("tz", "../../etc/passwd", "time zone"), ("tz", "+01:00", "time zone"), ("verified", "yes", "true or false"),
        ("base", "delivered", "auto, sent, confirmed"), ("base", "Auto", "auto, sent, confirmed"),
        ("min_n", "0", "at least 1"), ("min_n", "-5", "at least 1"), ("min_n", "1.5", "integer"),
        ("min_n", "+1", "integer"),
        ("min_n", "99999999999999999999", "integer"), ("window", "soon", "duration"), ("window", "1 h", "duration"),
        ("by", "color", "campaign, category"), ("by", "campaign,day,platform", "at most two"),
        ("by", "day,day", "duplicate"),
        ("by", "day,", "campaign, category"), ("by", "app_version,campaign", "app_version alone"),
        ("by", "category,app_version", "app_version alone"), ("by", "day; drop table x", "campaign, category"),
        ("campaign", "a\0b", "NUL"), ("app", "other", "not a parameter"), ("color", "red", "not a parameter"),
    ]

    @Test(arguments: refused) func `an invalid value is refused with the name of the parameter`(
        _ name: String, _ given: String, part: String
    ) {
        let error = #expect(throws: ReportError.self) { try value(name, [name: given]) }
        guard case .parameter(name, let detail) = error else {
            Issue.record("expected a parameter error, got \(String(describing: error))")
            return
        }
        #expect(detail.contains(part))
        #expect(name == "by" || !detail.contains(given), "a description never repeats the value")
    }

    @Test func `what the built-in reports can't combine is refused with the name of a parameter`() throws {
        let catalogue = try ReportService.catalogue()
        func refused(_ report: String, _ values: [String: String]) throws -> String? {
            let definition = try catalogue.report(named: report)
            do {
                _ = try ReportParameters(validating: values, for: definition)
                return nil
            } catch ReportError.parameter(let name, _) { return name }
        }
        for by in ["hour", "app_version", "campaign,hour", "platform,app_version"] {
            #expect(try refused("conversion", ["by": by, "cluster": "device"]) == "cluster", "\(by)")
            #expect(try refused("conversion", ["by": by]) == nil, "\(by)")
        }
        #expect(try refused("conversion", ["by": "campaign,day", "cluster": "device"]) == nil)
        #expect(try refused("response-time", ["by": "campaign", "curve": "true"]) == "by")
        #expect(try refused("response-time", ["by": "campaign", "curve": "false"]) == nil)
        #expect(try refused("response-time", ["curve": "true"]) == nil)
    }

    @Test func `a from later than to is refused, whatever their offsets`() throws {
        let error = ReportError.parameter(name: "to", detail: "is before from")
        #expect(throws: error) { try value("to", ["from": "2026-11-02", "to": "2026-11-01"]) }
        #expect(throws: error) { try value("to", ["from": "2026-11-01T00:00:00-02:00", "to": "2026-11-01T01:00:00Z"]) }
        #expect(try value("to", ["from": "2026-11-01", "to": "2026-11-01"]) == "2026-11-01T00:00:00Z")
    }

    @Test func `a date without a time is the first instant of the day in its zone`() throws {
        #expect(try value("from", ["from": "2026-11-01", "tz": "Europe/Berlin"]) == "2026-10-31T23:00:00Z")
        #expect(try value("from", ["from": "2026-07-01", "tz": "Europe/Berlin"]) == "2026-06-30T22:00:00Z")
        #expect(try value("from", ["from": "2026-11-01", "tz": "Asia/Kolkata"]) == "2026-10-31T18:30:00Z")
        #expect(try value("from", ["from": "2026-11-01", "tz": "Pacific/Kiritimati"]) == "2026-10-31T10:00:00Z")
        // The clocks were set from 0:00 to 1:00 there, so the day began at 1:00.
        #expect(try value("from", ["from": "2018-11-04", "tz": "America/Sao_Paulo"]) == "2018-11-04T03:00:00Z")
        #expect(try value("from", ["from": "2026-11-01T00:00:00Z", "tz": "Europe/Berlin"]) == "2026-11-01T00:00:00Z")
    }
}
