-- Deliveries as they follow from the log of events alone: what layer 2 must hold. rollup_rebuild stores it, and
-- rollup_verify compares it with what is stored.
--
-- The parameters are those of delivery_deltas. PostgreSQL inlines this function: keep it one select without `set`.
create or replace function afterpush.merged_deliveries(
    only_batches bigint[], except_batches bigint[], from_id uuid default null, to_id uuid default null,
    only_deliveries uuid[] default null
)
returns setof afterpush.deliveries
language sql stable
as $$
    select
        delivery_id, app_id, kinds, verified_kinds,
        afterpush.attribution_source_rank(platform), afterpush.attribution_source_rank(app_version),
        afterpush.attribution_source_rank(campaign), afterpush.attribution_source_rank(category),
        afterpush.attribution_detail(category)::integer,
        first_event_at, sent_at, receipt_issued_at, confirmed_at, responded_at,
        verified_sent_at, verified_confirmed_at, verified_responded_at,
        case
            when conversions is not null
            then afterpush.first_conversion(
                conversions, afterpush.anchor_at(verified_sent_at, receipt_issued_at, first_event_at), false
            )
        end,
        case
            when conversions is not null
            then afterpush.first_conversion(
                conversions, afterpush.anchor_at(verified_sent_at, receipt_issued_at, first_event_at), true
            )
        end,
        failed_at, replaced_at, verified_failed_at, verified_replaced_at,
        notification_id, device_id,
        substr(platform, 2), substr(app_version, 2),
        afterpush.attribution_value(campaign), afterpush.attribution_detail(campaign),
        afterpush.attribution_value(category),
        case
            when afterpush.has_unverified_evidence(event_codes)
                and afterpush.has_rank_3(platform, app_version, campaign, category)
            then afterpush.kept_fallbacks(
                afterpush.stated_fallbacks(delivery_id, only_batches, except_batches, false),
                platform, app_version, campaign, category
            )
        end,
        case when cardinality(actions) > 1 then afterpush.merged_actions(actions) else actions end,
        afterpush.device_number(device_id),
        last_stored_hour
    from (
        select
            delivery_id, app_id, kinds, verified_kinds,
            afterpush.effective_attribution(platform, kinds) as platform,
            afterpush.effective_attribution(app_version, kinds) as app_version,
            afterpush.effective_attribution(campaign, kinds) as campaign,
            afterpush.effective_attribution(category, kinds) as category,
            first_event_at, sent_at, receipt_issued_at, confirmed_at, responded_at,
            verified_sent_at, verified_confirmed_at, verified_responded_at,
            failed_at, replaced_at, verified_failed_at, verified_replaced_at, notification_id, device_id, conversions,
            actions, event_codes, last_stored_hour
        from afterpush.delivery_deltas(only_batches, except_batches, from_id, to_id, only_deliveries)
        -- Keeps the planner from merging the two selects: each key is then computed once, and not once per use.
        offset 0
    ) as keyed
$$;
comment on function afterpush.merged_deliveries is 'Deliveries as they follow from the events of some batches.';
