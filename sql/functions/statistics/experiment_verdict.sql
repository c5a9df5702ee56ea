-- What a comparison says, in the order in which it is decided:
--
--   sample_ratio_mismatch  sample_ratio_p_anytime is under 0.01: the numbers of deliveries don't follow the weights
--   better, worse          the anytime interval of the difference leaves out 0
--   waiting                is_waiting: too few deliveries, or too few of them are closed
--   equivalent             it lies within -margin and +margin
--   undecided              none of these
--
-- low, high: the anytime interval; null without a comparison. sample_ratio_p_anytime: null without weights.
create or replace function afterpush.experiment_verdict(
    sample_ratio_p_anytime double precision, low double precision, high double precision, margin double precision,
    is_waiting boolean
) returns text
language sql immutable parallel safe
return case
    when sample_ratio_p_anytime < 0.01 then 'sample_ratio_mismatch'
    when low > 0 then 'better'
    when high < 0 then 'worse'
    when is_waiting then 'waiting'
    when low >= -margin and high <= margin then 'equivalent'
    else 'undecided'
end;
comment on function afterpush.experiment_verdict is
    'What a comparison says: sample_ratio_mismatch, better, worse, waiting, equivalent or undecided.';
