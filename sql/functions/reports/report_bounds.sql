-- What a report selects events by, as text for the statement. An hour is selected by its start, so `from` and `to` are
-- rounded up to an hour. Versions that devices state are searched for in the thirty days before, and an event is stored
-- at most a day before it occurs, which gives a batch before which no batch can hold such a statement: the app's last one
-- of two hours before that. Batches are numbered before they are stored, which takes less than an hour, and one that was
-- combined with others (compact_batches) has the time of the first of its hour.
--
-- unsealed_from: from_hour, but not before the end of the hours that are sealed, whose events may be gone.
create or replace function afterpush.report_bounds(app text, "from" timestamptz, "to" timestamptz)
returns table (from_hour text, to_hour text, unsealed_from text, first_statement_batch text)
language plpgsql stable
-- Planned for the app, whose batches may be few among many.
set plan_cache_mode = force_custom_plan
as $$
declare
    this_app constant integer := (select a.app_id from afterpush.apps as a where a.name = report_bounds.app);
    starts constant timestamptz :=
        afterpush.anchor_hour("from" + interval '1 hour' - interval '1 microsecond', null, null);
    ends constant timestamptz := afterpush.anchor_hour("to" + interval '1 hour' - interval '1 microsecond', null, null);
begin
    return query
    select
        coalesce(starts, '-infinity')::text,
        coalesce(ends, 'infinity')::text,
        greatest(coalesce(starts, '-infinity'), w.sealed_before)::text,
        coalesce(
            (
                select b.batch_id
                from afterpush.batches as b
                where b.app_id = this_app
                  and b.started_at < starts - interval '31 days 2 hours'
                order by b.started_at desc
                limit 1
            ),
            0
        )::text
    from afterpush.rollup_worker as w;
end
$$;
comment on function afterpush.report_bounds is
    'Returns what a report selects events by: hours, and the first batch that can hold what devices stated before them.';
