-- The steps of the funnel, computed from events.
with deliveries as (
    select
        delivery_id,
        bool_or(kind = 'sent') as sent,
        bool_or(kind not in ('sent', 'failed', 'converted', 'replaced')) as delivered,
        bool_or(kind = 'displayed') as displayed,
        bool_or(kind in ('opened', 'action', 'text_input', 'dismissed')) as responded,
        bool_or(kind in ('action', 'text_input')) as acted,
        bool_or(kind in ('action', 'text_input') and action_identifier = 'buy') as converted
    from afterpush.events
    where kind < 'token_registered'
    group by delivery_id
)
select
    count(*) filter (where sent),
    count(*) filter (where sent and delivered),
    count(*) filter (where sent and displayed),
    count(*) filter (where sent and responded),
    count(*) filter (where sent and acted),
    count(*) filter (where sent and converted)
from deliveries;
