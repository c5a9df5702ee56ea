-- The replies whose retention has ended.
--
-- stored_row  the location (ctid) of the reply
--
-- How long a reply is kept is set by its category, else by the app. Its category is the one of its delivery, else the
-- one that its event states; the newest version of the category counts.
create or replace view afterpush.expired_replies as
select r.ctid as stored_row
from afterpush.replies as r
cross join lateral (
    select coalesce(
        (select d.category_id from afterpush.deliveries as d where d.delivery_id = r.delivery_id),
        (
            select e.category_id
            from afterpush.events as e
            where (e.delivery_id, e.event_id, e.device_time) = (r.delivery_id, r.event_id, r.device_time)
        )
    ) as category_id
) as stated
where r.stored_at < now() - afterpush.text_retention(r.app_id, stated.category_id);
comment on view afterpush.expired_replies is 'The locations of replies whose retention has ended.';

-- The waiting replies whose retention has ended: that of the app, because their category is unknown.
--
-- stored_row  the location (ctid) of the reply
create or replace view afterpush.expired_waiting_replies as
select r.ctid as stored_row
from afterpush.waiting_replies as r
where r.stored_at < now() - afterpush.text_retention(r.app_id, null);
comment on view afterpush.expired_waiting_replies is 'The locations of waiting replies whose retention has ended.';
