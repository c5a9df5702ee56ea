-- The definitions of a report column: the general one, and those of reports in which it means something else.
-- $1: name of the column, or REPORT.COLUMN.
-- Returns name, unit, definition, numerator, denominator and window in order of name, each in its highest version.
select distinct on (name)
    name, unit, definition, numerator, denominator, selection_window
from afterpush.metric_definitions
where name = $1
   or split_part(name, '.', 2) = $1
order by name, version desc
