-- run_report: rows are limited before they are counted, so that a statement that sorts keeps no more than are asked for; what a
-- value costs who fetches it counts beside its bytes; and collectors of before find the function that they call.

reset role;
grant create on schema afterpush to afterpush_report;
set role afterpush_report;
create or replace function afterpush.run_report(statement text, columns integer, row_limit bigint, byte_limit bigint)
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
        select
            case
                when coalesce(sum(pg_column_size(found) + 16 * %s) over (rows unbounded preceding) <= %L, true)
                then found
            end
        from (
            select array[%s]::text[] as found
            from (%s
            ) as report%s
            limit %L
        ) as rows
        $text$,
        columns,
        byte_limit,
        (select string_agg(format('c%s::text', n), ', ' order by n) from generate_series(1, columns) as n),
        statement,
        (select '(' || string_agg(format('c%s', n), ', ' order by n) || ')' from generate_series(1, columns) as n),
        row_limit
    );
end
$$;

create function afterpush.run_report(statement text, columns integer, row_limit bigint) returns setof text[]
language sql stable security definer
as $$ select afterpush.run_report(statement, columns, row_limit, null) $$;
comment on function afterpush.run_report(text, integer, bigint) is 'What collectors call that know no limit of bytes.';
revoke execute on function afterpush.run_report(text, integer, bigint) from public;
reset role;
revoke create on schema afterpush from afterpush_report;
