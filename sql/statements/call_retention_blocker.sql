-- Why retention may not run at the moment; null if it may.
select afterpush.retention_blocker()
