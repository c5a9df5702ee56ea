-- Recomputes the rollups by day from those by hour, for days with hours that are not sealed.
--
-- sealed: the start of the hours that are not sealed. Its day is the sum of hours on both sides of it, all of which the
-- rollups by hour still hold.
create or replace function afterpush.rebuild_rollup_days(sealed timestamptz) returns void
language plpgsql
as $$
declare
    first_day constant timestamptz := afterpush.day_of(sealed);
begin
    delete from afterpush.rollup_delivery_days where anchor_day >= first_day;
    delete from afterpush.rollup_campaign_days where anchor_day >= first_day;
    delete from afterpush.rollup_goal_days where anchor_day >= first_day;
    delete from afterpush.rollup_action_days where anchor_day >= first_day;
    delete from afterpush.rollup_response_days where anchor_day >= first_day;
    insert into afterpush.rollup_delivery_days
    select * from afterpush.summed_delivery_days where anchor_day >= first_day;
    insert into afterpush.rollup_campaign_days
    select * from afterpush.summed_campaign_days where anchor_day >= first_day;
    insert into afterpush.rollup_goal_days
    select * from afterpush.summed_goal_days where anchor_day >= first_day;
    insert into afterpush.rollup_action_days
    select * from afterpush.summed_action_days where anchor_day >= first_day;
    insert into afterpush.rollup_response_days
    select * from afterpush.summed_response_days where anchor_day >= first_day;
end
$$;
comment on function afterpush.rebuild_rollup_days is
    'Recomputes the rollups by day from those by hour, for days with hours that are not sealed.';
