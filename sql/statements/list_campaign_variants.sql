-- The variants of some campaigns of an app, the control of each campaign first.
-- $1: app_id. $2: campaign_ids.
select campaign_id, variant, weight, control
from afterpush.campaign_variants
where app_id = $1
  and campaign_id = any ($2::text[])
order by campaign_id, control desc, variant
