-- The worker at a lower cost per event: the same layers, the same meaning, less work. Deliveries that are new are
-- inserted and known ones updated (the worker alone writes them, so nothing can come in between), stored rows are read
-- once, and deliveries are counted by shape before anything is derived from the shape.

-- A dimension as an event or a stored row tells it: its standing, then one or two texts, as one text whose order by bytes
-- is the order of the tuple, an absent second text last. The first text ends with two bytes 1, of which it can't hold
-- two itself, since each of its own is followed by a byte 2.
create function afterpush.told(standing text, value text, rest text) returns text
language sql immutable parallel safe
return standing || replace(value, E'\x01', E'\x01\x02') || E'\x01\x01' || coalesce('0' || rest, '1');
comment on function afterpush.told is 'A dimension with its standing as one text that sorts by bytes as the tuple does; null when its value is.';

create function afterpush.told_value(told text) returns text
language sql immutable parallel safe
return replace(substr(told, 2, strpos(told, E'\x01\x01') - 2), E'\x01\x02', E'\x01');
comment on function afterpush.told_value is 'The first text of a told dimension.';

create function afterpush.told_rest(told text) returns text
language sql immutable parallel safe
return case
    when substr(told, strpos(told, E'\x01\x01') + 2, 1) = '0' then substr(told, strpos(told, E'\x01\x01') + 3)
end;
comment on function afterpush.told_rest is 'The second text of a told dimension; null when it was absent.';

-- As before: deliveries as the events of the batches in `only` (null: all) and not in `without` (null: none) tell them,
-- together with what the table already has of them if `with_stored`. A stored delivery tells in the same words as an
-- event, so there is one definition of merging, whatever comes first. Rows have the shape of deliveries.
create or replace function afterpush.merged_deliveries("only" bigint[], without bigint[], with_stored boolean)
returns setof afterpush.deliveries
language sql stable
as $$
    with taken as materialized (
        select
            delivery_id, app_id, afterpush.kind_bit(kind) as bit,
            case kind when 'sent' then '1' when 'delivered' then '2' else '3' end as standing, verified, occurred_at, receipt_issued_at,
            notification_id, device_id, action_identifier, platform, app_version, campaign_id, variant, category_id,
            category_version
        from afterpush.events
        where ("only" is null or batch_id = any ("only"))
          and (without is null or batch_id <> all (without))
          and kind < 'token_registered'
    )
    select
        delivery_id,
        app_id,
        kinds,
        verified_kinds,
        coalesce(left(platform, 1)::smallint, 4::smallint),
        coalesce(left(app_version, 1)::smallint, 4::smallint),
        coalesce(left(campaign, 1)::smallint, 4::smallint),
        coalesce(left(category, 1)::smallint, 4::smallint),
        afterpush.told_rest(category)::integer,
        first_event_at,
        sent_at,
        receipt_issued_at,
        confirmed_at,
        responded_at,
        verified_sent_at,
        verified_confirmed_at,
        verified_responded_at,
        notification_id,
        device_id,
        substr(platform, 2),
        substr(app_version, 2),
        afterpush.told_value(campaign),
        afterpush.told_rest(campaign),
        afterpush.told_value(category),
        case when cardinality(actions) > 1 then afterpush.merged_actions(actions) else actions end
    from (
        select
            *,
            -- What other events state counts only while there is neither a send (1) nor a confirmation (4).
            case when kinds & 5 = 0 or told_platform < '3' then told_platform end as platform,
            case when kinds & 5 = 0 or told_app_version < '3' then told_app_version end as app_version,
            case when kinds & 5 = 0 or told_campaign < '3' then told_campaign end as campaign,
            case when kinds & 5 = 0 or told_category < '3' then told_category end as category
        from (
            select
                delivery_id,
                min(app_id) as app_id,
                bit_or(kinds) as kinds,
                bit_or(verified_kinds) as verified_kinds,
                min(platform collate "C") as told_platform,
                min(app_version collate "C") as told_app_version,
                min(campaign collate "C") as told_campaign,
                min(category collate "C") as told_category,
                min(first_event_at) as first_event_at,
                min(sent_at) as sent_at,
                min(receipt_issued_at) as receipt_issued_at,
                min(confirmed_at) as confirmed_at,
                min(responded_at) as responded_at,
                min(verified_sent_at) as verified_sent_at,
                min(verified_confirmed_at) as verified_confirmed_at,
                min(verified_responded_at) as verified_responded_at,
                min(notification_id) as notification_id,
                min(device_id) as device_id,
                afterpush.concatenated(actions) filter (where actions is not null) as actions
            from (
                select
                    delivery_id,
                    app_id,
                    bit as kinds,
                    case when verified then bit else 0 end as verified_kinds,
                    standing || platform as platform,
                    standing || app_version as app_version,
                    afterpush.told(standing, campaign_id, variant) as campaign,
                    afterpush.told(standing, category_id, lpad(category_version::text, 10, '0')) as category,
                    occurred_at as first_event_at,
                    case when bit = 1 then occurred_at end as sent_at,
                    receipt_issued_at,
                    case when bit = 4 then occurred_at end as confirmed_at,
                    case when bit & 480 <> 0 then occurred_at end as responded_at,
                    case when bit = 1 and verified then occurred_at end as verified_sent_at,
                    case when bit = 4 and verified then occurred_at end as verified_confirmed_at,
                    case when bit & 480 <> 0 and verified then occurred_at end as verified_responded_at,
                    notification_id,
                    device_id,
                    case
                        when bit & 192 <> 0
                        then array[row(
                            action_identifier, occurred_at, 1,
                            case when verified then occurred_at end, verified::integer
                        )::afterpush.delivery_action]
                    end as actions
                from taken
                union all
                select
                    delivery_id,
                    app_id,
                    kinds,
                    verified_kinds,
                    platform_standing::text || platform,
                    app_version_standing::text || app_version,
                    afterpush.told(campaign_standing::text, campaign_id, variant),
                    afterpush.told(category_standing::text, category_id, lpad(category_version::text, 10, '0')),
                    first_event_at,
                    sent_at,
                    receipt_issued_at,
                    confirmed_at,
                    responded_at,
                    verified_sent_at,
                    verified_confirmed_at,
                    verified_responded_at,
                    notification_id,
                    device_id,
                    actions
                from afterpush.deliveries
                where with_stored
                  and delivery_id = any (array(select delivery_id from taken))
            ) as told
            group by delivery_id
        ) as stated
    ) as known
