-- The files of functions, views, data and grants that are installed, with the SHA-256 of each as hexadecimal text.
select name, encode(checksum, 'hex')
from afterpush.installed_definitions
