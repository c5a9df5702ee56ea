-- What keeps an app's events from being found, for the inspector.
-- $1: app_id. $2: how many of the newest rejected events are counted.
-- Runs as afterpush_report. Returns a JSON object: when events were last stored, the events that are stored but not
-- counted yet, those of all apps that are in a spool, and the rejected events of the last 24 hours by code.
select json_build_object(
    'last_stored_at', (
        select b.started_at
        from afterpush.batches as b
        where b.app_id = $1
          and b.events > 0
        order by b.started_at desc
        limit 1
    ),
    'waiting_events', (
        select coalesce(sum(b.events), 0)
        from (
            select b.events
            from afterpush.batches as b
            where b.rolled_up_at is null
              and b.app_id = $1
            -- By the index of the app's waiting batches, and not of all that wait.
            order by b.batch_id + 0
            offset 0
        ) as b
    ),
    'spooled_events', (select coalesce(sum(s.events), 0) from afterpush.spools as s),
    'rejected_last_day', (
        select coalesce(json_object_agg(code, events order by events desc, code), '{}')
        from (
            select r.code, count(*) as events
            from (
                select code, received_at
                from afterpush.rejected_events
                where app_id = $1
                order by received_at desc
                limit $2
            ) as r
            where r.received_at > now() - interval '24 hours'
            group by r.code
        ) as by_code
    )
)::text
