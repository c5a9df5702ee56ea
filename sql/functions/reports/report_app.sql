-- Frozen: the row-level security policies of role afterpush_report depend on it. A change of its results would open or
-- close rows of every table at once.

-- The app whose rows the current transaction can read as role afterpush_report; null if it can read no app.
--
-- A dashboard's login reads the app that report_logins names for it, whatever the session sets: no statement of a login
-- can change session_user. The collector logs in for all apps, so each of its transactions has a claim (report_claim).
--
-- Runs as the owner, because no other role can read the logins and the secret.
create or replace function afterpush.report_app() returns integer
language plpgsql stable parallel safe
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    claim text := current_setting('afterpush.report_claim', true);
    known record;
    app bigint;
begin
    -- One query, because this function runs for every table of a report.
    select s.secret, l.role_id, l.app_id into known
    from afterpush.report_secret as s
    left join afterpush.report_logins as l on l.login = session_user;
    if known.role_id is not null
        and known.role_id = (select oid from pg_roles where rolname = session_user) then
        return known.app_id;
    end if;
    app := nullif(split_part(claim, ':', 1), '');
    if claim = afterpush.report_claim(known.secret, app) then
        return app;
    end if;
    return null;
end
$$;
comment on function afterpush.report_app is
    'Returns the app whose rows the current transaction can read in reports; null if it can read no app.';
