-- How long a delivery was observed without a response on one clock, as rollups count it: one number, which also says how
-- that ended.
--
--   -3           not at all: no response, and the clock did not start
--   -2 to 999    with a response, in this time bucket (time_bucket.sql); -2 if the clock did not start, -1 if negative
--   1000 to 9999 with a failure or because it was replaced, in the time bucket less 1000
--   10000 or more  not yet: the quarter of an hour in which the clock started, counted from 1970
--
-- kinds:                                the kinds of the delivery's events, or of its verified events (kinds.sql)
-- started_at:                           when the clock started: the confirmation, or the send
-- responded_at, failed_at, replaced_at: the earliest events of these kinds
--
-- It has no statement, so that PostgreSQL inlines it.
create or replace function afterpush.observed_time(
    kinds integer, started_at timestamptz, responded_at timestamptz, failed_at timestamptz, replaced_at timestamptz
) returns integer
language sql immutable parallel safe
return case
    when responded_at is not null then afterpush.time_bucket(responded_at - started_at)
    when started_at is null then -3
    when afterpush.has_failed(kinds) or afterpush.is_replaced(kinds)
    then 1000 + greatest(
        0,
        afterpush.time_bucket(
            least(
                case when afterpush.has_failed(kinds) then failed_at end,
                case when afterpush.is_replaced(kinds) then replaced_at end
            ) - started_at
        )
    )
    else greatest(10000, floor(date_part('epoch', started_at - timestamptz '1970-01-01 00:00:00+00') / 900)::integer)
end;
comment on function afterpush.observed_time is
    'How long a delivery was observed without a response on one clock, and how that ended, as one number.';

-- What an observed_time of each clock adds to a row of rollup_response_days: the column of the running totals, and the
-- place in them; `deliveries` for a response, whether or not a clock started. Open observations have the hour in which
-- they began, within a range that keeps the arrays short.
create or replace function afterpush.observed_places(
    anchor_day timestamptz, confirmed_time integer, sent_time integer
) returns table (totals text, place integer)
language sql immutable parallel safe
as $$
    select
        case
            when n = 0 then 'deliveries'
            when time < 1000 then clock || '_times'
            when time < 10000 then clock || '_ended'
            else clock || '_open'
        end,
        case
            when n = 0 then 0
            when time < 1000 then time
            when time < 10000 then time - 1000
            else least(greatest(time / 4, hour - 24), hour + 192)
        end
    from (
        values (0, '', confirmed_time), (1, 'confirmed', confirmed_time), (2, 'sent', sent_time)
    ) as c (n, clock, time)
    cross join (
        select (date_part('epoch', anchor_day - timestamptz '1970-01-01 00:00:00+00') / 3600)::integer as hour
    ) as d
    where case when n = 0 then time between -2 and 999 else time >= -1 end
$$;
comment on function afterpush.observed_places is
    'What an observed_time of each clock adds to a row of rollup_response_days.';
