-- Counts of the deliveries and declared sends that a report selects, one row per group. The numerators and denominators
-- of the rates are defined here: a column that ends in `_base` counts deliveries of the base, and rates divide by
-- `sent_base`, `base_n`, `reply_n`, `dismiss_n` and `closed_n`. By day or hour, `sent_base` is `sent` without declared
-- sends, which are no base there; otherwise it is `sent`. `bases` is what report_bases chose for the same selection: if
-- it differs between campaigns, a row adds up the bases of its campaigns, each with its own numerators. `by` names the
-- groups: campaign, category, variant, platform, day, hour, app_version, or period (1 from `seam` on, 2 before it).
-- Declared sends state no version of the app, so `only_app_version` leaves them out.
-- `closing` false leaves open which deliveries are closed. `within` counts what had happened when that time had passed
-- since the anchor, of deliveries at least that old: it reads deliveries and events instead of rollups
-- (report_deliveries_within). With `seam` as well, the period before it is cut off where the later one is, so that the two
-- have the same hours of the day. Above a `sample_level` of 0, it reads only a sample of the deliveries, each of which counts
-- 8, 64 or 512 times (deliveries/sample.sql); declared sends are counted as they are.
--
-- `converted` has two parts: `converted_events`, the deliveries with a `converted` event, and those of `unconverted`,
-- the deliveries without one, that converted by an action. Rows hold a set of actions, so all of a row's `unconverted`
-- deliveries converted if one of its actions is a goal (`is_goal`), and otherwise none. Goals may be declared after the
-- events were merged, so the rollups can't count these.
--
-- The statement at the end is executed as text, because the views to read, the columns to group by and the base are put
-- into it; if all campaigns have the same base, no row looks it up. A static statement took 8 to 25 % longer on ten
-- million events: over one view of all sources, grouped by `case when ... end` of each column, it plans sources that it
-- does not read and hashes all columns for each row.
create or replace function afterpush.report_counts(
    app text, "from" timestamptz, "to" timestamptz, only_campaign text, only_category text, only_variant text,
    only_platform text, verified boolean, bases afterpush.campaign_base[], by text, tz text,
    seam timestamptz default null, closing boolean default true, within interval default null,
    sample_level integer default 0, only_app_version text default null
)
returns table (
    campaign_id text, category_id text, variant text, platform text, day date, hour timestamptz, app_version text,
    period integer, base text,
    sent bigint, failed bigint, delivered bigint, confirmed bigint, displayed bigint, opened bigint, acted bigint,
    replied bigint, dismissed bigint, read bigint, responded bigint, converted bigint, no_response bigint,
    pending bigint, base_n bigint, reply_n bigint, observable_n bigint, dismiss_n bigint, closed_n bigint,
    delivered_sent bigint, confirmed_sent bigint, opened_base bigint, acted_base bigint, responded_base bigint,
    converted_base bigint, replied_base bigint, dismissed_base bigint, read_base bigint, responded_closed bigint,
    refused_closed bigint, closed_base bigint, sent_base bigint
)
language plpgsql stable
-- Starting a process takes longer than reading this.
set max_parallel_workers_per_gather = 0
set enable_mergejoin = off
-- Most rows of a page are wanted, so a bitmap scan beats an index scan.
set enable_indexscan = off
as $$
declare
    keys constant text[] := coalesce(string_to_array(nullif(report_counts.by, ''), ','), '{}');
    by_time constant boolean := keys && array['day', 'hour'];
    level constant text := case
        when within is not null then 'deliveries_within'
        when 'app_version' = any (keys) or only_app_version is not null then 'delivery_app_versions'
        when 'hour' = any (keys) or 'day' = any (keys) and report_counts.tz <> 'UTC' then 'delivery_hours'
        else 'delivery_days'
    end;
    this_app constant integer := (select a.app_id from afterpush.apps as a where a.name = report_counts.app);
    last_closed constant timestamptz := afterpush.as_of(report_counts.app) - interval '1 hour';
    -- What was declared. It is read once, and joined from arrays.
    versions constant afterpush.category_versions[] :=
        array(select v from afterpush.category_versions as v where v.app_id = this_app);
    terms constant afterpush.campaign_terms[] := afterpush.report_terms(this_app, only_campaign, last_closed, bases);
    sealed constant afterpush.sealed_goals[] :=
        array(select g from afterpush.sealed_goals as g where g.app_id = this_app);
    has_sends constant boolean := exists (select from afterpush.sends as s where s.app_id = this_app);
    -- The base of most campaigns, and whether others differ.
    base constant text := coalesce((bases[1]).base, 'none');
    differ constant boolean := cardinality(bases) > 1;
    starts timestamptz := "from";
    ends timestamptz := "to";
    -- The end of the deliveries before the seam that have the age of `within`, or none if the selection is
    -- millennia long, because PostgreSQL's times end somewhere.
    earlier_end constant timestamptz := case
        when within is null then null
        when "to" - seam >= interval '1000 years' then '-infinity'
        else afterpush.report_ripe_until(report_counts.app, "to", within) - ("to" - seam)
    end;
    -- Days that are not alike throughout. They are read by the hour.
    split timestamptz[] := '{}';
    source text := 'select * from afterpush.' || level;
    -- The groups' columns as they are returned, and as they are grouped by.
    shown text;
    grouped text;
    -- The rows that the report selects (s), each with the category version in force (v), the terms of its campaign (c)
    -- and, in sealed hours, the goals of that time (g).
    selected text := $text$
        from %1$s as s
        left join unnest($15) as v
            on v.category_id = s.category_id
            and case
                when s.category_version > 0 then v.version = s.category_version
                else s.hour >= v.in_force_from and s.hour < v.in_force_to
            end
        left join unnest($16) as c on c.campaign_id = s.campaign_id
        %2$s
        where s.app_id = $2
          and (s.verified = $3 or s.source = 'declared_sends')
          and ($4 is null or s.campaign_id = $4)
          and ($5 is null or s.category_id = $5)
          and ($6 is null or s.variant = $6)
          and ($7 is null or s.platform = $7)
          and ($8 is null or s.hour >= $8)
          and ($9 is null or s.hour < $9)
          and ($18 is null or s.app_version = $18)
          and (s.source not in ('delivery_days', 'delivery_action_days') or s.hour <> all ($10))
        $text$;
    -- Goals are those of the category version and of the campaign together; if there are none, every action that is not
    -- declared destructive.
    is_goal constant text := $text$
        (
            s.actions && coalesce(g.goal_actions, c.goal_actions, '{}')
            or coalesce(s.actions && v.goals, false)
            or cardinality(coalesce(g.goal_actions, c.goal_actions, '{}')) = 0
            and coalesce(cardinality(v.goals), 0) = 0
            and not s.actions <@ coalesce(v.destructive, '{}')
        )
        $text$;
    -- Columns that count what is among the sends or in the base, and one of them.
    sent_or_base text;
    unconverted_base text;
    day_conversions text := '';
