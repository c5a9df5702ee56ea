-- When the first schema file was applied, as text. It survives dump and restore, so it identifies a database.
select min(applied_at)::text
from afterpush.schema_migrations
