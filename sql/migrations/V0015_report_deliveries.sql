-- What reports select besides rollup rows: deliveries one by one, and counts of events.

-- The deliveries that a report selects, with what they say under its mode: all their events, or the verified ones alone.
-- `kinds` are the bits of their events (kind_bit), `reached_at` the confirmation, else the send.
create function afterpush.report_deliveries(
    app text, "from" timestamptz, "to" timestamptz, campaign text, category text, variant text, platform text,
    verified boolean
)
returns table (
    app_id integer, delivery_id uuid, device_id text, anchor_at timestamptz, hour timestamptz, campaign_id text,
    variant text, category_id text, category_version integer, platform text, app_version text, kinds integer,
    confirmed_at timestamptz, reached_at timestamptz, responded_at timestamptz
)
language sql stable
as $$
    select
        d.app_id,
        d.delivery_id,
        d.device_id,
        coalesce(d.sent_at, d.receipt_issued_at, d.first_event_at),
        afterpush.anchor_hour(d.sent_at, d.receipt_issued_at, d.first_event_at),
        coalesce(d.campaign_id, ''),
        coalesce(d.variant, ''),
        coalesce(d.category_id, ''),
        coalesce(d.category_version, 0),
        coalesce(d.platform, ''),
        coalesce(d.app_version, ''),
        case when report_deliveries.verified then d.verified_kinds else d.kinds end,
        case when report_deliveries.verified then d.verified_confirmed_at else d.confirmed_at end,
        case
            when report_deliveries.verified then coalesce(d.verified_confirmed_at, d.verified_sent_at)
            else coalesce(d.confirmed_at, d.sent_at)
        end,
        case when report_deliveries.verified then d.verified_responded_at else d.responded_at end
    from afterpush.deliveries as d
    join afterpush.apps as a using (app_id)
    where a.name = report_deliveries.app
      and (not report_deliveries.verified or d.verified_kinds <> 0)
      and (
          report_deliveries."from" is null
          or coalesce(d.sent_at, d.receipt_issued_at, d.first_event_at)
              >= date_bin('1 hour', report_deliveries."from" + interval '3599.999999 s', timestamptz '2000-01-01 00:00Z')
      )
      and (
          report_deliveries."to" is null
          or coalesce(d.sent_at, d.receipt_issued_at, d.first_event_at)
              < date_bin('1 hour', report_deliveries."to" + interval '3599.999999 s', timestamptz '2000-01-01 00:00Z')
      )
      and (report_deliveries.campaign is null or d.campaign_id = report_deliveries.campaign)
      and (report_deliveries.category is null or d.category_id = report_deliveries.category)
      and (report_deliveries.variant is null or d.variant = report_deliveries.variant)
      and (report_deliveries.platform is null or d.platform = report_deliveries.platform)
$$;
comment on function afterpush.report_deliveries is 'The deliveries that a report selects.';

-- Counts of the events that a report selects, by hour and kind. Campaign, category, variant and platform are those of the
-- event's delivery; an event about a device alone has a platform at most.
create function afterpush.report_events(
    app text, "from" timestamptz, "to" timestamptz, campaign text, category text, variant text, platform text,
    verified boolean
)
returns table (hour timestamptz, kind afterpush.event_kind, events bigint)
language sql stable
as $$
    select
        date_bin('1 hour', e.occurred_at, timestamptz '2000-01-01 00:00Z'),
        e.kind,
        count(*)
    from afterpush.events as e
    join afterpush.apps as a using (app_id)
    left join afterpush.deliveries as d
        on d.delivery_id = e.delivery_id
        and coalesce(
            report_events.campaign, report_events.category, report_events.variant, report_events.platform
        ) is not null
    where a.name = report_events.app
      and (not report_events.verified or e.verified)
      and (
          report_events."from" is null
          or e.occurred_at
              >= date_bin('1 hour', report_events."from" + interval '3599.999999 s', timestamptz '2000-01-01 00:00Z')
      )
      and (
          report_events."to" is null
          or e.occurred_at
              < date_bin('1 hour', report_events."to" + interval '3599.999999 s', timestamptz '2000-01-01 00:00Z')
      )
      and (report_events.campaign is null or d.campaign_id = report_events.campaign)
      and (report_events.category is null or d.category_id = report_events.category)
      and (report_events.variant is null or d.variant = report_events.variant)
      and (
          report_events.platform is null
          or report_events.platform = case when e.kind >= 'token_registered' then e.platform else d.platform end
      )
      -- What is not in the rollups yet is in no report.
      and e.batch_id not in (select b.batch_id from afterpush.batches as b where b.rolled_up_at is null)
    group by 1, 2
$$;
comment on function afterpush.report_events is 'Counts of the events that a report selects, by hour and kind.';

grant execute on function afterpush.report_deliveries, afterpush.report_events to afterpush_report;
grant select on afterpush.replies to afterpush_report;
