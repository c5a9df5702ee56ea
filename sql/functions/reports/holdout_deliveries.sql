-- The deliveries of campaigns that a report on holdouts compares: those in state sent, failed or held out, with their anchor
-- from `starts` until before `ends`.
create or replace function afterpush.holdout_deliveries(
    of_app integer, campaigns text[], starts timestamptz, ends timestamptz, only_verified boolean
)
returns table (delivery_id uuid, device_id text, campaign_id text, is_held_out boolean, at timestamptz)
language sql stable
as $$
    select d.delivery_id, d.device_id, d.campaign_id, d.is_held_out, d.at
    from (
        select
            delivery_id, app_id, device_id,
            afterpush.stated(campaign_id, campaign_source_rank, only_verified) as campaign_id,
            afterpush.is_held_out(kinds) as is_held_out,
            case when only_verified then verified_kinds else kinds end as state_kinds,
            afterpush.anchor_at(verified_sent_at, receipt_issued_at, first_event_at) as at
        from afterpush.deliveries
    ) as d
    where d.app_id = of_app
      and d.device_id is not null
      and d.at >= starts
      and d.at < ends
      and d.campaign_id = any (campaigns)
      and (d.is_held_out or afterpush.is_sent(d.state_kinds) or afterpush.has_failed(d.state_kinds))
$$;
comment on function afterpush.holdout_deliveries is 'Returns the deliveries of campaigns that a report on holdouts compares.';
