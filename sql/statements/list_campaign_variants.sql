-- The variants of all campaigns of an app, the control of each campaign first.
-- $1: app_id.
select campaign_id, variant, weight, control
from afterpush.campaign_variants
where app_id = $1
order by campaign_id, control desc, variant
