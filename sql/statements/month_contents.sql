-- What an archive of a month has to contain: the events that occurred in sealed hours, except for those of devices that
-- are being erased, which export_events leaves out, too. No such event is added any more.
-- $1, $2: the start and end of the month. $3: the end of the sealed hours.
-- Returns a row per app that has some: id, name, number of events, and the exclusive or of both halves of their ids.
select
    e.app_id,
    a.name,
    count(*),
    bit_xor(
        ('x' || encode(substring(uuid_send(e.event_id) for 8), 'hex'))::bit(64)::bigint
        # ('x' || encode(substring(uuid_send(e.event_id) from 9), 'hex'))::bit(64)::bigint
    )
from afterpush.events as e
join afterpush.apps as a using (app_id)
where e.device_time >= $1::timestamptz
  and e.device_time < $2::timestamptz
  and e.occurred_at < $3::timestamptz
  and not exists (
      select
      from afterpush.erasures as x
      where x.app_id = e.app_id
        and x.device_id = e.device_id
        and x.finished_at is null
  )
group by e.app_id, a.name
order by a.name
