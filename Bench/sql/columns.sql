-- How a copy of each row of the tables that a load fills is made, `hours` earlier and under other ids: a line for each
-- table, with its name, its columns, and what stands in them in the copy.
--
-- A copy tells of other deliveries, each in another batch, all its times earlier by the same whole hours: rollups of
-- the copy are the rollups, earlier. The ids of a copy's deliveries are neighbours, which is quick to write, and those
-- of all copies spread evenly. Their digit of the UUID's version is one that no delivery of the product has.
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
