-- Records how an attempt to deliver a message ended. An attempt whose claim has ended by itself records nothing: another
-- collector has made its own.
-- $1: claim. $2: outcome; null to try again. $3: seconds until the next attempt. $4: why it failed; null if it did not.
update afterpush.alert_messages
set claim = null,
    claimed_until = null,
    next_attempt_at = now() + make_interval(secs => $3),
    ended_at = case when $2::text is not null then now() end,
    outcome = $2,
    problem = $4
where claim = $1
