-- Whether this database was ever migrated.
select to_regclass('afterpush.schema_migrations') is not null
