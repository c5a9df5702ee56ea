-- title: Replies
-- description: What people answered: how many replies, and the most frequent answers, compared in lower case, without
--   accents of another spelling (Unicode NFKC), surrounding marks and repeated white space. With include_text=true,
--   the texts themselves, newest first. Texts are kept for as long as the category's text_retention says; replies
--   whose text is gone are in conversion, not here.
-- parameter: from time  first reply counted; empty: no bound
-- parameter: to time  first reply not counted; empty: no bound
-- parameter: tz zone  zone of days, and of dates in from and to
-- parameter: campaign text  only this campaign
-- parameter: category text  only this category
-- parameter: top integer 1..1000  how many answers of each category, campaign and action
-- parameter: include_text boolean  the texts themselves instead of counts
-- column: category_id text  category; null is unknown
-- column: campaign_id text  campaign; null is unknown
-- column: action_id text  the action that was answered with
-- column: replied_at time  when it was answered
-- column: replies integer events  replies of the category, campaign and action whose text is kept
-- column: answer text  the answer, normalised
-- column: count integer events  replies with this answer
-- column: share number ratio  of the replies
-- column: text text  what was written
\if :{?app} \else \set app '' \endif
\if :{?from} \else \set from '' \endif
\if :{?to} \else \set to '' \endif
\if :{?tz} \else \set tz UTC \endif
\if :{?campaign} \else \set campaign '' \endif
\if :{?category} \else \set category '' \endif
\if :{?top} \else \set top 10 \endif
\if :{?include_text} \else \set include_text false \endif
select
    case
        when :'include_text'::boolean then 'category_id, campaign_id, action_id, replied_at, text'
        else 'category_id, campaign_id, action_id, replies, answer, count, share'
    end as shown,
    case when :'include_text'::boolean then 'texts' else 'answers' end as source,
    case
        when :'include_text'::boolean then 'replied_at desc, text'
        else 'category_id nulls last, campaign_id nulls last, action_id, count desc, answer'
    end as sorted
\gset
with texts as (
    select
        d.category_id,
        d.campaign_id,
        e.action_identifier as action_id,
        e.occurred_at as replied_at,
        r.user_text as text
    from afterpush.replies as r
    join afterpush.apps as a using (app_id)
    join afterpush.events as e using (delivery_id, event_id, device_time)
    join afterpush.deliveries as d using (delivery_id)
    where a.name = :'app'
      and (:'from' = '' or e.occurred_at >= afterpush.report_time(:'from', :'tz'))
      and (:'to' = '' or e.occurred_at < afterpush.report_time(:'to', :'tz'))
      and (:'campaign' = '' or d.campaign_id = :'campaign')
      and (:'category' = '' or d.category_id = :'category')
),
normalised as (
    select
        category_id,
        campaign_id,
        action_id,
        btrim(regexp_replace(lower(normalize(text, nfkc)), '\s+', ' ', 'g'), ' .,;:!?"''') as answer
    from texts
),
frequent as (
    select
        category_id,
        campaign_id,
        action_id,
        answer,
        count(*) as count,
        sum(count(*)) over g::bigint as replies,
        row_number() over (g order by count(*) desc, answer collate "C") as place
    from normalised
    group by category_id, campaign_id, action_id, answer
    window g as (partition by category_id, campaign_id, action_id)
),
answers as (
    select
        category_id, campaign_id, action_id, replies, answer, count, count::double precision / replies as share
    from frequent
    where place <= :'top'::bigint
)
select :shown
from :source
order by :sorted;
