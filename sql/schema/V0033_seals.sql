-- What a seal waits for, and what exports have to know of deletions.

-- An export leaves out the events of devices that are being erased.
create policy report on afterpush.erasures for select to afterpush_report
    using (app_id = (select afterpush.report_app()));
