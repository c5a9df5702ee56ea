-- report_counts as it was, but that by day or hour no conversion of a campaign with declared sends is in the base, as none of its deliveries is:
-- of days read whole, those by their actions alone were.
create or replace function afterpush.report_counts(
    app text, "from" timestamptz, "to" timestamptz, only_campaign text, only_category text, only_variant text,
    only_platform text, verified boolean, base_choice text, by text, tz text, seam timestamptz default null,
    closing boolean default true
)
returns table (
    campaign_id text, category_id text, category_version integer, variant text, platform text, day date,
    hour timestamptz, app_version text, period integer, base text,
    sent bigint, failed bigint, delivered bigint, confirmed bigint, displayed bigint, opened bigint, acted bigint,
    replied bigint, dismissed bigint, read bigint, responded bigint, converted bigint, no_response bigint,
    pending bigint, base_n bigint, reply_n bigint, observable_n bigint, dismiss_n bigint, closed_n bigint,
    delivered_sent bigint, confirmed_sent bigint, opened_base bigint, acted_base bigint, responded_base bigint,
    converted_base bigint, replied_base bigint, dismissed_base bigint, read_base bigint, responded_closed bigint
)
language plpgsql stable
-- Starting a process takes longer than reading this.
set max_parallel_workers_per_gather = 0
set enable_mergejoin = off
-- Most rows of a page are wanted: better found by the page than one after another.
set enable_indexscan = off
as $$
declare
    words constant text[] := coalesce(string_to_array(nullif(report_counts.by, ''), ','), '{}');
    by_time constant boolean := words && array['day', 'hour'];
    level constant text := case
        when 'app_version' = any (words) then 'versions'
        when 'hour' = any (words) or 'day' = any (words) and report_counts.tz <> 'UTC' then 'hours'
        else 'days'
    end;
    this_app integer;
    last_closed timestamptz;
    starts timestamptz := report_counts."from";
    ends timestamptz := report_counts."to";
    versions afterpush.category_versions[];
    terms afterpush.campaign_terms[];
    sealed afterpush.sealed_goals[];
    has_sends boolean;
    source text;
    base text;
    goals text;
    split timestamptz[];
    conditions constant text := afterpush.report_conditions(only_campaign, only_category, only_variant, only_platform);
    counted text;
    shown text;
    grouped text;
    declarations text;
    goals_of text;
    goal_keys text;
    goal_groups text;
    sums constant text := $text$
        coalesce(sum(sends), 0)::bigint,
        coalesce(sum(failed), 0)::bigint,
        coalesce(sum(delivered), 0)::bigint,
        coalesce(sum(confirmed), 0)::bigint,
        coalesce(sum(displayed), 0)::bigint,
        coalesce(sum(opened), 0)::bigint,
        coalesce(sum(acted), 0)::bigint,
        coalesce(sum(replied), 0)::bigint,
        coalesce(sum(dismissed), 0)::bigint,
        coalesce(sum(read), 0)::bigint,
        coalesce(sum(responded), 0)::bigint,
        coalesce(sum(converted), 0)::bigint,
        coalesce(sum(unanswered) filter (where closed), 0)::bigint,
        coalesce(sum(unanswered) filter (where not closed), 0)::bigint,
        coalesce(sum(base_n), 0)::bigint,
        coalesce(sum(base_n) filter (where offers_text), 0)::bigint,
        coalesce(sum(base_n) filter (where observable), 0)::bigint,
        greatest(sum(base_n - replaced_in) filter (where observable), 0)::bigint,
        greatest(sum(base_n - replaced_in) filter (where closed), 0)::bigint,
        coalesce(sum(delivered_in_sends), 0)::bigint,
        coalesce(sum(confirmed_in_sends), 0)::bigint,
        coalesce(sum(opened_in), 0)::bigint,
        coalesce(sum(acted_in), 0)::bigint,
        coalesce(sum(responded_in), 0)::bigint,
        coalesce(sum(converted_in), 0)::bigint,
        coalesce(sum(replied_in) filter (where offers_text), 0)::bigint,
        coalesce(sum(dismissed_in) filter (where observable), 0)::bigint,
        coalesce(sum(read_in), 0)::bigint,
        coalesce(sum(responded_in) filter (where closed), 0)::bigint
        $text$;
    is_goal text;
