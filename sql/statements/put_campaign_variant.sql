-- Declares a variant of a campaign.
-- $1: app_id. $2: campaign_id. $3: variant. $4: weight. $5: control.
insert into afterpush.campaign_variants (app_id, campaign_id, variant, weight, control)
values ($1, $2, $3, $4, $5)
