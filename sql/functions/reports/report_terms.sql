-- What holds of an app's campaigns, as report_counts joins it: goals, the last closed anchor hour, declared sends, and
-- the base of rates where report_bases chose another than for most campaigns.
create or replace function afterpush.report_terms(
    app_id integer, campaign text, last_closed timestamptz, bases afterpush.campaign_base[]
)
returns afterpush.campaign_terms[]
language plpgsql stable
as $$
begin
    return array(
        select row(
            campaign_id,
            coalesce(c.goal_actions, '{}'),
            last_closed - coalesce(c.response_window, interval '72 hours'),
            s.campaign_id is not null,
            s.last_hour,
            b.base
        )::afterpush.campaign_terms
        from (select * from afterpush.campaigns as c where c.app_id = report_terms.app_id) as c
        full join (
            select s.campaign_id, afterpush.hour_of(max(s.sent_at)) as last_hour
            from afterpush.sends as s
            where s.app_id = report_terms.app_id
            group by s.campaign_id
        ) as s using (campaign_id)
        full join (select * from unnest(bases) as b where b.campaign_id is not null) as b using (campaign_id)
        where report_terms.campaign is null
           or campaign_id = report_terms.campaign
    );
end
$$;
comment on function afterpush.report_terms is
    'What holds of the deliveries of each campaign that was declared, has declared sends, or has a base of its own.';
