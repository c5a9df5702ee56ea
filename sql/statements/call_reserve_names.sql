-- Reserves names that events use without a declaration, within their quotas; see function reserve_names.
-- $1: app_ids. $2: kinds. $3: parents. $4: names. $5: sources (name_source). $6: quotas.
-- Returns one row: the positions (from 1) of the names past their quota.
select afterpush.reserve_names($1, $2, $3, $4, $5, $6)