$$;

-- What the bits of one delivery say of it, under one mode: all its events, or the verified ones alone.
create function afterpush.states(bits integer)
returns table (
    is_sent boolean, is_confirmed boolean, failed integer, delivered integer, displayed integer, opened integer,
    replied integer, dismissed integer, read integer, responded integer, converted_events integer, replaced integer
)
language sql immutable parallel safe
as $$
    select
        bits & 1 <> 0,
        bits & 4 <> 0,
        -- Delivered: any of delivered displayed read opened action text_input dismissed media_played media_paused
        -- attachment_failed extension_expired. Failed: a failed event and none of these.
        (bits & 2 <> 0 and bits & 31228 = 0)::integer,
        (bits & 31228 <> 0)::integer,
        (bits & 8 <> 0)::integer,
        (bits & 32 <> 0)::integer,
        (bits & 128 <> 0)::integer,
        (bits & 256 <> 0)::integer,
        (bits & 16 <> 0)::integer,
        (bits & 480 <> 0)::integer,
        (bits & 512 <> 0)::integer,
        (bits & 1024 <> 0 and bits & 480 = 0)::integer
$$;
comment on function afterpush.states is 'The states that the bits of a delivery''s kinds stand for.';

-- Takes the oldest batches that are not rolled up, up to about `max_events` events, merges them into deliveries and
-- adds what changed to the rollups. Returns the number of events merged: 0 when none waits, null when another worker is
-- at it.
create or replace function afterpush.roll_up(max_events integer) returns integer
language plpgsql
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set plan_cache_mode = force_custom_plan
set jit = off
set work_mem = '64MB'
as $$
declare
    taken bigint[];
    taken_events bigint;
    emptied timestamptz[];
