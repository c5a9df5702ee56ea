-- Records which files of functions, views, data and grants are installed.
-- $1: their names. $2: the SHA-256 of each as hexadecimal text.
insert into afterpush.installed_definitions (name, checksum)
select name, decode(checksum, 'hex')
from unnest($1::text[], $2::text[]) as installed (name, checksum)
