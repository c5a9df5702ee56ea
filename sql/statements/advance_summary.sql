-- Sets when an app's next summary is due. Without a row, another collector has sent the summary.
-- $1: app_id. $2: next_summary_at until now. The next one is after the current time: what a pause of the collectors
-- skipped isn't sent later.
update afterpush.alert_settings
set next_summary_at =
    case summary
        when 'daily' then date_trunc('day', now(), 'UTC') + interval '1 day'
        when 'weekly' then date_trunc('week', now(), 'UTC') + interval '7 days'
    end
where app_id = $1
  and next_summary_at = $2
returning true
