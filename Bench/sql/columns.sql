-- How to copy the rows of the tables that a load fills, `hours` earlier and with other ids. One line per table: its
-- name, its columns, and the expressions for the copy.
--
-- A copy has its own deliveries and batches, and all its times are earlier by the same number of whole hours, so that
-- the copied rollups stay correct. The delivery ids of one copy are close together, which makes writing fast, and the
-- copies are spread evenly. The version digit of these UUIDs is one that Afterpush does not use.
with attributes as (
    select
        c.relname,
        a.attnum,
        a.attname,
        a.atttypid,
        coalesce(e.typrelid, 0) as element_relation
    from pg_class as c
    join pg_attribute as a on a.attrelid = c.oid
    join pg_type as t on t.oid = a.atttypid
    left join pg_type as e on e.oid = t.typelem and e.typtype = 'c'
    where c.relnamespace = 'afterpush'::regnamespace
      and c.relkind in ('r', 'p')
      and not c.relispartition
      and (
          c.relname in ('batches', 'events', 'replies', 'deliveries')
          or c.relname like 'rollup\_%' and exists (
              select
              from pg_attribute as k
              where k.attrelid = c.oid
                and k.attname = 'anchor_hour'
          )
      )
      and a.attnum > 0
      and not a.attisdropped
      and a.attgenerated = ''
)
select
    relname,
    string_agg(quote_ident(attname), ', ' order by attnum),
    string_agg(
        case
            when attname = 'delivery_id'
            then '(lpad(to_hex(hours * 65536 / (copies + 1)), 4, ''0'') || substr(delivery_id::text, 5, 10) || '
                '''0'' || substr(delivery_id::text, 16))::uuid'
            when attname = 'batch_id' then 'batch_id - hours * span'
            when atttypid = 'timestamptz'::regtype then format('%I - make_interval(hours => hours)', attname)
            when element_relation <> 0 then format(
                'case when %1$I is not null then array(select row(%2$s)::%3$s from unnest(%1$I) as element) end',
                attname,
                (
                    select string_agg(
                        case
                            when f.atttypid = 'timestamptz'::regtype
                            then format('element.%I - make_interval(hours => hours)', f.attname)
                            else format('element.%I', f.attname)
                        end,
                        ', ' order by f.attnum
                    )
                    from pg_attribute as f
                    where f.attrelid = element_relation
                      and f.attnum > 0
                      and not f.attisdropped
                ),
                element_relation::regclass
            )
            else quote_ident(attname)
        end,
        ', ' order by attnum
    )
from attributes
group by relname
order by relname;
