/// The template for a new report, which works unchanged and whose comments say what to change.
package enum ReportTemplate {
    /// Returns the text of a new report file.
    ///
    /// - Parameter title: The title on the report's first line.
    package static func text(title: String) -> String {
        """
        -- title: \(title)
        -- description: What the report shows, in a sentence or two. This one says per campaign and local day how many of the
        --   deliveries in the base were responded to. A file is one statement, and runs unchanged in psql: psql -v app=shop -f FILE
        -- parameter: from time  first anchor hour; empty for no limit
        -- parameter: to time  end of the anchor hours, exclusive; empty for no limit
        -- parameter: tz zone  time zone of days, and of dates in from and to
        -- parameter: campaign text  only this campaign
        -- parameter: least integer 1..  leave out groups with fewer deliveries
        -- column: campaign_id text  campaign; null is unknown
        -- column: day date  local day of the anchor hour's start
        -- column: deliveries integer deliveries  deliveries in the base, as base_n of `conversion`
        -- column: response_rate number ratio  share of them that responded
        \\if :{?app} \\else \\set app '' \\endif
        \\if :{?from} \\else \\set from '' \\endif
        \\if :{?to} \\else \\set to '' \\endif
        \\if :{?tz} \\else \\set tz UTC \\endif
        \\if :{?campaign} \\else \\set campaign '' \\endif
        \\if :{?least} \\else \\set least 1 \\endif
        -- Every parameter has its default above, and `app` comes from the key. Types of parameters: text, text a|b|c,
        -- list a|b|c, time, zone, boolean, integer 1..9, duration. Types of columns: text, integer, number, boolean, time,
        -- date; a number in `ratio` is shown as per cent. The tables are described in the database: \\d+ afterpush.deliveries
        -- It runs as a role that can only read, sees one app, and has a time limit of 30 s.
        select
            campaign_id,
            day,
            base_n as deliveries,
            responded_base::double precision / base_n as response_rate
        -- The counts of the built-in reports, so that the numbers are those of `conversion`.
        from afterpush.report_counts(
            :'app',
            afterpush.report_time(:'from', :'tz'),
            afterpush.report_time(:'to', :'tz'),
            nullif(:'campaign', ''), null, null, null, false,
            afterpush.report_bases(
                :'app',
                afterpush.report_time(:'from', :'tz'),
                afterpush.report_time(:'to', :'tz'),
                nullif(:'campaign', ''), null, null, null, false, 'auto', by_time => true
            ),
            'campaign,day',
            :'tz'
        )
        where base_n >= :'least'::bigint
        order by day, deliveries desc, campaign_id nulls last;

        """
    }

    /// Whether a report can have this name, which is a file name and part of a URL.
    package static func isName(_ name: String) -> Bool {
        name.wholeMatch(of: /[a-z][a-z0-9_-]{0,62}/) != nil
    }
}
