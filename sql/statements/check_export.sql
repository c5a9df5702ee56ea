-- Whether events were deleted by retention since an export began that may have had them.
-- $1, $2: what export_start returned. $3: the time from which events are exported, as text.
select w.sealed_before > $3::timestamptz
    and (
        w.sealed_before <> $1::timestamptz
        or exists (
            select unnest($2::bigint[])
            except
            select i.inhrelid::bigint
            from pg_inherits as i
            join pg_class as c on c.oid = i.inhrelid
            where i.inhparent = 'afterpush.events'::regclass
              and c.relname ~ '^events_\d{4}_\d{2}$'
        )
    )
from afterpush.rollup_worker as w
