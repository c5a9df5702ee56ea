-- What a report selects events by, as text for the statement. An hour is selected by its start, so `from` and `to` are
-- rounded up to an hour. Versions that devices state are searched for in the thirty days before, and an event is stored
-- at most a day before it occurs, which gives the first batch that can hold such a statement.
--
-- unsealed_from: from_hour, but not before the end of the hours that are sealed, whose events may be gone.
create or replace function afterpush.report_bounds(app text, "from" timestamptz, "to" timestamptz)
returns table (from_hour text, to_hour text, unsealed_from text, first_statement_batch text)
language sql stable
as $$
    with given as (
        select
            afterpush.anchor_hour("from" + interval '1 hour' - interval '1 microsecond', null, null) as from_hour,
            afterpush.anchor_hour("to" + interval '1 hour' - interval '1 microsecond', null, null) as to_hour
    ),
    stored as (
        select
            min(batch_id) filter (where started_at >= given.from_hour - interval '31 days') as first_statement_batch
        from given
        cross join afterpush.batches
        join afterpush.apps as a using (app_id)
        where a.name = app
          and given.from_hour is not null
    )
    select
        coalesce(given.from_hour, '-infinity')::text,
        coalesce(given.to_hour, 'infinity')::text,
        greatest(coalesce(given.from_hour, '-infinity'), w.sealed_before)::text,
        case when given.from_hour is null then 0 else coalesce(first_statement_batch, 9223372036854775807) end::text
    from given
    cross join stored
    cross join afterpush.rollup_worker as w
$$;
comment on function afterpush.report_bounds is
    'What a report selects events by: hours, and the first batch that can hold what devices stated before.';
