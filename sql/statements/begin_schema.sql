-- Creates the schema, and the two tables that record what the database has of it.
create schema if not exists afterpush;

create table afterpush.schema_migrations (
    name text primary key,
    checksum bytea not null,
    applied_at timestamptz not null default now()
);
comment on table afterpush.schema_migrations is 'Schema files that were applied to this database.';
comment on column afterpush.schema_migrations.name is 'Name of the file without .sql.';
comment on column afterpush.schema_migrations.checksum is 'SHA-256 of the file''s text when it was applied.';
comment on column afterpush.schema_migrations.applied_at is 'When the file was applied.';

create table afterpush.installed_definitions (
    name text primary key,
    checksum bytea not null
);
comment on table afterpush.installed_definitions is
    'Files of functions, views, data and grants that are installed; a file that differs is installed again.';
comment on column afterpush.installed_definitions.name is 'Name of the file without .sql.';
comment on column afterpush.installed_definitions.checksum is 'SHA-256 of the installed text.';
