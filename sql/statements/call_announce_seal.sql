-- Announces the seal that a retention period of events requires.
-- $1: the period in seconds.
select afterpush.announce_seal(afterpush.retention_cutoff(make_interval(secs => $1)))
