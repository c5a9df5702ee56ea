-- Adds names that events use without a declaration to undeclared_names, as far as their quotas allow.
--
-- The arguments hold a column each: app, kind, parent, name, whether a verified event uses the name, and the quota. All
-- names of one app, kind, parent and `verified` share one quota and must state the same one.
-- Returns the positions, from 1, of the names that are neither declared nor in undeclared_names: those past a quota.
--
-- The quotas are exact with any number of collectors: whoever adds a name locks the row of the app first and counts
-- after it has the lock.
--
-- Runs as the owner, so that role afterpush_ingest cannot add names past a quota.
create or replace function afterpush.reserve_names(
    app_ids integer[], kinds text[], parents text[], names text[], verified boolean[], quotas integer[]
) returns integer[]
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    new_places bigint[];
begin
    -- Most calls end here: every name is declared or reserved already.
    select array_agg(n.place)
    into new_places
    from unnest(app_ids, kinds, parents, names, reserve_names.verified) with ordinality
        as n (app_id, kind, parent, name, verified, place)
    where not exists (
            select from afterpush.undeclared_names as u
            where (u.app_id, u.kind, u.verified, u.parent, u.name) = (n.app_id, n.kind, n.verified, n.parent, n.name)
        )
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
    if new_places is null then
        return '{}';
    end if;
    perform 1
    from afterpush.apps as a
    where a.app_id = any (app_ids)
    order by a.app_id
    for no key update;
    -- A statement of its own, so that its snapshot has what the previous holder of the lock added.
    insert into afterpush.undeclared_names (app_id, kind, verified, parent, name)
    with new_names as materialized (
        select n.app_id, n.kind, n.parent, n.name, n.verified, n.quota, place
        from unnest(app_ids, kinds, parents, names, reserve_names.verified, quotas) with ordinality
            as n (app_id, kind, parent, name, verified, quota, place)
        join unnest(new_places) as p (place) using (place)
        where not exists (
            select from afterpush.undeclared_names as u
            where (u.app_id, u.kind, u.verified, u.parent, u.name) = (n.app_id, n.kind, n.verified, n.parent, n.name)
        )
    ),
    remaining_quotas as materialized (
        select
            n.app_id, n.kind, n.verified, n.parent,
            min(n.quota) - (
                select count(*)
                from afterpush.undeclared_names as u
                where (u.app_id, u.kind, u.verified, u.parent) = (n.app_id, n.kind, n.verified, n.parent)
            ) as remaining
        from new_names as n
        group by n.app_id, n.kind, n.verified, n.parent
    )
    select n.app_id, n.kind, n.verified, n.parent, n.name
    from (
        select
            n.*,
            row_number() over (partition by n.app_id, n.kind, n.verified, n.parent order by n.place) as rank
        from new_names as n
    ) as n
    join remaining_quotas as q
        on (q.app_id, q.kind, q.verified, q.parent) = (n.app_id, n.kind, n.verified, n.parent)
    where n.rank <= q.remaining
    order by n.app_id, n.kind, n.verified, n.parent, n.name
    on conflict do nothing;
    return (
        select coalesce(array_agg(place::integer), '{}')
        from unnest(app_ids, kinds, parents, names, reserve_names.verified) with ordinality
            as n (app_id, kind, parent, name, verified, place)
        join unnest(new_places) as p (place) using (place)
        where not exists (
            select from afterpush.undeclared_names as u
            where (u.app_id, u.kind, u.verified, u.parent, u.name) = (n.app_id, n.kind, n.verified, n.parent, n.name)
        )
    );
end
$$;
comment on function afterpush.reserve_names is
    'Adds names that events use to undeclared_names, within quotas; returns the positions of those past a quota.';