begin
    if this_app is null then
        raise exception 'app: there is no app named %, or this role may not read it',
            coalesce(quote_literal(report_counts.app), 'null') using errcode = 'invalid_parameter_value';
    end if;
    if level = 'delivery_days' then
        split := afterpush.report_split(
            starts, ends,
            array[starts, ends, seam]
            -- The first hour that is not closed.
            || case when closing then last_closed - interval '72 hours' + interval '1 microsecond' end
            || (
                select array_agg(distinct t.closed_until + interval '1 microsecond')
                from unnest(terms) as t
                where closing
            )
            || (select array_agg(v.in_force_from) from unnest(versions) as v where v.version > 1)
            || (select array_agg(g.sealed_from) || array_agg(g.sealed_before) from unnest(sealed) as g)
        );
        if cardinality(split) > 0 then
            -- `offset 0` keeps the planner from reading all hours and picking those of the days then.
            source := source || $text$
                union all
                select h.*
                from unnest($10) as day
                cross join lateral (
                    select *
                    from afterpush.delivery_hours as d
                    where d.app_id = $2
                      and d.verified = $3
                      and ($4 is null or d.campaign_id = $4)
                      and d.hour >= day
                      and d.hour < day + interval '24 hours'
                    offset 0
                ) as h
                $text$;
        end if;
    elsif by_time or not has_sends then
        select s.starts, s.ends
        into starts, ends
        from afterpush.report_span(this_app, starts, ends, only_campaign, report_counts.verified) as s;
        if has_sends and only_campaign is not null then
            -- The campaign's declared sends may lie outside of the days of its deliveries.
            select
                least(starts, greatest("from", coalesce(min(s.hour), 'infinity'))),
                greatest(ends, least("to", coalesce(max(s.hour) + interval '1 hour', '-infinity')))
            into starts, ends
            from afterpush.declared_sends as s
            where s.app_id = this_app
              and s.campaign_id = only_campaign;
        end if;
    end if;
    if within is not null then
        source := format(
            'select * from afterpush.report_deliveries_within($2, $8, $9, $4, $5, $6, $7, $3, %L, %L, %s)',
            within, afterpush.as_of(report_counts.app), sample_level
        ) || format(' where hour >= %1$L or %1$L is null or hour < %2$L', seam, earlier_end);
    end if;
    if has_sends then
        source := source || ' union all select * from afterpush.declared_sends';
    end if;
    if has_sends and within is not null then
        source := source || format(
            ' where hour <= %3$L and (hour >= %1$L or %1$L is null or hour < %2$L)', seam, earlier_end,
            afterpush.report_ripe_until(report_counts.app, null, within)
        );
    end if;
    selected := format(
        selected, '%s',
        case
            when cardinality(sealed) > 0
            then 'left join unnest($17) as g '
                'on g.campaign_id = s.campaign_id and s.hour >= g.sealed_from and s.hour < g.sealed_before'
            else 'cross join (select null::text[] as goal_actions) as g'
        end
    );
    select
        string_agg(
            case
                when word <> all (keys) then 'null::' || type
                when type = 'text' then format('nullif(f.%s, '''')', key)
                else key
            end,
            ', ' order by place
        ),
        'group by ' || string_agg(key, ', ') filter (where word = any (keys))
    into shown, grouped
    from (
        values
            (1, 'campaign', 'text', 'campaign_id'),
            (2, 'category', 'text', 'category_id'),
            (3, 'variant', 'text', 'variant'),
            (4, 'platform', 'text', 'platform'),
            (5, 'day', 'date', format('(f.hour at time zone %L)::date', report_counts.tz)),
            (6, 'hour', 'timestamptz', 'f.hour'),
            (7, 'app_version', 'text', 'app_version'),
            (8, 'period', 'integer', format('case when f.hour < %L then 2 else 1 end', seam))
    ) as k (place, word, type, key);
    -- Without declared sends the last column counts, for the base that was chosen. Declared sends are the sends of
    -- their campaign, and all its deliveries are among them; by day or hour they are counted, but are no base, and the
    -- campaign has no other sends. `whole` is what counts if these are the base, `undeclared` what counts otherwise, of
    -- which there is one for each base.
    select string_agg(counted || ' as ' || name, ', '), max(counted) filter (where name = 'unconverted_base')
    into sent_or_base, unconverted_base
    from (
        values
            ('sends', 'declared_sends', 's.deliveries_sent'),
            ('sent_base', 'declared_sends', 's.deliveries_sent'),
            ('delivered_sent', 'delivered', 's.delivered_sent'),
            ('confirmed_sent', 'deliveries_confirmed', 's.deliveries_both'),
            ('base_n', 'declared_sends', 's.deliveries_$base'),
            ('opened_base', 'opened', 's.opened_$base'),
            ('acted_base', 'acted', 's.acted_$base'),
            ('replied_base', 'replied', 's.replied_$base'),
            ('dismissed_base', 'dismissed', 's.dismissed_$base'),
            ('read_base', 'read', 's.read_$base'),
            ('responded_base', 'responded', 's.responded_$base'),
            ('replaced_base', 'replaced', 's.replaced_$base'),
            -- Only sends can be refused: a confirmation is a sign of the delivery. Declared sends were all accepted.
            ('refused_base', '0', 's.refused_$base'),
            ('converted_events_base', 'converted_events', 's.converted_events_$base'),
            ('unconverted_base', 'unconverted', 's.unconverted_$base')
    ) as k (name, whole, undeclared)
    cross join lateral (
        select
            undeclared ~ '\$base' as of_base,
            replace(undeclared, '$base', 'sent') as of_sent,
            case name when 'refused_base' then '0' else replace(undeclared, '$base', 'confirmed') end as of_confirmed
    ) as u
    cross join lateral (
        select case
            when of_base and base = 'confirmed' then of_confirmed
            when of_base and base = 'none' then '0'
            else of_sent
        end as of_most
    ) as m
    cross join lateral (
        select case
            when of_base and differ
            then format(
                'case when c.base is null then %s when c.base = ''sent'' then %s when c.base = ''confirmed'' then %s '
                'else 0 end',
                of_most, of_sent, of_confirmed
            )
            else of_most
        end as part
    ) as p
    cross join lateral (
        select case
            when not has_sends or of_base and base <> 'sent' and not differ then part
            else format(
                'case when c.declared %s then %s else %s end',
                case when of_base and differ then format('and coalesce(c.base, %L) = ''sent''', base) end,
                case when by_time and name <> 'sends' or whole = '0' then '0' else 's.' || whole end,
                part
            )
        end as counted
    ) as q;
    if level = 'delivery_days' then
        -- Days are read without sets of actions. What these converted is summed up before it is added.
        select format(
            $text$
            union all
            select
                %1$s, null,
                sum(s.unconverted), sum(%5$s),
                false, false, false, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, null
            %2$s
              -- A set of actions without any goal converts only where a campaign has no goals.
              and (s.actions && $12 or s.campaign_id <> all ($13))
              and %3$s
            %4$s
            $text$,
            string_agg(case when asked && keys then key else 'null' end, ', ' order by place),
            format(selected, 'afterpush.delivery_action_days'),
            is_goal,
            'group by ' || string_agg(key, ', ') filter (where asked && keys),
            unconverted_base
        )
        into day_conversions
        from (
            values
                (1, 's.campaign_id', array['campaign']),
                (2, 's.category_id', array['category']),
                (3, 's.variant', array['variant']),
                (4, 's.platform', array['platform']),
                (5, 's.hour', array['day', 'period'])
        ) as k (place, key, asked);
    end if;

    return query execute format(
        $statement$
        select
            %1$s,
            %8$s,
            coalesce(sum(f.sends), 0)::bigint as sent,
            coalesce(sum(f.failed), 0)::bigint as failed,
            coalesce(sum(f.delivered), 0)::bigint as delivered,
            coalesce(sum(f.deliveries_confirmed), 0)::bigint as confirmed,
            coalesce(sum(f.displayed), 0)::bigint as displayed,
            coalesce(sum(f.opened), 0)::bigint as opened,
            coalesce(sum(f.acted), 0)::bigint as acted,
            coalesce(sum(f.replied), 0)::bigint as replied,
            coalesce(sum(f.dismissed), 0)::bigint as dismissed,
            coalesce(sum(f.read), 0)::bigint as read,
            coalesce(sum(f.responded), 0)::bigint as responded,
            coalesce(sum(f.converted), 0)::bigint as converted,
            coalesce(sum(f.unanswered) filter (where f.closed), 0)::bigint as no_response,
            coalesce(sum(f.unanswered) filter (where not f.closed), 0)::bigint as pending,
            coalesce(sum(f.base_n), 0)::bigint as base_n,
            coalesce(sum(f.base_n) filter (where f.offers_text), 0)::bigint as reply_n,
            coalesce(sum(f.base_n) filter (where f.observable), 0)::bigint as observable_n,
            greatest(sum(f.base_n - f.replaced_base) filter (where f.observable), 0)::bigint as dismiss_n,
            greatest(sum(f.base_n - f.replaced_base) filter (where f.closed), 0)::bigint as closed_n,
            coalesce(sum(f.delivered_sent), 0)::bigint as delivered_sent,
            coalesce(sum(f.confirmed_sent), 0)::bigint as confirmed_sent,
            coalesce(sum(f.opened_base), 0)::bigint as opened_base,
            coalesce(sum(f.acted_base), 0)::bigint as acted_base,
            coalesce(sum(f.responded_base), 0)::bigint as responded_base,
            coalesce(sum(f.converted_base), 0)::bigint as converted_base,
            coalesce(sum(f.replied_base) filter (where f.offers_text), 0)::bigint as replied_base,
            coalesce(sum(f.dismissed_base) filter (where f.observable), 0)::bigint as dismissed_base,
            coalesce(sum(f.read_base), 0)::bigint as read_base,
            coalesce(sum(f.responded_base) filter (where f.closed), 0)::bigint as responded_closed,
            coalesce(sum(f.refused_base) filter (where f.closed), 0)::bigint as refused_closed,
            coalesce(sum(f.base_n) filter (where f.closed), 0)::bigint as closed_base,
            -- The same sum as `sent`, unless they can differ.
            coalesce(sum(f.%7$s), 0)::bigint as sent_base
        from (
            select
                campaign_id, category_id, variant, platform, hour, app_version,
                converted_events + case when is_goal then unconverted else 0 end as converted,
                converted_events_base + case when is_goal then unconverted_base else 0 end as converted_base,
                closed, observable, offers_text,
                deliveries - responded - replaced - refused as unanswered, deliveries_confirmed, failed, delivered,
                displayed, opened, acted, replied, dismissed, read, responded, sends, delivered_sent, confirmed_sent,
                base_n, opened_base, acted_base, replied_base, dismissed_base, read_base, responded_base, replaced_base,
                refused_base, sent_base, base
            from (
                select
                    s.campaign_id, s.category_id, s.variant, s.platform, s.hour, s.app_version,
                    s.deliveries, s.deliveries_confirmed, s.failed, s.delivered, s.displayed, s.opened, s.acted,
                    s.replied, s.dismissed, s.read, s.responded, s.replaced, s.refused, s.converted_events,
                    s.unconverted,
                    %6$s,
                    cardinality(s.actions) > 0 and %2$s as is_goal,
                    -- Closed: the anchor hour and the response window have passed. A campaign with declared sends
                    -- closes as a whole, with its last.
                    case when $14 and c.declared then c.last_hour else s.hour end
                        <= coalesce(c.closed_until, $11) as closed,
                    -- Dismiss-observable: a dismissal would be reported.
                    case
                        when s.platform in ('android', 'web') then true
                        when s.platform = 'ios' then coalesce(v.dismiss_observable, false)
                        else false
                    end as observable,
                    coalesce(v.offers_text, false) as offers_text,
                    %9$s as base
                %3$s
                -- Each value is computed once, however many sums use it.
                offset 0
            ) as counted
            %4$s
        ) as f
        %5$s
        $statement$,
        shown,
        is_goal,
        format(
            selected,
            case
                when strpos(source, 'union all') > 0 or within is not null then format('(%s)', source)
                else 'afterpush.' || level
            end
        ),
        day_conversions,
        grouped,
        sent_or_base,
        case when has_sends and by_time then 'sent_base' else 'sends' end,
        case
            when differ then $text$
                case
                    -- With `within`, of deliveries of any age.
                    when count(*) = 0 then $1
                    when bool_or(f.base = 'sent') and bool_or(f.base = 'confirmed') then 'mixed'
                    when bool_or(f.base = 'sent') then 'sent'
                    when bool_or(f.base = 'confirmed') then 'confirmed'
                    else 'none'
                end
                $text$
            else '$1'
        end,
        case when differ then 'coalesce(c.base, $1)' else 'null::text' end
    )
    using
        -- $1 to $18
        base, this_app, report_counts.verified, only_campaign, only_category, only_variant, only_platform, starts, ends,
        split, last_closed - interval '72 hours',
        array(
            select unnest(t.goal_actions) from unnest(terms) as t
            union select unnest(v.goals) from unnest(versions) as v
            union select unnest(g.goal_actions) from unnest(sealed) as g
        ),
        array(
            select t.campaign_id
            from unnest(terms) as t
            where t.goal_actions <> '{}'
              and not exists (select from unnest(sealed) as g where g.campaign_id = t.campaign_id)
        ),
        has_sends, versions, terms, sealed, only_app_version;
end
$$;
comment on function afterpush.report_counts is
    'Counts of the deliveries and declared sends that a report selects, by group.';
