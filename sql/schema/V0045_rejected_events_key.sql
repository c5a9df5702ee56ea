-- Statements look for the rejected events of one app. With an index on rejection_id alone, a plan that doesn't know how
-- many events the app has could read those of all apps. The key therefore begins with the app.
drop index afterpush.rejected_events_of_app;
alter table afterpush.rejected_events drop constraint rejected_events_pkey;
alter table afterpush.rejected_events add primary key (app_id, rejection_id);
