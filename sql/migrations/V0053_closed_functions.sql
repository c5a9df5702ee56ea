-- V0010 meant to keep what later migrations add from everybody, but a schema's default takes nothing back of the general one. So
-- whoever could log in could ask for the erasure of a device, of any app.
alter default privileges revoke execute on functions from public;
do $$
declare
    open pg_catalog.pg_proc;
begin
    for open in
        select p.*
        from pg_catalog.pg_proc as p
        where p.pronamespace = 'afterpush'::regnamespace
          and has_function_privilege('public', p.oid, 'execute')
    loop
        execute format('revoke execute on routine %s from public', open.oid::regprocedure);
        -- One that runs with its caller's rights can do no more than that could without it.
        if not open.prosecdef then
            execute format(
                'grant execute on routine %s to afterpush_ingest, afterpush_worker, afterpush_report',
                open.oid::regprocedure
            );
        end if;
    end loop;
end
$$;
