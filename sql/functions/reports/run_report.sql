-- Runs a report's statement, which only reads, and returns each row's values as text.
--
-- A report runs here, and not merely after `set role afterpush_report`, because it could take that role off again:
-- set_config('role', 'none', true) needs no privilege. Within a security-definer function PostgreSQL lets nobody change
-- the role, so the function belongs to the role that it runs as. For that, the role may create in the schema for a
-- moment.
reset role;
grant usage, create on schema afterpush to afterpush_report;
set local role afterpush_report;

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
comment on function afterpush.run_report is
    'Runs a report''s statement in a role that it can''t leave; rows as text.';

reset role;
revoke create on schema afterpush from afterpush_report;
