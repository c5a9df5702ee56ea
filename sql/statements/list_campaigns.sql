-- Campaigns of an app, in order of campaign_id.
-- $1: app_id. $2: only this campaign_id; null for all. $3: only campaigns after this campaign_id; null for all.
-- $4: whether to include archived campaigns. $5: the most campaigns to return; null for all.
-- Times are in microseconds since 1970, windows are in seconds.
select
    campaign_id, name, category_id, goal_actions, extract(epoch from response_window)::bigint,
    extract(epoch from conversion_window)::bigint,
    (extract(epoch from starts_at) * 1000000)::bigint, planned_deliveries, minimum_effect, archived_at is not null,
    holdout, (extract(epoch from goals_declared_at) * 1000000)::bigint,
    (extract(epoch from weights_declared_at) * 1000000)::bigint
from afterpush.campaigns
where app_id = $1
  and ($2::text is null or campaign_id = $2)
  and ($3::text is null or campaign_id > $3)
  and ($4 or archived_at is null)
order by campaign_id
limit $5
