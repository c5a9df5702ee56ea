-- Openings of the app by how they came about, a row for each group that is asked for: `direct`, `influenced` and `expected`
-- (with `baseline`) as metrics.md has them, and `other`, whose sum is what is left. Names that nobody asks for are null. An
-- opening depends on no other one, so a report may ask for parts of its time, each by a process of its own: the cost says that
-- it is worth one.
create or replace function afterpush.report_openings(
    app text, "from" timestamptz, "to" timestamptz, "window" interval, baseline boolean, credited boolean,
    only_platform text, verified boolean, by text
)
returns table (
    how text, campaign_id text, category_id text, variant text, platform text, app_version text, hour timestamptz,
    openings bigint
)
language plpgsql stable parallel safe
cost 100000000
as $$
declare
    -- Chance is looked for at the same time of another day.
    later constant interval := greatest(ceil(extract(epoch from "window") / 86400), 1) * interval '24 hours';
begin
    return query execute $text$
        with openings as materialized (
            select row_number() over () as opening, e.device_id, e.occurred_at, e.platform, e.app_version
            from afterpush.events as e
            where e.app_id = $1
              and e.kind = 'app_opened'
              and e.occurred_at >= $2
              and e.occurred_at < $3
              and ($10 is null or e.platform = $10)
              and (not $7 or e.verified)
              and e.batch_id <> all ($11)
        ),
        responses as (
            select
                e.device_id, e.occurred_at, e.delivery_id,
                date_bin('1 hour', e.occurred_at, timestamptz '2000-01-01 00:00Z') as bin
            from afterpush.events as e
            where e.app_id = $1
              and e.kind in ('opened', 'action', 'text_input', 'dismissed')
              and e.occurred_at >= $2 - interval '60 s'
              and e.occurred_at < $3
              and (not $7 or e.verified)
              and e.batch_id <> all ($11)
        ),
        unopened as not materialized (
            select
                c.device_id, c.at, date_bin($6, c.at, timestamptz '2000-01-01 00:00Z') as bin,
                -- Not read where nobody asks.
                case when $9 then c.delivery_id end as delivery_id,
                case when $9 then c.notification_id end as notification_id,
                case when $9 then c.campaign_id end as campaign_id,
                case when $9 then c.category_id end as category_id,
                case when $9 then c.variant end as variant
            from (
                select
                    *,
                    case when $7 then verified_kinds else kinds end as told,
                    case when $7 then verified_confirmed_at else confirmed_at end as at
                from afterpush.deliveries
            ) as c
            where c.app_id = $1
              -- Not opened. (Of `= 0` the planner would expect a row in two hundred.)
              and c.told & 32 < 1
              and c.at >= $2 - $4
              and c.at < $3 + case when $8 then $5 else interval '0' end
        ),
        direct as materialized (
            select distinct on (o.opening) o.*, d.campaign_id, d.category_id, d.variant
            from (
                select *, date_bin('1 hour', occurred_at, timestamptz '2000-01-01 00:00Z') as bin
                from openings
                union all
                select *, date_bin('1 hour', occurred_at, timestamptz '2000-01-01 00:00Z') - interval '1 hour'
                from openings
                where occurred_at - interval '60 s' < date_bin('1 hour', occurred_at, timestamptz '2000-01-01 00:00Z')
            ) as o
            join responses as r
                on r.device_id = o.device_id
                and r.bin = o.bin
                and r.occurred_at between o.occurred_at - interval '60 s' and o.occurred_at
            left join afterpush.deliveries as d
                on d.delivery_id = r.delivery_id
                and $9
            order by o.opening, r.occurred_at desc, d.notification_id, d.delivery_id
        ),
        -- When the others happened, and when they would have by chance.
        indirect as not materialized (
            select o.*, h.how, o.occurred_at + h.later as until
            from openings as o
            cross join (values ('influenced', interval '0'), ('expected', $5)) as h (how, later)
            where o.opening not in (select opening from direct)
              and (h.how = 'influenced' or $8)
        ),
        notified as materialized (
            select distinct on (o.how, o.opening) o.*, u.campaign_id, u.category_id, u.variant
            from (
                select *, date_bin($6, until, timestamptz '2000-01-01 00:00Z') as bin
                from indirect
                union all
                select *, date_bin($6, until, timestamptz '2000-01-01 00:00Z') - $6
                from indirect
                where until - $4 < date_bin($6, until, timestamptz '2000-01-01 00:00Z')
            ) as o
            join unopened as u
                on u.device_id = o.device_id
                and u.bin = o.bin
                and u.at between o.until - $4 and o.until
            order by o.how, o.opening, u.at desc, u.notification_id, u.delivery_id
        ),
        told as (
            select 'direct' as how, 1 as openings, campaign_id, category_id, variant, platform, app_version, occurred_at
            from direct
            union all
            select how, 1, campaign_id, category_id, variant, platform, app_version, occurred_at
            from notified
            union all
            select 'other', openings, null, null, null, platform, app_version, occurred_at
            from (
                select 1 as openings, platform, app_version, occurred_at from openings
                union all
                select -1, platform, app_version, occurred_at from direct
                union all
                select -1, platform, app_version, occurred_at from notified where how = 'influenced'
            ) as o
        )
        select
            how, campaign_id, category_id, variant,
            case when $12 ~ 'platform' then platform end,
            case when $12 ~ 'app_version' then app_version end,
            case when $12 ~ 'day|hour' then date_bin('1 hour', occurred_at, timestamptz '2000-01-01 00:00Z') end,
            sum(openings)
        from told
        group by 1, 2, 3, 4, 5, 6, 7
        $text$
    using
        (select a.app_id from afterpush.apps as a where a.name = report_openings.app),
        "from", "to", "window", later, 8 * greatest("window", interval '1 hour'), report_openings.verified, baseline,
        credited, only_platform,
        -- What is not in the rollups yet is in no report.
        array(select b.batch_id from afterpush.batches as b where b.rolled_up_at is null), report_openings.by;
end
$$;
comment on function afterpush.report_openings is 'Openings of the app by how they came about.';
