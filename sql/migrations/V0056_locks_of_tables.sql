-- A team's own report, or whoever reads with psql, could take the advisory locks that storing and erasing wait for: anybody may
-- take those. A table's locks are for who may write to it. Nothing is ever stored in this one.

create table afterpush.batch_gate ();
comment on table afterpush.batch_gate is
    'Locked by who stores a batch, row exclusive, and by who must know that none is under way, share. Empty.';
alter table afterpush.batch_gate enable row level security;
-- PostgreSQL lets take that lock who may insert; the policy that would let a row in is missing.
grant insert on afterpush.batch_gate to afterpush_ingest;

-- Batches under way hold the lock of before.
lock table afterpush.batches in share row exclusive mode;

-- The functions as they are, but for their locks.
do $$
declare
    change record;
    definition text;
begin
    for change in
        select *
        from (
            values
                (
                    'afterpush.check_batch()', 'perform pg_advisory_xact_lock_shared(1634104321)',
                    'lock table afterpush.batch_gate in row exclusive mode'
                ),
                (
                    'afterpush.last_unaware_batch()', 'perform pg_advisory_xact_lock(1634104321)',
                    'lock table afterpush.batch_gate in share mode'
                ),
                (
                    'afterpush.request_erasure(integer,text)',
                    'perform pg_advisory_xact_lock(hashtext(''afterpush.suppressed_devices''))',
                    'lock table afterpush.suppressed_devices in share row exclusive mode'
                ),
                (
                    'afterpush.restore_suppression(text,bytea,bytea)',
                    'perform pg_advisory_xact_lock(hashtext(''afterpush.suppressed_devices''))',
                    'lock table afterpush.suppressed_devices in share row exclusive mode'
                )
        ) as changes (routine, before, after)
    loop
        definition := pg_get_functiondef(change.routine::regprocedure);
        if strpos(definition, change.before) = 0 then
            raise exception '% is not as it was released', change.routine;
        end if;
        execute replace(definition, change.before, change.after);
    end loop;
end
$$;
