-- How many of the selected sends were confirmed, by platform and by version on the device. `dimension` is app_version
-- or os_version. A version that the send did not state is the one that the device stated last before it; of several
-- stated at the same moment, the smallest. What was stated over 30 days before the first hour isn't searched for.
--
-- first_statement_batch: the first batch that can hold such a statement (function report_bounds).
-- version: null if unknown.
-- other_sent, other_confirmed: the other known versions of the platform together; null if there is no known version.
create or replace function afterpush.report_version_coverage(
    app text, from_hour timestamptz, to_hour timestamptz, first_statement_batch bigint
)
returns table (
    dimension text, platform text, version text, sent bigint, confirmed bigint, other_sent bigint,
    other_confirmed bigint
)
language sql stable parallel safe
as $$
    with versions_of_sends as (
        select
            e.delivery_id,
            coalesce(min(e.app_version) filter (where e.verified), min(e.app_version)) as app_version,
            coalesce(min(e.os_version) filter (where e.verified), min(e.os_version)) as os_version
        from afterpush.events as e
        where e.app_id = (select a.app_id from afterpush.apps as a where a.name = app)
          -- An unverified send can lie before its delivery's anchor.
          and e.batch_id >= first_statement_batch
          and e.occurred_at >= from_hour - interval '30 days'
          and e.kind = 'sent'
          and (e.app_version is not null or e.os_version is not null)
        group by e.delivery_id
    ),
    -- With the versions that the sends themselves stated.
    sends as materialized (
        select
            d.device_id, d.sent_at, d.platform, d.confirmed_at is not null as confirmed,
            v.app_version, v.os_version
        from afterpush.report_selected_deliveries(app, from_hour, to_hour) as d
        left join versions_of_sends as v using (delivery_id)
        where afterpush.is_sent(d.kinds)
    ),
    -- When each device with a send first and last stated each version of its app (dimension 1) and its system
    -- (dimension 2). Read from the tables, not from `sends`, so that several processes can read.
    stated as (
        select e.device_id, v.dimension, v.version, min(e.since) as since, max(e.last) as last
        from (
            select
                e.device_id, e.app_version, e.os_version, min(e.occurred_at) as since, max(e.occurred_at) as last
            from afterpush.events as e
            where e.app_id = (select a.app_id from afterpush.apps as a where a.name = app)
              and e.batch_id >= first_statement_batch
              and e.occurred_at >= from_hour - interval '30 days'
              and (e.app_version is not null or e.os_version is not null)
              and exists (select from sends as s where s.app_version is null or s.os_version is null)
              and e.device_id in (
                  select d.device_id
                  from afterpush.report_selected_deliveries(app, from_hour, to_hour) as d
                  where afterpush.is_sent(d.kinds)
              )
            group by e.device_id, e.app_version, e.os_version
        ) as e
        cross join lateral (values (1, e.app_version), (2, e.os_version)) as v (dimension, version)
        where v.version is not null
        group by e.device_id, v.dimension, v.version
    ),
    -- Most devices state one version after the other, so the first statement of each is enough. The others went back to
    -- an earlier version, and all their statements are needed.
    returned as materialized (
        select distinct device_id, dimension
        from (
            select *, lead(since) over (partition by device_id, dimension order by since, version desc) as next_since
            from stated
        ) as s
        where last >= next_since
    ),
    all_statements as (
        select e.device_id, v.dimension, min(v.version) as version, e.occurred_at as since
        from afterpush.events as e
        cross join lateral (values (1, e.app_version), (2, e.os_version)) as v (dimension, version)
        join returned as r on r.device_id = e.device_id and r.dimension = v.dimension
        where e.app_id = (select a.app_id from afterpush.apps as a where a.name = app)
          and e.batch_id >= first_statement_batch
          and e.occurred_at >= from_hour - interval '30 days'
          and v.version is not null
        group by e.device_id, v.dimension, e.occurred_at
    ),
    spans as (
        select
            *,
            lead(since, 1, 'infinity') over (partition by device_id, dimension order by since, version desc) as until
        from (
            select device_id, dimension, version, since
            from stated
            where (device_id, dimension) not in (select device_id, dimension from returned)
            union all
            select device_id, dimension, version, since
            from all_statements
        ) as s
    ),
    coverage as (
        select
            s.dimension, s.platform, coalesce(s.version, v.version) as version,
            count(*) as sent, count(*) filter (where s.confirmed) as confirmed
        from (
            select s.device_id, s.sent_at, s.platform, s.confirmed, v.dimension, v.version
            from sends as s
            cross join lateral (values (1, s.app_version), (2, s.os_version)) as v (dimension, version)
        ) as s
        left join spans as v
            on s.version is null
            and v.device_id = s.device_id
            and v.dimension = s.dimension
            and v.since < s.sent_at
            and s.sent_at <= v.until
        group by 1, 2, 3
    )
    select
        case dimension when 1 then 'app_version' else 'os_version' end, platform, version, sent, confirmed,
        (
            sum(sent) filter (where version is not null) over (partition by dimension, platform)
            - case when version is null then 0 else sent end
        )::bigint,
        (
            sum(confirmed) filter (where version is not null) over (partition by dimension, platform)
            - case when version is null then 0 else confirmed end
        )::bigint
    from coverage
$$;
comment on function afterpush.report_version_coverage is
    'Confirmed sends by platform and by the version of the app and of the system, with those of other versions.';
