-- Puts messages into the outbox: each one for each destination, in order, up to a number.
-- $1: app_id. $2: message_ids. $3: subjects. $4, $5, $6: bodies for webhooks, for Slack and for mails.
-- $7, $8: kinds and targets of the destinations. $9: the number.
insert into afterpush.alert_messages (app_id, message_id, kind, target, subject, body)
select
    $1, m.message_id, d.kind, d.target, m.subject,
    case d.kind when 'webhook' then m.webhook when 'slack' then m.slack else m.email end
from unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[]) with ordinality
    as m (message_id, subject, webhook, slack, email, place)
cross join unnest($7::text[], $8::text[]) with ordinality as d (kind, target, place)
order by m.place, d.place
limit $9
on conflict do nothing
