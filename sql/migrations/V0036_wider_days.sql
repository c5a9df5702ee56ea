-- Sums by day with a row for all deliveries that are described alike, however they went: an eighth of the rows of before,
-- which had a row for each set of states and actions. What depends on more than the states stands beside them: sets of
-- actions, of which goals make conversions, and times, as running numbers from which a quantile is found without adding up.

-- No program of before merges meanwhile.
select from afterpush.rollup_worker for update;

drop view afterpush.summed_delivery_days, afterpush.summed_response_days;
drop table afterpush.rollup_delivery_days, afterpush.rollup_response_days;

-- Running numbers: the first bucket, then the number of deliveries up to it, up to the next, and so on to the last. Those
-- whose time is not known (bucket -2) are not among them.

create function afterpush.times_of(buckets smallint[], counts bigint[]) returns integer[]
language plpgsql immutable parallel safe
as $$
declare
    result integer[] := '{}';
    reached integer := 0;
begin
    for place in 1..coalesce(cardinality(buckets), 0) loop
        continue when buckets[place] < -1 or counts[place] = 0;
        if cardinality(result) = 0 then
            result := array[buckets[place]];
        end if;
        while result[1] + cardinality(result) <= buckets[place] loop
            result := result || reached;
        end loop;
        reached := reached + counts[place];
        result := result || reached;
    end loop;
    return result;
end
$$;
comment on function afterpush.times_of is 'Running numbers of counts by bucket, which must be in ascending order.';

create function afterpush.times_up_to(times integer[], bucket integer) returns integer
language sql immutable parallel safe
return case
    when bucket >= times[1] then times[least(bucket - times[1] + 2, cardinality(times))]
    else 0
end;
comment on function afterpush.times_up_to is 'The number of deliveries up to a bucket, of running numbers.';

-- What is added may be a difference. The sum holds no bucket before the first delivery, and none after the last.
create function afterpush.added_times(a integer[], b integer[]) returns integer[]
language plpgsql immutable parallel safe
as $$
declare
    ends constant integer := greatest(a[1] + cardinality(a), b[1] + cardinality(b)) - 2;
    total constant integer := coalesce(a[cardinality(a)], 0) + coalesce(b[cardinality(b)], 0);
    result integer[] := '{}';
    reached integer;
begin
    if cardinality(a) = 0 or cardinality(b) = 0 then
        return a || b;
    end if;
    for bucket in least(a[1], b[1])..ends loop
        exit when total = 0;
        reached := case when bucket < a[1] then 0 else a[least(bucket - a[1] + 2, cardinality(a))] end
            + case when bucket < b[1] then 0 else b[least(bucket - b[1] + 2, cardinality(b))] end;
        if reached > 0 then
            if cardinality(result) = 0 then
                result := array[bucket];
            end if;
            result := result || reached;
            exit when reached = total;
        end if;
    end loop;
    return result;
end
$$;
comment on function afterpush.added_times is 'The sum of running numbers, of which one may be a difference.';

-- The tables.

create table afterpush.rollup_delivery_days (
    app_id integer not null,
    verified boolean not null,
    anchor_day timestamptz not null,
    campaign_id text collate "C" not null,
    variant text collate "C" not null,
    category_id text collate "C" not null,
    category_version integer not null,
    platform text collate "C" not null,
    deliveries integer not null,
    deliveries_sent integer not null,
    deliveries_confirmed integer not null,
    deliveries_both integer not null,
    failed integer not null,
    delivered integer not null,
    delivered_sent integer not null,
    displayed integer not null,
    opened integer not null,
    opened_sent integer not null,
    opened_confirmed integer not null,
    acted integer not null,
    acted_sent integer not null,
    acted_confirmed integer not null,
    replied integer not null,
    replied_sent integer not null,
    replied_confirmed integer not null,
    dismissed integer not null,
    dismissed_sent integer not null,
    dismissed_confirmed integer not null,
    read integer not null,
    read_sent integer not null,
    read_confirmed integer not null,
    responded integer not null,
    responded_sent integer not null,
    responded_confirmed integer not null,
    converted_events integer not null,
    converted_events_sent integer not null,
    converted_events_confirmed integer not null,
    replaced integer not null,
    replaced_sent integer not null,
    replaced_confirmed integer not null,
    primary key (app_id, verified, campaign_id, anchor_day, variant, category_id, category_version, platform)
) with (fillfactor = 80);
comment on table afterpush.rollup_delivery_days is 'rollup_deliveries summed over the hours of a day, and over states and actions.';
comment on column afterpush.rollup_delivery_days.anchor_day is 'Day of the deliveries'' anchor, UTC.';

