-- The time that the reports of this transaction speak of: all events that were answered 200 before it are counted. On a
-- standby, it is at most the time up to which the standby has replayed.
create or replace function afterpush.as_of(app text) returns timestamptz
language plpgsql stable
as $$
begin
    return least(
        now(),
        afterpush.replayed_until(),
        (
            select min(b.started_at)
            from afterpush.batches as b
            join afterpush.apps as a using (app_id)
            where b.rolled_up_at is null
              and a.name = app
        )
    );
end
$$;
comment on function afterpush.as_of is
    'The as_of of reports in this transaction: all events answered 200 before it are counted.';
