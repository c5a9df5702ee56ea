-- Records that a schema file was applied.
-- $1: its name. $2: its SHA-256 as hexadecimal text.
insert into afterpush.schema_migrations (name, checksum)
values ($1, decode($2, 'hex'))
