-- Schemas in which roles may create that are not trusted with Afterpush, and in which the login's psql, or a dashboard's
-- login, looks for names without a schema; and Afterpush's own.
-- Returns a row per schema: its name and those of who may create there, as they are written in SQL; whether that is
-- every role.
select
    quote_ident(n.nspname),
    string_agg(quote_ident(r.rolname), ', ' order by r.rolname),
    has_schema_privilege('public', n.oid, 'create')
from pg_namespace as n
join pg_roles as r
    -- The same condition is in search_public.sql.
    on not r.rolsuper
    and r.rolname !~ '^pg_'
    and has_schema_privilege(r.oid, n.oid, 'create')
    and not pg_has_role(r.oid, 'afterpush_owner', 'member')
where n.nspname = 'afterpush'
   or n.nspname in (
       select case when part.name = '$user' then session_user else part.name end
       from pg_settings as setting,
           regexp_split_to_table(replace(setting.reset_val, '"', ''), '\s*,\s*') as part (name)
       where setting.name = 'search_path'
   )
group by n.oid, n.nspname
order by n.nspname
