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
comment on function afterpush.report_app is 'The app whose token the session shows; null without one.';
