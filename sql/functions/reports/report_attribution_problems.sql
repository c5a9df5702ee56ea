-- Problems with a delivery's dimensions (platform, app_version, campaign, category). Its events are compared with the
-- values that hold for it, each event with its source rank: sends, confirmations and other events have 1, 2 and 3 if
-- they are verified, else 4, 5 and 6 (functions/deliveries/attribution.sql).
--
--   conflict        an event of the deciding source rank states another value
--   from responses  only events other than sends and confirmations state a value, and the delivery did not fail
--
-- A set of problems has a bit for each dimension and problem; the functions for bits name them.

create or replace function afterpush.report_conflict_bit(dimension text) returns integer
language sql immutable parallel safe
return case dimension
    when 'platform' then 1
    when 'app_version' then 2
    when 'campaign' then 4
    when 'category' then 8
end;
comment on function afterpush.report_conflict_bit is 'The bit for a conflict about a dimension.';

create or replace function afterpush.report_from_responses_bit(dimension text) returns integer
language sql immutable parallel safe
return 16 * afterpush.report_conflict_bit(dimension);
comment on function afterpush.report_from_responses_bit is 'The bit for a dimension that only responses state.';

-- The problems that one event shows with one dimension of its delivery.
--
-- stated: whether the event states the dimension.
-- differs: whether its value differs from the delivery's.
-- source_rank, deciding_rank: the event's source rank, and the one that decided the delivery's value; 7 for none.
-- fallback: what an unverified send or confirmation states, if a verified response decided; null for nothing.
-- failed: whether the delivery is in state failed, so that no response can be missing a send.
create or replace function afterpush.report_event_problems(
    dimension text, stated boolean, differs boolean, source_rank integer, deciding_rank smallint, fallback text,
    failed boolean
) returns integer
language sql immutable parallel safe
return case
    when not stated then 0
    else (deciding_rank = source_rank and differs)::integer * afterpush.report_conflict_bit(dimension)
        + (source_rank in (3, 6) and deciding_rank in (3, 6, 7) and fallback is null and not failed)::integer
            * afterpush.report_from_responses_bit(dimension)
end;
comment on function afterpush.report_event_problems is
    'The problems that an event shows with a dimension of its delivery, as bits.';

-- The problems of the selected deliveries: one row for each delivery of which some events show problems, and one per
-- anchor hour (delivery_id null) for all events that show none. `last_stored_at` is when the last of these events was
-- stored.
--
-- `offset 0` keeps the planner from merging the selects: problems are then computed once for each event and not once for
-- each use, and by parallel workers.
create or replace function afterpush.report_attribution_problems(
    app text, from_hour timestamptz, to_hour timestamptz, first_batch bigint
)
returns table (anchor_hour timestamptz, problems integer, delivery_id uuid, last_stored_at timestamptz)
language sql stable parallel safe
as $$
    select c.anchor_hour, bit_or(c.problems), c.delivery_id, max(c.started_at)
    from (
        select
            p.anchor_hour, p.started_at, p.problems, case when p.problems <> 0 then p.delivery_id end as delivery_id
        from (
            select
                afterpush.anchor_hour(d.verified_sent_at, d.receipt_issued_at, d.first_event_at) as anchor_hour,
                b.started_at,
                d.delivery_id,
                afterpush.report_event_problems(
                    'platform', e.platform is not null, e.platform <> d.platform, e.source_rank,
                    d.platform_source_rank, d.fallbacks[1], afterpush.has_failed(d.kinds)
                )
                + afterpush.report_event_problems(
                    'app_version', e.app_version is not null, e.app_version <> d.app_version,
                    e.source_rank, d.app_version_source_rank, d.fallbacks[2], afterpush.has_failed(d.kinds)
                )
                + afterpush.report_event_problems(
                    'campaign', e.campaign_id is not null,
                    e.campaign_id <> d.campaign_id or e.variant is distinct from d.variant,
                    e.source_rank, d.campaign_source_rank, d.fallbacks[3], afterpush.has_failed(d.kinds)
                )
                + afterpush.report_event_problems(
                    'category', e.category_id is not null,
                    e.category_id <> d.category_id or e.category_version is distinct from d.category_version,
                    e.source_rank, d.category_source_rank, d.fallbacks[4], afterpush.has_failed(d.kinds)
                ) as problems
            from (
                select
                    *,
                    case kind when 'sent' then 1 when 'delivered' then 2 else 3 end
                        + case when verified then 0 else 3 end as source_rank
                from afterpush.events
                where app_id = (select a.app_id from afterpush.apps as a where a.name = app)
                  and batch_id >= first_batch
                  and notification_id is not null
            ) as e
            join afterpush.report_selected_deliveries(app, from_hour, to_hour) as d using (delivery_id)
            join afterpush.batches as b using (batch_id)
            offset 0
        ) as p
    ) as c
    group by c.anchor_hour, c.delivery_id
$$;
comment on function afterpush.report_attribution_problems is
    'Which dimensions of the selected deliveries are in conflict, or known from responses only.';
