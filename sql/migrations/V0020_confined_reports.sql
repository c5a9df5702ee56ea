-- Reports run where their role can't be taken off. The collector's login takes on afterpush_report by `set role`, and
-- a report could take it off again: set_config('role', 'none', true) needs no privilege. Within a security-definer
-- function PostgreSQL lets nobody change role or session_authorization, in whatever way it is tried.

-- The function must belong to the role that it runs as.
reset role;
grant create on schema afterpush to afterpush_report;
set role afterpush_report;

-- Runs a statement that only reads, and returns each row's values as text.
create function afterpush.run_report(statement text, columns integer, row_limit bigint) returns setof text[]
language plpgsql
stable
security definer
as $$
begin
    -- Restored without its owner, it would run whatever it is given as whoever restored it.
    if current_user <> 'afterpush_report' then
        raise exception 'afterpush.run_report belongs to %, not to afterpush_report', current_user
            using errcode = 'object_not_in_prerequisite_state';
    end if;
    return query execute format(
        E'select array[%s]::text[] from (%s\n) as report%s limit %L',
        (select string_agg(format('c%s::text', n), ', ' order by n) from generate_series(1, columns) as n),
        statement,
        (select '(' || string_agg(format('c%s', n), ', ' order by n) || ')' from generate_series(1, columns) as n),
        row_limit
    );
end
$$;
comment on function afterpush.run_report is 'Runs a report''s statement in a role that it can''t leave; rows as text.';
revoke execute on function afterpush.run_report from public;

reset role;
revoke create on schema afterpush from afterpush_report;
