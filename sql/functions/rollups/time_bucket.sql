-- Without numerics: a double holds halves exactly.
create or replace function afterpush.bucket_seconds(bucket smallint) returns double precision
language sql immutable parallel safe
return case
    when bucket < 0 then case when bucket = -1 then 0::double precision end
    when bucket = 0 then 0::double precision
    else power(1.08::double precision, bucket - 0.5::double precision) / 1e6::double precision
end;
comment on function afterpush.bucket_seconds is
    'The duration that a bucket stands for, in seconds; relative error at most 3.9 %.';

-- Logarithmic buckets of a duration: 0 for none, then bucket b holds [1.08^(b-1), 1.08^b) microseconds.
-- Reading one at the geometric middle of its bounds is off by at most sqrt(1.08) - 1 = 3.9 %.
create or replace function afterpush.time_bucket(duration interval) returns smallint
language sql immutable parallel safe
return case
    when duration is null then -2
    when duration < interval '0' then -1
    when duration = interval '0' then 0
    else 1 + floor(ln(extract(epoch from duration)::float8 * 1e6) / ln(1.08::float8))
end::smallint;
comment on function afterpush.time_bucket is
    'The logarithmic bucket of a duration; -2 for null, -1 for a negative one, 0 for zero.';
