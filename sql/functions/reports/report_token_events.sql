-- Events about push tokens and the permission to notify that occurred in the selected hours. They are about the device
-- alone, so they name no campaign.
create or replace function afterpush.report_token_events(
    app text, from_hour timestamptz, to_hour timestamptz
)
returns setof afterpush.events
language sql stable parallel safe
as $$
    select e.*
    from afterpush.events as e
    where e.app_id = (select a.app_id from afterpush.apps as a where a.name = app)
      and e.kind in ('token_registered', 'token_failed', 'permission_granted', 'permission_revoked')
      and e.occurred_at >= from_hour
      and e.occurred_at < to_hour
$$;
comment on function afterpush.report_token_events is
    'Changes of push tokens and permissions in the selected hours.';
