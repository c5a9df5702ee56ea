-- Runs the statement of a team's own report, confined to reading.
-- $1: the statement. $2: number of its columns. $3: rows at most; null for all. $4: bytes of values at most.
-- Returns a row of text values per row; null in place of the row with which the bytes are exceeded.
select afterpush.run_report($1, $2, $3, $4)
