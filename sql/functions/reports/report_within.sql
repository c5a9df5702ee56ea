-- The parameter `within` of a report that compares a period with the one before, as an interval: null without it, a
-- duration such as 24h, or with 'auto' an age that both periods have, at most the campaign's response window (72 hours
-- without one campaign): that of the period's end at as_of, if this is at least half of the period's length, so that all
-- deliveries count; otherwise that of its middle, so that the first half counts. 'auto' is null unless the period has
-- both ends.
create or replace function afterpush.report_within(
    app text, "from" timestamptz, "to" timestamptz, campaign text, within text
)
returns interval
language plpgsql stable
as $$
declare
    now_at timestamptz;
    ends timestamptz;
begin
    if coalesce(within, '') = '' or within = 'auto' and ("from" is null or "to" is null) then
        return null;
    end if;
    if within <> 'auto' then
        if within !~ '^[0-9]{1,6}[smhd]$' then
            raise exception 'within: must be auto or a duration, like 90s, 15m, 12h or 7d'
                using errcode = 'invalid_parameter_value';
        end if;
        return within::interval;
    end if;
    now_at := afterpush.as_of(report_within.app);
    ends := least("to", now_at);
    return greatest(
        interval '0',
        least(
            coalesce(
                (
                    select c.response_window
                    from afterpush.campaigns as c
                    join afterpush.apps as a using (app_id)
                    where a.name = report_within.app
                      and c.campaign_id = report_within.campaign
                ),
                interval '72 hours'
            ),
            make_interval(
                secs => floor(
                    extract(epoch from now_at - ends)
                    + case
                        when 2 * extract(epoch from now_at - ends) >= extract(epoch from ends - "from") then 0
                        else extract(epoch from ends - "from") / 2
                    end
                )::double precision
            )
        )
    );
end
$$;
comment on function afterpush.report_within is
    'The age at which a report compares the deliveries of two periods.';
