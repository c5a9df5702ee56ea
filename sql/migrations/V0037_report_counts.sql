-- Sums that reports print, from functions that choose what to read before a statement is planned: with constants, and
-- without branches that do not serve, it is planned in two milliseconds and reads no more than it has to.

-- Functions of a query are planned whenever they run, unless they are inlined. These were planned a dozen times a report.

create or replace function afterpush.report_app() returns integer
language plpgsql stable parallel safe
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    return (
        select app_id
        from afterpush.apps
        where report_token = nullif(current_setting('afterpush.report_token', true), '')::uuid
    );
end
$$;

create or replace function afterpush.as_of(app text) returns timestamptz
language plpgsql stable
as $$
begin
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
end
$$;

-- What teams' own reports may have been written with is gone; report_counts serves.
drop function afterpush.report_facts;
drop function afterpush.report_action_facts;
drop function afterpush.report_response_facts;

-- What reports select by, as conditions to put into a statement.

create function afterpush.report_conditions(campaign text, category text, variant text, platform text) returns text
language plpgsql immutable
as $$
begin
    return concat(
        ' and campaign_id = ' || quote_literal(campaign),
        ' and category_id = ' || quote_literal(category),
        ' and variant = ' || quote_literal(variant),
        ' and platform = ' || quote_literal(platform)
    );
end
$$;
comment on function afterpush.report_conditions is 'Conditions on the names that a report selects by.';

create function afterpush.report_within(at text, "from" timestamptz, "to" timestamptz) returns text
language plpgsql immutable
as $$
begin
    return concat(' and ' || at || ' >= ' || quote_literal("from"), ' and ' || at || ' < ' || quote_literal("to"));
end
$$;
comment on function afterpush.report_within is 'Conditions on the time that a report selects by.';

create function afterpush.report_within_days(at text, days timestamptz[]) returns text
language plpgsql immutable
as $$
begin
    return format(' and afterpush.day_of(%s) = any (%L::timestamptz[])', at, days)
        || afterpush.report_within(
            at, (select min(d) from unnest(days) as d), (select max(d) + interval '24 hours' from unnest(days) as d)
        );
end
$$;
comment on function afterpush.report_within_days is 'Conditions on the day of a time, which let an index find it.';

-- A day that begins with one of the times is alike throughout.
create function afterpush.report_split("from" timestamptz, "to" timestamptz, times timestamptz[])
returns timestamptz[]
language plpgsql immutable
as $$
begin
    return (
        select coalesce(array_agg(distinct afterpush.day_of(at)), '{}')
        from unnest(times) as at
        where isfinite(at)
          and at <> afterpush.day_of(at)
          and ("from" is null or afterpush.day_of(at) >= afterpush.day_of("from"))
          and ("to" is null or afterpush.day_of(at) < "to")
    );
end
$$;
comment on function afterpush.report_split is 'Days of a selection that one of some times lies in the midst of.';

-- Found by its days, a campaign is read without looking through all others of their hours.
create function afterpush.report_span(
    app_id integer, "from" timestamptz, "to" timestamptz, campaign text, out starts timestamptz, out ends timestamptz
)
language plpgsql stable
as $$
begin
    starts := "from";
    ends := "to";
    if campaign is not null then
        select
            greatest("from", coalesce(min(d.anchor_day), 'infinity')),
            least("to", coalesce(max(d.anchor_day), '-infinity') + interval '24 hours')
        into starts, ends
        from afterpush.rollup_delivery_days as d
        where d.app_id = report_span.app_id
          and not d.verified
          and d.campaign_id = report_span.campaign;
    end if;
end
$$;
comment on function afterpush.report_span is 'A selection, narrowed to the days of its campaign.';

-- A statement for rows of the rollups that a report selects, with the same columns from whichever serve: `level` is days,
-- hours or versions (of the app). With days, those in `split` are read by hour. Columns that end in `_base` count those that
-- are sent or confirmed, as `base` says. `unconverted` have converted if one of `actions` is a goal; by day, sets of actions
-- stand in a rollup of their own (report_goal_source). With sends, declared ones are rows too.
create function afterpush.report_source(
    app_id integer, "from" timestamptz, "to" timestamptz, conditions text, verified boolean, level text,
    split timestamptz[], base text, with_sends boolean
) returns text
language plpgsql immutable
as $$
declare
    of_app constant text := format('app_id = %s and verified = %L', report_source.app_id, report_source.verified);
    in_base constant text := case when base in ('sent', 'confirmed') then 'is_' || base else 'false' end;
    names constant text := 'select campaign_id, variant, category_id, category_version, platform, ';
    no_version constant text := $text$'' collate "C" as app_version, $text$;
    hourly text;
    daily text;
    days text := concat(of_app, conditions, afterpush.report_within('anchor_day', "from", "to"));
    hours constant text := concat(of_app, conditions, afterpush.report_within('anchor_hour', "from", "to"));
    branches text[];
