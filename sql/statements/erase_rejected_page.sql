-- Deletes the rejected events of a part of a page that say the id of an erased device, and notes that the page is checked
-- up to there. The last part ends the claim of next_rejected_page; with the others it begins again.
-- $1: app_id. $2: the rejection_id after which the page begins. $3: the last one of the part. $4: the hashes of the
-- devices that were looked for. $5: the rejection_ids of the events that can say an id. $6: whether it is the last part.
with page as materialized (
    select r.rejection_id, afterpush.rejected_event_content(r.event) as content
    from afterpush.rejected_events as r
    where r.app_id = $1
      and r.rejection_id = any ($5::bigint[])
),
naming_events as materialized (
    select p.rejection_id, e.device_hash
    from page as p
    join afterpush.erasures as e
        on e.phase = 'checking_rejected'
        and e.app_id = $1
        and e.device_hash = any ($4::bytea[])
        and afterpush.says_id(p.content, e.device_id)
),
deleted as (
    delete from afterpush.rejected_events as r
    using naming_events as n
    where r.app_id = $1
      and r.rejection_id = n.rejection_id
    returning r.rejection_id
)
update afterpush.erasures as e
set rejected_checked = greatest(
        e.rejected_checked, case when e.rejected_checked >= $2 then $3 else 0 end
    ),
    rejected = e.rejected + (
        -- Another collector may have checked the same page after the claim's time, and deleted them.
        select count(*)
        from naming_events as n
        where n.device_hash = e.device_hash
          and n.rejection_id in (select rejection_id from deleted)
    ),
    claimed_until = case when not $6::boolean then clock_timestamp() + interval '30 seconds' end
where e.phase = 'checking_rejected'
  and e.app_id = $1
  and e.device_hash = any ($4::bytea[])
