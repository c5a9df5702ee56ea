-- Actions per category, campaign and variant, computed from events.
with deliveries as (
    select
        delivery_id,
        min(category_id) as category_id,
        min(campaign_id) as campaign_id,
        min(variant) as variant,
        bool_or(kind = 'sent') as sent
    from afterpush.events
    where kind < 'token_registered'
    group by delivery_id
),
acted as (
    select delivery_id, action_identifier, count(*) as events
    from afterpush.events
    where kind in ('action', 'text_input')
    group by delivery_id, action_identifier
)
select
    d.category_id, d.campaign_id, d.variant, a.action_identifier,
    count(*) filter (where a.delivery_id is not null), sum(a.events), count(*) filter (where d.sent)
from deliveries as d
left join acted as a using (delivery_id)
group by 1, 2, 3, 4
order by 1, 2, 3, 4;
