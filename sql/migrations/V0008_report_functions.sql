-- What the reports in sql/reports share: the time they speak of, the names they group by, and rollup rows joined with
-- what was declared.

create function afterpush.rfc3339(at timestamptz) returns text
language sql immutable parallel safe
return to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"');
comment on function afterpush.rfc3339 is 'A time as RFC 3339, UTC, in seconds.';

-- A report's `from` or `to`: RFC 3339, or a date alone, which means midnight in `tz`; null when empty.
create function afterpush.report_time(at text, tz text) returns timestamptz
language sql stable parallel safe
return case
    when at = '' then null
    when at ~ '^\d{4}-\d{2}-\d{2}$' then at::timestamp at time zone tz
    else at::timestamptz
end;
comment on function afterpush.report_time is 'A time given to a report; a date alone means midnight in tz.';

-- All events of the app that were answered 200 before this time are counted by a report in the same transaction:
-- whatever is not rolled up yet committed after its batch's started_at.
create function afterpush.as_of(app text) returns timestamptz
language sql stable
return least(
    now(),
    (
        select min(b.started_at)
        from afterpush.batches as b
        join afterpush.apps as a using (app_id)
        where b.rolled_up_at is null
          and a.name = app
    )
);
comment on function afterpush.as_of is 'The time that reports of this transaction speak of.';

-- The columns that a report's `by` stands for, as text to put into the statement: "campaign,day" gives
-- by_columns 'campaign_id, day,', by_group 'campaign_id, day' and by_order 'campaign_id nulls last, day nulls last'.
create function afterpush.report_by(by text) returns table (by_columns text, by_group text, by_order text)
language plpgsql
immutable
as $$
declare
    words text[] := string_to_array(nullif(by, ''), ',');
    known constant text[] := array['campaign', 'category', 'variant', 'platform', 'day', 'hour', 'app_version'];
    columns constant text[] := array['campaign_id', 'category_id', 'variant', 'platform', 'day', 'hour', 'app_version'];
    chosen text[] := '{}';
    word text;
begin
    if cardinality(words) > 2 then
        raise exception 'by: at most two, not %', by using errcode = 'invalid_parameter_value';
    end if;
    foreach word in array coalesce(words, '{}') loop
        if array_position(known, word) is null then
            raise exception 'by: % is none of %', word, array_to_string(known, ', ')
                using errcode = 'invalid_parameter_value';
        end if;
        if columns[array_position(known, word)] = any (chosen) then
            raise exception 'by: % stands twice', word using errcode = 'invalid_parameter_value';
        end if;
        chosen := chosen || columns[array_position(known, word)];
    end loop;
    if 'app_version' = any (chosen) and chosen && array['campaign_id', 'category_id', 'variant', 'hour'] then
        raise exception 'by: app_version goes alone or with day or platform' using errcode = 'invalid_parameter_value';
    end if;
    return query select
        case when words is null then '' else array_to_string(chosen, ', ') || ',' end,
        case when words is null then '()' else array_to_string(chosen, ', ') end,
        case when words is null then '1' else array_to_string(chosen, ' nulls last, ') || ' nulls last' end;
end
$$;
comment on function afterpush.report_by is 'The columns that a report''s `by` stands for, as text for the statement.';

-- Each version of a category with the hours it is in force and what follows from its options and actions. Of the
-- versions whose hour has come the highest is in force; version 1 is from the beginning of time.
create view afterpush.category_versions with (security_invoker = true) as
select
    c.app_id,
    c.category_id,
    c.version,
    c.in_force_from,
    coalesce(
        min(c.in_force_from) over (
            partition by c.app_id, c.category_id
            order by c.version
            rows between 1 following and unbounded following
        ),
        'infinity'
    ) as in_force_to,
    c.dismiss_observable,
    c.retired_at,
    coalesce(a.offered, '{}') as offered,
    coalesce(a.goals, '{}') as goals,
    coalesce(a.destructive, '{}') as destructive,
    coalesce(a.offers_text, false) as offers_text
from (
    select
        app_id,
        category_id,
        version,
        case
            when version = 1 then '-infinity'
            else date_trunc('hour', effective_from at time zone 'UTC') at time zone 'UTC'
        end as in_force_from,
        'customDismissAction' = any (options) as dismiss_observable,
        retired_at
    from afterpush.categories
) as c
left join lateral (
    select
        array_agg(action_id) as offered,
        array_agg(action_id) filter (where goal) as goals,
        array_agg(action_id) filter (where 'destructive' = any (options)) as destructive,
        bool_or(text_input) as offers_text
    from afterpush.actions
    where actions.app_id = c.app_id
      and actions.category_id = c.category_id
      and actions.version = c.version
) as a on true;
comment on view afterpush.category_versions is 'Category versions with the hours they are in force and what they offer.';

