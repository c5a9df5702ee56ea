-- The definitions of the columns of a report, as JSON objects.
-- $1: name of the report. $2: names of the columns.
select afterpush.report_definitions($1, $2)
