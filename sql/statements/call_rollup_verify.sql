-- Compares deliveries and rollups with what events make of them.
-- Returns a row per difference: the table, and the row that differs.
select layer, difference
from afterpush.rollup_verify()
