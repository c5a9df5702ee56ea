/// The template for a new report, which works unchanged and whose comments say what to change.
package enum ReportTemplate {
    /// Returns the text of a new report file.
    ///
    /// - Parameter title: The title on the report's first line.
    package static func text(title: String) -> String {
        """
        -- title: \(title)
        -- description: What the report shows, in a sentence or two. This one counts an app's deliveries per campaign and local
        --   day. A file is one statement, and runs unchanged in psql: psql -v app=shop -f FILE
        -- parameter: from time  first anchor hour; empty for no limit
        -- parameter: to time  end of the anchor hours, exclusive; empty for no limit
        -- parameter: tz zone  time zone of days, and of dates in from and to
        -- parameter: campaign text  only this campaign
        -- parameter: least integer 1..  leave out groups with fewer deliveries
        -- column: campaign_id text  campaign; null is unknown
        -- column: day date  local day of the anchor hour's start
        -- column: deliveries integer deliveries  selected deliveries
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
            nullif(r.campaign_id, '') as campaign_id,
            (r.anchor_hour at time zone :'tz')::date as day,
            sum(r.deliveries)::bigint as deliveries,
            sum(r.responded)::double precision / nullif(sum(r.deliveries), 0) as response_rate
        from afterpush.rollup_deliveries as r
        join afterpush.apps as a using (app_id)
        where a.name = :'app'
          and not r.verified
          and (:'from' = '' or r.anchor_hour >= (select afterpush.report_time(:'from', :'tz')))
          and (:'to' = '' or r.anchor_hour < (select afterpush.report_time(:'to', :'tz')))
          and (:'campaign' = '' or r.campaign_id = :'campaign')
        group by 1, 2
        having sum(r.deliveries) >= :'least'::bigint
        order by 2, 3 desc, 1 nulls last;

        """
    }

    /// Whether a report can have this name, which is a file name and part of a URL.
    package static func isName(_ name: String) -> Bool {
        name.wholeMatch(of: /[a-z][a-z0-9_-]{0,62}/) != nil
    }
}
