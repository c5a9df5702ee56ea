-- Replaces what an app has set for dialects.
-- $1: app_id. $2: the settings, as JSON.
insert into afterpush.dialect_settings (app_id, settings)
values ($1, $2::jsonb)
on conflict (app_id) do update
set settings = excluded.settings,
    changed_at = now()
