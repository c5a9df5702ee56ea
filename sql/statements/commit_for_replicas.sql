-- Commits a transaction that changes nothing, so that replicas of a database that is idle know that they miss nothing.
-- A transaction that has a number leaves a record with its time in the write-ahead log.
select pg_current_xact_id()::text
