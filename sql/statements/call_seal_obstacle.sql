-- Why no hour may be sealed, as text; null if it may. $1: when the run began, as text.
select afterpush.seal_obstacle($1::timestamptz)
