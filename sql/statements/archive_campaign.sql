-- Archives a campaign; an archived one keeps its archived_at.
-- $1: app_id. $2: campaign_id.
update afterpush.campaigns
set archived_at = coalesce(archived_at, now())
where app_id = $1
  and campaign_id = $2
