-- What was declared of an app's campaigns, as report_counts joins it: goals, the last closed anchor hour, declared
-- sends.
create or replace function afterpush.report_terms(app_id integer, campaign text, last_closed timestamptz)
returns afterpush.campaign_terms[]
language plpgsql stable
as $$
begin
    return array(
        select row(
            coalesce(c.campaign_id, s.campaign_id),
            coalesce(c.goal_actions, '{}'),
            last_closed - coalesce(c.response_window, interval '72 hours'),
            s.campaign_id is not null,
            s.last_hour
        )::afterpush.campaign_terms
        from (select * from afterpush.campaigns as c where c.app_id = report_terms.app_id) as c
        full join (
            select s.campaign_id, afterpush.hour_of(max(s.sent_at)) as last_hour
            from afterpush.sends as s
            where s.app_id = report_terms.app_id
            group by s.campaign_id
        ) as s on s.campaign_id = c.campaign_id
        where report_terms.campaign is null
           or coalesce(c.campaign_id, s.campaign_id) = report_terms.campaign
    );
end
$$;
comment on function afterpush.report_terms is
    'What holds of the deliveries of each declared campaign, and of each campaign with declared sends.';
