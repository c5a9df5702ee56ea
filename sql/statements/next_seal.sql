-- The moment before which a retention run seals hours that are not sealed yet.
-- $1: the retention period of events in seconds.
-- Returns a row with the moment, or none if the run seals nothing.
select afterpush.rfc3339(cutoff)
from (select afterpush.retention_cutoff(make_interval(secs => $1)) as cutoff) as wanted
where cutoff > (select sealed_before from afterpush.rollup_worker)
