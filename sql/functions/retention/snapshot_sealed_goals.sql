create or replace function afterpush.snapshot_sealed_goals() returns trigger
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    sealed timestamptz := (select sealed_before from afterpush.rollup_worker);
    kept_before timestamptz := (
        select coalesce(max(g.sealed_before), '-infinity')
        from afterpush.sealed_goals as g
        where g.app_id = new.app_id
          and g.campaign_id = new.campaign_id
    );
    goals text[] := '{}';
begin
    if tg_op = 'UPDATE' then
        goals := old.goal_actions;
    end if;
    if sealed > kept_before and goals <> new.goal_actions then
        insert into afterpush.sealed_goals (app_id, campaign_id, sealed_from, sealed_before, goal_actions)
        values (new.app_id, new.campaign_id, kept_before, sealed, goals);
    end if;
    return null;
end
$$;
comment on function afterpush.snapshot_sealed_goals is
    'Keeps a campaign''s goals for the hours that are sealed when they change.';

create or replace trigger snapshot_sealed_goals after insert or update on afterpush.campaigns
    for each row
    execute function afterpush.snapshot_sealed_goals();
