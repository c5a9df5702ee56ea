-- title: Failures
-- description: Failures that providers and devices reported, by reason: failed (refused by the provider), declared
--   (failed in declared sends), attachment_failed and extension_expired (the service extension), and changes of tokens
--   and permissions: token_registered, token_failed, permission_granted and permission_revoked. Deliveries count in
--   their anchor hour, events about the device alone in the hour in which they occurred.
-- parameter: from time  first hour; empty for no limit
-- parameter: to time  end of the hours, exclusive; empty for no limit
-- parameter: tz zone  time zone of days, and of dates in from and to
-- parameter: campaign text  only this campaign; leaves out what devices say of themselves, as the next two do
-- parameter: category text  only this category
-- parameter: variant text  only this variant
-- parameter: platform text  only this platform
-- parameter: verified boolean  count only verified events
-- parameter: by list campaign|category|variant|platform|day|hour|app_version  groups, at most two, in the order given
-- parameter: min_n integer 1..  a rate over fewer attempts than this is null
-- column: campaign_id text  campaign; null if unknown
-- column: category_id text  category; null if unknown
-- column: variant text  variant of the campaign; null if unknown
-- column: platform text  platform; null if unknown
-- column: day date  local day of the hour's start
-- column: hour time  hour
-- column: app_version text  version of the app; null if unknown
-- column: kind text  failed, declared, attachment_failed, extension_expired, token_failed, token_registered,
--   permission_granted or permission_revoked
-- column: reason text  reason as reported; null if none was
-- column: events integer events  events of the kind with this reason; null for declared ones
-- column: deliveries integer deliveries  deliveries with such an event; null for kinds about the device alone
-- column: devices integer devices  devices with such an event; null for declared ones
-- column: attempts integer  what could have failed: deliveries sent or failed (failed, declared), deliveries with a
--   sign on the device (attachment_failed, extension_expired), devices whose token was registered or failed; null for
--   permissions
-- column: failure_rate number ratio  deliveries (devices for token_failed) over attempts
-- column: failure_rate_low number ratio  lower bound of its 95 % interval
-- column: failure_rate_high number ratio  upper bound of its 95 % interval
-- column: first_at time  when the first of them occurred
-- column: last_at time  when the last of them occurred
-- column: suppressed boolean  whether the rate is null because of min_n
-- column: verified_share number ratio  share of the events that are verified; null for declared ones
\if :{?app} \else \set app '' \endif
\if :{?from} \else \set from '' \endif
\if :{?to} \else \set to '' \endif
\if :{?tz} \else \set tz UTC \endif
\if :{?campaign} \else \set campaign '' \endif
\if :{?category} \else \set category '' \endif
\if :{?variant} \else \set variant '' \endif
\if :{?platform} \else \set platform '' \endif
\if :{?verified} \else \set verified false \endif
\if :{?by} \else \set by platform,day \endif
\if :{?min_n} \else \set min_n 30 \endif
select
    -- Failures of hours that are sealed may be gone, so the attempts to send are left out as well.
    by_columns, by_group, by_order, from_hour, to_hour, unsealed_from,
    -- Compiling the statement takes longer than running it.
    set_config('jit', 'off', false) as jit
