-- Whether rows were deleted by retention since an export began that may have had them.
-- $1: events or deliveries. $2, $3, $4: what export_start returned. $5: the time from which rows are exported, as text.
select w.sealed_before > $5::timestamptz
    and (
        d.steps <> $4::bigint
        or d.what = 'events'
            and (
                w.sealed_before <> $2::timestamptz
                or exists (
                    select unnest($3::bigint[])
                    except
                    select i.inhrelid::bigint
                    from pg_inherits as i
                    join pg_class as c on c.oid = i.inhrelid
                    where i.inhparent = 'afterpush.events'::regclass
                      and c.relname ~ '^events_\d{4}_\d{2}$'
                )
            )
    )
from afterpush.rollup_worker as w
cross join afterpush.retention_deletions as d
where d.what = $1
