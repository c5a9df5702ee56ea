-- The variants of a campaign, computed from events.
with deliveries as (
    select
        delivery_id,
        min(variant) as variant,
        bool_or(kind = 'sent') as sent,
        bool_or(kind in ('action', 'text_input') and action_identifier = 'buy') as converted
    from afterpush.events
    where campaign_id = :'campaign'
    group by delivery_id
)
select
    variant,
    count(*) filter (where sent),
    count(*) filter (where sent and converted)
from deliveries
group by variant
order by variant;
