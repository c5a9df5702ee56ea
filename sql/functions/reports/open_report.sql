-- Opens an app to the reports of the current transaction, and limits what they can leave on the server's disk.
--
-- The collector calls it as afterpush_ingest before it becomes afterpush_report, which may not execute it. A report can
-- raise neither limit, because only superusers can, and the owner if restrict_public.sql has given it that right.
create or replace function afterpush.open_report(app integer) returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    perform set_config('afterpush.report_claim', afterpush.report_claim(secret, app), true)
    from afterpush.report_secret;
    if has_parameter_privilege('temp_file_limit', 'set') then
        perform set_config('temp_file_limit', '4GB', true);
    end if;
    -- The text of an error can be as long as a report likes. The collector logs that a report failed, without the text.
    if has_parameter_privilege('log_min_messages', 'set') then
        perform set_config('log_min_messages', 'fatal', true);
    end if;
end
$$;
comment on function afterpush.open_report is
    'Opens the rows of an app to reports until the transaction ends, and limits their temporary files.';
