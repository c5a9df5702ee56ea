-- The time that the reports of this transaction speak of: all events that were answered 200 before it are counted. On a
-- standby, it is at most the time up to which the standby has replayed.
create or replace function afterpush.as_of(app text) returns timestamptz
language plpgsql stable
as $$
declare
    this_app constant integer := (select a.app_id from afterpush.apps as a where a.name = app);
begin
    return least(
        now(),
        afterpush.replayed_until(),
        (
            select min(w.started_at)
            from (
                select b.started_at
                from afterpush.batches as b
                where b.app_id = this_app
                  and b.rolled_up_at is null
                -- By the index of the app's waiting batches, and not of all that wait.
                order by b.batch_id + 0
                offset 0
            ) as w
        )
    );
end
$$;
comment on function afterpush.as_of is
    'The as_of of reports in this transaction: all events answered 200 before it are counted.';
