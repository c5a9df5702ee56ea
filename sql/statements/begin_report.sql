-- Opens an app to the reports of a transaction. It follows BEGIN and precedes the first statement of a report.
-- Variable: app (app_id).
-- afterpush_report itself may not open an app, so the role changes for the one call.
set local role afterpush_ingest;
select afterpush.open_report(:'app'::integer);
set local role afterpush_report;
