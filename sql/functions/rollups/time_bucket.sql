-- Time buckets: durations on a logarithmic scale, so that quantiles follow from counts per bucket.
--
--   -2      unknown: the delivery was neither confirmed nor sent
--   -1      negative: the response has an earlier time than the confirmation or send
--    0      zero
--    b > 0  at least 1.08^(b-1) and less than 1.08^b microseconds

-- The bucket of a duration; -2 for null.
create or replace function afterpush.time_bucket(duration interval) returns smallint
language sql immutable parallel safe
return case
    when duration is null then -2
    when duration < interval '0' then -1
    when duration = interval '0' then 0
    else 1 + floor(ln(date_part('epoch', duration) * 1e6) / ln(1.08::float8))
end::smallint;
comment on function afterpush.time_bucket is
    'The logarithmic bucket of a duration; -2 for null, -1 for a negative one, 0 for zero.';

-- The duration that a bucket stands for, in seconds: the geometric middle of its bounds. Reading it instead of the true
-- duration is off by at most sqrt(1.08) - 1 = 3.9 %. Null for bucket -2. It computes with double precision, which holds
-- halves exactly, because numeric is much slower.
create or replace function afterpush.bucket_seconds(bucket smallint) returns double precision
language sql immutable parallel safe
return case
    when bucket < 0 then case when bucket = -1 then 0::double precision end
    when bucket = 0 then 0::double precision
    else power(1.08::double precision, bucket - 0.5::double precision) / 1e6::double precision
end;
comment on function afterpush.bucket_seconds is
    'The duration that a bucket stands for, in seconds; relative error at most 3.9 %.';