create table afterpush.rollup_goal_days (
    app_id integer not null,
    verified boolean not null,
    anchor_day timestamptz not null,
    campaign_id text collate "C" not null,
    variant text collate "C" not null,
    category_id text collate "C" not null,
    category_version integer not null,
    platform text collate "C" not null,
    actions text[] collate "C" not null,
    deliveries integer not null,
    deliveries_sent integer not null,
    deliveries_confirmed integer not null
) with (fillfactor = 80);
create unique index rollup_goal_days_key on afterpush.rollup_goal_days (
    app_id, verified, campaign_id, anchor_day, variant, category_id, category_version, platform,
    afterpush.actions_key(actions)
);
comment on table afterpush.rollup_goal_days is 'Deliveries acted on without a converted event, by the set of their actions: they have converted if a goal is among these.';
comment on column afterpush.rollup_goal_days.deliveries is 'Number of deliveries.';

create table afterpush.rollup_action_days (
    app_id integer not null,
    verified boolean not null,
    anchor_day timestamptz not null,
    campaign_id text collate "C" not null,
    variant text collate "C" not null,
    category_id text collate "C" not null,
    category_version integer not null,
    action_id text collate "C" not null,
    deliveries integer not null,
    deliveries_sent integer not null,
    deliveries_confirmed integer not null,
    events integer not null,
    times integer[] not null,
    primary key (app_id, verified, campaign_id, anchor_day, variant, category_id, category_version, action_id)
) with (fillfactor = 80);
comment on table afterpush.rollup_action_days is 'rollup_actions summed over the hours of a day, platforms and states.';
comment on column afterpush.rollup_action_days.deliveries is 'Number of deliveries.';
comment on column afterpush.rollup_action_days.times is 'Running numbers of deliveries by the time to the action (function times_of).';

create table afterpush.rollup_response_days (
    app_id integer not null,
    anchor_day timestamptz not null,
    campaign_id text collate "C" not null,
    variant text collate "C" not null,
    category_id text collate "C" not null,
    platform text collate "C" not null,
    deliveries integer not null,
    verified_deliveries integer not null,
    times integer[] not null,
    verified_times integer[] not null,
    primary key (app_id, campaign_id, anchor_day, variant, category_id, platform)
) with (fillfactor = 80);
comment on table afterpush.rollup_response_days is 'rollup_responses summed over the hours of a day and versions of the app.';
comment on column afterpush.rollup_response_days.times is 'Running numbers of deliveries by the time to the first response (function times_of).';
comment on column afterpush.rollup_response_days.verified_times is 'The same of verified events alone.';

do $$
declare
    spoken record;
    standing text;
begin
    for spoken in
        select c.relname, a.attname
        from pg_attribute as a
        join pg_class as c on c.oid = a.attrelid
        where c.oid in (
            'afterpush.rollup_delivery_days'::regclass, 'afterpush.rollup_goal_days'::regclass,
            'afterpush.rollup_action_days'::regclass, 'afterpush.rollup_response_days'::regclass
        )
          and a.attnum > 0
          and col_description(c.oid, a.attnum) is null
    loop
        standing := substring(spoken.attname from '_(sent|confirmed|both)$');
        execute format(
            'comment on column afterpush.%I.%I is %L', spoken.relname, spoken.attname,
            case
                when standing = 'both' then 'Number of deliveries that are sent and confirmed.'
                when standing is not null
                then format('Of %s, those that are %s.', regexp_replace(spoken.attname, '_[^_]+$', ''), standing)
                when spoken.attname = 'acted' then 'Number of deliveries in state acted.'
                when spoken.relname = 'rollup_response_days' then 'As in rollup_responses.'
                when spoken.relname = 'rollup_action_days' then 'As in rollup_actions.'
                else 'As in rollup_deliveries.'
            end
        );
    end loop;
