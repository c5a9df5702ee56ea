-- How many messages of an app wait to be delivered, counted up to a number.
-- $1: app_id. $2: the number.
select count(*)
from (
    select
    from afterpush.alert_messages
    where app_id = $1
      and ended_at is null
    limit $2
) as waiting
