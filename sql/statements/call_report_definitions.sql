-- The definitions of the columns of a report.
-- $1: name of the report. $2: names of the columns.
-- Returns the name of a column, and its definition as a JSON object; no row for a column without a definition.
select definition::json ->> 'name', definition
from afterpush.report_definitions($1, $2) as definition
