-- How deliveries count in reports, for the inspector. The rules are those of keyed_deliveries and report_counts.
-- $1: app_id. $2: delivery_ids. $3: name of the app.
-- Runs as afterpush_report. Returns the delivery_id, the device, null if it was erased, and a JSON object.
with found as materialized (
    select
        d.*,
        afterpush.anchor_at(d.verified_sent_at, d.receipt_issued_at, d.first_event_at) as anchor_at,
        afterpush.anchor_hour(d.verified_sent_at, d.receipt_issued_at, d.first_event_at) as hour,
        c.campaign_id is not null as campaign_declared,
        coalesce(c.response_window, interval '72 hours') as response_window,
        coalesce(
            afterpush.window_of_delivery(
                c.counted_window, c.next_window, c.recounted_device, c.recounted_delivery, d.device_number, d.delivery_id
            ),
            interval '72 hours'
        ) as conversion_window,
        c.goal_actions as campaign_goals
    from afterpush.deliveries as d
    left join afterpush.campaigns as c using (app_id, campaign_id)
    where d.app_id = $1
      and d.delivery_id = any ($2)
),
counted as materialized (
    select
        f.*,
        afterpush.counted_kinds(f.kinds, f.converted_at, f.anchor_at, f.conversion_window) as counted,
        afterpush.counted_kinds(
            f.verified_kinds, f.verified_converted_at, f.anchor_at,
            case when f.campaign_source_rank <= 3 then f.conversion_window end
        ) as verified_counted,
        -- A campaign with declared sends closes as a whole, with its last.
        coalesce(
            (
                select afterpush.hour_of(max(s.sent_at))
                from afterpush.sends as s
                where s.app_id = f.app_id
                  and s.campaign_id = f.campaign_id
            ),
            f.hour
        ) + interval '1 hour' + f.response_window as closes_at,
        v.version as version_in_force,
        coalesce(v.offered, '{}') as offered,
        coalesce(v.goals, '{}') as category_goals,
        coalesce(v.destructive, '{}') as destructive,
        coalesce(g.goal_actions, f.campaign_goals, '{}') as goals
    from found as f
    left join afterpush.category_versions as v
        on v.app_id = f.app_id
        and v.category_id = f.category_id
        and case
            when f.category_version > 0 then v.version = f.category_version
            else f.hour >= v.in_force_from and f.hour < v.in_force_to
        end
    left join afterpush.sealed_goals as g
        on g.app_id = f.app_id
        and g.campaign_id = f.campaign_id
        and f.hour >= g.sealed_from
        and f.hour < g.sealed_before
)
select
    d.delivery_id,
    d.device_id,
    json_build_object(
        'delivery_id', d.delivery_id,
        'notification_id', d.notification_id,
        'device_id', d.device_id,
        'anchor_at', d.anchor_at,
        'campaign_id', d.campaign_id,
        'campaign_source', d.campaign_source_rank,
        'campaign_declared', d.campaign_declared,
        'variant', d.variant,
        'category_id', d.category_id,
        'category_source', d.category_source_rank,
        'category_version', d.version_in_force,
        'platform', d.platform,
        'platform_source', d.platform_source_rank,
        'app_version', d.app_version,
        'outcome', case
            when afterpush.is_held_out(d.kinds) then 'held_out'
            when afterpush.has_responded(d.kinds) then 'responded'
            when afterpush.is_replaced(d.kinds) then 'replaced'
            when afterpush.has_failed(d.kinds) then 'failed'
            when d.closes_at <= afterpush.as_of($3) then 'no_response'
            else 'pending'
        end,
        'closes_at', d.closes_at,
        'response_window_seconds', extract(epoch from d.response_window)::bigint,
        'conversion_window_seconds', extract(epoch from d.conversion_window)::bigint,
        'converted_at', d.converted_at,
        'has_converted_event', afterpush.has_converted_event(d.kinds),
        'conversion_counts', afterpush.has_converted_event(d.counted),
        'goal_actions_taken', array(
            select a.action_id
            from unnest(d.actions) as a
            where a.action_id = any (d.goals)
               or a.action_id = any (d.category_goals)
               or d.goals = '{}' and d.category_goals = '{}' and a.action_id <> all (d.destructive)
        ),
        'goals_declared', d.goals <> '{}' or d.category_goals <> '{}',
        'actions_not_offered', array(
            select a.action_id
            from unnest(d.actions) as a
            where d.version_in_force is not null
              and a.action_id <> all (d.offered)
        ),
        'counts_as', (
            select coalesce(json_agg(s.name order by s.place), '[]')
            from afterpush.inspected_states(d.counted) as s
        ),
        'counts_as_verified', (
            select coalesce(json_agg(s.name order by s.place), '[]')
            from afterpush.inspected_states(d.verified_counted) as s
        ),
        'verified', d.verified_kinds <> 0,
        'sealed', d.hour < (select w.sealed_before from afterpush.rollup_worker as w)
    )::text
from counted as d
