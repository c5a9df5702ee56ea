-- Alert rules of an app, in order of alert_name. The problem of a rule that has been due for more than a minute is that it
-- was not evaluated in time.
-- $1: app_id. $2: only this alert_name; null for all.
-- Times are in microseconds since 1970.
select
    alert_name, built_in, enabled, definition::text, destinations::text,
    (extract(epoch from evaluated_at) * 1000000)::bigint,
    case
        when enabled and next_evaluation_at < now() - interval '1 minute'
        then concat_ws(
            '; ',
            to_char(
                next_evaluation_at at time zone 'UTC', '"not evaluated in time: due since "YYYY-MM-DD"T"HH24:MI:SS"Z"'
            ),
            problem
        )
        else problem
    end
from afterpush.alert_rules
where app_id = $1
  and ($2::text is null or alert_name = $2)
order by alert_name
