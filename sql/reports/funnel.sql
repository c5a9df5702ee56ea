-- title: Funnel
-- description: How far deliveries came: sent, delivered, displayed, responded, acted, converted. Each step counts the
--   deliveries of the group in that state, whether or not they are in the state before. A share is null if the
--   step that it is a share of has no deliveries, or fewer (sends that were not reported). By day or hour, there are no
--   shares of declared sends, because the deliveries may have arrived on another day.
-- parameter: from time  first anchor hour; empty for no limit
-- parameter: to time  end of the anchor hours, exclusive; empty for no limit
-- parameter: tz zone  time zone of days, and of dates in from and to
-- parameter: campaign text  only this campaign
-- parameter: category text  only this category
-- parameter: variant text  only this variant
-- parameter: platform text  only this platform
-- parameter: app_version text  only this version of the app
-- parameter: verified boolean  count only states that verified events show
-- parameter: by list campaign|category|variant|platform|day|hour|app_version  groups, at most two, in the order given
-- column: campaign_id text  campaign; null if unknown
-- column: category_id text  category; null if unknown
-- column: variant text  variant of the campaign; null if unknown
-- column: platform text  platform; null if unknown
-- column: day date  local day of the anchor hour's start
-- column: hour time  anchor hour
-- column: app_version text  version of the app; null if unknown
-- column: step text  state that is counted
-- column: deliveries integer deliveries  deliveries in that state; for sent, declared sends if there are any
-- column: share_of_first number ratio  share of the first step
-- column: share_of_previous number ratio  share of the step before
-- column: reason text  why a share is null: no_base (nothing to be a share of), uncovered (more than what it is a share of);
--   the first step is a share of no other
\if :{?app} \else \set app '' \endif
\if :{?from} \else \set from '' \endif
\if :{?to} \else \set to '' \endif
\if :{?tz} \else \set tz UTC \endif
\if :{?campaign} \else \set campaign '' \endif
\if :{?category} \else \set category '' \endif
\if :{?variant} \else \set variant '' \endif
\if :{?platform} \else \set platform '' \endif
\if :{?app_version} \else \set app_version '' \endif
\if :{?verified} \else \set verified false \endif
\if :{?by} \else \set by '' \endif
select by_columns, case when :'by' = '' then 'place' else by_order || ', place' end as sorted
from afterpush.report_by(:'by') \gset
with counted as (
    select
        *,
        array[sent, delivered, displayed, responded, acted, converted] as counts,
        -- What shares are computed of. By day or hour, declared sends are no base.
        array[case when sent = sent_base then sent end, delivered, displayed, responded, acted] as wholes
    from afterpush.report_counts(
        :'app',
        afterpush.report_time(:'from', :'tz'),
        afterpush.report_time(:'to', :'tz'),
        nullif(:'campaign', ''),
        nullif(:'category', ''),
        nullif(:'variant', ''),
        nullif(:'platform', ''),
        :'verified'::boolean,
        -- No step counts deliveries of a base.
        '{}',
        :'by',
        :'tz',
        closing => false,
        only_app_version => nullif(:'app_version', '')
    )
),
steps as (
    select
        :by_columns place, step, counts[place] as deliveries, wholes[1] as first, wholes[place - 1] as previous
    from counted
    cross join unnest(array['sent', 'delivered', 'displayed', 'responded', 'acted', 'converted'])
        with ordinality as s (step, place)
)
select
    :by_columns
    step,
    deliveries,
    afterpush.rate(deliveries, first, 1) as share_of_first,
    afterpush.rate(deliveries, previous, 1) as share_of_previous,
    case
        when coalesce(first, 0) = 0 or place > 1 and coalesce(previous, 0) = 0 then 'no_base'
        when deliveries > first or deliveries > previous then 'uncovered'
    end as reason
from steps
order by :sorted;
