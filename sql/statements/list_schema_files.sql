-- The schema files that were applied, with the SHA-256 of each as hexadecimal text.
select name, encode(checksum, 'hex')
from afterpush.schema_migrations
