-- For erasures, which look at the rejected events of their app in order.
create index rejected_events_of_app on afterpush.rejected_events (app_id, rejection_id);
comment on index afterpush.rejected_events_of_app is
    'Rejected events of an app in the order in which erasures look at them.';
