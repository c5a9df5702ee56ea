-- Whether events were deleted by retention since an export began that may have had them.
-- $1, $2: what export_start returned. $3: the time from which events are exported, as text.
select w.sealed_before > $3::timestamptz
    and (
        w.sealed_before <> $1::timestamptz
        or exists (
            select unnest($2::bigint[])
            except
            select inhrelid::bigint from pg_inherits where inhparent = 'afterpush.events'::regclass
        )
    )
from afterpush.rollup_worker as w
