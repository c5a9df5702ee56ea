-- Counting conversions by a changed window takes steps of some devices each, so that it holds up no merge for long.

alter table afterpush.campaigns
    add column next_window interval,
    add column recounted_device integer not null default -1,
    add column recounted_delivery uuid not null default '00000000-0000-0000-0000-000000000000';
comment on column afterpush.campaigns.next_window is
    'The conversion window by which the rollups are beginning to count; null if they count by counted_window only.';
comment on column afterpush.campaigns.recounted_device is
    'Number of a device: deliveries up to this and recounted_delivery, in this order, are counted by next_window already.';
comment on column afterpush.campaigns.recounted_delivery is
    'The last delivery to the device recounted_device that is counted by next_window.';
comment on column afterpush.campaigns.counted_window is
    'The conversion window by which the rollups count, except what is counted by next_window. Only the rollup worker changes it.';

drop index afterpush.campaigns_to_recount;
create index campaigns_to_recount on afterpush.campaigns (app_id, campaign_id)
    where next_window is not null or counted_window <> coalesce(conversion_window, response_window);
comment on index afterpush.campaigns_to_recount is
    'Campaigns whose conversions the rollups do not, or not all, count by the declared window yet.';

drop function if exists afterpush.recount_conversions(timestamptz);
drop function if exists afterpush.changed_conversions(integer, text, interval, interval, timestamptz);
