-- From committed batches to deliveries and rollups, in one transaction. No watermark and no clock: what committed and
-- is not marked is found. One worker at a time, by the lock on a row.

create table afterpush.rollup_worker (
    singleton boolean primary key default true check (singleton),
    sealed_before timestamptz not null default '-infinity'
);
insert into afterpush.rollup_worker default values;
comment on table afterpush.rollup_worker is 'One row: whoever holds its lock may write deliveries and rollups.';
comment on column afterpush.rollup_worker.singleton is 'Always true.';
comment on column afterpush.rollup_worker.sealed_before is 'Anchor hours before this are sealed: their events may be gone, their rollups stay as they are.';

-- Takes the oldest batches that are not rolled up, up to about `max_events` events, merges them into deliveries and
-- adds what changed to the rollups. Returns the number of batches taken: 0 when none waits, null when another
-- worker is at it.
create function afterpush.roll_up(max_events integer) returns integer
language plpgsql
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set plan_cache_mode = force_custom_plan
as $$
declare
    taken bigint[];
    emptied timestamptz[];
begin
    perform from afterpush.rollup_worker for update skip locked;
    if not found then
        return null;
    end if;

    select array_agg(batch_id order by batch_id)
    into taken
    from (
        select batch_id, sum(events) over (order by batch_id) - events as events_before
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
    written as (
        insert into afterpush.deliveries
        select *
        from merged
        order by delivery_id
        on conflict (delivery_id) do update set
            kinds = excluded.kinds,
            verified_kinds = excluded.verified_kinds,
            platform_standing = excluded.platform_standing,
            app_version_standing = excluded.app_version_standing,
            campaign_standing = excluded.campaign_standing,
            category_standing = excluded.category_standing,
            category_version = excluded.category_version,
            first_event_at = excluded.first_event_at,
            sent_at = excluded.sent_at,
            receipt_issued_at = excluded.receipt_issued_at,
            confirmed_at = excluded.confirmed_at,
            responded_at = excluded.responded_at,
            verified_sent_at = excluded.verified_sent_at,
            verified_confirmed_at = excluded.verified_confirmed_at,
            verified_responded_at = excluded.verified_responded_at,
            platform = excluded.platform,
            app_version = excluded.app_version,
            campaign_id = excluded.campaign_id,
            variant = excluded.variant,
            category_id = excluded.category_id,
            actions = excluded.actions
    ),
    -- What the touched deliveries add now, less what they added before: this statement's snapshot still sees the rows
    -- of before in the table.
    keyed as materialized (
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
            from afterpush.deliveries
            where delivery_id = any (array(select delivery_id from merged))
        ) as touched
    ),
    change as materialized (
        select
            app_id, verified, anchor_hour, app_version, campaign_id, variant, category_id, category_version, platform,
            is_sent, is_confirmed, action_ids as actions,
            sum(sign) as deliveries,
            sum(sign * failed) as failed,
            sum(sign * delivered) as delivered,
            sum(sign * displayed) as displayed,
            sum(sign * opened) as opened,
            sum(sign * replied) as replied,
            sum(sign * dismissed) as dismissed,
            sum(sign * read) as read,
            sum(sign * responded) as responded,
            sum(sign * converted_events) as converted_events,
            sum(sign * replaced) as replaced
        from keyed
        cross join lateral afterpush.contributions(kinds, verified_kinds, actions)
        group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
        having sum(sign) <> 0 or sum(sign * failed) <> 0 or sum(sign * delivered) <> 0
            or sum(sign * displayed) <> 0 or sum(sign * opened) <> 0 or sum(sign * replied) <> 0
            or sum(sign * dismissed) <> 0 or sum(sign * read) <> 0 or sum(sign * responded) <> 0
            or sum(sign * converted_events) <> 0 or sum(sign * replaced) <> 0
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
    by_action as (
        insert into afterpush.rollup_actions as r (
            app_id, verified, anchor_hour, campaign_id, variant, category_id, category_version, platform, is_sent,
            is_confirmed, action_id, bucket, deliveries, events
        )
        select
            app_id, verified, anchor_hour, campaign_id, variant, category_id, category_version, platform, is_sent,
            is_confirmed, action_id, bucket, sum(sign), sum(sign * events)
        from keyed
        cross join lateral afterpush.action_contributions(
            kinds, verified_kinds, actions, reached_at, verified_reached_at
        )
        where actions is not null
        group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
        having sum(sign) <> 0 or sum(sign * events) <> 0
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
    return cardinality(taken);
end
$$;
comment on function afterpush.roll_up is 'Merges waiting batches into deliveries and rollups; returns how many, or null when another worker is at it.';

-- What the rollups must hold: the sum over all deliveries.
create view afterpush.keyed_deliveries as
select
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
from afterpush.deliveries;
comment on view afterpush.keyed_deliveries is 'Deliveries with the keys that rollups know them by.';

create view afterpush.expected_app_versions as
select
    app_id, verified, anchor_hour, campaign_id, variant, category_id, category_version, platform, is_sent, is_confirmed,
    action_ids as actions,
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
from afterpush.keyed_deliveries
cross join lateral afterpush.contributions(kinds, verified_kinds, actions)
group by
    app_id, verified, anchor_hour, app_version, campaign_id, variant, category_id, category_version, platform, is_sent,
    is_confirmed, action_ids;
comment on view afterpush.expected_app_versions is 'What rollup_app_versions must hold: the sum over all deliveries.';

create view afterpush.expected_deliveries as
select
    app_id, verified, anchor_hour, campaign_id, variant, category_id, category_version, platform, is_sent,
    is_confirmed, actions,
    sum(deliveries)::bigint as deliveries,
    sum(failed)::bigint as failed,
    sum(delivered)::bigint as delivered,
    sum(displayed)::bigint as displayed,
    sum(opened)::bigint as opened,
    sum(replied)::bigint as replied,
    sum(dismissed)::bigint as dismissed,
    sum(read)::bigint as read,
    sum(responded)::bigint as responded,
    sum(converted_events)::bigint as converted_events,
    sum(replaced)::bigint as replaced
from afterpush.expected_app_versions
group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11;
comment on view afterpush.expected_deliveries is 'What rollup_deliveries must hold: the sum over all deliveries.';

create view afterpush.expected_actions as
select
    app_id, verified, anchor_hour, campaign_id, variant, category_id, category_version, platform, is_sent,
    is_confirmed, action_id, bucket,
    count(*) as deliveries,
    sum(events) as events
from afterpush.keyed_deliveries
cross join lateral afterpush.action_contributions(kinds, verified_kinds, actions, reached_at, verified_reached_at)
where actions is not null
group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12;
comment on view afterpush.expected_actions is 'What rollup_actions must hold: the sum over all deliveries.';

-- Recomputes deliveries from the events and the rollups from the deliveries, for hours that are not sealed. Batches
-- that are not rolled up yet stay so; ingest goes on meanwhile.
create function afterpush.rollup_rebuild() returns void
language plpgsql
as $$
declare
    sealed timestamptz;
    waiting bigint[];
begin
    select sealed_before into sealed from afterpush.rollup_worker for update;
    select coalesce(array_agg(batch_id), '{}') into waiting from afterpush.batches where rolled_up_at is null;

    create temporary table rebuilt on commit drop as
    select m.* from afterpush.merged_deliveries(null, waiting, false) as m
    where afterpush.anchor_hour(m.sent_at, m.receipt_issued_at, m.first_event_at) >= sealed;
    alter table rebuilt add primary key (delivery_id);

    delete from afterpush.deliveries as d
    where not exists (select from rebuilt where rebuilt.delivery_id = d.delivery_id)
      and afterpush.anchor_hour(d.sent_at, d.receipt_issued_at, d.first_event_at) >= sealed
      and d.device_id is not null;
    insert into afterpush.deliveries as d
    select * from rebuilt
    order by delivery_id
    on conflict (delivery_id) do update set
        kinds = excluded.kinds,
        verified_kinds = excluded.verified_kinds,
        platform_standing = excluded.platform_standing,
        app_version_standing = excluded.app_version_standing,
        campaign_standing = excluded.campaign_standing,
        category_standing = excluded.category_standing,
        category_version = excluded.category_version,
        first_event_at = excluded.first_event_at,
        sent_at = excluded.sent_at,
        receipt_issued_at = excluded.receipt_issued_at,
        confirmed_at = excluded.confirmed_at,
        responded_at = excluded.responded_at,
        verified_sent_at = excluded.verified_sent_at,
        verified_confirmed_at = excluded.verified_confirmed_at,
        verified_responded_at = excluded.verified_responded_at,
        notification_id = excluded.notification_id,
        device_id = excluded.device_id,
        platform = excluded.platform,
        app_version = excluded.app_version,
        campaign_id = excluded.campaign_id,
        variant = excluded.variant,
        category_id = excluded.category_id,
        actions = excluded.actions
    where d is distinct from excluded;

    delete from afterpush.rollup_app_versions where anchor_hour >= sealed;
    delete from afterpush.rollup_deliveries where anchor_hour >= sealed;
    delete from afterpush.rollup_actions where anchor_hour >= sealed;
    insert into afterpush.rollup_app_versions select * from afterpush.expected_app_versions where anchor_hour >= sealed;
    insert into afterpush.rollup_deliveries select * from afterpush.expected_deliveries where anchor_hour >= sealed;
    insert into afterpush.rollup_actions select * from afterpush.expected_actions where anchor_hour >= sealed;
end
$$;
comment on function afterpush.rollup_rebuild is 'Recomputes deliveries from events and rollups from deliveries, for hours that are not sealed.';

-- Compares every layer with a recomputation from the one before it, in one snapshot. Returns a row for each
-- difference: none when all is well.
create function afterpush.rollup_verify()
returns table (layer text, difference text)
language sql stable
as $$
    with sealed as (
        select sealed_before as hour from afterpush.rollup_worker
    ),
    waiting as (
        select coalesce(array_agg(batch_id), '{}') as ids from afterpush.batches where rolled_up_at is null
    ),
    told as (
        select m.*
        from waiting
        cross join lateral afterpush.merged_deliveries(null, waiting.ids, false) as m
    )
    select 'deliveries', coalesce(told.delivery_id, d.delivery_id)::text
    from told
    full join afterpush.deliveries as d using (delivery_id)
    cross join sealed
    where told is distinct from d
      and afterpush.anchor_hour(
          coalesce(d.sent_at, told.sent_at), coalesce(d.receipt_issued_at, told.receipt_issued_at),
          coalesce(d.first_event_at, told.first_event_at)
      ) >= sealed.hour
      and (d.delivery_id is null or d.device_id is not null)
    union all
    select 'rollup_app_versions', difference::text
    from (
        (select * from afterpush.rollup_app_versions except all select * from afterpush.expected_app_versions)
        union all
        (select * from afterpush.expected_app_versions except all select * from afterpush.rollup_app_versions)
    ) as difference
    cross join sealed
    where anchor_hour >= sealed.hour
    union all
    select 'rollup_deliveries', difference::text
    from (
        (select * from afterpush.rollup_deliveries except all select * from afterpush.expected_deliveries)
        union all
        (select * from afterpush.expected_deliveries except all select * from afterpush.rollup_deliveries)
    ) as difference
    cross join sealed
    where anchor_hour >= sealed.hour
    union all
    select 'rollup_actions', difference::text
    from (
        (select * from afterpush.rollup_actions except all select * from afterpush.expected_actions)
        union all
        (select * from afterpush.expected_actions except all select * from afterpush.rollup_actions)
    ) as difference
    cross join sealed
    where anchor_hour >= sealed.hour
$$;
comment on function afterpush.rollup_verify is 'Each difference between a layer and its recomputation from the one before it; no rows when all is well.';