end
$$;

-- What they must hold.

create view afterpush.summed_delivery_days as
select
    app_id, verified, afterpush.day_of(anchor_hour) as anchor_day, campaign_id, variant, category_id, category_version,
    platform,
    sum(deliveries)::integer as deliveries,
    coalesce(sum(deliveries) filter (where is_sent), 0)::integer as deliveries_sent,
    coalesce(sum(deliveries) filter (where is_confirmed), 0)::integer as deliveries_confirmed,
    coalesce(sum(deliveries) filter (where is_sent and is_confirmed), 0)::integer as deliveries_both,
    sum(failed)::integer as failed,
    sum(delivered)::integer as delivered,
    coalesce(sum(delivered) filter (where is_sent), 0)::integer as delivered_sent,
    sum(displayed)::integer as displayed,
    sum(opened)::integer as opened,
    coalesce(sum(opened) filter (where is_sent), 0)::integer as opened_sent,
    coalesce(sum(opened) filter (where is_confirmed), 0)::integer as opened_confirmed,
    coalesce(sum(deliveries) filter (where cardinality(actions) > 0), 0)::integer as acted,
    coalesce(sum(deliveries) filter (where is_sent and cardinality(actions) > 0), 0)::integer as acted_sent,
    coalesce(sum(deliveries) filter (where is_confirmed and cardinality(actions) > 0), 0)::integer as acted_confirmed,
    sum(replied)::integer as replied,
    coalesce(sum(replied) filter (where is_sent), 0)::integer as replied_sent,
    coalesce(sum(replied) filter (where is_confirmed), 0)::integer as replied_confirmed,
    sum(dismissed)::integer as dismissed,
    coalesce(sum(dismissed) filter (where is_sent), 0)::integer as dismissed_sent,
    coalesce(sum(dismissed) filter (where is_confirmed), 0)::integer as dismissed_confirmed,
    sum(read)::integer as read,
    coalesce(sum(read) filter (where is_sent), 0)::integer as read_sent,
    coalesce(sum(read) filter (where is_confirmed), 0)::integer as read_confirmed,
    sum(responded)::integer as responded,
    coalesce(sum(responded) filter (where is_sent), 0)::integer as responded_sent,
    coalesce(sum(responded) filter (where is_confirmed), 0)::integer as responded_confirmed,
    sum(converted_events)::integer as converted_events,
    coalesce(sum(converted_events) filter (where is_sent), 0)::integer as converted_events_sent,
    coalesce(sum(converted_events) filter (where is_confirmed), 0)::integer as converted_events_confirmed,
    sum(replaced)::integer as replaced,
    coalesce(sum(replaced) filter (where is_sent), 0)::integer as replaced_sent,
    coalesce(sum(replaced) filter (where is_confirmed), 0)::integer as replaced_confirmed
from afterpush.rollup_deliveries
group by 1, 2, 3, 4, 5, 6, 7, 8;
comment on view afterpush.summed_delivery_days is 'What rollup_delivery_days must hold: the sum over rollup_deliveries.';

create view afterpush.summed_goal_days as
select
    app_id, verified, afterpush.day_of(anchor_hour) as anchor_day, campaign_id, variant, category_id, category_version,
    platform, actions,
    sum(deliveries - converted_events)::integer as deliveries,
    coalesce(sum(deliveries - converted_events) filter (where is_sent), 0)::integer as deliveries_sent,
    coalesce(sum(deliveries - converted_events) filter (where is_confirmed), 0)::integer as deliveries_confirmed
from afterpush.rollup_deliveries
where cardinality(actions) > 0
group by 1, 2, 3, 4, 5, 6, 7, 8, 9
having sum(deliveries - converted_events) > 0;
comment on view afterpush.summed_goal_days is 'What rollup_goal_days must hold: the sum over rollup_deliveries.';

create view afterpush.summed_action_days as
select
    app_id, verified, anchor_day, campaign_id, variant, category_id, category_version, action_id,
    sum(deliveries)::integer as deliveries,
    sum(deliveries_sent)::integer as deliveries_sent,
    sum(deliveries_confirmed)::integer as deliveries_confirmed,
    sum(events)::integer as events,
    afterpush.times_of(array_agg(bucket order by bucket), array_agg(deliveries order by bucket)) as times
