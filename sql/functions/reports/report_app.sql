-- Frozen: the row-level security policies of role afterpush_report depend on it. A change of its results would open or
-- close rows of every table at once.

-- The app whose report token the session has set as afterpush.report_token; null without a valid one.
--
-- Runs as the owner, because role afterpush_report may not read tokens.
create or replace function afterpush.report_app() returns integer
language plpgsql stable parallel safe
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    return (
        select app_id
        from afterpush.apps
        where report_token = nullif(current_setting('afterpush.report_token', true), '')::uuid
    );
end
$$;
comment on function afterpush.report_app is
    'Returns the app whose report token the session has set; null without a valid one.';
