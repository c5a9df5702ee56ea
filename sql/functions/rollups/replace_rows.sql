-- Makes some rows of a table equal to those of another table, and writes only the rows that differ.
--
-- stored:    the table to correct. It has no duplicate rows and no nulls, so whole rows can be compared.
-- fresh:     a table of the same columns with the rows as they should be.
-- condition: the rows of `stored` to which this applies, as an SQL condition.
--
-- Deleting and inserting all rows would also be right, but most of the time would go into index entries of rows that
-- did not change. Usually nothing differs, and to find that out is faster than to look for the rows that do.
create or replace function afterpush.replace_rows(stored regclass, fresh regclass, condition text) returns void
language plpgsql
as $$
declare
    is_different boolean;
begin
    execute format('analyze %s', fresh);
    execute format(
        $text$
        select
            (select count(*) from %1$s where %2$s) <> (select count(*) from %3$s)
            or exists (select * from %1$s where %2$s except select * from %3$s)
        $text$,
        stored, condition, fresh
    )
    into is_different;
    if is_different then
        execute format(
            'delete from %s as s where %s and not exists (select from %s as f where f = s)', stored, condition, fresh
        );
        -- Not `where not exists`: as a nested loop, which the planner chooses if `stored` was empty when it was analyzed,
        -- that reads all rows inserted so far for each row.
        execute format(
            'insert into %1$s select * from %3$s except select * from %1$s where %2$s', stored, condition, fresh
        );
    end if;
end
$$;
comment on function afterpush.replace_rows is
    'Makes some rows of a table equal to those of another, and writes only the rows that differ.';