from (
    select
        app_id, verified, afterpush.day_of(anchor_hour) as anchor_day, campaign_id, variant, category_id,
        category_version, action_id, bucket,
        sum(deliveries)::bigint as deliveries,
        coalesce(sum(deliveries) filter (where is_sent), 0) as deliveries_sent,
        coalesce(sum(deliveries) filter (where is_confirmed), 0) as deliveries_confirmed,
        sum(events) as events
    from afterpush.rollup_actions
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9
) as timed
group by 1, 2, 3, 4, 5, 6, 7, 8;
comment on view afterpush.summed_action_days is 'What rollup_action_days must hold: the sum over rollup_actions.';

create view afterpush.summed_response_days as
select
    app_id, anchor_day, campaign_id, variant, category_id, platform,
    sum(deliveries)::integer as deliveries,
    sum(verified_deliveries)::integer as verified_deliveries,
    afterpush.times_of(array_agg(bucket order by bucket), array_agg(deliveries order by bucket)) as times,
    afterpush.times_of(array_agg(bucket order by bucket), array_agg(verified_deliveries order by bucket)) as verified_times
from (
    select
        app_id, afterpush.day_of(anchor_hour) as anchor_day, campaign_id, variant, category_id, platform, bucket,
        sum(deliveries) as deliveries,
        sum(verified_deliveries) as verified_deliveries
    from afterpush.rollup_responses
    group by 1, 2, 3, 4, 5, 6, 7
) as timed
group by 1, 2, 3, 4, 5, 6;
comment on view afterpush.summed_response_days is 'What rollup_response_days must hold: the sum over rollup_responses.';

-- roll_up, rebuild and verify as they are, but for these.
do $do$
declare
    definition text := pg_get_functiondef('afterpush.roll_up(integer)'::regprocedure);
    begins integer;
    ends integer;
