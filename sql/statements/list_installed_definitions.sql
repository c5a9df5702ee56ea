-- The files of functions, views, data and grants that are installed, with the SHA-256 of each as hexadecimal text.
select name, encode(checksum, 'hex')
from afterpush.installed_definitions
-- A restored dump can have the function with another owner, in whose name it runs nothing.
where name <> 'run_report'
   or exists (
       select
       from pg_catalog.pg_proc
       where pronamespace = 'afterpush'::regnamespace
         and proname = 'run_report'
         and pg_catalog.pg_get_userbyid(proowner) = 'afterpush_confined'
   )
