-- title: Dialects
-- description: What became of the events that clients of other systems posted or files of such systems held, by family
--   of dialects, name and reason: mapped to native events, ignored or rejected. Counts are since the first event of the
--   name; names that were not seen for 90 days are left out.
-- parameter: family text  only this family, such as segment
-- column: family text  family of dialects, such as segment
-- column: name text  name of the event in the other system; (other) past the limit, (request) if a request is refused
--   as a whole, (erased) for names with the id of an erased device
-- column: reason text  why it was ignored or rejected; null for mapped events
-- column: received integer events  events of the other system
-- column: mapped integer events  native events that were stored, repeated ones included
-- column: ignored integer events  events that mean nothing here, or lack what is needed
-- column: rejected integer events  native events that were rejected
-- column: first_at time  when the first of them arrived
-- column: last_at time  when the last of them arrived
-- column: hint text  what to do, if anything
\if :{?app} \else \set app '' \endif
\if :{?family} \else \set family '' \endif
select
    d.family,
    d.name,
    nullif(d.reason, '') as reason,
    d.received,
    d.mapped,
    d.ignored,
    d.rejected,
    d.first_at,
    d.last_at,
    case d.reason
        when 'unknown_name' then
            'If it is a response to a notification, map its name (PUT /v1/mappings), or state properties.afterpush.'
        when 'no_notification' then 'Put notification_id, or the receipt as afterpush, into the properties.'
        when 'no_device' then 'State the device, or change the order in which it is looked for (PUT /v1/mappings).'
        when 'scope_insufficient' then 'Sends need a key of scope send, on a server.'
        when 'signature_invalid' then 'Compare the app''s signing secret (GET /v1/mappings) with that of the sender.'
        when 'malformed' then 'The event is no JSON object.'
        else case when d.rejected > 0 then 'The report rejected has the events.' end
    end as hint
from afterpush.dialect_events as d
join afterpush.apps as a using (app_id)
where a.name = :'app'
  and (:'family' = '' or d.family = :'family')
order by d.family collate "C", d.received desc, d.name collate "C", d.reason collate "C";