begin
    begins := strpos(definition, '    by_response_day as (');
    ends := strpos(definition, '    -- Events are counted under the names that their delivery has now');
    if begins = 0 or ends < begins or strpos(definition, 'emptied_days tid[];') = 0 then
        raise exception 'roll_up is not as it was released';
    end if;
    definition := left(definition, begins - 1) || $sql$    by_response_day as (
        insert into afterpush.rollup_response_days as r (
            app_id, anchor_day, campaign_id, variant, category_id, platform, deliveries, verified_deliveries, times,
            verified_times
        )
        select
            app_id, anchor_day, campaign_id, variant, category_id, platform,
            sum(deliveries), sum(verified_deliveries),
            afterpush.times_of(array_agg(bucket order by bucket), array_agg(deliveries order by bucket)),
            afterpush.times_of(array_agg(bucket order by bucket), array_agg(verified_deliveries order by bucket))
        from (
            select
                app_id, afterpush.day_of(anchor_hour) as anchor_day, campaign_id, variant, category_id, platform, bucket,
                sum(deliveries)::bigint as deliveries, sum(verified_deliveries)::bigint as verified_deliveries
            from response_change
            group by 1, 2, 3, 4, 5, 6, 7
        ) as timed
        group by 1, 2, 3, 4, 5, 6
        order by 1, 3, 2, 4, 5, 6
        on conflict (app_id, campaign_id, anchor_day, variant, category_id, platform) do update set
            deliveries = r.deliveries + excluded.deliveries,
            verified_deliveries = r.verified_deliveries + excluded.verified_deliveries,
            times = afterpush.added_times(r.times, excluded.times),
            verified_times = afterpush.added_times(r.verified_times, excluded.verified_times)
        returning r.ctid as place, r.deliveries, r.verified_deliveries
    ),
    by_action_day as (
        insert into afterpush.rollup_action_days as r (
            app_id, verified, anchor_day, campaign_id, variant, category_id, category_version, action_id, deliveries,
            deliveries_sent, deliveries_confirmed, events, times
        )
        select
            app_id, verified, anchor_day, campaign_id, variant, category_id, category_version, action_id,
            sum(deliveries), sum(deliveries_sent), sum(deliveries_confirmed), sum(events),
            afterpush.times_of(array_agg(bucket order by bucket), array_agg(deliveries order by bucket))
        from (
            select
                app_id, verified, afterpush.day_of(anchor_hour) as anchor_day, campaign_id, variant, category_id,
                category_version, action_id, bucket,
                sum(deliveries)::bigint as deliveries,
                coalesce(sum(deliveries) filter (where is_sent), 0) as deliveries_sent,
                coalesce(sum(deliveries) filter (where is_confirmed), 0) as deliveries_confirmed,
                sum(events) as events
            from action_change
            group by 1, 2, 3, 4, 5, 6, 7, 8, 9
        ) as timed
        group by 1, 2, 3, 4, 5, 6, 7, 8
        order by 1, 2, 4, 3, 5, 6, 7, 8
        on conflict (
            app_id, verified, campaign_id, anchor_day, variant, category_id, category_version, action_id
        ) do update set
            deliveries = r.deliveries + excluded.deliveries,
            deliveries_sent = r.deliveries_sent + excluded.deliveries_sent,
            deliveries_confirmed = r.deliveries_confirmed + excluded.deliveries_confirmed,
            events = r.events + excluded.events,
            times = afterpush.added_times(r.times, excluded.times)
        returning r.ctid as place, r.deliveries
    ),
    by_goal_day as (
        insert into afterpush.rollup_goal_days as r (
            app_id, verified, anchor_day, campaign_id, variant, category_id, category_version, platform, actions,
            deliveries, deliveries_sent, deliveries_confirmed
        )
        select
            app_id, verified, afterpush.day_of(anchor_hour), campaign_id, variant, category_id, category_version, platform,
            actions,
            sum(deliveries - converted_events),
            coalesce(sum(deliveries - converted_events) filter (where is_sent), 0),
            coalesce(sum(deliveries - converted_events) filter (where is_confirmed), 0)
        from change
        where cardinality(actions) > 0
        group by 1, 2, 3, 4, 5, 6, 7, 8, 9
        having sum(deliveries - converted_events) <> 0
            or sum(deliveries - converted_events) filter (where is_sent) <> 0
            or sum(deliveries - converted_events) filter (where is_confirmed) <> 0
        order by 1, 2, 4, 3, 5, 6, 7, 8, 9
        on conflict (
            app_id, verified, campaign_id, anchor_day, variant, category_id, category_version, platform,
            afterpush.actions_key(actions)
        ) do update set
            deliveries = r.deliveries + excluded.deliveries,
            deliveries_sent = r.deliveries_sent + excluded.deliveries_sent,
            deliveries_confirmed = r.deliveries_confirmed + excluded.deliveries_confirmed
        returning r.ctid as place, r.deliveries
    ),
    by_day as (
        insert into afterpush.rollup_delivery_days as r (
            app_id, verified, anchor_day, campaign_id, variant, category_id, category_version, platform,
            deliveries, deliveries_sent, deliveries_confirmed, deliveries_both, failed, delivered, delivered_sent,
            displayed, opened, opened_sent, opened_confirmed, acted, acted_sent, acted_confirmed, replied,
            replied_sent, replied_confirmed, dismissed, dismissed_sent, dismissed_confirmed, read, read_sent,
            read_confirmed, responded, responded_sent, responded_confirmed, converted_events, converted_events_sent,
            converted_events_confirmed, replaced, replaced_sent, replaced_confirmed
        )
        select
            app_id, verified, afterpush.day_of(anchor_hour), campaign_id, variant, category_id, category_version, platform,
            sum(deliveries)::integer as deliveries,
            coalesce(sum(deliveries) filter (where is_sent), 0)::integer as deliveries_sent,
            coalesce(sum(deliveries) filter (where is_confirmed), 0)::integer as deliveries_confirmed,
            coalesce(sum(deliveries) filter (where is_sent and is_confirmed), 0)::integer as deliveries_both,
            sum(failed)::integer as failed,
            sum(delivered)::integer as delivered,
            coalesce(sum(delivered) filter (where is_sent), 0)::integer as delivered_sent,
            sum(displayed)::integer as displayed,
            sum(opened)::integer as opened,
            coalesce(sum(opened) filter (where is_sent), 0)::integer as opened_sent,
            coalesce(sum(opened) filter (where is_confirmed), 0)::integer as opened_confirmed,
            coalesce(sum(deliveries) filter (where cardinality(actions) > 0), 0)::integer as acted,
            coalesce(sum(deliveries) filter (where is_sent and cardinality(actions) > 0), 0)::integer as acted_sent,
            coalesce(sum(deliveries) filter (where is_confirmed and cardinality(actions) > 0), 0)::integer as acted_confirmed,
            sum(replied)::integer as replied,
            coalesce(sum(replied) filter (where is_sent), 0)::integer as replied_sent,
            coalesce(sum(replied) filter (where is_confirmed), 0)::integer as replied_confirmed,
            sum(dismissed)::integer as dismissed,
            coalesce(sum(dismissed) filter (where is_sent), 0)::integer as dismissed_sent,
            coalesce(sum(dismissed) filter (where is_confirmed), 0)::integer as dismissed_confirmed,
            sum(read)::integer as read,
            coalesce(sum(read) filter (where is_sent), 0)::integer as read_sent,
            coalesce(sum(read) filter (where is_confirmed), 0)::integer as read_confirmed,
            sum(responded)::integer as responded,
            coalesce(sum(responded) filter (where is_sent), 0)::integer as responded_sent,
            coalesce(sum(responded) filter (where is_confirmed), 0)::integer as responded_confirmed,
            sum(converted_events)::integer as converted_events,
            coalesce(sum(converted_events) filter (where is_sent), 0)::integer as converted_events_sent,
            coalesce(sum(converted_events) filter (where is_confirmed), 0)::integer as converted_events_confirmed,
            sum(replaced)::integer as replaced,
            coalesce(sum(replaced) filter (where is_sent), 0)::integer as replaced_sent,
            coalesce(sum(replaced) filter (where is_confirmed), 0)::integer as replaced_confirmed
        from change
        group by 1, 2, 3, 4, 5, 6, 7, 8
        order by 1, 2, 4, 3, 5, 6, 7, 8
        on conflict (
            app_id, verified, campaign_id, anchor_day, variant, category_id, category_version, platform
        ) do update set
            deliveries = r.deliveries + excluded.deliveries,
            deliveries_sent = r.deliveries_sent + excluded.deliveries_sent,
            deliveries_confirmed = r.deliveries_confirmed + excluded.deliveries_confirmed,
            deliveries_both = r.deliveries_both + excluded.deliveries_both,
            failed = r.failed + excluded.failed,
            delivered = r.delivered + excluded.delivered,
            delivered_sent = r.delivered_sent + excluded.delivered_sent,
            displayed = r.displayed + excluded.displayed,
            opened = r.opened + excluded.opened,
            opened_sent = r.opened_sent + excluded.opened_sent,
            opened_confirmed = r.opened_confirmed + excluded.opened_confirmed,
            acted = r.acted + excluded.acted,
            acted_sent = r.acted_sent + excluded.acted_sent,
            acted_confirmed = r.acted_confirmed + excluded.acted_confirmed,
            replied = r.replied + excluded.replied,
            replied_sent = r.replied_sent + excluded.replied_sent,
            replied_confirmed = r.replied_confirmed + excluded.replied_confirmed,
            dismissed = r.dismissed + excluded.dismissed,
            dismissed_sent = r.dismissed_sent + excluded.dismissed_sent,
            dismissed_confirmed = r.dismissed_confirmed + excluded.dismissed_confirmed,
            read = r.read + excluded.read,
            read_sent = r.read_sent + excluded.read_sent,
            read_confirmed = r.read_confirmed + excluded.read_confirmed,
            responded = r.responded + excluded.responded,
            responded_sent = r.responded_sent + excluded.responded_sent,
            responded_confirmed = r.responded_confirmed + excluded.responded_confirmed,
            converted_events = r.converted_events + excluded.converted_events,
            converted_events_sent = r.converted_events_sent + excluded.converted_events_sent,
            converted_events_confirmed = r.converted_events_confirmed + excluded.converted_events_confirmed,
            replaced = r.replaced + excluded.replaced,
            replaced_sent = r.replaced_sent + excluded.replaced_sent,
            replaced_confirmed = r.replaced_confirmed + excluded.replaced_confirmed
        returning r.ctid as place, r.deliveries
    ),
