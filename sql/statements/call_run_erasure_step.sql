-- Does the next step of erasure, on at most $1 deliveries.
-- Returns idle, busy, waiting, search, check or working; see function run_erasure_step.
select afterpush.run_erasure_step($1)
