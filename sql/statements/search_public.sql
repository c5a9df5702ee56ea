-- Lets a team's own report find names without a schema in public, too, until the transaction ends. PostgreSQL's own come
-- first.
--
-- Whoever may create in public could put a function there that matches a call in the report, or in a function of
-- Afterpush that it calls, better than PostgreSQL's own. So public is left out if roles may create there who are not
-- members of afterpush_owner; a report must then name its schema.
select pg_catalog.set_config(
    'search_path',
    case
        when not exists (
            select
            from pg_catalog.pg_roles as r
            join pg_catalog.pg_namespace as n on n.nspname = 'public'
            -- The same condition is in check_search_path.sql. Roles of PostgreSQL's own have only members that are listed.
            where not r.rolsuper
              and r.rolname !~ '^pg_'
              and pg_catalog.has_schema_privilege(r.oid, n.oid, 'create')
              and not pg_catalog.pg_has_role(r.oid, 'afterpush_owner', 'member')
        )
        then 'pg_catalog, public, pg_temp'
        else 'pg_catalog, pg_temp'
    end,
    true
)
