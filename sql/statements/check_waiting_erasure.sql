-- Whether an erasure has data to delete, for which it needs the lock of merges.
select exists (select from afterpush.erasures where phase = 'erasing')
