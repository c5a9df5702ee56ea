-- Adds names that events use without a declaration to undeclared_names, as far as their quotas allow.
--
-- The arguments hold a column each: app, kind, parent, name, source (of type name_source), and the quota. All names of
-- one app, kind, parent and source share one quota and must state the same one.
-- Returns the positions, from 1, of the names that are neither declared nor in undeclared_names: those past a quota,
-- and those whose parent is past its quota.
--
-- Once a name is added, every event may use it. When a more trustworthy source states it later, it counts in the quota
-- of that source instead.
--
-- The quotas are exact with any number of collectors: whoever adds a name locks the names of the app first and counts
-- after it has the lock. Declarations hold that lock only while they end, and events wait for it for half a second.
--
-- Runs as the owner, so that role afterpush_ingest cannot add names past a quota.
create or replace function afterpush.reserve_names(
    app_ids integer[], kinds text[], parents text[], names text[], sources text[], quotas integer[]
) returns integer[]
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
set lock_timeout = '500ms'
as $$
declare
    places integer[] := array(select generate_series(1, cardinality(names)));
    is_locked boolean := false;
    step record;
begin
    -- From here on, the arrays hold only what is neither declared nor reserved by a source as trustworthy. Most calls
    -- end here.
    select
        array_agg(n.app_id), array_agg(n.kind), array_agg(n.parent), array_agg(n.name), array_agg(n.source),
        array_agg(n.quota), array_agg(n.place)
    into app_ids, kinds, parents, names, sources, quotas, places
    from afterpush.new_names(app_ids, kinds, parents, names, sources, quotas, places) as n;
    if places is null then
        return '{}';
    end if;
    -- What has room. Parents come first, because nothing is added below a name that is past its quota; then the most
    -- trustworthy source, because every event may use what it adds. If all quotas are used up, no lock is taken.
    for step in
        select distinct g.has_parent, g.source
        from (
            select n.kind in ('variant', 'category_version') as has_parent, n.source
            from unnest(app_ids, kinds, parents, sources::afterpush.name_source[], quotas)
                as n (app_id, kind, parent, source, quota)
            group by n.app_id, n.kind, n.parent, n.source
            having min(n.quota) > (
                select count(*)
                from afterpush.undeclared_names as u
                where (u.app_id, u.kind, u.parent, u.source) = (n.app_id, n.kind, n.parent, n.source)
            )
        ) as g
        order by g.has_parent, g.source desc
    loop
        if not is_locked then
            perform afterpush.lock_names(app_ids);
            is_locked := true;
            -- Without what the previous holders of the lock added or declared.
            select
                array_agg(n.app_id), array_agg(n.kind), array_agg(n.parent), array_agg(n.name), array_agg(n.source),
                array_agg(n.quota), array_agg(n.place)
            into app_ids, kinds, parents, names, sources, quotas, places
            from afterpush.new_names(app_ids, kinds, parents, names, sources, quotas, places) as n;
            if places is null then
                return '{}';
            end if;
        end if;
        insert into afterpush.undeclared_names (app_id, kind, parent, name, source)
        with new_names as (
            select
                n.app_id, n.kind, n.parent, n.name, n.quota,
                row_number() over (partition by n.app_id, n.kind, n.parent order by n.place) as rank
            from unnest(app_ids, kinds, parents, names, sources::afterpush.name_source[], quotas) with ordinality
                as n (app_id, kind, parent, name, source, quota, place)
            where n.source = step.source
              and (n.kind in ('variant', 'category_version')) = step.has_parent
              and coalesce((
                    select u.source < n.source
                    from afterpush.undeclared_names as u
                    where (u.app_id, u.kind, u.parent, u.name) = (n.app_id, n.kind, n.parent, n.name)
                ), true)
              and case n.kind
                    when 'variant' then exists (
                        select from afterpush.campaigns as c where (c.app_id, c.campaign_id) = (n.app_id, n.parent)
                    ) or exists (
                        select from afterpush.undeclared_names as u
                        where (u.app_id, u.kind, u.parent, u.name) = (n.app_id, 'campaign', '', n.parent)
                    )
                    when 'category_version' then exists (
                        select from afterpush.categories as c where (c.app_id, c.category_id) = (n.app_id, n.parent)
                    ) or exists (
                        select from afterpush.undeclared_names as u
                        where (u.app_id, u.kind, u.parent, u.name) = (n.app_id, 'category', '', n.parent)
                    )
                    else true
                end
        ),
        -- What is left of a quota is counted once, at the first of its names. A window passes it on to the others: a
        -- join would compare each of thousands of parents with each other, because their number is never estimated.
        names_and_quotas as (
            select
                n.app_id, n.kind, n.parent, n.name, n.rank,
                max(
                    case
                        when n.rank = 1 then n.quota - (
                            select count(*)
                            from afterpush.undeclared_names as u
                            where (u.app_id, u.kind, u.parent, u.source)
                                = (n.app_id, n.kind, n.parent, step.source)
                        )
                    end
                ) over (partition by n.app_id, n.kind, n.parent) as remaining
            from new_names as n
        )
        select n.app_id, n.kind, n.parent, n.name, step.source
        from names_and_quotas as n
        where n.rank <= n.remaining
        order by n.app_id, n.kind, n.parent, n.name
        on conflict (app_id, kind, parent, name) do update set source = excluded.source;
    end loop;
    return (
        select coalesce(array_agg(n.place), '{}')
        from unnest(app_ids, kinds, parents, names, places) as n (app_id, kind, parent, name, place)
        where coalesce((
            select false
            from afterpush.undeclared_names as u
            where (u.app_id, u.kind, u.parent, u.name) = (n.app_id, n.kind, n.parent, n.name)
        ), true)
    );
end
$$;
comment on function afterpush.reserve_names is
    'Adds names that events use to undeclared_names, within quotas; returns the positions of those past a quota.';
