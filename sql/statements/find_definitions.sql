-- The definitions that hold of a name: of a column wherever it stands, or of REPORT.COLUMN.
-- $1: the name.
-- Returns name, unit, definition, numerator, denominator and window, in the order of names.
select distinct on (name)
    name, unit, definition, numerator, denominator, selection_window
from afterpush.metric_definitions
where name = $1
   or split_part(name, '.', 2) = $1
order by name, version desc
