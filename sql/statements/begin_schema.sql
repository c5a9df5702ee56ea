-- The schema itself, and the two tables that say what was applied to it.
create schema if not exists afterpush;

create table afterpush.schema_migrations (
    name text primary key,
    checksum bytea not null,
    applied_at timestamptz not null default now()
);
comment on table afterpush.schema_migrations is 'The schema files that were applied to this database.';
comment on column afterpush.schema_migrations.name is 'The file''s name, without the ending.';
comment on column afterpush.schema_migrations.checksum is 'SHA-256 of the file.';
comment on column afterpush.schema_migrations.applied_at is 'When the file was applied.';

create table afterpush.installed_definitions (
    singleton boolean primary key default true check (singleton),
    digest bytea not null,
    installed_at timestamptz not null
);
comment on table afterpush.installed_definitions is 'One row: which functions, views, data and grants are installed.';
comment on column afterpush.installed_definitions.singleton is 'Always true.';
comment on column afterpush.installed_definitions.digest is 'SHA-256 of the files of functions, views, data and grants.';
comment on column afterpush.installed_definitions.installed_at is 'When they were installed.';
