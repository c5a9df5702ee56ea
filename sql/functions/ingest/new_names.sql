-- Those of some names that are neither declared nor in undeclared_names by a source as trustworthy.
--
-- The arguments hold a column each, as in reserve_names; `places` are returned with the names that they belong to.
create or replace function afterpush.new_names(
    app_ids integer[], kinds text[], parents text[], names text[], sources text[], quotas integer[], places integer[]
)
returns table (
    app_id integer, kind text, parent text, name text, source text, quota integer, place integer
)
language sql stable
as $$
    select n.app_id, n.kind, n.parent, n.name, n.source, n.quota, n.place
    from unnest(app_ids, kinds, parents, names, sources, quotas, places)
        as n (app_id, kind, parent, name, source, quota, place)
    -- A scalar subquery, not `exists`, so that each name is one probe of the index.
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
        end
$$;
comment on function afterpush.new_names is
    'Returns those of some names that are neither declared nor in undeclared_names by a source as trustworthy.';
