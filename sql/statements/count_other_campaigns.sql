-- Counts the campaigns of an app that are not archived, except for one.
-- $1: app_id. $2: campaign_id of the one.
select count(*)
from afterpush.campaigns
where app_id = $1
  and campaign_id <> $2
  and archived_at is null
