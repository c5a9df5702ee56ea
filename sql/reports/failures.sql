-- title: Failures and tokens
-- description: Why the provider refused notifications, and how device tokens come and go: events of the kinds failed,
--   token_failed, token_registered, permission_granted and permission_revoked by reason, at the time at which they
--   happened.
-- parameter: from time  first event counted; empty: no bound
-- parameter: to time  first event not counted; empty: no bound
-- parameter: tz zone  zone of days, and of dates in from and to
-- parameter: campaign text  only this campaign
-- parameter: platform text  only this platform
-- parameter: by list day|platform|campaign  groups: at most two, in this order
-- parameter: verified boolean  count only verified events
-- column: day date  local day of the event
-- column: platform text  platform; null is unknown
-- column: campaign_id text  campaign that the event names; null is none
-- column: kind text  failed, token_failed, token_registered, permission_granted or permission_revoked
-- column: reason text  the provider's reason; null is none given
-- column: events integer events  events
-- column: devices integer devices  different devices
-- column: first_at time  the first of them
-- column: last_at time  the last of them
\if :{?app} \else \set app '' \endif
\if :{?from} \else \set from '' \endif
\if :{?to} \else \set to '' \endif
\if :{?tz} \else \set tz UTC \endif
\if :{?campaign} \else \set campaign '' \endif
\if :{?platform} \else \set platform '' \endif
\if :{?by} \else \set by '' \endif
\if :{?verified} \else \set verified false \endif
select
    coalesce(string_agg(name, ', ' order by place) || ',', '') as by_columns,
    coalesce(string_agg(name || ' nulls last', ', ' order by place) || ',', '') as by_order
from unnest(string_to_array(nullif(:'by', ''), ',')) with ordinality as w (word, place)
cross join lateral (select case word when 'campaign' then 'campaign_id' when 'platform' then 'platform' else 'day' end) as n (name)
\gset
with picked as (
    select
        (e.occurred_at at time zone :'tz')::date as day,
        coalesce(e.platform, d.platform) as platform,
        coalesce(e.campaign_id, d.campaign_id) as campaign_id,
        e.kind::text as kind,
        e.reason,
        e.device_id,
        e.occurred_at
    from afterpush.events as e
    join afterpush.apps as a using (app_id)
    left join afterpush.deliveries as d on d.delivery_id = e.delivery_id and e.kind = 'failed'
    where a.name = :'app'
      and e.kind in ('failed', 'token_failed', 'token_registered', 'permission_granted', 'permission_revoked')
      and (:'from' = '' or e.occurred_at >= afterpush.report_time(:'from', :'tz'))
      and (:'to' = '' or e.occurred_at < afterpush.report_time(:'to', :'tz'))
      and (not :'verified'::boolean or e.verified)
      and e.batch_id not in (select b.batch_id from afterpush.batches as b where b.rolled_up_at is null)
)
select
    :by_columns
    kind,
    reason,
    count(*) as events,
    count(distinct device_id) as devices,
    min(occurred_at) as first_at,
    max(occurred_at) as last_at
from picked
where (:'campaign' = '' or campaign_id = :'campaign')
  and (:'platform' = '' or platform = :'platform')
group by :by_columns kind, reason
order by :by_order kind, events desc, reason nulls last;
