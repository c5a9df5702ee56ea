-- The counts of the overview, computed from events.
with deliveries as (
    select
        delivery_id,
        bool_or(kind = 'sent') as sent,
        bool_or(kind = 'delivered') as confirmed,
        bool_or(kind = 'opened') as opened,
        bool_or(kind in ('action', 'text_input')) as acted,
        bool_or(kind = 'dismissed') as dismissed,
        bool_or(kind in ('action', 'text_input') and action_identifier = 'buy') as converted
    from afterpush.events
    where kind < 'token_registered'
    group by delivery_id
)
select
    count(*) filter (where sent),
    count(*) filter (where confirmed),
    count(*) filter (where opened),
    count(*) filter (where acted),
    count(*) filter (where dismissed),
    count(*) filter (where converted)
from deliveries;
