-- Afterpush's tables whose rows Citus spreads over its workers, or copies to them (reference tables). Partitions are named
-- by their table.
-- Returns a row per table: its name. Without any, one row of null if Citus is in this database, and none if it isn't.
select nullif(found.name, '')
from (
    select
        case
            -- As a text, because Citus's list of tables exists only then.
            when to_regclass('pg_catalog.pg_dist_partition') is not null then query_to_xml(
                $list$
                select coalesce(name, '') as name
                from (values (1)) as always
                left join (
                    select c.relname as name
                    from pg_catalog.pg_dist_partition as d
                    join pg_class as c on c.oid = d.logicalrelid
                    where c.relnamespace = to_regnamespace('afterpush')
                      and not c.relispartition
                      -- Citus may also list tables that stay on the coordinator.
                      and (d.partmethod <> 'n' or d.repmodel = 't')
                ) as distributed on true
                order by name
                $list$, true, false, '')
        end
) as list (document),
    xmltable('/table/row' passing list.document columns name text path 'name') as found
