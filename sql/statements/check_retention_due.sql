-- Whether retention is due, which is a day after its last run, and not before the time has passed steadily for a day: if
-- no collector asked for two days, the clock may have jumped. Records that it was asked.
-- Returns whether it is due, and whether time has passed steadily.
update afterpush.retention_state
set checked_at = now(),
    steady_since =
        case
            when checked_at between now() - interval '2 days' and now() + interval '5 minutes' then steady_since
            else now()
        end
returning
    last_run_at not between now() - interval '1 day' and now(),
    steady_since <= now() - interval '1 day'