begin
    select a.app_id, afterpush.as_of(a.name) - interval '1 hour'
    into this_app, last_closed
    from afterpush.apps as a
    where a.name = report_counts.app;

    -- What was declared: read once, and joined with as it stands here.
    select array_agg(v) into versions from afterpush.category_versions as v where v.app_id = this_app;
    select array_agg(g) into sealed from afterpush.sealed_goals as g where g.app_id = this_app;
    has_sends := exists (select from afterpush.sends as s where s.app_id = this_app);
    select array_agg(row(
        coalesce(c.campaign_id, s.campaign_id), coalesce(c.goal_actions, '{}'),
        last_closed - coalesce(c.response_window, interval '72 hours'), s.campaign_id is not null, s.last_hour
    )::afterpush.campaign_terms)
    into terms
    from (select * from afterpush.campaigns as c where c.app_id = this_app) as c
    full join (
        select s.campaign_id, afterpush.hour_of(max(s.sent_at)) as last_hour
        from afterpush.sends as s
        where s.app_id = this_app
        group by s.campaign_id
    ) as s on s.campaign_id = c.campaign_id
    where only_campaign is null
       or coalesce(c.campaign_id, s.campaign_id) = only_campaign;

    base := afterpush.report_base(
        report_counts.app, starts, ends, only_campaign, only_category, only_variant, only_platform,
        report_counts.verified, base_choice, seam
    );
    if level <> 'days' and (by_time or not has_sends) then
        select s.starts, s.ends into starts, ends from afterpush.report_span(this_app, starts, ends, only_campaign) as s;
    end if;
    split := afterpush.report_split(
        starts, ends,
        array[starts, ends, seam]
        -- The hour that they begin with is the last that is closed.
        || case when closing then last_closed - interval '72 hours' + interval '1 microsecond' end
        || (select array_agg(distinct t.closed_until + interval '1 microsecond') from unnest(terms) as t where closing)
        || (select array_agg(v.in_force_from) from unnest(versions) as v where v.version > 1)
        || (select array_agg(g.sealed_from) || array_agg(g.sealed_before) from unnest(sealed) as g)
    );
    source := afterpush.report_source(
        this_app, starts, ends, conditions, report_counts.verified, level, split, base, has_sends and not by_time
    );
    goals := afterpush.report_goal_source(this_app, starts, ends, conditions, report_counts.verified, split, base);

    -- What is in the base, and what is among the sends. Of a campaign with declared sends these count, and all of its
    -- deliveries are among them; by day or hour none.
    select string_agg(
        case
            when not has_sends or of_base and base <> 'sent' then 's.' || part
            when by_time and whole <> 'declared_sends' then format('case when c.declared then 0 else s.%s end', part)
            else format('case when c.declared then s.%s else s.%s end', whole, part)
        end || ' as ' || name,
        ', '
    )
    into counted
    from (
        values
            ('sends', 'declared_sends', 'deliveries_sent', false),
            ('delivered_in_sends', 'delivered', 'delivered_sent', false),
            ('confirmed_in_sends', 'deliveries_confirmed', 'deliveries_both', false),
            ('base_n', 'declared_sends', 'deliveries_base', true),
            ('opened_in', 'opened', 'opened_base', true),
            ('acted_in', 'acted', 'acted_base', true),
            ('replied_in', 'replied', 'replied_base', true),
            ('dismissed_in', 'dismissed', 'dismissed_base', true),
            ('read_in', 'read', 'read_base', true),
            ('responded_in', 'responded', 'responded_base', true),
            ('converted_in', 'converted_events', 'converted_events_base', true),
            ('unconverted_in', 'unconverted', 'unconverted_base', true),
            ('replaced_in', 'replaced', 'replaced_base', true)
    ) as k (name, whole, part, of_base);
    select
        string_agg(
            case
                when word <> all (words) then 'null::' || type
                when type = 'text' then format('nullif(%s, '''')', key)
                else key
            end,
            ', ' order by place
        ),
        string_agg(key, ', ') filter (where word = any (words))
    into shown, grouped
    from (
        values
            (1, 'campaign', 'text', 'campaign_id'),
            (2, 'category', 'text', 'category_id'),
            (3, 'category_version', 'integer', 'version_in_force'),
            (4, 'variant', 'text', 'variant'),
            (5, 'platform', 'text', 'platform'),
            (6, 'day', 'date', format('(hour at time zone %L)::date', report_counts.tz)),
            (7, 'hour', 'timestamptz', 'hour'),
            (8, 'app_version', 'text', 'app_version'),
            (9, 'period', 'integer', format('case when hour < %L then 2 else 1 end', seam))
    ) as k (place, word, type, key);
    -- With each row what was declared of it.
    declarations := format(
        $text$
        left join unnest($1) as v
            on v.category_id = s.category_id
            and case
                when s.category_version > 0 then v.version = s.category_version
                else s.hour >= v.in_force_from and s.hour < v.in_force_to
            end
        left join unnest($2) as c on c.campaign_id = s.campaign_id
        %s
        $text$,
        case
            when sealed is not null
            then 'left join unnest($3) as g on g.campaign_id = s.campaign_id '
                'and s.hour >= g.sealed_from and s.hour < g.sealed_before'
        end
    );
    goals_of := format(
        'coalesce(%s, ''{}'')', case when sealed is null then 'c.goal_actions' else 'g.goal_actions, c.goal_actions' end
    );
    is_goal := format(
        $text$
        (
            s.actions && %1$s
            or coalesce(s.actions && v.goals, false)
            or cardinality(%1$s) = 0
            and coalesce(cardinality(v.goals), 0) = 0
            and not s.actions <@ coalesce(v.destructive, '{}')
        )
        $text$,
        goals_of
    );
    if level = 'days' then
        -- Summed up before they are added: they have two sums, and the others thirty.
        select
            string_agg(case when is_asked then key else 'null::' || type end, ', ' order by place),
            coalesce(string_agg(distinct key, ', ') filter (where is_asked), '()')
        into goal_keys, goal_groups
        from (
            values
                (1, 'text', 's.campaign_id', array['campaign']),
                (2, 'text', 's.category_id', array['category']),
                (3, 'integer', 'coalesce(v.version, nullif(s.category_version, 0))', array['category_version']),
                (4, 'text', 's.variant', array['variant']),
                (5, 'text', 's.platform', array['platform']),
                (6, 'timestamptz', 's.hour', array['day', 'hour', 'period'])
        ) as k (place, type, key, asked)
        cross join lateral (select words && k.asked as is_asked) as a;
        goals := format(
            $text$
            union all
            select
                %s, null, %s sum(s.unconverted), sum(%s), false, false, false
            from (%s) as s
            %s
            where %s
            -- Most sets have no action that is anybody's goal, and belong to a campaign that has some.
            and (s.actions && $4 or s.campaign_id <> all ($5))
            group by %s
            $text$,
            goal_keys,
            repeat('0, ', 22),
            case
                when not has_sends or base <> 'sent' then 's.unconverted_base'
                when by_time then 'case when c.declared then 0 else s.unconverted_base end'
                else 'case when c.declared then s.unconverted else s.unconverted_base end'
            end,
            goals, declarations, is_goal, goal_groups
        );
    else
        goals := '';
    end if;
    return query execute format(
        $text$
        select
            %1$s, %2$L,
            %11$s
        from (
            select
                campaign_id, category_id, version_in_force, variant, platform, hour, app_version, failed, delivered,
                deliveries_confirmed as confirmed, displayed, opened, acted, replied, dismissed, read, responded,
                deliveries - responded as unanswered, sends, delivered_in_sends, confirmed_in_sends, base_n, opened_in,
                acted_in, replied_in, dismissed_in, read_in, responded_in, replaced_in,
                converted_events + case when is_goal then unconverted else 0 end as converted,
                converted_in + case when is_goal then unconverted_in else 0 end as converted_in,
                closed, observable, offers_text
            from (
                select
                    s.*,
                    %3$s,
                    cardinality(s.actions) > 0 and %4$s as is_goal,
                    %5$s <= coalesce(c.closed_until, %6$L) as closed,
                    case
                        when s.platform in ('android', 'web') then true
                        when s.platform = 'ios' then coalesce(v.dismiss_observable, false)
                        else false
                    end as observable,
                    coalesce(v.offers_text, false) as offers_text,
                    coalesce(v.version, nullif(s.category_version, 0)) as version_in_force
                from (%7$s) as s
                %8$s
                -- So that each value is worked out once, however many sums it is in.
                offset 0
            ) as counted
            %9$s
        ) as f
        group by (%10$s)
        $text$,
        shown,
        base,
        counted,
        is_goal,
        case when has_sends then 'case when c.declared then c.last_hour else s.hour end' else 's.hour' end,
        last_closed - interval '72 hours',
        source,
        declarations,
        goals,
        grouped,
        sums
    )
    using versions, terms, sealed,
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
        );
end
$$;
comment on function afterpush.report_counts is
    'Sums over the deliveries and declared sends that a report selects, by group.';
