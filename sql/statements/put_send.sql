-- Declares sends of app $1, once per send_id $2: $3 campaign, $4 category, $5 version, $6 variant, $7 platform,
-- $8 count, $9 failed, $10 sent_at.
insert into afterpush.sends (
    app_id, send_id, campaign_id, category_id, category_version, variant, platform, count, failed, sent_at
)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
on conflict (app_id, send_id) do nothing
