-- Takes names that events state, unless their quota is used up; returns one row: the places (from 1) of those not taken.
-- $1 app_ids, $2 kinds, $3 parents, $4 names, $5 verified, $6 quotas.
select afterpush.reserve_names($1, $2, $3, $4, $5, $6)
