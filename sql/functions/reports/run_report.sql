-- Runs a report's statement, which only reads, and returns each row's values as text.
--
-- A report runs here, and not merely after `set role afterpush_report`, because it could reset that role:
-- set_config('role', 'none', true) needs no privilege. Within a security-definer function PostgreSQL lets no statement
-- change the role, so the function belongs to the role that it runs as. That is afterpush_confined, of which no
-- dashboard's login is a member: whoever is can alter the function. That role may not create functions, or a report could
-- run blocks of PL/pgSQL: the owner of the schema creates the function and hands it over, for which the new owner needs
-- `create` in the schema.
reset role;
drop function if exists afterpush.run_report(text, integer, bigint, bigint);
set local role afterpush_owner;

create or replace function afterpush.run_report(statement text, columns integer, row_limit bigint, byte_limit bigint)
returns setof text[]
language plpgsql
stable
security definer
as $$
begin
    -- A function that was restored without its owner would run any statement as the role that restored it.
    if current_user <> 'afterpush_confined' then
        raise exception 'afterpush.run_report is owned by %, not by afterpush_confined', current_user
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
    'Runs a report''s statement as afterpush_confined, which the statement cannot change; rows as text.';

reset role;
grant usage, create on schema afterpush to afterpush_confined;
alter function afterpush.run_report(text, integer, bigint, bigint) owner to afterpush_confined;
revoke create on schema afterpush from afterpush_confined;
