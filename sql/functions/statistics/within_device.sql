-- The difference of a rate between two groups of deliveries within the same devices: each device that has deliveries in
-- both groups is compared with itself, so that it does not matter which devices get many notifications. It is the
-- Mantel-Haenszel difference with devices as strata: N. Mantel and W. Haenszel, Statistical aspects of the analysis of
-- data from retrospective studies of disease, J. Natl. Cancer Inst. 22 (1959), 719-748; S. Greenland and J. M. Robins,
-- Estimation of a common effect parameter from sparse follow-up data, Biometrics 41 (1985), 55-68.
--
-- A device with n1 deliveries in the group, k1 of them in the state, and n0 and k0 outside has the weight
-- w = n1 n0 / (n1 + n0) and the weighted difference u = (k1 n0 - k0 n1) / (n1 + n0). The difference is the sum of u over
-- the sum of w. Its variance is that of a ratio of sums over independent devices, with devices / (devices - 1), but never
-- under that of independent deliveries with one rate, from (k + 1) / (n + 2): a few devices that happen to agree are no
-- evidence.
--
-- difference_sum, weight_sum: the sums of u and w. n, k: of both groups together. min_n: the least deliveries of either.
create or replace function afterpush.within_device_difference(
    difference_sum double precision, weight_sum double precision, compared_n bigint, fewer_n bigint, min_n bigint
) returns double precision
language sql immutable parallel safe
return case when least(compared_n, fewer_n) >= greatest(min_n, 1) then difference_sum / weight_sum end;
comment on function afterpush.within_device_difference is
    'Returns the difference of a rate within devices; null if either group has fewer deliveries than min_n.';

-- Half the width of its interval at 95 %, with the quantile of Student's t of devices - 1 degrees of freedom; null for
-- one device.
create or replace function afterpush.within_device_margin(
    devices bigint, n bigint, k bigint, difference_sum double precision, weight_sum double precision,
    difference_squares double precision, products double precision, weight_squares double precision
) returns double precision
language sql immutable parallel safe
return case
    when devices > 1 then
        afterpush.student_t_quantile(devices - 1) * sqrt(
            greatest(
                devices / (devices - 1.0::double precision) * (
                    difference_squares
                    - 2 * difference_sum / weight_sum * products
                    + power(difference_sum / weight_sum, 2) * weight_squares
                ) / power(weight_sum, 2),
                (k + 1.0::double precision) / (n + 2) * (1 - (k + 1.0::double precision) / (n + 2)) / weight_sum
            )
        )
end;
comment on function afterpush.within_device_margin is
    'Returns half the width of the 95 % interval of within_device_difference; null for fewer than two devices.';

-- The bounds of the interval; a difference of rates lies between -1 and 1.
create or replace function afterpush.within_device_low(difference double precision, margin double precision)
returns double precision
language sql immutable strict parallel safe
return greatest(difference - margin, -1);
comment on function afterpush.within_device_low is
    'Returns the lower bound of the 95 % interval of within_device_difference.';

create or replace function afterpush.within_device_high(difference double precision, margin double precision)
returns double precision
language sql immutable strict parallel safe
return least(difference + margin, 1);
comment on function afterpush.within_device_high is
    'Returns the upper bound of the 95 % interval of within_device_difference.';