-- Rollup rows of an app, and its declared sends, that a report selects, each joined with the category version in
-- force and its campaign. Sums over groups of them are what reports print. `by` decides which rollup serves, and
-- leaves declared sends out where they are no base (by day or hour).
create function afterpush.report_facts(
    app text, "from" timestamptz, "to" timestamptz, campaign text, category text, variant text, platform text,
    verified boolean, per text, by text
)
returns table (
    hour timestamptz, campaign_id text, variant text, category_id text, category_version integer, platform text,
    app_version text, base text, in_base boolean, sends bigint, base_count bigint, among_sends boolean,
    deliveries bigint, failed bigint, delivered bigint, confirmed bigint, displayed bigint, opened bigint,
    acted bigint, replied bigint, dismissed bigint, read bigint, responded bigint, converted bigint,
    replaced bigint, closed boolean, dismiss_observable boolean, offers_text boolean, offered text[]
)
language sql stable
as $$
    with this_app as (
        select app_id, afterpush.as_of(name) as as_of
        from afterpush.apps
        where name = app
    ),
    declared as (
        select s.app_id, s.campaign_id, date_trunc('hour', max(sent_at) at time zone 'UTC') at time zone 'UTC' as last_hour
        from afterpush.sends as s
        join this_app using (app_id)
        group by s.app_id, s.campaign_id
    ),
    picked as (
        select
            r.app_id, r.anchor_hour, r.campaign_id, r.variant, r.category_id, r.category_version, r.platform,
            '' as app_version, r.is_sent, r.is_confirmed, r.actions, r.deliveries, r.failed, r.delivered,
            r.displayed, r.opened, r.replied, r.dismissed, r.read, r.responded, r.converted_events, r.replaced,
            0::bigint as declared_sends, false as is_declaration
        from afterpush.rollup_deliveries as r
        join this_app using (app_id)
        where r.verified = report_facts.verified
          and report_facts.by not like '%app_version%'
        union all
        select
            r.app_id, r.anchor_hour, r.campaign_id, r.variant, r.category_id, r.category_version, r.platform,
            r.app_version, r.is_sent, r.is_confirmed, r.actions, r.deliveries, r.failed, r.delivered,
            r.displayed, r.opened, r.replied, r.dismissed, r.read, r.responded, r.converted_events, r.replaced,
            0, false
        from afterpush.rollup_app_versions as r
        join this_app using (app_id)
        where r.verified = report_facts.verified
          and report_facts.by like '%app_version%'
        union all
        select
            s.app_id, date_trunc('hour', s.sent_at at time zone 'UTC') at time zone 'UTC', s.campaign_id,
            coalesce(s.variant, ''), coalesce(s.category_id, ''), coalesce(s.category_version, 0),
            coalesce(s.platform, ''), '', false, false, '{}', 0, s.failed, 0, 0, 0, 0, 0, 0, 0, 0, 0, s.count, true
        from afterpush.sends as s
        join this_app using (app_id)
    ),
    selected as (
        select
            p.*,
            d.campaign_id is not null as declared,
            d.last_hour,
            by_time,
            -- Declared sends are no base by day or hour, so their deliveries stand outside it there.
            case when d.campaign_id is null then p.is_sent else not by_time end as among_sends
        from picked as p
        cross join (select report_facts.by like '%day%' or report_facts.by like '%hour%') as asked (by_time)
        left join declared as d using (app_id, campaign_id)
        where (report_facts."from" is null or p.anchor_hour >= report_facts."from")
          and (report_facts."to" is null or p.anchor_hour < report_facts."to")
          and (report_facts.campaign is null or p.campaign_id = report_facts.campaign)
          and (report_facts.category is null or p.category_id = report_facts.category)
          and (report_facts.variant is null or p.variant = report_facts.variant)
          and (report_facts.platform is null or p.platform = report_facts.platform)
    ),
    chosen as (
        select case
            when per <> 'auto' then per
            when exists (select from selected where is_declaration or (is_sent and not declared)) then 'sent'
            when exists (select from selected where is_confirmed) then 'confirmed'
            else 'none'
        end as base
    )
    select
        s.anchor_hour,
        s.campaign_id,
        s.variant,
        s.category_id,
        coalesce(v.version, nullif(s.category_version, 0)),
        s.platform,
        s.app_version,
        chosen.base,
        case chosen.base when 'sent' then s.among_sends when 'confirmed' then s.is_confirmed else false end,
        case when s.declared then s.declared_sends else s.is_sent::integer * s.deliveries end,
        case
            when chosen.base = 'confirmed' then s.is_confirmed::integer * s.deliveries
            when chosen.base <> 'sent' then 0
            when s.declared then s.declared_sends
            else s.is_sent::integer * s.deliveries
        end,
        s.among_sends,
        s.deliveries,
        s.failed,
        s.delivered,
        s.is_confirmed::integer * s.deliveries,
        s.displayed,
        s.opened,
        case when s.actions = '{}' then 0 else s.deliveries end,
        s.replied,
        s.dismissed,
        s.read,
        s.responded,
        case
            when case
                when coalesce(v.goals, '{}') = '{}' and coalesce(c.goal_actions, '{}') = '{}'
                then not s.actions <@ coalesce(v.destructive, '{}')
                else s.actions && (coalesce(v.goals, '{}') || coalesce(c.goal_actions, '{}'))
            end
            then s.deliveries
            else s.converted_events
        end,
        s.replaced,
        case when s.declared then s.last_hour else s.anchor_hour end
            + interval '1 hour' + coalesce(c.response_window, interval '72 hours') <= this_app.as_of,
        case
            when s.platform in ('android', 'web') then true
            when s.platform = 'ios' then coalesce(v.dismiss_observable, false)
            else false
        end,
        coalesce(v.offers_text, false),
        coalesce(v.offered, '{}')
    from selected as s
    cross join this_app
    cross join chosen
    left join afterpush.category_versions as v
        on v.app_id = s.app_id
        and v.category_id = s.category_id
        and case
            when s.category_version > 0 then v.version = s.category_version
            else s.anchor_hour >= v.in_force_from and s.anchor_hour < v.in_force_to
        end
    left join afterpush.campaigns as c
        on c.app_id = s.app_id
        and c.campaign_id = s.campaign_id
    where not (s.is_declaration and s.by_time)
