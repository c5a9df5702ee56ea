-- Destinations of an app that answered 410.
-- $1: app_id.
select kind, target
from afterpush.disabled_destinations
where app_id = $1
order by kind, target