begin
    perform from afterpush.rollup_worker for update skip locked;
    if not found then
        return null;
    end if;

    select array_agg(batch_id order by batch_id), sum(events)
    into taken, taken_events
    from (
        select batch_id, events, sum(events) over (order by batch_id) - events as events_before
        from (
            select batch_id, events
            from afterpush.batches
            where rolled_up_at is null
            order by batch_id
            limit 1000
        ) as oldest
    ) as waiting
    where events_before < max_events;
    if taken is null then
        return 0;
    end if;

    with merged as materialized (
        select *
        from afterpush.merged_deliveries(taken, null, true)
    ),
    -- This statement's snapshot sees the rows of before, whatever is written below.
    stored as materialized (
        select *
        from afterpush.deliveries
        where delivery_id = any (array(select delivery_id from merged))
    ),
    inserted as (
        insert into afterpush.deliveries
        select merged.*
        from merged
        where not exists (select from stored)
           or delivery_id not in (select delivery_id from stored)
        order by delivery_id
    ),
    updated as (
        update afterpush.deliveries as d
        set kinds = merged.kinds,
            verified_kinds = merged.verified_kinds,
            platform_standing = merged.platform_standing,
            app_version_standing = merged.app_version_standing,
            campaign_standing = merged.campaign_standing,
            category_standing = merged.category_standing,
            category_version = merged.category_version,
            first_event_at = merged.first_event_at,
            sent_at = merged.sent_at,
            receipt_issued_at = merged.receipt_issued_at,
            confirmed_at = merged.confirmed_at,
            responded_at = merged.responded_at,
            verified_sent_at = merged.verified_sent_at,
            verified_confirmed_at = merged.verified_confirmed_at,
            verified_responded_at = merged.verified_responded_at,
            platform = merged.platform,
            app_version = merged.app_version,
            campaign_id = merged.campaign_id,
            variant = merged.variant,
            category_id = merged.category_id,
            actions = merged.actions
        from merged
        where exists (select from stored)
          and d.delivery_id = merged.delivery_id
    ),
    -- What the touched deliveries add now, less what they added before.
    keyed as not materialized (
        select
            sign,
            app_id,
            afterpush.anchor_hour(sent_at, receipt_issued_at, first_event_at) as anchor_hour,
            coalesce(app_version, '') as app_version,
            coalesce(campaign_id, '') as campaign_id,
            coalesce(variant, '') as variant,
            coalesce(category_id, '') as category_id,
            coalesce(category_version, 0) as category_version,
            coalesce(platform, '') as platform,
            kinds,
            verified_kinds,
            actions,
            coalesce(confirmed_at, sent_at) as reached_at,
            coalesce(verified_confirmed_at, verified_sent_at) as verified_reached_at
        from (
            select 1 as sign, *
            from merged
            union all
            select -1, *
            from stored
        ) as touched
    ),
    -- Most deliveries look like many others: they are counted before anything is derived.
    shapes as materialized (
        select
            app_id, verified, anchor_hour, app_version, campaign_id, variant, category_id, category_version, platform,
            bits, actions, sum(sign) as deliveries
        from (
            select
                false as verified, kinds as bits, sign, app_id, anchor_hour, app_version, campaign_id, variant,
                category_id, category_version, platform,
                case
                    when actions is null then '{}'
                    when cardinality(actions) = 1 then array[(actions[1]).action_id]
                    else array(select a.action_id from unnest(actions) as a)
                end as actions
            from keyed
            union all
            select
                true, verified_kinds, sign, app_id, anchor_hour, app_version, campaign_id, variant,
                category_id, category_version, platform,
                case
                    when actions is null then '{}'
                    else array(select a.action_id from unnest(actions) as a where a.verified_events > 0)
                end
            from keyed
            where verified_kinds <> 0
        ) as modes
        group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
        having sum(sign) <> 0
    ),
    change as materialized (
        select
            app_id, verified, anchor_hour, app_version, campaign_id, variant, category_id, category_version, platform,
            is_sent, is_confirmed, actions,
            sum(deliveries) as deliveries,
            sum(deliveries * failed) as failed,
            sum(deliveries * delivered) as delivered,
            sum(deliveries * displayed) as displayed,
            sum(deliveries * opened) as opened,
            sum(deliveries * replied) as replied,
            sum(deliveries * dismissed) as dismissed,
            sum(deliveries * read) as read,
            sum(deliveries * responded) as responded,
            sum(deliveries * converted_events) as converted_events,
            sum(deliveries * replaced) as replaced
        from shapes
        cross join lateral afterpush.states(bits)
        group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
    ),
    by_app_version as (
        insert into afterpush.rollup_app_versions as r (
            app_id, verified, anchor_hour, app_version, campaign_id, variant, category_id, category_version, platform,
            is_sent, is_confirmed, actions, deliveries, failed, delivered, displayed, opened, replied, dismissed, read,
            responded, converted_events, replaced
        )
        select
            app_id, verified, anchor_hour, app_version, campaign_id, variant, category_id, category_version, platform,
            is_sent, is_confirmed, actions, deliveries, failed, delivered, displayed, opened, replied, dismissed, read,
            responded, converted_events, replaced
        from change
        order by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
        on conflict (
            app_id, verified, anchor_hour, app_version, campaign_id, variant, category_id, category_version, platform,
            is_sent, is_confirmed, actions
        ) do update set
            deliveries = r.deliveries + excluded.deliveries,
            failed = r.failed + excluded.failed,
            delivered = r.delivered + excluded.delivered,
            displayed = r.displayed + excluded.displayed,
            opened = r.opened + excluded.opened,
            replied = r.replied + excluded.replied,
            dismissed = r.dismissed + excluded.dismissed,
            read = r.read + excluded.read,
            responded = r.responded + excluded.responded,
            converted_events = r.converted_events + excluded.converted_events,
            replaced = r.replaced + excluded.replaced
        returning r.anchor_hour, r.deliveries
    ),
    by_dimension as (
        insert into afterpush.rollup_deliveries as r (
            app_id, verified, anchor_hour, campaign_id, variant, category_id, category_version, platform, is_sent,
            is_confirmed, actions, deliveries, failed, delivered, displayed, opened, replied, dismissed, read,
            responded, converted_events, replaced
        )
        select
            app_id, verified, anchor_hour, campaign_id, variant, category_id, category_version, platform, is_sent,
            is_confirmed, actions, sum(deliveries), sum(failed), sum(delivered), sum(displayed), sum(opened),
            sum(replied), sum(dismissed), sum(read), sum(responded), sum(converted_events), sum(replaced)
        from change
        group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
        order by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
        on conflict (
            app_id, verified, anchor_hour, campaign_id, variant, category_id, category_version, platform, is_sent,
            is_confirmed, actions
        ) do update set
            deliveries = r.deliveries + excluded.deliveries,
            failed = r.failed + excluded.failed,
            delivered = r.delivered + excluded.delivered,
            displayed = r.displayed + excluded.displayed,
            opened = r.opened + excluded.opened,
            replied = r.replied + excluded.replied,
            dismissed = r.dismissed + excluded.dismissed,
            read = r.read + excluded.read,
            responded = r.responded + excluded.responded,
            converted_events = r.converted_events + excluded.converted_events,
            replaced = r.replaced + excluded.replaced
        returning r.anchor_hour, r.deliveries
    ),
    action_change as materialized (
        select
            app_id, verified, anchor_hour, campaign_id, variant, category_id, category_version, platform,
            bits & 1 <> 0 as is_sent, bits & 4 <> 0 as is_confirmed, action_id,
            afterpush.time_bucket(duration) as bucket,
            sum(sign) as deliveries, sum(sign * events) as events
        from (
            select
                false as verified, kinds & 5 as bits, sign, app_id, anchor_hour, campaign_id, variant, category_id,
                category_version, platform, a.action_id, a.first_at - reached_at as duration, a.events
            from keyed
            cross join unnest(actions) as a
            where actions is not null
            union all
            select
                true, verified_kinds & 5, sign, app_id, anchor_hour, campaign_id, variant, category_id,
                category_version, platform, a.action_id, a.verified_first_at - verified_reached_at, a.verified_events
            from keyed
            cross join unnest(actions) as a
            where actions is not null
              and verified_kinds <> 0
              and a.verified_events > 0
        ) as modes
        group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
        having sum(sign) <> 0 or sum(sign * events) <> 0
    ),
    by_action as (
        insert into afterpush.rollup_actions as r (
            app_id, verified, anchor_hour, campaign_id, variant, category_id, category_version, platform, is_sent,
            is_confirmed, action_id, bucket, deliveries, events
        )
        select *
        from action_change
        order by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
        on conflict (
            app_id, verified, anchor_hour, campaign_id, variant, category_id, category_version, platform, is_sent,
            is_confirmed, action_id, bucket
        ) do update set
            deliveries = r.deliveries + excluded.deliveries,
            events = r.events + excluded.events
        returning r.anchor_hour, r.deliveries
    )
    select array_agg(distinct anchor_hour)
    into emptied
    from (
        select anchor_hour, deliveries from by_app_version
        union all select anchor_hour, deliveries from by_dimension
        union all select anchor_hour, deliveries from by_action
    ) as r
    where deliveries = 0;

    -- A row that nothing is left of goes, so that tables equal the sum over all deliveries, row for row.
    if emptied is not null then
        delete from afterpush.rollup_app_versions
        using afterpush.apps
        where rollup_app_versions.app_id = apps.app_id and verified in (false, true)
          and anchor_hour = any (emptied) and deliveries = 0;
        delete from afterpush.rollup_deliveries
        using afterpush.apps
        where rollup_deliveries.app_id = apps.app_id and verified in (false, true)
          and anchor_hour = any (emptied) and deliveries = 0;
        delete from afterpush.rollup_actions
        using afterpush.apps
        where rollup_actions.app_id = apps.app_id and verified in (false, true)
          and anchor_hour = any (emptied) and deliveries = 0;
    end if;

    update afterpush.batches set rolled_up_at = clock_timestamp() where batch_id = any (taken);
    return taken_events;