begin
    select
        string_agg(
            format('(%1$s)::integer as %2$s, case when %3$s then (%1$s)::integer else 0 end as %2$s_base', value, name, in_base),
            ', ' order by place
        ),
        string_agg(
            format('%1$s, %2$s as %1$s_base', name, case when in_base <> 'false' then name || '_' || base else '0' end),
            ', ' order by place
        )
    into hourly, daily
    from (
        values
            (1, 'deliveries', 'deliveries'),
            (2, 'opened', 'opened'),
            (3, 'acted', 'case when cardinality(actions) > 0 then deliveries else 0 end'),
            (4, 'replied', 'replied'),
            (5, 'dismissed', 'dismissed'),
            (6, 'read', 'read'),
            (7, 'responded', 'responded'),
            (8, 'converted_events', 'converted_events'),
            (9, 'replaced', 'replaced')
    ) as counts (place, name, value);
    hourly := format(
        $text$
        %1$s,
        case when is_sent then deliveries::integer else 0 end as deliveries_sent,
        case when is_confirmed then deliveries::integer else 0 end as deliveries_confirmed,
        case when is_sent and is_confirmed then deliveries::integer else 0 end as deliveries_both,
        failed::integer as failed,
        delivered::integer as delivered,
        case when is_sent then delivered::integer else 0 end as delivered_sent,
        displayed::integer as displayed,
        actions,
        (deliveries - converted_events)::integer as unconverted,
        case when %2$s then (deliveries - converted_events)::integer else 0 end as unconverted_base,
        0 as declared_sends,
        false as is_declaration
        $text$,
        hourly, in_base
    );
    if level = 'days' then
        if cardinality(split) > 0 then
            days := days || format(' and anchor_day <> all (%L::timestamptz[])', split);
            -- offset 0 keeps the planner from reading all hours and picking days then.
            branches := array[concat(
                names, no_version, 'anchor_hour as hour, ', hourly,
                format('from unnest(%L::timestamptz[]) as split (day)', split),
                ' cross join lateral (select * from afterpush.rollup_deliveries where ', hours,
                ' and anchor_hour >= split.day and anchor_hour < split.day + interval ''24 hours'' offset 0) as r'
            )];
        end if;
        branches := branches || concat(
            names, no_version, 'anchor_day as hour, ', daily,
            ', deliveries_sent, deliveries_confirmed, deliveries_both, failed, delivered, delivered_sent, displayed, ',
            '''{}''::text[] collate "C" as actions, 0 as unconverted, 0 as unconverted_base, 0 as declared_sends, ',
            'false as is_declaration from afterpush.rollup_delivery_days where ', days
        );
    elsif level = 'hours' then
        branches := array[concat(
            names, no_version, 'anchor_hour as hour, ', hourly, 'from afterpush.rollup_deliveries where ', hours
        )];
    else
        branches := array[concat(
            names, 'app_version, anchor_hour as hour, ', hourly, 'from afterpush.rollup_app_versions where ', hours
        )];
    end if;
    if with_sends then
        branches := branches || concat(
            'select * from (select campaign_id, coalesce(variant, '''') as variant, coalesce(category_id, '''') as category_id, ',
            'coalesce(category_version, 0), coalesce(platform, '''') as platform, ', no_version,
            'afterpush.hour_of(sent_at) as hour, ', repeat('0, ', 21), 'failed, 0, 0, 0, ',
            '''{}''::text[] collate "C", 0, 0, count, true from afterpush.sends where app_id = ',
            report_source.app_id, ') as s where true', conditions, afterpush.report_within('hour', "from", "to")
        );
    end if;
    return array_to_string(branches, ' union all ');
end
$$;
comment on function afterpush.report_source is 'A statement for rows of the rollups, and declared sends, that a report selects.';

create function afterpush.report_goal_source(
    app_id integer, "from" timestamptz, "to" timestamptz, conditions text, verified boolean, split timestamptz[], base text
) returns text
language plpgsql immutable
as $$
begin
    return format(
        $text$
        select
            campaign_id, variant, category_id, category_version, platform, anchor_day as hour, actions,
            deliveries as unconverted, %s as unconverted_base
        from afterpush.rollup_goal_days
        where app_id = %s and verified = %L and anchor_day <> all (%L::timestamptz[]) %s %s
        $text$,
        case when base in ('sent', 'confirmed') then 'deliveries_' || base else '0' end,
        app_id, verified, split, conditions, afterpush.report_within('anchor_day', "from", "to")
    );
end
$$;
comment on function afterpush.report_goal_source is 'A statement for sets of actions, by day, that a report selects.';

-- The base of a report's rates, chosen once for all of it. With a seam, by what is not before it.
create function afterpush.report_base(
    app text, "from" timestamptz, "to" timestamptz, campaign text, category text, variant text, platform text,
    verified boolean, per text, seam timestamptz default null
) returns text
language plpgsql stable
set max_parallel_workers_per_gather = 0
set enable_mergejoin = off
as $$
declare
    this_app constant integer := (select a.app_id from afterpush.apps as a where a.name = report_base.app);
    starts constant timestamptz := greatest(report_base."from", report_base.seam);
    ends constant timestamptz := report_base."to";
    declared constant text[] := array(select distinct s.campaign_id from afterpush.sends as s where s.app_id = this_app);
    source text;
    base text;
begin
    if per <> 'auto' or this_app is null then
        return case when per = 'auto' then 'none' else per end;
    end if;
    source := afterpush.report_source(
        this_app, starts, ends,
        afterpush.report_conditions(report_base.campaign, report_base.category, report_base.variant, report_base.platform),
        report_base.verified, 'days', afterpush.report_split(starts, ends, array[starts, ends]), 'none',
        cardinality(declared) > 0
    );
    execute format(
        $text$
        select case
            when exists (
                select from (%1$s) as s where is_declaration or deliveries_sent > 0 and campaign_id <> all ($1)
            ) then 'sent'
            when exists (select from (%1$s) as s where deliveries_confirmed > 0) then 'confirmed'
            else 'none'
        end
        $text$,
        source
    )
    into base
    using declared;
    return base;
end
$$;
comment on function afterpush.report_base is 'The base of a report''s rates: sent, confirmed or none.';

create type afterpush.campaign_terms as (
    campaign_id text collate "C",
    goal_actions text[] collate "C",
    closed_until timestamptz,
    declared boolean,
    last_hour timestamptz
);
comment on type afterpush.campaign_terms is 'What holds of a campaign''s deliveries: goals, the last closed anchor hour, and its declared sends, of which the last''s hour.';

-- Sums over the deliveries and declared sends that a report selects: a row for each group of `by` that has any, and one
-- row without `by`. It lists some of campaign, category, category_version, variant, platform, day, hour, app_version and
-- period, of which the last tells what is before `seam` (2) from the rest (1). Columns that nothing is grouped by are
-- null, and so are names that are not known.
--
-- Whole days come from the sums by day. Hours serve where `by` asks for them, and on days that are not alike throughout:
-- where the selection or a response window ends, a category got another version, or goals changed. Declared sends are no
-- base by day or hour. Who does not ask for `closing` spares the hours that response windows end in; what depends on them,
-- no_response, pending, closed_n and responded_closed, is not to be relied on then. Who does not ask for `converting` spares
-- the sets of actions; then converted and converted_base are not.
create function afterpush.report_counts(
    app text, "from" timestamptz, "to" timestamptz, only_campaign text, only_category text, only_variant text,
    only_platform text, verified boolean, per text, by text, tz text, seam timestamptz default null,
    closing boolean default true, converting boolean default true
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
        report_counts.verified, per, seam
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
    if level = 'days' and converting then
        goals := format(
            $text$
            union all
            select
                s.campaign_id, s.category_id, coalesce(v.version, nullif(s.category_version, 0)), s.variant, s.platform, s.hour,
                null, %s s.unconverted, %s, false, false, false
            from (%s) as s
            %s
            where %s
            -- Most sets have no action that is anybody's goal, and belong to a campaign that has some.
            and (s.actions && $4 or s.campaign_id <> all ($5))
            $text$,
            repeat('0, ', 22),
            case
                when has_sends and base = 'sent' then 'case when c.declared then s.unconverted else s.unconverted_base end'
                else 's.unconverted_base'
            end,
            goals, declarations, is_goal
        );
    else
        goals := '';
    end if;
    return query execute format(
        $text$
        select
            %1$s, %2$L,
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
        grouped
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
comment on function afterpush.report_counts is 'Sums over the deliveries and declared sends that a report selects, by group.';

-- Quantiles of running numbers.

create type afterpush.running_times as (times integer[]);
comment on type afterpush.running_times is 'Running numbers of deliveries by time (function times_of), of which there may be several.';

-- The first bucket that so many percent of the deliveries are reached in.
create function afterpush.times_quantile(times integer[], percent integer) returns integer
language sql immutable parallel safe
return times[1] + width_bucket(
    ((times[cardinality(times)]::bigint * percent + 99) / 100 - 1)::integer, times[2:cardinality(times)]
);
comment on function afterpush.times_quantile(integer[], integer) is 'The bucket of a quantile of running numbers.';

-- It lies between the least and the greatest bucket of that quantile of each, which the caller knows.
create function afterpush.times_quantile(
    several afterpush.running_times[], total bigint, percent integer, lowest integer, highest integer
) returns integer
language plpgsql immutable parallel safe
as $$
declare
    wanted constant bigint := (total * percent + 99) / 100;
    middle integer;
begin
    while lowest < highest loop
        middle := lowest + (highest - lowest) / 2;
        if (select sum(afterpush.times_up_to(t.times, middle)) from unnest(several) as t) >= wanted then
            highest := middle;
        else
            lowest := middle + 1;
        end if;
    end loop;
    return lowest;
end
$$;
comment on function afterpush.times_quantile(afterpush.running_times[], bigint, integer, integer, integer) is 'The bucket of a quantile of several running numbers together.';

-- Deliveries acted on, a row for each category, campaign, variant and action, and for whether the deliveries' category
-- version offers it; with `versions` for each version as well. Of a selection by platform hours are read, else days.
create function afterpush.report_taps(
    app text, "from" timestamptz, "to" timestamptz, only_campaign text, only_category text, only_variant text,
    only_platform text, verified boolean, base text, versions boolean
)
returns table (
    category_id text, category_version integer, campaign_id text, variant text, action_id text, offered boolean,
    acted bigint, acted_base bigint, total bigint, p50_seconds double precision
)
language plpgsql stable
set max_parallel_workers_per_gather = 0
set enable_mergejoin = off
as $$
declare
    this_app constant integer := (select a.app_id from afterpush.apps as a where a.name = report_taps.app);
    declared constant text[] := array(select distinct s.campaign_id from afterpush.sends as s where s.app_id = this_app);
    category_versions afterpush.category_versions[];
    starts timestamptz;
    ends timestamptz;
    split timestamptz[];
    conditions constant text := afterpush.report_conditions(only_campaign, only_category, only_variant, only_platform);
    source text;
begin
    select array_agg(v) into category_versions from afterpush.category_versions as v where v.app_id = this_app;
    select s.starts, s.ends into starts, ends from afterpush.report_span(this_app, "from", "to", only_campaign) as s;
    split := afterpush.report_split(
        starts, ends,
        array[starts, ends] || (select array_agg(v.in_force_from) from unnest(category_versions) as v where v.version > 1)
    );
    source := format(
        $text$
        select
            campaign_id, variant, category_id, category_version, action_id, hour,
            sum(deliveries)::integer as deliveries, sum(based)::integer as deliveries_base, sum(events)::integer as events,
            afterpush.times_of(array_agg(bucket order by bucket), array_agg(deliveries order by bucket)) as times
        from (
            select
                campaign_id, variant, category_id, category_version, action_id, bucket,
                case
                    when afterpush.day_of(anchor_hour) = any (%L::timestamptz[]) then anchor_hour
                    else afterpush.day_of(anchor_hour)
                end as hour,
                sum(deliveries)::bigint as deliveries,
                coalesce(sum(deliveries) filter (where %s), 0) as based,
                sum(events) as events
            from afterpush.rollup_actions
            where app_id = %s and verified = %L %s %s
            group by 1, 2, 3, 4, 5, 6, 7
        ) as timed
        group by 1, 2, 3, 4, 5, 6
        $text$,
        split,
        case base when 'sent' then 'is_sent' when 'confirmed' then 'is_confirmed' else 'false' end,
        this_app, report_taps.verified, conditions,
        concat(
            afterpush.report_within('anchor_hour', starts, ends),
            case when only_platform is null then afterpush.report_within_days('anchor_hour', split) end
        )
    );
    if only_platform is null then
        source := case when cardinality(split) > 0 then source || ' union all ' else '' end || format(
            $text$
            select
                campaign_id, variant, category_id, category_version, action_id, anchor_day as hour, deliveries,
                %s as deliveries_base, events, times
            from afterpush.rollup_action_days
            where app_id = %s and verified = %L %s %s and anchor_day <> all (%L::timestamptz[])
            $text$,
            case when base in ('sent', 'confirmed') then 'deliveries_' || base else '0' end,
            this_app, report_taps.verified, conditions, afterpush.report_within('anchor_day', starts, ends), split
        );
    end if;
    return query execute format(
        $text$
        select
            category_id, version, campaign_id, variant, action_id, offered, acted, acted_base, total,
            afterpush.bucket_seconds(
                case
                    when several is null then least_p50
                    else afterpush.times_quantile(several, timed, 50, least_p50, greatest_p50)
                end::smallint
            )
        from (
            select
                category_id, version, campaign_id, variant, action_id, offered,
                sum(deliveries)::bigint as acted,
                sum(deliveries_in)::bigint as acted_base,
                sum(events)::bigint as total,
                sum(times[cardinality(times)]) as timed,
                min(p50) as least_p50,
                max(p50) as greatest_p50,
                case
                    when min(p50) < max(p50)
                    then array_agg(row(times)::afterpush.running_times) filter (where p50 is not null)
                end as several
            from (
                select
                    s.category_id,
                    %1$s as version,
                    s.campaign_id,
                    s.variant,
                    s.action_id,
                    coalesce(s.action_id = any (v.offered), false) as offered,
                    s.deliveries,
                    -- Of a campaign with declared sends all deliveries are among them.
                    case
                        when %2$L and s.campaign_id = any ($2) then s.deliveries
                        else s.deliveries_base
                    end as deliveries_in,
                    s.events,
                    s.times,
                    afterpush.times_quantile(s.times, 50) as p50
                from (%3$s) as s
                left join unnest($1) as v
                    on v.category_id = s.category_id
                    and case
                        when s.category_version > 0 then v.version = s.category_version
                        else s.hour >= v.in_force_from and s.hour < v.in_force_to
                    end
                offset 0
            ) as offers
            group by 1, 2, 3, 4, 5, 6
        ) as grouped
        $text$,
        case when report_taps.versions then 'coalesce(v.version, nullif(s.category_version, 0))' else 'null::integer' end,
        base = 'sent' and cardinality(declared) > 0,
        source
    )
    using category_versions, declared;
end
$$;
comment on function afterpush.report_taps is 'Deliveries acted on that a report selects, by category, campaign, variant and action.';

-- Deliveries that were responded to, and quantiles of the time it took: a row for each group of `by` that has any, and
-- one row without `by`. Hours are read where `by` asks for them or the selection ends within a day, else days.
create function afterpush.report_times(
    app text, "from" timestamptz, "to" timestamptz, only_campaign text, only_category text, only_variant text,
    only_platform text, verified boolean, by text, tz text
)
returns table (
    campaign_id text, category_id text, variant text, platform text, day date, hour timestamptz, app_version text,
    responded bigint, p50_seconds double precision, p90_seconds double precision, p99_seconds double precision
)
language plpgsql stable
set max_parallel_workers_per_gather = 0
set enable_mergejoin = off
as $$
declare
    this_app constant integer := (select a.app_id from afterpush.apps as a where a.name = report_times.app);
    words constant text[] := coalesce(string_to_array(nullif(report_times.by, ''), ','), '{}');
    by_hour constant boolean := words && array['hour', 'app_version'] or 'day' = any (words) and report_times.tz <> 'UTC';
    counted constant text := case when report_times.verified then 'verified_' else '' end;
    conditions constant text := afterpush.report_conditions(only_campaign, only_category, only_variant, only_platform);
    starts timestamptz;
    ends timestamptz;
    split timestamptz[] := '{}';
    -- What is grouped by: its expressions, its names, each with a comma after it, and all columns as they are shown.
    keys text;
    names text;
    shown text;
    source text;
begin
    select s.starts, s.ends into starts, ends from afterpush.report_span(this_app, "from", "to", only_campaign) as s;
    if not by_hour then
        split := afterpush.report_split(starts, ends, array[starts, ends]);
    end if;
    select
        coalesce(string_agg(format('%s as key%s, ', key, place), '' order by place) filter (where word = any (words)), ''),
        coalesce(string_agg(format('key%s, ', place), '' order by place) filter (where word = any (words)), ''),
        string_agg(
            case
                when word <> all (words) then 'null::' || type
                when type = 'text' then format('nullif(key%s, '''')', place)
                else format('key%s', place)
            end,
            ', ' order by place
        )
    into keys, names, shown
    from (
        values
            (1, 'campaign', 'text', 'campaign_id'),
            (2, 'category', 'text', 'category_id'),
            (3, 'variant', 'text', 'variant'),
            (4, 'platform', 'text', 'platform'),
            (5, 'day', 'date', format('(hour at time zone %L)::date', report_times.tz)),
            (6, 'hour', 'timestamptz', 'hour'),
            (7, 'app_version', 'text', 'app_version')
    ) as k (place, word, type, key);
    source := format(
        $text$
        select
            %1$s sum(deliveries)::integer as deliveries,
            afterpush.times_of(array_agg(bucket order by bucket), array_agg(deliveries order by bucket)) as times
        from (
            select %2$s bucket, sum(%3$sdeliveries)::bigint as deliveries
            from (select *, anchor_hour as hour from afterpush.rollup_responses) as h
            where app_id = %4$s %5$s %6$s %7$s
            group by %1$s bucket
        ) as timed
        where deliveries > 0
        group by %8$s
        $text$,
        names, keys, counted, this_app, conditions, afterpush.report_within('anchor_hour', starts, ends),
        case when not by_hour then afterpush.report_within_days('anchor_hour', split) end,
        case when names = '' then '()' else rtrim(names, ', ') end
    );
    if not by_hour then
        source := case when cardinality(split) > 0 then source || ' union all ' else '' end || format(
            $text$
            select %1$s %2$sdeliveries as deliveries, %2$stimes as times
            from (select *, anchor_day as hour from afterpush.rollup_response_days) as d
            where app_id = %3$s %4$s %5$s and anchor_day <> all (%6$L::timestamptz[])
            $text$,
            keys, counted, this_app, conditions, afterpush.report_within('anchor_day', starts, ends), split
        );
    end if;
    return query execute format(
        $text$
        select
            %1$s,
            responded,
            afterpush.bucket_seconds(afterpush.times_quantile(several, timed, 50, least_p50, greatest_p50)::smallint),
            afterpush.bucket_seconds(afterpush.times_quantile(several, timed, 90, least_p90, greatest_p90)::smallint),
            afterpush.bucket_seconds(afterpush.times_quantile(several, timed, 99, least_p99, greatest_p99)::smallint)
        from (
            select
                %2$s
                coalesce(sum(deliveries), 0)::bigint as responded,
                sum(times[cardinality(times)]) as timed,
                min(p50) as least_p50,
                max(p50) as greatest_p50,
                min(p90) as least_p90,
                max(p90) as greatest_p90,
                min(p99) as least_p99,
                max(p99) as greatest_p99,
                array_agg(row(times)::afterpush.running_times) filter (where p50 is not null) as several
            from (
                select
                    s.*,
                    afterpush.times_quantile(s.times, 50) as p50,
                    afterpush.times_quantile(s.times, 90) as p90,
                    afterpush.times_quantile(s.times, 99) as p99
                from (%3$s) as s
                where deliveries > 0
                offset 0
            ) as r
            group by %4$s
        ) as grouped
        $text$,
        shown, names, source, case when names = '' then '()' else rtrim(names, ', ') end
    );
end
$$;
comment on function afterpush.report_times is 'How long deliveries that a report selects took to be responded to, by group.';

grant execute on function afterpush.report_conditions, afterpush.report_within, afterpush.report_within_days,
    afterpush.report_split, afterpush.report_span, afterpush.report_source, afterpush.report_goal_source,
    afterpush.report_base, afterpush.report_counts,
    afterpush.report_taps, afterpush.report_times, afterpush.times_quantile(integer[], integer),
    afterpush.times_quantile(afterpush.running_times[], bigint, integer, integer, integer)
    to afterpush_report;
