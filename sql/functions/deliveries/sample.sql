-- Samples of deliveries, for a comparison that would read too many. A delivery is in the sample of level 1, 2 or 3 if the
-- first 3, 6 or 9 bits of its delivery_id are 0: one in 8, 64 or 512. Level 0 is all deliveries.
--
-- The first bits are those of a hash of the delivery's names, or of a random id once its device is erased, so they don't
-- depend on what is known of the delivery, nor on its device bucket, which is in the last bits (device_bucket.sql).
-- Whoever makes up events can choose names whose hash begins with 0.

-- The end of a sample: the deliveries with a smaller id are in it. The partial indexes of the table have the same bounds.
create or replace function afterpush.sample_end(sample_level integer) returns uuid
language sql immutable strict parallel safe
return case sample_level
    when 1 then '20000000-0000-0000-0000-000000000000'::uuid
    when 2 then '04000000-0000-0000-0000-000000000000'::uuid
    when 3 then '00800000-0000-0000-0000-000000000000'::uuid
end;
comment on function afterpush.sample_end is 'The delivery_id before which the deliveries of a sample lie; null for all.';

-- How many deliveries one of the sample stands for.
create or replace function afterpush.sample_weight(sample_level integer) returns integer
language sql immutable strict parallel safe
return 1 << 3 * sample_level;
comment on function afterpush.sample_weight is 'How many deliveries one of a sample stands for.';

-- The level of the largest sample in which at most 50,000 of the deliveries are expected, at most 3.
create or replace function afterpush.sample_level(deliveries bigint) returns integer
language sql immutable strict parallel safe
return case
    when deliveries <= 50000 then 0
    when deliveries <= 8 * 50000 then 1
    when deliveries <= 64 * 50000 then 2
    else 3
end;
comment on function afterpush.sample_level is 'The sample that a report reads of some number of deliveries.';

-- Of how many devices a report reads one, by the number of the device, so that at most `most` of the deliveries are
-- expected if that can be; 1 for all devices.
create or replace function afterpush.sample_of_devices(deliveries bigint, most bigint) returns integer
language sql immutable strict parallel safe
return case
    when deliveries <= most then 1
    when deliveries <= 8 * most then 8
    when deliveries <= 32 * most then 32
    when deliveries <= 128 * most then 128
    when deliveries <= 512 * most then 512
    else 2048
end;
comment on function afterpush.sample_of_devices is 'Of how many devices a report reads one; 1 for all.';

-- The end of the numbers of the devices that are read, if one in so many is (function device_number).
create or replace function afterpush.device_number_end(one_in integer) returns integer
language sql immutable strict parallel safe
return 1048576 / one_in;
comment on function afterpush.device_number_end is 'The end of the numbers of devices that a sample reads.';

-- By how much a sample adds to the design effect of a rate of all deliveries, k of n, both scaled up from the sample. An
-- interval then is that of the sample.
--
-- A sample that takes each delivery by chance adds weight - 1, whatever the likeness within devices: the variance of a
-- rate p of n deliveries with the design effect d is p (1 - p) d / n, and the sample adds p (1 - p) (weight - 1) / n. If
-- declared sends are the denominator, which are known and not sampled, the sample adds more: p (weight - 1) / n.
create or replace function afterpush.sample_effect(weight integer, k bigint, n bigint, is_declared boolean)
returns double precision
language sql immutable parallel safe
return (weight - 1) * case
    -- The rate of the sample with one more delivery in the state and one more that is not, so that it is never 1.
    when is_declared and n >= k then (n + 2 * weight)::double precision / (n - k + weight)
    else 1.0
end;
comment on function afterpush.sample_effect is 'By how much a sample adds to the design effect of a rate.';

-- Half the 95 % interval of the difference of two counts that are scaled up from samples. A sample of one in w takes k / w
-- of k deliveries with the variance k / w (1 - 1 / w), so the estimate of k has the variance k (w - 1). Each count has
-- one more of the sample, so that none found is not taken for certain. Null without a sample.
create or replace function afterpush.sample_margin(weight integer, k1 bigint, k0 bigint) returns double precision
language sql immutable parallel safe
return case
    when weight > 1
    then 1.959963984540054::double precision * sqrt((weight - 1)::double precision * (k1 + k0 + 2 * weight))
end;
comment on function afterpush.sample_margin is
    'Half the 95 % interval of the difference of two counts that are estimated from samples; null without a sample.';
