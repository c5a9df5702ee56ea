-- Conversion by campaign, computed from events.
with deliveries as (
    select
        delivery_id,
        min(campaign_id) as campaign_id,
        bool_or(kind = 'sent') as sent,
        bool_or(kind = 'delivered') as confirmed,
        bool_or(kind = 'opened') as opened,
        bool_or(kind in ('action', 'text_input')) as acted,
        bool_or(kind = 'text_input') as replied,
        bool_or(kind = 'dismissed') as dismissed,
        bool_or(kind in ('action', 'text_input') and action_identifier = 'buy') as converted
    from afterpush.events
    where kind < 'token_registered'
    group by delivery_id
)
select
    campaign_id,
    count(*) filter (where sent),
    count(*) filter (where confirmed),
    count(*) filter (where opened),
    count(*) filter (where acted),
    count(*) filter (where replied),
    count(*) filter (where dismissed),
    count(*) filter (where converted),
    count(*) filter (where converted and sent)::float8 / nullif(count(*) filter (where sent), 0)
from deliveries
group by campaign_id
order by campaign_id;
