-- Counts what became of events of other systems' clients, by app, family, name and reason.
--
-- Anyone with an ingest key can make up names. So an app keeps the first 500 of a family; further ones count as (other),
-- until names that were not seen for 90 days have made room.
create or replace function afterpush.count_dialect_events(
    app_ids integer[], families text[], names text[], reasons text[],
    received bigint[], mapped bigint[], ignored bigint[], rejected bigint[]
)
returns void
language sql
as $$
    delete from afterpush.dialect_events as d
    where d.last_at < now() - interval '90 days'
      and d.app_id = any (app_ids);
    with counted as (
        select *
        from unnest(app_ids, families, names, reasons, received, mapped, ignored, rejected)
            as c (app_id, family, name, reason, received, mapped, ignored, rejected)
    ),
    known as (
        select distinct d.app_id, d.family, d.name
        from afterpush.dialect_events as d
        where d.app_id = any (app_ids)
    ),
    numbered as (
        select
            c.app_id, c.family, c.name,
            row_number() over (partition by c.app_id, c.family order by c.name) as place
        from (select distinct c.app_id, c.family, c.name from counted as c) as c
        where not exists (select from known as k where (k.app_id, k.family, k.name) = (c.app_id, c.family, c.name))
    ),
    past_limit as (
        select n.app_id, n.family, n.name
        from numbered as n
        where n.place + (
            select count(*) from known as k where (k.app_id, k.family) = (n.app_id, n.family)
        ) > 500
    )
    insert into afterpush.dialect_events as d
        (app_id, family, name, reason, received, mapped, ignored, rejected, first_at, last_at)
    select
        c.app_id, c.family, case when p.name is null then c.name else '(other)' end, c.reason,
        sum(c.received), sum(c.mapped), sum(c.ignored), sum(c.rejected), now(), now()
    from counted as c
    left join past_limit as p using (app_id, family, name)
    group by 1, 2, 3, 4
    -- In the order of the key, so that two collectors that count the same names don't wait for each other in a circle.
    order by 1, 2, 3, 4
    on conflict (app_id, family, name, reason) do update
    set received = d.received + excluded.received,
        mapped = d.mapped + excluded.mapped,
        ignored = d.ignored + excluded.ignored,
        rejected = d.rejected + excluded.rejected,
        last_at = greatest(d.last_at, excluded.last_at);
$$;
comment on function afterpush.count_dialect_events is
    'Counts what became of events of other systems'' clients, by app, family, name and reason.';
