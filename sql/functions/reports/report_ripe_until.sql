-- The end of a selection that leaves out deliveries younger than `within` at as_of: the selection's own end if that is
-- earlier, or if `within` is null.
create or replace function afterpush.report_ripe_until(app text, "to" timestamptz, within interval) returns timestamptz
language sql stable
as $$
    select case
        when within is null then "to"
        else least("to", afterpush.as_of(app) - make_interval(secs => extract(epoch from within)::double precision))
    end
$$;
comment on function afterpush.report_ripe_until is
    'The end of a selection that leaves out deliveries younger than some age.';
