-- title: Replies
-- description: What people typed. Per category, campaign and action: the most frequent answers, in lower case,
--   trimmed, with white space collapsed, and how many gave them. Answers of fewer than `fewest` deliveries are not
--   shown. A last row without an answer counts them, the answers after the first `top`, and the replies whose text is
--   not kept. With include_text the report shows the texts themselves, newest first, instead.
-- parameter: from time  first anchor hour; empty for no limit
-- parameter: to time  end of the anchor hours, exclusive; empty for no limit
-- parameter: tz zone  time zone of dates in from and to
-- parameter: campaign text  only this campaign
-- parameter: category text  only this category
-- parameter: variant text  only this variant
-- parameter: platform text  only this platform
-- parameter: verified boolean  count only verified events
-- parameter: include_text boolean  the texts themselves, with their times
-- parameter: top integer 1..1000  most answers shown per action
-- parameter: fewest integer 1..  answers of fewer deliveries are not shown
-- parameter: min_n integer 1..  a share of fewer deliveries than this is null
-- column: category_id text  category; null if unknown
-- column: campaign_id text  campaign; null if unknown
-- column: action_id text  the action
-- column: replies integer events  replies with this action, whatever the text
-- column: answer text  the answer in lower case, trimmed, white space collapsed; null for all other replies
-- column: count integer events  replies with this answer
-- column: deliveries integer deliveries  deliveries that gave this answer
-- column: replied integer deliveries  deliveries replied to with this action, whatever the answer
-- column: share number ratio  deliveries over replied
-- column: share_low number ratio  lower bound of its 95 % interval
-- column: share_high number ratio  upper bound of its 95 % interval
-- column: suppressed boolean  whether the share is null because of min_n
-- column: reason text  why the share is null: few
-- column: replied_at time  when the reply was given
-- column: text text  what was typed
-- rows: 10000  limit of rows, since each may hold 4 KiB
\if :{?app} \else \set app '' \endif
\if :{?from} \else \set from '' \endif
\if :{?to} \else \set to '' \endif
\if :{?tz} \else \set tz UTC \endif
\if :{?campaign} \else \set campaign '' \endif
\if :{?category} \else \set category '' \endif
\if :{?variant} \else \set variant '' \endif
\if :{?platform} \else \set platform '' \endif
\if :{?verified} \else \set verified false \endif
\if :{?include_text} \else \set include_text false \endif
\if :{?top} \else \set top 10 \endif
\if :{?fewest} \else \set fewest 2 \endif
\if :{?min_n} \else \set min_n 30 \endif
select
    from_hour,
    to_hour,
    case
        when :'include_text'::boolean then 'replied_at, text'
        else 'replies, answer, count, deliveries, replied, share, share_low, share_high, suppressed, reason'
    end as shown,
    case when :'include_text'::boolean then 'texts' else 'answers' end as source,
    -- Compiling the statement takes longer than running it.
    set_config('jit', 'off', false) as jit
from afterpush.report_bounds(
    :'app', afterpush.report_time(:'from', :'tz'), afterpush.report_time(:'to', :'tz')
) \gset
with replied as materialized (
    select
        d.category_id, d.campaign_id, e.action_identifier as action_id, e.delivery_id, e.event_id, e.device_time,
        e.occurred_at
    from (
        select
            app_id, delivery_id, verified_sent_at, receipt_issued_at, first_event_at,
            afterpush.stated(campaign_id, campaign_source_rank, :'verified') as campaign_id,
            afterpush.stated(variant, campaign_source_rank, :'verified') as variant,
            afterpush.stated(category_id, category_source_rank, :'verified') as category_id,
            afterpush.stated(platform, platform_source_rank, :'verified') as platform,
            case when :'verified'::boolean then verified_kinds else kinds end as kinds
        from afterpush.deliveries
        where not afterpush.is_held_out(kinds)
    ) as d
    join afterpush.events as e using (delivery_id)
    join afterpush.apps as a on a.app_id = d.app_id
    where a.name = :'app'
      and afterpush.has_replied(d.kinds)
      and (
          :'from_hour' = '-infinity'
          or coalesce(d.verified_sent_at, d.receipt_issued_at, d.first_event_at) >= :'from_hour'::timestamptz
      )
      and (
          :'to_hour' = 'infinity'
          or coalesce(d.verified_sent_at, d.receipt_issued_at, d.first_event_at) < :'to_hour'::timestamptz
      )
      and (:'campaign' = '' or d.campaign_id = :'campaign')
      and (:'category' = '' or d.category_id = :'category')
      and (:'variant' = '' or d.variant = :'variant')
      and (:'platform' = '' or d.platform = :'platform')
      and e.kind = 'text_input'
      and (e.verified or not :'verified'::boolean)
),
-- `place` numbers the groups, in their order.
given as materialized (
    select
        t.*, r.user_text, afterpush.normalised_answer(r.user_text) collate "C" as answer,
        dense_rank() over (
            order by t.category_id nulls last, t.campaign_id nulls last, t.action_id
        ) as place
    from replied as t
    left join afterpush.replies as r using (delivery_id, event_id, device_time)
),
texts as (
    select
        category_id, campaign_id, action_id, occurred_at as replied_at, user_text as text,
        row_number() over (
            order by occurred_at desc, user_text collate "C", category_id, campaign_id, action_id
        ) as place
    from given
    where user_text is not null
),
ranked as (
    select
        place, answer,
        row_number() over (
            partition by place
            order by count(distinct delivery_id) desc, count(*) desc, answer
        ) as rank
    from given
    where answer is not null
    group by place, answer
    having count(distinct delivery_id) >= :'fewest'::bigint
),
totals as (
    select
        place, category_id, campaign_id, action_id, count(*) as replies, count(distinct delivery_id) as replied
    from given
    group by place, category_id, campaign_id, action_id
),
-- Replies whose answer is not shown have no answer from here on.
counted as (
    select g.place, r.answer, r.rank, count(*) as count, count(distinct g.delivery_id) as deliveries
    from given as g
    left join ranked as r
        on r.place = g.place
        and r.answer = g.answer
        and r.rank <= :'top'::bigint
    group by g.place, r.answer, r.rank
),
answers as (
    select
        t.category_id, t.campaign_id, t.action_id, t.replies, c.answer, c.count, c.deliveries, t.replied,
        afterpush.rate(c.deliveries, t.replied, :'min_n') as share,
        afterpush.rate_low(c.deliveries, t.replied, :'min_n') as share_low,
        afterpush.rate_high(c.deliveries, t.replied, :'min_n') as share_high,
        afterpush.suppressed(:'min_n', t.replied) as suppressed,
        afterpush.missing_rates(:'min_n', t.replied, array[c.deliveries], array[t.replied]) as reason,
        row_number() over (order by c.place, c.rank nulls last) as place
    from counted as c
    join totals as t using (place)
)
select category_id, campaign_id, action_id, :shown
from :source
order by place;
