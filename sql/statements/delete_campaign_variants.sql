-- Deletes the variants of a campaign, before put_campaign_variant declares the new ones.
-- $1: app_id. $2: campaign_id.
delete from afterpush.campaign_variants
where app_id = $1
  and campaign_id = $2
