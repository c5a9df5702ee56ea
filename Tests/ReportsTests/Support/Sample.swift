import Reports

/// Creates report files and results for tests.
enum Sample {
    static let source = """
        -- title: Conversion by group
        -- description: Rates over the deliveries of each group,
        --   with their 95 % intervals.
        -- parameter: from time  first anchor hour; empty for no limit
        -- parameter: to time  end of the anchor hours, exclusive; empty for no limit
        -- parameter: tz zone  time zone of days, and of dates in from and to
        -- parameter: campaign text  only this campaign
        -- parameter: verified boolean  count only states that verified events show
        -- parameter: base text auto|sent|confirmed  base of the rates
        -- parameter: min_n integer 1..  a rate over fewer deliveries than this is null
        -- parameter: window duration  time in which a response counts
        -- parameter: by list campaign|category|day|platform|app_version  groups, at most two
        -- column: campaign_id text        campaign; null if unknown
        -- column: day date
        -- column: opened integer deliveries  responded to with the default action
        -- column: open_rate number ratio  opened in the base / base_n
        \\if :{?app} \\else \\set app '' \\endif
        \\if :{?from} \\else \\set from '' \\endif
        \\if :{?to} \\else \\set to '' \\endif
        \\if :{?tz} \\else \\set tz UTC \\endif
        \\if :{?campaign} \\else \\set campaign '' \\endif
        \\if :{?verified} \\else \\set verified false \\endif
        \\if :{?base} \\else \\set base auto \\endif
        \\if :{?min_n} \\else \\set min_n 30 \\endif
        \\if :{?window} \\else \\set window '12h' \\endif
        \\if :{?by} \\else \\set by '' \\endif
        select campaign_id, count(*) as opened from deliveries
        where app = :'app' and anchor >= nullif(:'from', '')::timestamptz and base = :'base' group by campaign_id;
        """

    static func definition(_ source: String = source, isBuiltIn: Bool = false) throws -> ReportDefinition {
        try ReportDefinition(name: "sample", source: source, isBuiltIn: isBuiltIn)
    }

    /// Returns a result with the given columns, in the notation of the head, and rows.
    static func result(
        _ columns: [String], rows: [[String?]], isTruncated: Bool = false
    ) throws -> ReportResult {
        let head = columns.map { "-- column: \($0)\n" }.joined()
        let definition = try definition("-- title: A sample\n\(head)select 1")
        return try ReportResult(
            of: definition, parameters: ReportParameters(validating: [:], for: definition),
            asOf: "2026-11-21T10:00:00Z", columns: definition.columns.map(\.name),
            rows: ReportRows(isTruncated ? rows + rows.suffix(1) : rows), rowLimit: rows.count)
    }

    /// Texts that are known to break writers or readers.
    static let hostileTexts: [String] = [
        "", " ", "plain", "a,b", "a;b", "say \"hi\"", "\"", "\"\"", "line\nbreak", "line\r\nbreak", "\ttab",
        "tab\tinside",
        "'", "'quoted'", "''=1", "=1+1", "+1", "-1", "@SUM(A1)", "\r=1", "\n=1", "＝1", "＋1", "－1", "＠a", ";=1", ",=1",
        "\",=1", "\"=1", " =1", "\u{A0}=1", "\u{FEFF}=1", "\u{200B}=1", "=cmd|' /C calc'!A0",
        "<script>alert(1)</script>",
        "שלום", "\u{202E}gnp.exe", "👩‍👩‍👧‍👦 🎉", "e\u{301}", "\"\u{301}", "漢字", "null", "NULL", "NaN", "1e5", "007",
        "\\", "\\n", "\\u0041", "\u{1B}[31mred", "\u{7F}", "\u{1}", "a\u{2028}b", "{\"a\":1}", "'; drop table x; --",
    ]
}

extension ReportFormat {
    /// Returns everything that a format writes, as text.
    func text(of result: ReportResult) async throws -> String {
        var bytes: [UInt8] = []
        try await write(result) { bytes += $0 }
        return String(decoding: bytes, as: UTF8.self)
    }
}
