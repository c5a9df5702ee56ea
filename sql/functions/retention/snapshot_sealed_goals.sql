-- Trigger on campaigns: when goals change, saves the old ones in sealed_goals for the hours that are sealed by then, so
-- that the conversions of these hours don't change. A newly declared campaign had no goals before.
create or replace function afterpush.snapshot_sealed_goals() returns trigger
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    sealed timestamptz := (select sealed_before from afterpush.rollup_worker);
    saved_before timestamptz := (
        select coalesce(max(g.sealed_before), '-infinity')
        from afterpush.sealed_goals as g
        where g.app_id = new.app_id
          and g.campaign_id = new.campaign_id
    );
    old_goals text[] := '{}';
begin
    if tg_op = 'UPDATE' then
        old_goals := old.goal_actions;
    end if;
    if sealed > saved_before and old_goals <> new.goal_actions then
        insert into afterpush.sealed_goals (app_id, campaign_id, sealed_from, sealed_before, goal_actions)
        values (new.app_id, new.campaign_id, saved_before, sealed, old_goals);
    end if;
    return null;
end
$$;
comment on function afterpush.snapshot_sealed_goals is
    'Trigger: saves the former goals of a campaign for the hours that are sealed when its goals change.';

create or replace trigger snapshot_sealed_goals after insert or update on afterpush.campaigns
    for each row
    execute function afterpush.snapshot_sealed_goals();
