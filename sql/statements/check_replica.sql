-- What decides whether a server can stand in for the primary, for reading. Run on both.
-- Returns one row: which database of which cluster it is, the same on a primary and its physical replicas; when the
-- server started; whether it is a standby; the seconds since the last commit that a standby has replayed, null if it has
-- replayed none; the position in the write-ahead log up to which a standby has replayed, or a primary has flushed;
-- mark_id and mark of the newest row of replica_marks, both null if the table is empty.
select
    c.system_identifier || '/' || d.oid,
    pg_postmaster_start_time()::text,
    r.is_standby,
    case
        when r.is_standby then extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())
    end::double precision,
    (
        case
            when r.is_standby then pg_last_wal_replay_lsn()
            else pg_current_wal_flush_lsn()
        end - '0/0'::pg_lsn
    )::bigint,
    m.mark_id,
    m.mark::text
from pg_control_system() as c
cross join (select pg_is_in_recovery() as is_standby) as r
join pg_database as d on d.datname = current_database()
left join (select mark_id, mark from afterpush.replica_marks order by mark_id desc limit 1) as m on true
