-- Fallbacks: what unverified sends and confirmations state of a dimension that a verified response decides, an attribution
-- key of rank 4 or 5 beside one of rank 3 (attribution.sql). They never count. The report `health` needs them: such a
-- dimension is not known from responses only. An array of fallbacks has an element each for platform, app version,
-- campaign and category. Few deliveries have any.

-- Whether one of the keys has rank 3. The character code of '3' is 51.
create or replace function afterpush.has_rank_3(platform text, app_version text, campaign text, category text)
returns boolean
language sql immutable parallel safe
return ascii(platform) = 51 or ascii(app_version) = 51 or ascii(campaign) = 51 or ascii(category) = 51;
comment on function afterpush.has_rank_3 is 'Whether one of some attribution keys has source rank 3.';

-- The fallbacks that some events of a delivery state, and its stored row: the smallest keys of rank 4 and 5.
--
-- delivery:                     the delivery_id.
-- only_batches, except_batches: as in delivery_deltas.
-- has_stored:                   whether the stored row counts.
create or replace function afterpush.stated_fallbacks(
    delivery uuid, only_batches bigint[], except_batches bigint[], has_stored boolean
)
returns text[]
language sql stable parallel safe
as $$
    select array[min(platform), min(app_version), min(campaign), min(category)]
    from (
        select
            (source_rank || platform) collate "C" as platform,
            (source_rank || app_version) collate "C" as app_version,
            afterpush.attribution_key(source_rank, campaign_id, variant) collate "C" as campaign,
            afterpush.attribution_key(
                source_rank, category_id, lpad(category_version::text, 10, '0')
            ) collate "C" as category
        from (
            select *, case kind when 'sent' then '4' else '5' end as source_rank
            from afterpush.events
            where delivery_id = delivery
              and not verified
              and kind in ('sent', 'delivered')
              and (only_batches is null or batch_id = any (only_batches))
              and (except_batches is null or batch_id <> all (except_batches))
        ) as e
        union all
        select
            case when platform_source_rank in (4, 5) then platform_source_rank || platform else fallbacks[1] end,
            case
                when app_version_source_rank in (4, 5) then app_version_source_rank || app_version
                else fallbacks[2]
            end,
            case
                when campaign_source_rank in (4, 5)
                then afterpush.attribution_key(campaign_source_rank::text, campaign_id, variant)
                else fallbacks[3]
            end,
            case
                when category_source_rank in (4, 5)
                then afterpush.attribution_key(
                    category_source_rank::text, category_id, lpad(category_version::text, 10, '0')
                )
                else fallbacks[4]
            end
        from afterpush.deliveries
        where has_stored
          and delivery_id = delivery
    ) as keys
$$;
comment on function afterpush.stated_fallbacks is
    'What unverified sends and confirmations state of a delivery, as attribution keys.';

-- The fallbacks that are kept: those of keys of rank 3; null if there is none. The character code of '3' is 51.
create or replace function afterpush.kept_fallbacks(
    fallbacks text[], platform text, app_version text, campaign text, category text
) returns text[]
language sql immutable parallel safe
return nullif(
    array[
        case when ascii(platform) = 51 then fallbacks[1] end,
        case when ascii(app_version) = 51 then fallbacks[2] end,
        case when ascii(campaign) = 51 then fallbacks[3] end,
        case when ascii(category) = 51 then fallbacks[4] end
    ],
    array[null, null, null, null]::text[]
);
comment on function afterpush.kept_fallbacks is 'The fallbacks of keys of rank 3; null if there is none.';
