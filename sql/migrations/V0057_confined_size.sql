-- run_report as before, but that rows whose values would exceed so many bytes in all are null, which tells that there are more.

reset role;
grant create on schema afterpush to afterpush_report;
set role afterpush_report;
drop function afterpush.run_report;
create function afterpush.run_report(statement text, columns integer, row_limit bigint, byte_limit bigint)
returns setof text[]
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
        $text$
        select case when coalesce(sum(pg_column_size(found)) over (rows unbounded preceding) <= %L, true) then found end
        from (
            select array[%s]::text[] as found
            from (%s
            ) as report%s
            offset 0
        ) as rows
        limit %L
        $text$,
        byte_limit,
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
