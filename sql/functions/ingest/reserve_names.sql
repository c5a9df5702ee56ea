-- Takes names that events state, unless their quota is used up, and returns the places (from 1) of those not taken.
-- Names of one kind below one parent must have one quota. Exact with several collectors: whoever adds a name of an app
-- holds the app's row, and counts after it has it. Runs as the owner, so that those who add events can't add names past it.
create or replace function afterpush.reserve_names(
    app_ids integer[], kinds text[], parents text[], names text[], verified boolean[], quotas integer[]
) returns integer[]
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    wanted integer[];
begin
    select array_agg(w.place::integer)
    into wanted
    from unnest(app_ids, kinds, parents, names, reserve_names.verified) with ordinality
        as w (app_id, kind, parent, name, verified, place)
    where not exists (
            select from afterpush.undeclared_names as s
            where (s.app_id, s.kind, s.verified, s.parent, s.name) = (w.app_id, w.kind, w.verified, w.parent, w.name)
        )
      and case w.kind
            when 'campaign' then not exists (
                select from afterpush.campaigns as c where (c.app_id, c.campaign_id) = (w.app_id, w.name)
            )
            when 'variant' then not exists (
                select from afterpush.campaign_variants as v
                where (v.app_id, v.campaign_id, v.variant) = (w.app_id, w.parent, w.name)
            )
            when 'category' then not exists (
                select from afterpush.categories as c where (c.app_id, c.category_id) = (w.app_id, w.name)
            )
            when 'category_version' then not exists (
                select from afterpush.categories as c
                where (c.app_id, c.category_id, c.version::text) = (w.app_id, w.parent, w.name)
            )
            when 'action' then not exists (
                select from afterpush.actions as a where (a.app_id, a.action_id) = (w.app_id, w.name)
            )
            else true
        end;
    if wanted is null then
        return '{}';
    end if;
    perform 1
    from afterpush.apps as a
    where a.app_id = any (app_ids)
    order by a.app_id
    for no key update;
    -- Statements of their own: they see what the one that held the rows before has added.
    insert into afterpush.undeclared_names (app_id, kind, verified, parent, name)
    with new_names as materialized (
        select w.app_id, w.kind, w.parent, w.name, w.verified, w.quota, place
        from unnest(app_ids, kinds, parents, names, reserve_names.verified, quotas) with ordinality
            as w (app_id, kind, parent, name, verified, quota, place)
        join unnest(wanted::bigint[]) as p (place) using (place)
        where not exists (
            select from afterpush.undeclared_names as s
            where (s.app_id, s.kind, s.verified, s.parent, s.name) = (w.app_id, w.kind, w.verified, w.parent, w.name)
        )
    ),
    rooms as materialized (
        select
            n.app_id, n.kind, n.verified, n.parent,
            min(n.quota) - (
                select count(*)
                from afterpush.undeclared_names as s
                where (s.app_id, s.kind, s.verified, s.parent) = (n.app_id, n.kind, n.verified, n.parent)
            ) as room
        from new_names as n
        group by n.app_id, n.kind, n.verified, n.parent
    )
    select n.app_id, n.kind, n.verified, n.parent, n.name
    from (
        select
            n.*,
            row_number() over (partition by n.app_id, n.kind, n.verified, n.parent order by n.place) as turn
        from new_names as n
    ) as n
    join rooms as r
        on (r.app_id, r.kind, r.verified, r.parent) = (n.app_id, n.kind, n.verified, n.parent)
    where n.turn <= r.room
    order by n.app_id, n.kind, n.verified, n.parent, n.name
    on conflict do nothing;
    return (
        select coalesce(array_agg(place::integer), '{}')
        from unnest(app_ids, kinds, parents, names, reserve_names.verified) with ordinality
            as w (app_id, kind, parent, name, verified, place)
        join unnest(wanted::bigint[]) as p (place) using (place)
        where not exists (
            select from afterpush.undeclared_names as s
            where (s.app_id, s.kind, s.verified, s.parent, s.name) = (w.app_id, w.kind, w.verified, w.parent, w.name)
        )
    );
end
$$;
comment on function afterpush.reserve_names is
    'Takes names that events state, within quotas; returns the places of those not taken.';
