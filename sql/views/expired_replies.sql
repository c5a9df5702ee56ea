-- The replies whose retention has ended.
--
-- stored_row  the location (ctid) of the reply
--
-- How long a reply is kept is set by its category, else by the app. Its category is the one that its event states, else
-- the one of its delivery; the newest version of the category counts.
create or replace view afterpush.expired_replies as
select r.ctid as stored_row
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
) as stated
cross join lateral (
    select coalesce(
        (
            select c.text_retention
            from afterpush.categories as c
            where c.app_id = r.app_id
              and c.category_id = stated.category_id
            order by c.version desc
            limit 1
        ),
        (select a.text_retention from afterpush.apps as a where a.app_id = r.app_id)
    ) as text_retention
) as retention
where r.stored_at < now() - retention.text_retention;
comment on view afterpush.expired_replies is 'The locations of replies whose retention has ended.';
