-- Deliveries by dimension, anchor hour, and how long they were observed without a response, from
-- rollup_response_counts. The columns are those of rollup_deliveries.
create or replace view afterpush.rollup_responses with (security_invoker = true) as
select
    c.app_id, m.verified, c.anchor_hour, c.campaign_id, c.variant, c.category_id, c.platform, c.app_version,
    c.confirmed_time, c.sent_time, c.deliveries
from afterpush.count_modes() as m
join afterpush.rollup_response_counts as c using (modes);
comment on view afterpush.rollup_responses is 'Deliveries by how long they were observed without a response.';
