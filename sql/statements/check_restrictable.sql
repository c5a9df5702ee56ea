-- Whether a migration can take privileges of this database from PUBLIC (restrict_public.sql): the login is a superuser,
-- and no schema but Afterpush's has tables, so that no other application uses the database.
select
    (select rolsuper from pg_roles where rolname = current_user)
    and not exists (
        select
        from pg_class
        where relkind in ('r', 'p', 'v', 'm', 'f', 'S')
          and relnamespace <> 'afterpush'::regnamespace
          and relnamespace::regnamespace::text !~ '^(pg_|information_schema$)'
          -- Tables of extensions that are installed everywhere don't count.
          and not exists (
              select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e'
          )
    )
