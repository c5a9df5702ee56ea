-- Declared sends, in the hour of their sent_at. They are verified. The columns are those of delivery_days.
create or replace view afterpush.declared_sends with (security_invoker = true) as
select
    'declared_sends' as source, app_id, true as verified, afterpush.hour_of(sent_at) as hour,
    campaign_id,
    coalesce(variant, '') as variant,
    coalesce(category_id, '') as category_id,
    coalesce(category_version, 0) as category_version,
    coalesce(platform, '') as platform,
    ''::text collate "C" as app_version,
    '{}'::text[] collate "C" as actions,
    0 as deliveries, 0 as deliveries_sent, 0 as deliveries_confirmed, 0 as deliveries_both,
    failed, 0 as delivered, 0 as delivered_sent, 0 as displayed,
    0 as opened, 0 as opened_sent, 0 as opened_confirmed,
    0 as acted, 0 as acted_sent, 0 as acted_confirmed,
    0 as replied, 0 as replied_sent, 0 as replied_confirmed,
    0 as dismissed, 0 as dismissed_sent, 0 as dismissed_confirmed,
    0 as read, 0 as read_sent, 0 as read_confirmed,
    0 as responded, 0 as responded_sent, 0 as responded_confirmed,
    0 as replaced, 0 as replaced_sent, 0 as replaced_confirmed,
    0 as refused, 0 as refused_sent,
    0 as converted_events, 0 as converted_events_sent, 0 as converted_events_confirmed,
    0 as unconverted, 0 as unconverted_sent, 0 as unconverted_confirmed,
    count as declared_sends
from afterpush.sends;
comment on view afterpush.declared_sends is 'Declared sends, by hour.';
