-- Why no hour may be sealed at the moment, as text for people; null if it may.
--
-- since: when the run of retention began that asks.
--
-- While the rollups are behind, hours can't be sealed; an app that is merged apart delays a seal only by its batches
-- (advance_seal). Events in a spool were acknowledged, and would be rejected if their hours were sealed. A spool fills while
-- its collector can't reach the database, and so can't report it: that it was empty before says nothing. So each collector
-- that has not stopped has to report an empty spool after the run has begun, except for one that has been silent for a day.
create or replace function afterpush.seal_obstacle(since timestamptz) returns text
language sql stable
return case
    when exists (
        select
        from afterpush.apps_to_merge(null) as a (app_id)
        cross join lateral afterpush.oldest_waiting_batch(a.app_id) as oldest
        where oldest.started_at < now() - interval '10 minutes'
    ) then 'the rollups are more than ten minutes behind'
    else (
        select
            case
                when s.events > 0 then 'the spool of a collector holds events that are not stored yet'
                else 'a collector has not reported its spool since ' || afterpush.rfc3339(s.reported_at)
                    || ', and may hold events that are not stored yet; start it, or run this a day after that'
            end
        from afterpush.spools as s
        where (not s.is_closed or s.events > 0)
          and (s.events > 0 or s.reported_at < since)
          and s.reported_at > now() - interval '1 day'
        order by s.events desc, s.reported_at
        limit 1
    )
end;
comment on function afterpush.seal_obstacle is 'Returns why no hour may be sealed at the moment; null if it may.';
