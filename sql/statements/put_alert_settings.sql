-- Sets where the alerts of an app go, and how often it gets a summary. The first one comes at the next midnight, or at
-- that of the next Monday, in UTC.
-- $1: app_id. $2: destinations. $3: daily, weekly or null.
insert into afterpush.alert_settings as s (app_id, destinations, summary, next_summary_at)
values (
    $1, $2, $3,
    case $3
        when 'daily' then date_trunc('day', now(), 'UTC') + interval '1 day'
        when 'weekly' then date_trunc('week', now(), 'UTC') + interval '7 days'
    end
)
on conflict (app_id) do update set
    destinations = excluded.destinations,
    summary = excluded.summary,
    next_summary_at =
        case when s.summary is not distinct from excluded.summary then s.next_summary_at
        else excluded.next_summary_at end
