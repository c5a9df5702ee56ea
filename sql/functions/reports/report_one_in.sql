-- Of how many devices a report reads one, so that at most `most` deliveries of the selected hours are expected, with the
-- whole of the first and last day; 1 if it reads all. "from" and "to": null, or -infinity and infinity, for no limit.
--
-- verified: whether only deliveries with verified events count, so that no unverified event changes what is read.
create or replace function afterpush.report_one_in(
    app text, "from" timestamptz, "to" timestamptz, verified boolean, most bigint
) returns integer
language sql stable parallel safe
as $$
    select afterpush.sample_of_devices(coalesce(sum(d.deliveries), 0)::bigint, most)
    from afterpush.rollup_campaign_days as d
    where d.app_id = (select a.app_id from afterpush.apps as a where a.name = app)
      and d.verified = report_one_in.verified
      and (coalesce("from", '-infinity') = '-infinity' or d.anchor_day >= afterpush.day_of("from"))
      and d.anchor_day < coalesce("to", 'infinity')
$$;
comment on function afterpush.report_one_in is 'Of how many devices a report of some hours reads one; 1 for all.';
