-- How many of the selected sends were confirmed, by platform and by version on the device. `dimension` is app_version
-- or os_version. A version that the send did not state is the one that the device stated last before it; of several
-- stated at the same moment, the smallest. What was stated over 30 days before the first hour isn't searched for.
--
-- If the deliveries are many, only those of some devices are read (function sample_of_devices), and all numbers are those
-- of these devices. The indexes deliveries_device_number and events_devices_one_in_... find them.
--
-- first_statement_batch: a batch before which none can hold such a statement (function report_bounds).
-- version: null if unknown.
-- other_sent, other_confirmed: the other known versions of the platform together; null if there is no known version.
-- one_in: of how many devices one was read; 1 if all were.
create or replace function afterpush.report_version_coverage(
    app text, from_hour timestamptz, to_hour timestamptz, first_statement_batch bigint
)
returns table (
    dimension text, platform text, version text, sent bigint, confirmed bigint, other_sent bigint,
    other_confirmed bigint, one_in integer
)
-- An unsafe function would keep the rest of the report from running in parallel.
language plpgsql stable parallel restricted
-- Planned for its arguments, above all for its times.
set plan_cache_mode = force_custom_plan
as $$
declare
    this_app constant integer := (select a.app_id from afterpush.apps as a where a.name = app);
    one_in constant integer := afterpush.report_one_in(app, from_hour, to_hour, false, 25000);
begin
    return query execute format(
        $text$
        with versions_of_sends as (
            select
                e.delivery_id,
                coalesce(min(e.app_version) filter (where e.verified), min(e.app_version)) as app_version,
                coalesce(min(e.os_version) filter (where e.verified), min(e.os_version)) as os_version
            from afterpush.events as e
            where e.app_id = $1
              -- An unverified send can lie before its delivery's anchor.
              and e.batch_id >= $4
              and e.occurred_at >= $2 - interval '30 days'
              and e.kind = 'sent'
              and (e.app_version is not null or e.os_version is not null)
              %1$s
            group by e.delivery_id
        ),
        -- With the versions that the sends themselves stated.
        sends as materialized (
            select
                d.device_id, d.sent_at, d.platform, d.confirmed_at is not null as confirmed,
                v.app_version, v.os_version
            from afterpush.report_selected_deliveries($5, $2, $3) as d
            left join versions_of_sends as v using (delivery_id)
            where afterpush.is_sent(d.kinds)
              %2$s
        ),
        statements as (
            select e.device_id, v.dimension, min(v.version) as version, e.occurred_at as since
            from afterpush.events as e
            cross join lateral (values (1, e.app_version), (2, e.os_version)) as v (dimension, version)
            where e.app_id = $1
              and e.batch_id >= $4
              and e.occurred_at >= $2 - interval '30 days'
              and (e.app_version is not null or e.os_version is not null)
              %1$s
              and exists (select from sends as s where s.app_version is null or s.os_version is null)
              and v.version is not null
            group by e.device_id, v.dimension, e.occurred_at
        ),
        spans as (
            select
                device_id, dimension, version, since,
                lead(since, 1, 'infinity') over (partition by device_id, dimension order by since) as until
            from statements
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
            )::bigint,
            $6
        from coverage
        $text$,
        -- As conditions of the statement, so that the planner finds the indexes.
        case
            when one_in > 1
            then format(
                'and (hashtextextended(e.device_id, 0) & 1048575) < %s', afterpush.device_number_end(one_in)
            )
        end
        || case when one_in >= 128 then ' and (hashtextextended(e.device_id, 0) & 1040384) = 0' else '' end,
        case when one_in > 1 then format('and d.device_number < %s', afterpush.device_number_end(one_in)) end
    )
    using this_app, from_hour, to_hour, first_statement_batch, app, one_in;
end
$$;
comment on function afterpush.report_version_coverage is
    'Confirmed sends by platform and by the version of the app and of the system, with those of other versions.';
