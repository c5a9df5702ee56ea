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
-- The quotas are exact with any number of collectors: whoever adds a name locks the row of the app first and counts
-- after it has the lock.
--
-- Runs as the owner, so that role afterpush_ingest cannot add names past a quota.
create or replace function afterpush.reserve_names(
    app_ids integer[], kinds text[], parents text[], names text[], sources text[], quotas integer[]
) returns integer[]
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    places bigint[];
    step record;
begin
    -- From here on, the arrays hold only what is neither declared nor reserved by a source as trustworthy. Most calls
    -- end here. (A scalar subquery, not `exists`, so that each name is one probe of the index.)
    select
        array_agg(n.app_id), array_agg(n.kind), array_agg(n.parent), array_agg(n.name), array_agg(n.source),
        array_agg(n.quota), array_agg(n.place)
    into app_ids, kinds, parents, names, sources, quotas, places
    from unnest(app_ids, kinds, parents, names, sources, quotas) with ordinality
        as n (app_id, kind, parent, name, source, quota, place)
    where coalesce((
            select u.source < n.source::afterpush.name_source
            from afterpush.undeclared_names as u
            where (u.app_id, u.kind, u.parent, u.name) = (n.app_id, n.kind, n.parent, n.name)
        ), true)
      and case n.kind
            when 'campaign' then not exists (
                select from afterpush.campaigns as c where (c.app_id, c.campaign_id) = (n.app_id, n.name)
            )
            when 'variant' then not exists (
                select from afterpush.campaign_variants as v
                where (v.app_id, v.campaign_id, v.variant) = (n.app_id, n.parent, n.name)
            )
            when 'category' then not exists (
                select from afterpush.categories as c where (c.app_id, c.category_id) = (n.app_id, n.name)
            )
            when 'category_version' then not exists (
                select from afterpush.categories as c
                where (c.app_id, c.category_id, c.version::text) = (n.app_id, n.parent, n.name)
            )
            when 'action' then not exists (
                select from afterpush.actions as a where (a.app_id, a.action_id) = (n.app_id, n.name)
            )
            else true
        end;
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
        perform 1
        from afterpush.apps as a
        where a.app_id = any (app_ids)
        order by a.app_id
        for no key update;
        -- A statement of its own, so that its snapshot has what the previous holder of the lock added.
        insert into afterpush.undeclared_names (app_id, kind, parent, name, source)
        with new_names as materialized (
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
        remaining_quotas as materialized (
            select
                n.app_id, n.kind, n.parent,
                min(n.quota) - (
                    select count(*)
                    from afterpush.undeclared_names as u
                    where (u.app_id, u.kind, u.parent, u.source) = (n.app_id, n.kind, n.parent, step.source)
                ) as remaining
            from new_names as n
            group by n.app_id, n.kind, n.parent
        )
        select n.app_id, n.kind, n.parent, n.name, step.source
        from new_names as n
        join remaining_quotas as q using (app_id, kind, parent)
        where n.rank <= q.remaining
        order by n.app_id, n.kind, n.parent, n.name
        on conflict (app_id, kind, parent, name) do update set source = excluded.source;
    end loop;
    return (
        select coalesce(array_agg(n.place::integer), '{}')
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
