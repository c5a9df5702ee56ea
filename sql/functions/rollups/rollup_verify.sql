-- Compares each layer with its recomputation from the layer before it. `afterpush rollup verify` calls it.
--
-- Returns a row for each difference: the table, and the delivery_id or the row that one of the two sides has alone.
-- Hours that are sealed are left out: their events may be gone. Deliveries that verified events have released
-- (differing_deliveries) are compared. So are batches that are not merged yet, and deliveries of erased devices.
create or replace function afterpush.rollup_verify()
returns table (layer text, difference text)
language sql stable
as $$
    with sealed as (select sealed_before as hour from afterpush.rollup_worker),
    waiting as (
        select coalesce(array_agg(batch_id), '{}') as ids from afterpush.batches where rolled_up_at is null
    ),
    stored_device_buckets as (
        select
            app_id, modes, anchor_day, campaign_id, variant, category_id, category_version, platform, kinds, actions,
            sum(device_buckets) as device_buckets
        from afterpush.device_bucket_counts
        group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
        having sum(device_buckets) <> 0
    ),
    merged as (
        select m.*
        from waiting
        cross join lateral afterpush.merged_deliveries(null, waiting.ids) as m
    )
    select 'deliveries', coalesce(merged.delivery_id, d.delivery_id)::text
    from merged
    full join afterpush.deliveries as d using (delivery_id)
    cross join sealed
    where merged is distinct from d
      and greatest(
          afterpush.anchor_hour(d.verified_sent_at, d.receipt_issued_at, d.first_event_at),
          case
              when d.delivery_id is null or d.verified_kinds = 0 and merged.verified_kinds <> 0
              then afterpush.anchor_hour(merged.verified_sent_at, merged.receipt_issued_at, merged.first_event_at)
          end
      ) >= sealed.hour
      and (d.delivery_id is null or d.device_id is not null)
    union all
    select 'rollup_app_version_counts', difference::text
    from (
        (select * from afterpush.rollup_app_version_counts except all select * from afterpush.expected_app_version_counts)
        union all
        (select * from afterpush.expected_app_version_counts except all select * from afterpush.rollup_app_version_counts)
    ) as difference
    cross join sealed
    where anchor_hour >= sealed.hour
    union all
    select 'rollup_delivery_counts', difference::text
    from (
        (select * from afterpush.rollup_delivery_counts except all select * from afterpush.expected_delivery_counts)
        union all
        (select * from afterpush.expected_delivery_counts except all select * from afterpush.rollup_delivery_counts)
    ) as difference
    cross join sealed
    where anchor_hour >= sealed.hour
    union all
    select 'rollup_action_counts', difference::text
    from (
        (select * from afterpush.rollup_action_counts except all select * from afterpush.expected_action_counts)
        union all
        (select * from afterpush.expected_action_counts except all select * from afterpush.rollup_action_counts)
    ) as difference
    cross join sealed
    where anchor_hour >= sealed.hour
    union all
    select 'rollup_events', difference::text
    from (
        (select * from afterpush.rollup_events except all select * from afterpush.expected_events)
        union all
        (select * from afterpush.expected_events except all select * from afterpush.rollup_events)
    ) as difference
    cross join sealed
    where event_hour >= sealed.hour
    union all
    select 'rollup_event_hours', difference::text
    from (
        (select * from afterpush.rollup_event_hours except all select * from afterpush.summed_event_hours)
        union all
        (select * from afterpush.summed_event_hours except all select * from afterpush.rollup_event_hours)
    ) as difference
    cross join sealed
    where event_hour >= sealed.hour
    union all
    select 'rollup_response_counts', difference::text
    from (
        (select * from afterpush.rollup_response_counts except all select * from afterpush.expected_response_counts)
        union all
        (select * from afterpush.expected_response_counts except all select * from afterpush.rollup_response_counts)
    ) as difference
    cross join sealed
    where anchor_hour >= sealed.hour
    union all
    select 'rollup_goal_days', difference::text
    from (
        (select * from afterpush.rollup_goal_days except all select * from afterpush.summed_goal_days)
        union all
        (select * from afterpush.summed_goal_days except all select * from afterpush.rollup_goal_days)
    ) as difference
    cross join sealed
    where anchor_day >= afterpush.day_of(sealed.hour)
    union all
    select 'rollup_action_days', difference::text
    from (
        (select * from afterpush.rollup_action_days except all select * from afterpush.summed_action_days)
        union all
        (select * from afterpush.summed_action_days except all select * from afterpush.rollup_action_days)
    ) as difference
    cross join sealed
    where anchor_day >= afterpush.day_of(sealed.hour)
    union all
    select 'rollup_delivery_days', difference::text
    from (
        (select * from afterpush.rollup_delivery_days except all select * from afterpush.summed_delivery_days)
        union all
        (select * from afterpush.summed_delivery_days except all select * from afterpush.rollup_delivery_days)
    ) as difference
    cross join sealed
    where anchor_day >= afterpush.day_of(sealed.hour)
    union all
    select 'rollup_campaign_days', difference::text
    from (
        (select * from afterpush.rollup_campaign_days except all select * from afterpush.summed_campaign_days)
        union all
        (select * from afterpush.summed_campaign_days except all select * from afterpush.rollup_campaign_days)
    ) as difference
    cross join sealed
    where anchor_day >= afterpush.day_of(sealed.hour)
    union all
    select 'rollup_response_days', difference::text
    from (
        (select * from afterpush.rollup_response_days except all select * from afterpush.summed_response_days)
        union all
        (select * from afterpush.summed_response_days except all select * from afterpush.rollup_response_days)
    ) as difference
    cross join sealed
    where anchor_day >= afterpush.day_of(sealed.hour)
    union all
    -- Days that are sealed in part are left out: some of their deliveries may be gone, and there are no sums by hour.
    select 'rollup_device_buckets', difference::text
    from (
        (select * from stored_device_buckets except all select * from afterpush.expected_device_buckets)
        union all
        (select * from afterpush.expected_device_buckets except all select * from stored_device_buckets)
    ) as difference
    cross join sealed
    where anchor_day >= sealed.hour
    union all
    select 'rollup_device_bucket_totals', difference::text
    from (
        (select * from afterpush.rollup_device_bucket_totals except all select * from afterpush.summed_device_buckets)
        union all
        (select * from afterpush.summed_device_buckets except all select * from afterpush.rollup_device_bucket_totals)
    ) as difference
    cross join sealed
    where anchor_day >= sealed.hour
    union all
    select * from afterpush.differing_values() union all select * from afterpush.differing_report_sums()
$$;
comment on function afterpush.rollup_verify is
    'Each difference between a layer and its recomputation from the layer before it; no rows if all is well.';
