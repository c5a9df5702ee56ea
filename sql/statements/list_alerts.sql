-- Alert rules of an app, in order of alert_name. The problem of a rule that has been due for more than a minute is that it
-- was not evaluated in time. The last columns are how many of its states are ok, are pending and fire.
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
    end,
    s.ok, s.pending, s.firing
from afterpush.alert_rules as r
cross join lateral (
    select
        count(*) filter (where state = 'ok') as ok,
        count(*) filter (where state = 'pending') as pending,
        count(*) filter (where state = 'firing') as firing
    from afterpush.alert_states
    where app_id = r.app_id
      and alert_name = r.alert_name
) as s
where app_id = $1
  and ($2::text is null or alert_name = $2)
order by alert_name
