-- Events of each kind by day, computed from events.
select
    date_trunc('day', occurred_at at time zone 'UTC') as day,
    count(*) filter (where kind = 'sent'),
    count(*) filter (where kind = 'delivered'),
    count(*) filter (where kind = 'opened'),
    count(*) filter (where kind = 'action'),
    count(*) filter (where kind = 'text_input'),
    count(*) filter (where kind = 'dismissed'),
    count(*) filter (where kind = 'app_opened')
from afterpush.events
group by 1
order by 1;
