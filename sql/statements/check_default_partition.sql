-- Events of the default partition, counted up to $1: of the months around now, which should have a partition of their
-- own, and others, from clocks that are far off.
select
    count(*) filter (where is_near),
    count(*) filter (where not is_near)
from (
    select device_time between now() - interval '3 months' and now() + interval '3 months' as is_near
    from afterpush.events_default
    limit $1
) as strays
