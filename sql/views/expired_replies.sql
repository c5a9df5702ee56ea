-- The replies whose retention has ended.
--
-- stored_row  the location (ctid) of the reply
--
-- How long a reply is kept is set by its category, else by the app; the newest version of the category counts. Its
-- category is what verified evidence states; only for an unverified reply without it, what other events of its delivery
-- state, or its own.
create or replace view afterpush.expired_replies as
select r.ctid as stored_row
from (
    select a.app_id, p.shortest, p.longest
    from afterpush.apps as a
    cross join lateral afterpush.text_periods(a.app_id) as p
) as a
join afterpush.replies as r on r.app_id = a.app_id
where r.stored_at < (select afterpush.retention_time()) - a.shortest
  and (
      a.shortest = a.longest
      or r.stored_at < (select afterpush.retention_time()) - afterpush.text_retention(
          r.app_id,
          coalesce(
              r.verified_category_id,
              afterpush.verified_category(r.delivery_id),
              case
                  when not r.verified
                  then coalesce(
                      (select d.category_id from afterpush.deliveries as d where d.delivery_id = r.delivery_id),
                      (
                          select e.category_id
                          from afterpush.events as e
                          where (e.delivery_id, e.event_id, e.device_time)
                              = (r.delivery_id, r.event_id, r.device_time)
                      )
                  )
              end
          )
      )
  );
comment on view afterpush.expired_replies is 'The locations of replies whose retention has ended.';

-- The waiting replies whose retention has ended: that of the app, because their category is unknown. They are kept at
-- least as long as they wait for verified events.
--
-- stored_row  the location (ctid) of the reply
create or replace view afterpush.expired_waiting_replies as
select r.ctid as stored_row
from afterpush.waiting_replies as r
where r.stored_at < (select afterpush.retention_time()) - greatest(afterpush.text_retention(r.app_id, null), afterpush.text_wait());
comment on view afterpush.expired_waiting_replies is 'The locations of waiting replies whose retention has ended.';