from afterpush.report_by(:'by')
cross join afterpush.report_bounds(
    :'app', afterpush.report_time(:'from', :'tz'), afterpush.report_time(:'to', :'tz')
) \gset
-- Deliveries with a failure, of the send or on the device. There are few.
with delivered as materialized (
    select *, (hour at time zone :'tz')::date as day
    from (
        select
            delivery_id, device_id,
            afterpush.stated(campaign_id, campaign_source_rank, :'verified') as campaign_id,
            afterpush.stated(variant, campaign_source_rank, :'verified') as variant,
            afterpush.stated(category_id, category_source_rank, :'verified') as category_id,
            afterpush.stated(platform, platform_source_rank, :'verified') as platform,
            afterpush.stated(app_version, app_version_source_rank, :'verified') as app_version,
            afterpush.anchor_hour(verified_sent_at, receipt_issued_at, first_event_at) as hour,
            case when :'verified'::boolean then verified_kinds else kinds end as state_kinds
        from afterpush.report_selected_deliveries(:'app', :'unsealed_from', :'to_hour')
        where delivery_id in (
            select e.delivery_id
            from afterpush.events as e
            where e.app_id = (select app_id from afterpush.apps where name = :'app')
              and e.kind in ('failed', 'attachment_failed', 'extension_expired')
        )
    ) as d
    where (:'campaign' = '' or campaign_id = :'campaign')
      and (:'category' = '' or category_id = :'category')
      and (:'variant' = '' or variant = :'variant')
      and (:'platform' = '' or platform = :'platform')
),
rolled_up as (
    select
        nullif(campaign_id, '') as campaign_id, nullif(variant, '') as variant, nullif(category_id, '') as category_id,
        nullif(platform, '') as platform, nullif(app_version, '') as app_version,
        anchor_hour as hour, (anchor_hour at time zone :'tz')::date as day, tried, seen
    from (
        select
            app_id, verified, anchor_hour, campaign_id, variant, category_id, platform, app_version,
            case when is_sent then deliveries else 0 end as tried, delivered as seen
        from afterpush.rollup_app_versions
        where :'by' ~ 'app_version'
        union all
        select
            app_id, verified, anchor_hour, campaign_id, variant, category_id, platform, '',
            case when is_sent then deliveries else 0 end, delivered
        from afterpush.rollup_deliveries
        where :'by' !~ 'app_version'
    ) as r
    where app_id = (select app_id from afterpush.apps where name = :'app')
      and verified = :'verified'::boolean
      and anchor_hour >= :'unsealed_from'::timestamptz
      and anchor_hour < :'to_hour'::timestamptz
      and (:'campaign' = '' or campaign_id = :'campaign')
      and (:'category' = '' or category_id = :'category')
      and (:'variant' = '' or variant = :'variant')
      and (:'platform' = '' or platform = :'platform')
),
-- Deliveries that were sent or failed, and those with any sign on the device.
delivery_attempts as (
    select :by_columns sum(tried)::bigint as tried, sum(seen)::bigint as seen
    from (
        select :by_columns tried, seen from rolled_up
        union all
        select :by_columns 1, 0
        from delivered
        where afterpush.has_failed_event(state_kinds)
          and not afterpush.is_sent(state_kinds)
    ) as a
    group by :by_group
),
delivery_failures as (
    select
        :by_columns
        kind, reason,
        count(*) as events,
        count(distinct delivery_id) as deliveries,
        count(distinct device_id) as devices,
        min(occurred_at) as first_at,
        max(occurred_at) as last_at,
        count(*) filter (where verified) as verified
    from (
        select d.*, e.kind, e.reason, e.occurred_at, e.verified
        from delivered as d
        join afterpush.events as e using (delivery_id)
        where afterpush.has_failure_event(d.state_kinds)
          and e.kind in ('failed', 'attachment_failed', 'extension_expired')
          and (e.verified or not :'verified'::boolean)
    ) as f
    group by :by_columns kind, reason
),
tokens as materialized (
    select
        null::text as campaign_id, null::text as category_id, null::text as variant, platform, app_version, hour,
        (hour at time zone :'tz')::date as day,
        device_id, kind, reason, occurred_at, verified
    from (
        select *, afterpush.hour_of(occurred_at) as hour
        from afterpush.report_token_events(:'app', :'from_hour', :'to_hour')
        where (verified or not :'verified'::boolean)
          and :'campaign' = ''
          and :'category' = ''
          and :'variant' = ''
          and (:'platform' = '' or platform = :'platform')
    ) as e
),
token_attempts as (
    select :by_columns count(distinct device_id) filter (where kind in ('token_registered', 'token_failed')) as devices
    from tokens
    group by :by_group
),
token_failures as (
    select
        :by_columns
        kind, reason, count(*) as events, count(distinct device_id) as devices,
        min(occurred_at) as first_at, max(occurred_at) as last_at, count(*) filter (where verified) as verified
    from tokens
    group by :by_columns kind, reason
),
-- Declared sends count in the hour of their sent_at, as in all reports.
declared as (
    select
        campaign_id, category_id, variant, platform, null::text as app_version,
        (afterpush.hour_of(sent_at) at time zone :'tz')::date as day,
        afterpush.hour_of(sent_at) as hour, count, failed
    from afterpush.sends
    where app_id = (select app_id from afterpush.apps where name = :'app')
      and sent_at >= :'from_hour'::timestamptz
      and sent_at < :'to_hour'::timestamptz
      and (:'campaign' = '' or campaign_id = :'campaign')
      and (:'category' = '' or category_id = :'category')
      and (:'variant' = '' or variant = :'variant')
      and (:'platform' = '' or platform = :'platform')
),
-- Failures with the attempts of their group.
listed as (
    select
        :by_columns
        kind::text as kind, reason, events, deliveries, devices, attempts, failed, first_at, last_at, verified
    from (
        select
            :by_columns
            kind, reason, events, deliveries, devices, first_at, last_at, verified, deliveries as failed,
            case kind
                when 'failed' then max(tried) over (partition by :by_columns 1)
                else max(seen) over (partition by :by_columns 1)
            end as attempts
        from (
            select
                :by_columns
                kind, reason, events, deliveries, devices, first_at, last_at, verified,
                null::bigint as tried, null::bigint as seen
            from delivery_failures
            union all
            select :by_columns null, null, null, null, null, null, null, null, tried, seen
            from delivery_attempts
        ) as f
        union all
        select
            :by_columns
            kind, reason, events, null, devices, first_at, last_at, verified,
            case kind when 'token_failed' then devices end,
            case
                when kind in ('token_registered', 'token_failed') then max(attempts) over (partition by :by_columns 1)
            end
        from (
            select :by_columns kind, reason, events, devices, first_at, last_at, verified, null::bigint as attempts
            from token_failures
            union all
            select :by_columns null, null, null, null, null, null, null, devices
            from token_attempts
        ) as t
    ) as f
    where kind is not null
    union all
    select
        :by_columns
        'declared', null, null, sum(failed)::bigint, null, sum(count + failed)::bigint, sum(failed)::bigint, null, null,
        null
    from declared
    group by :by_group
    having sum(failed) > 0
)
select
    :by_columns
    kind,
    reason,
    events,
    deliveries,
    devices,
    attempts,
    afterpush.rate(failed, attempts, :'min_n') as failure_rate,
    afterpush.rate_low(failed, attempts, :'min_n') as failure_rate_low,
    afterpush.rate_high(failed, attempts, :'min_n') as failure_rate_high,
    first_at,
    last_at,
    failed is not null and afterpush.suppressed(:'min_n', attempts) as suppressed,
    afterpush.rate(verified, events, 1) as verified_share
from listed
order by :by_order, kind collate "C", reason collate "C" nulls last;