end
$$;
comment on function afterpush.roll_up is 'Merges waiting batches into deliveries and rollups; returns how many events, or null when another worker is at it.';


-- Deliveries under each mode: by all their events, and by the verified ones alone if they have any.
create view afterpush.delivery_modes as
select
    app_id, false as verified, anchor_hour, app_version, campaign_id, variant, category_id, category_version, platform,
    kinds as bits, actions, reached_at
from afterpush.keyed_deliveries
union all
select
    app_id, true, anchor_hour, app_version, campaign_id, variant, category_id, category_version, platform,
    verified_kinds,
    array(
        select row(a.action_id, a.verified_first_at, a.verified_events, null, null)::afterpush.delivery_action
        from unnest(actions) as a
        where a.verified_events > 0
    ),
    verified_reached_at
from afterpush.keyed_deliveries
where verified_kinds <> 0;
comment on view afterpush.delivery_modes is 'Each delivery by all its events and, if it has verified ones, by these alone.';

create or replace view afterpush.expected_app_versions as
select
    app_id, verified, anchor_hour, campaign_id, variant, category_id, category_version, platform, is_sent, is_confirmed,
    array(select a.action_id collate "default" from unnest(actions) as a) as actions,
    count(*) as deliveries,
    sum(failed) as failed,
    sum(delivered) as delivered,
    sum(displayed) as displayed,
    sum(opened) as opened,
    sum(replied) as replied,
    sum(dismissed) as dismissed,
    sum(read) as read,
    sum(responded) as responded,
    sum(converted_events) as converted_events,
    sum(replaced) as replaced,
    app_version
from afterpush.delivery_modes
cross join lateral afterpush.states(bits)
group by
    app_id, verified, anchor_hour, app_version, campaign_id, variant, category_id, category_version, platform, is_sent,
    is_confirmed, array(select a.action_id collate "default" from unnest(actions) as a);

create or replace view afterpush.expected_actions as
select
    app_id, verified, anchor_hour, campaign_id, variant, category_id, category_version, platform,
    is_sent, is_confirmed, action_id, bucket,
    count(*) as deliveries,
    sum(events) as events
from (
    select
        m.app_id, m.verified, m.anchor_hour, m.campaign_id, m.variant, m.category_id, m.category_version, m.platform,
        s.is_sent, s.is_confirmed, a.action_id collate "default" as action_id,
        afterpush.time_bucket(a.first_at - m.reached_at) as bucket, a.events
    from afterpush.delivery_modes as m
    cross join lateral afterpush.states(m.bits) as s
    cross join unnest(m.actions) as a
) as acted
group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12;

drop function afterpush.contributions;
drop function afterpush.action_contributions;

grant execute on function afterpush.told, afterpush.told_value, afterpush.told_rest, afterpush.states
    to afterpush_worker;
