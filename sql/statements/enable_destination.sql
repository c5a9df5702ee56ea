-- Enables a destination again.
-- $1: app_id. $2: kind. $3: target.
delete from afterpush.disabled_destinations
where app_id = $1
  and kind = $2
  and target = $3
