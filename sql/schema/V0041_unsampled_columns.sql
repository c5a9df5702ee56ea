-- The planner's samples keep values of rows that are deleted, and no plan needs samples of these columns, in which the id of
-- an erased device may be.
alter table afterpush.erasures alter column device_id set statistics 0;
alter table afterpush.rejected_events alter column event_id set statistics 0;
alter table afterpush.alert_states alter column series set statistics 0, alter column description set statistics 0;
alter table afterpush.alert_history alter column series set statistics 0, alter column description set statistics 0;
alter table afterpush.alert_messages alter column subject set statistics 0, alter column body set statistics 0;
alter table afterpush.dialect_events alter column name set statistics 0;

-- Partitions that come later are made so by describe_partition.
do $$
declare
    part regclass;
begin
    for part in
        select relid from pg_partition_tree('afterpush.events')
    loop
        execute format(
            'alter table %s alter column properties set statistics 0, alter column reason set statistics 0', part
        );
    end loop;
end
$$;
