-- Counts the names of an app that contain an id, for the answer of an erasure, which keeps names: ids and names of
-- campaigns, and names of variants, categories, actions and app versions. Alert rules, mappings and links that contain it
-- count as well: somebody set them up, who has to change them.
--
-- These tables are small, because the number of names is limited.
create or replace function afterpush.count_names_with_id(app integer, id text) returns bigint
language sql stable
security definer
set search_path = pg_catalog, pg_temp
as $$
    select count(distinct (n.kind, n.name))
    from (
        select 'campaign' as kind, c.campaign_id as name from afterpush.campaigns as c where c.app_id = app
        union all
        select 'title', c.name from afterpush.campaigns as c where c.app_id = app
        union all
        select 'variant', v.variant from afterpush.campaign_variants as v where v.app_id = app
        union all
        select 'category', c.category_id from afterpush.categories as c where c.app_id = app
        union all
        select 'action', a.action_id from afterpush.actions as a where a.app_id = app
        union all
        select 'title', a.title from afterpush.actions as a where a.app_id = app
        union all
        select u.kind, u.name from afterpush.undeclared_names as u where u.app_id = app
        union all
        select 'alert', r.alert_name || ' ' || r.definition
        from afterpush.alert_rules as r
        where r.app_id = app
          and not r.built_in
        union all
        select 'mappings', s.settings::text from afterpush.dialect_settings as s where s.app_id = app
        union all
        select 'link', s.name || ' ' || s.view from afterpush.shares as s where s.app_id = app
    ) as n
    where afterpush.contains_id(n.name, id)
$$;
comment on function afterpush.count_names_with_id is
    'Returns how many names, alert rules, mappings and links of an app contain an id.';
