-- Gives every app the built-in alert rules, and changes those whose definition is that of another version of the program.
-- A rule that a team put itself stays. Rules of the same app start some seconds apart.
-- $1: names, sorted. $2: definitions as JSON, in the same order. $3: seconds between two rules' first evaluations.
insert into afterpush.alert_rules as r (app_id, alert_name, built_in, definition, next_evaluation_at)
select a.app_id, b.alert_name, true, b.definition::jsonb, now() + b.place * make_interval(secs => $3)
from afterpush.apps as a
cross join unnest($1::text[], $2::text[]) with ordinality as b (alert_name, definition, place)
where not exists (
    select
    from afterpush.alert_rules as present
    where present.app_id = a.app_id
      and present.alert_name = b.alert_name
      and (not present.built_in or present.definition = b.definition::jsonb)
)
order by a.app_id, b.alert_name
on conflict (app_id, alert_name) do update set definition = excluded.definition
where r.built_in