$sql$ || substr(definition, ends);
    definition := replace(definition, E'    emptied_days tid[];\n', E'    emptied_days tid[];\n    emptied_goals tid[];\n    emptied_actions tid[];\n');
    definition := replace(
        definition,
        E'        (select array_agg(place) from by_day where deliveries = 0),\n',
        E'        (select array_agg(place) from by_day where deliveries = 0),\n'
        '        (select array_agg(place) from by_goal_day where deliveries = 0),\n'
        '        (select array_agg(place) from by_action_day where deliveries = 0),\n'
    );
    definition := replace(
        definition,
        'emptied_response_days, emptied_days, counts',
        'emptied_response_days, emptied_days, emptied_goals, emptied_actions, counts'
    );
    definition := replace(
        definition,
        E'    if emptied_days is not null then\n',
        E'    if emptied_goals is not null then\n'
        '        delete from afterpush.rollup_goal_days where ctid = any (emptied_goals);\n'
        '    end if;\n'
        '    if emptied_actions is not null then\n'
        '        delete from afterpush.rollup_action_days where ctid = any (emptied_actions);\n'
        '    end if;\n'
        '    if emptied_days is not null then\n'
    );
    if regexp_count(definition, 'emptied_goals') <> 4 or regexp_count(definition, 'emptied_actions') <> 4 then
        raise exception 'roll_up is not as it was released';
    end if;
    execute definition;

    definition := pg_get_functiondef('afterpush.rollup_rebuild()'::regprocedure);
    definition := replace(
        definition,
        E'    delete from afterpush.rollup_delivery_days where',
        E'    delete from afterpush.rollup_goal_days where anchor_day >= afterpush.day_of(sealed);\n'
        '    delete from afterpush.rollup_action_days where anchor_day >= afterpush.day_of(sealed);\n'
        '    delete from afterpush.rollup_delivery_days where'
    );
    definition := replace(
        definition,
        E'    insert into afterpush.rollup_delivery_days\n',
        E'    insert into afterpush.rollup_goal_days\n'
        '    select * from afterpush.summed_goal_days where anchor_day >= afterpush.day_of(sealed);\n'
        '    insert into afterpush.rollup_action_days\n'
        '    select * from afterpush.summed_action_days where anchor_day >= afterpush.day_of(sealed);\n'
        '    insert into afterpush.rollup_delivery_days\n'
    );
    if regexp_count(definition, 'rollup_goal_days') <> 2 then
        raise exception 'rollup_rebuild is not as it was released';
    end if;
    execute definition;

    definition := pg_get_functiondef('afterpush.rollup_verify()'::regprocedure);
    definition := replace(
        definition,
        E'    select ''rollup_delivery_days'', difference::text\n',
        $sql$    select 'rollup_goal_days', difference::text
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
$sql$
    );
    if regexp_count(definition, 'rollup_goal_days') <> 3 then
        raise exception 'rollup_verify is not as it was released';
    end if;
    execute definition;
end
$do$;

-- Who may do what.
do $$
declare
    name text;
begin
    foreach name in array array['rollup_delivery_days', 'rollup_goal_days', 'rollup_action_days', 'rollup_response_days'] loop
        execute format('alter table afterpush.%I enable row level security', name);
        execute format(
            'create policy report on afterpush.%I for select to afterpush_report
             using (app_id = (select afterpush.report_app()))', name
        );
        execute format(
            'create policy serve on afterpush.%I to afterpush_worker using (true) with check (true)', name
        );
        execute format('grant select, insert, update, delete on afterpush.%I to afterpush_worker', name);
        execute format('grant select on afterpush.%I to afterpush_report', name);
    end loop;
end
$$;
grant execute on function afterpush.times_of, afterpush.added_times to afterpush_worker, afterpush_report;
grant execute on function afterpush.times_up_to to afterpush_report;

insert into afterpush.rollup_delivery_days select * from afterpush.summed_delivery_days;
insert into afterpush.rollup_goal_days select * from afterpush.summed_goal_days;
insert into afterpush.rollup_action_days select * from afterpush.summed_action_days;
insert into afterpush.rollup_response_days select * from afterpush.summed_response_days;