$$;
comment on function afterpush.report_facts is 'Rollup rows and declared sends that a report selects, joined with what was declared.';

-- Rollup rows of actions that a report selects, each joined with the category version in force: whether that version
-- offers the action, and whether the deliveries are in the base (which report_facts has chosen).
create function afterpush.report_action_facts(
    app text, "from" timestamptz, "to" timestamptz, campaign text, category text, variant text, platform text,
    verified boolean
)
returns table (
    campaign_id text, variant text, category_id text, category_version integer, action_id text, offered boolean,
    declared boolean, is_sent boolean, is_confirmed boolean, bucket smallint, deliveries bigint, events bigint
)
language sql stable
as $$
    select
        r.campaign_id,
        r.variant,
        r.category_id,
        coalesce(v.version, nullif(r.category_version, 0)),
        r.action_id,
        coalesce(r.action_id = any (v.offered), false),
        exists (select from afterpush.sends as s where s.app_id = r.app_id and s.campaign_id = r.campaign_id),
        r.is_sent,
        r.is_confirmed,
        r.bucket,
        r.deliveries,
        r.events
    from afterpush.rollup_actions as r
    join afterpush.apps as a using (app_id)
    left join afterpush.category_versions as v
        on v.app_id = r.app_id
        and v.category_id = r.category_id
        and case
            when r.category_version > 0 then v.version = r.category_version
            else r.anchor_hour >= v.in_force_from and r.anchor_hour < v.in_force_to
        end
    where a.name = report_action_facts.app
      and r.verified = report_action_facts.verified
      and (report_action_facts."from" is null or r.anchor_hour >= report_action_facts."from")
      and (report_action_facts."to" is null or r.anchor_hour < report_action_facts."to")
      and (report_action_facts.campaign is null or r.campaign_id = report_action_facts.campaign)
      and (report_action_facts.category is null or r.category_id = report_action_facts.category)
      and (report_action_facts.variant is null or r.variant = report_action_facts.variant)
      and (report_action_facts.platform is null or r.platform = report_action_facts.platform)
$$;
comment on function afterpush.report_action_facts is 'Rollup rows of actions that a report selects, joined with what was declared.';
