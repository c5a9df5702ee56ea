-- The replies whose time has passed: that of their category, as their event states it, else as their delivery has it,
-- else the app's.
create or replace view afterpush.expired_replies as
select r.ctid as place
from afterpush.replies as r
cross join lateral (
    select coalesce(
        (
            select e.category_id
            from afterpush.events as e
            where (e.delivery_id, e.event_id, e.device_time) = (r.delivery_id, r.event_id, r.device_time)
        ),
        (select d.category_id from afterpush.deliveries as d where d.delivery_id = r.delivery_id)
    ) as category_id
) as told
cross join lateral (
    select coalesce(
        (
            select c.text_retention
            from afterpush.categories as c
            where c.app_id = r.app_id
              and c.category_id = told.category_id
            order by c.version desc
            limit 1
        ),
        (select a.text_retention from afterpush.apps as a where a.app_id = r.app_id)
    ) as kept
) as retention
where r.stored_at < now() - retention.kept;
comment on view afterpush.expired_replies is 'Where the replies are whose time has passed.';
