-- The time up to which a standby has replayed all commits; null on a primary. Whatever the primary answered before it is
-- there: a commit is answered after its record is written, and the records are replayed in order.
--
-- Before a standby has replayed a commit, it is the time of the checkpoint from which it started.
create or replace function afterpush.replayed_until() returns timestamptz
language plpgsql stable
as $$
begin
    if not pg_is_in_recovery() then
        return null;
    end if;
    return coalesce(pg_last_xact_replay_timestamp(), (select checkpoint_time from pg_control_checkpoint()));
end
$$;
comment on function afterpush.replayed_until is
    'The time up to which this standby has replayed all commits; null on a primary.';
