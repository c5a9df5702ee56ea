-- Declares sends. A send_id that is stored already, or repeated, is ignored.
-- $1: app_id. $2 to $10: a column each: send_id, campaign_id, category_id, category_version, variant, platform, count,
-- failed, sent_at.
insert into afterpush.sends (
    app_id, send_id, campaign_id, category_id, category_version, variant, platform, count, failed, sent_at
)
select $1::integer, send_id, campaign_id, category_id, category_version, variant, platform, count, failed, sent_at
from unnest(
    $2::uuid[], $3::text[], $4::text[], $5::integer[], $6::text[], $7::text[], $8::bigint[], $9::bigint[],
    $10::timestamptz[]
) with ordinality as s (
    send_id, campaign_id, category_id, category_version, variant, platform, count, failed, sent_at, place
)
order by send_id, place
on conflict (app_id, send_id) do nothing
