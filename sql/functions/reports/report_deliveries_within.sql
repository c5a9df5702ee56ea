-- The deliveries that a report with `within` selects, summed up like the view delivery_hours, whose columns these are, but
-- with version of the app: in the states that they had at that age (report_states_within, whose parameters these are). Each
-- delivery of a sample counts as many times as there are deliveries for which it stands.
create or replace function afterpush.report_deliveries_within(
    of_app integer, "from" timestamptz, "to" timestamptz, only_campaign text, only_category text, only_variant text,
    only_platform text, only_verified boolean, within interval, as_of timestamptz, sample_level integer default 0
)
returns table (
    source text, app_id integer, verified boolean, hour timestamptz, campaign_id text, variant text, category_id text,
    category_version integer, platform text, app_version text, actions text[],
    deliveries integer, deliveries_sent integer, deliveries_confirmed integer, deliveries_both integer,
    failed integer, delivered integer, delivered_sent integer, displayed integer,
    opened integer, opened_sent integer, opened_confirmed integer,
    acted integer, acted_sent integer, acted_confirmed integer,
    replied integer, replied_sent integer, replied_confirmed integer,
    dismissed integer, dismissed_sent integer, dismissed_confirmed integer,
    read integer, read_sent integer, read_confirmed integer,
    responded integer, responded_sent integer, responded_confirmed integer,
    replaced integer, replaced_sent integer, replaced_confirmed integer,
    refused integer, refused_sent integer,
    converted_events integer, converted_events_sent integer, converted_events_confirmed integer,
    unconverted integer, unconverted_sent integer, unconverted_confirmed integer,
    declared_sends integer
)
language plpgsql stable
-- Planned for its arguments, so that a condition that is not asked for costs nothing.
set plan_cache_mode = force_custom_plan
set max_parallel_workers_per_gather = 0
as $$
#variable_conflict use_column
begin
    return query
    with grouped as (
        select
            afterpush.hour_of(s.anchor_at) as hour, s.campaign_id, s.variant, s.category_id, s.category_version,
            s.platform, s.app_version, s.actions, s.kinds,
            count(*)::integer * afterpush.sample_weight(sample_level) as deliveries
        from afterpush.report_states_within(
            of_app, "from", "to", only_campaign, only_category, only_variant, only_platform, only_verified, within,
            as_of, sample_level
        ) as s
        group by 1, 2, 3, 4, 5, 6, 7, 8, 9
    ),
    -- Each state times the deliveries that are in it, at all, as sends, and as confirmed ones.
    counted as (
        select
            g.*,
            g.deliveries * k.is_sent::integer as n_sent,
            g.deliveries * k.is_confirmed::integer as n_confirmed,
            (cardinality(g.actions) > 0)::integer as acted,
            k.is_sent, k.failed, k.delivered, k.displayed, k.opened, k.replied, k.dismissed, k.read, k.responded,
            k.converted_events, k.replaced, k.refused
        from grouped as g
        cross join lateral afterpush.states(g.kinds) as k
    )
    select
        'deliveries_within', of_app, only_verified, c.hour, c.campaign_id, c.variant, c.category_id,
        c.category_version, c.platform, c.app_version, c.actions,
        c.deliveries, c.n_sent, c.n_confirmed, c.n_confirmed * c.is_sent::integer,
        c.failed * c.deliveries, c.delivered * c.deliveries, c.delivered * c.n_sent, c.displayed * c.deliveries,
        c.opened * c.deliveries, c.opened * c.n_sent, c.opened * c.n_confirmed,
        c.acted * c.deliveries, c.acted * c.n_sent, c.acted * c.n_confirmed,
        c.replied * c.deliveries, c.replied * c.n_sent, c.replied * c.n_confirmed,
        c.dismissed * c.deliveries, c.dismissed * c.n_sent, c.dismissed * c.n_confirmed,
        c.read * c.deliveries, c.read * c.n_sent, c.read * c.n_confirmed,
        c.responded * c.deliveries, c.responded * c.n_sent, c.responded * c.n_confirmed,
        c.replaced * c.deliveries, c.replaced * c.n_sent, c.replaced * c.n_confirmed,
        c.refused * c.deliveries, c.refused * c.n_sent,
        c.converted_events * c.deliveries, c.converted_events * c.n_sent, c.converted_events * c.n_confirmed,
        (1 - c.converted_events) * c.deliveries, (1 - c.converted_events) * c.n_sent,
        (1 - c.converted_events) * c.n_confirmed,
        0
    from counted as c;
end
$$;
comment on function afterpush.report_deliveries_within is
    'Deliveries of some age that a report selects, in the states that they had at that age, by hour and action.';
