-- Some stored deliveries as rollup_stored_hours counts them, each with a sign; null if there are none. Those of sealed
-- hours are left out.
create or replace function afterpush.stored_hours_of(delivery_ids uuid[], sealed timestamptz, sign integer)
returns afterpush.rollup_stored_hours[]
language sql stable
as $$
    select array_agg(
        row(
            app_id, anchor_hour, last_stored_hour, sign * deliveries, sign * timed, sign * negative
        )::afterpush.rollup_stored_hours
    )
    from (
        select
            app_id,
            afterpush.anchor_hour(verified_sent_at, receipt_issued_at, first_event_at) as anchor_hour,
            last_stored_hour,
            1 as deliveries,
            (responded_at is not null and coalesce(confirmed_at, sent_at) is not null)::integer as timed,
            coalesce(responded_at < coalesce(confirmed_at, sent_at), false)::integer as negative
        from afterpush.deliveries
        where delivery_id = any (delivery_ids)
          and not afterpush.is_held_out(kinds)
    ) as d
    where anchor_hour >= sealed
$$;
comment on function afterpush.stored_hours_of is
    'Some stored deliveries as rollup_stored_hours counts them, with a sign.';
