-- The values by which rollup_event_checks counts events.

-- The traits of an event that the report `health` counts, as bits: 1 it belongs to a delivery, 2 it is a response, 4 it
-- is verified; 8 to 256: its action, app version, campaign, category, category version or variant was past its limit.
create or replace function afterpush.event_traits(
    is_of_delivery boolean, kind afterpush.event_kind, verified boolean, names_past_limit text[]
) returns bigint
language sql immutable parallel safe
return is_of_delivery::integer
    + 2 * (kind in ('opened', 'action', 'text_input', 'dismissed'))::integer
    + 4 * verified::integer
    + case
        when names_past_limit is null then 0
        else 8 * ('action' = any (names_past_limit))::integer
            + 16 * ('app_version' = any (names_past_limit))::integer
            + 32 * ('campaign' = any (names_past_limit))::integer
            + 64 * ('category' = any (names_past_limit))::integer
            + 128 * ('category_version' = any (names_past_limit))::integer
            + 256 * ('variant' = any (names_past_limit))::integer
    end;
comment on function afterpush.event_traits is 'The traits of an event that the report health counts, as bits.';

-- Seconds as they are counted: rounded down to 10 seconds from two minutes on, to 10 minutes from an hour on, and to an
-- hour from a day on, so that a year has few different values. Limits of an hour, a day and three days stay exact.
create or replace function afterpush.counted_seconds(seconds bigint) returns bigint
language sql immutable parallel safe
return case
    when seconds between -120 and 119 then seconds
    -- In integers, which takes a third of the time of floor. % has the sign of its left side.
    when seconds between -3600 and 3599 then seconds - (seconds % 10 + 10) % 10
    when seconds between -86400 and 86399 then seconds - (seconds % 600 + 600) % 600
    else seconds - (seconds % 3600 + 3600) % 3600
end;
comment on function afterpush.counted_seconds is 'Seconds, rounded down to larger steps the more they are.';
