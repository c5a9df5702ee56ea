-- Whether this database was ever migrated.
--
-- Not with to_regclass: it can answer from the session's cache, without what another session has committed since.
select exists (
    select
    from pg_catalog.pg_class as relation
    join pg_catalog.pg_namespace as namespace on namespace.oid = relation.relnamespace
    where namespace.nspname = 'afterpush'
      and relation.relname = 'schema_migrations'
)
