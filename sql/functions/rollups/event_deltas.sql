-- How numbers of events change rollup_events: one row per group, with a column per kind.
--
-- counts: numbers of events by kind; see event_count.
create or replace function afterpush.event_deltas(counts afterpush.event_count[])
returns afterpush.rollup_events[]
language plpgsql stable
as $$
begin
    return array(
        with summed as (
            select
                app_id, verified, event_hour, campaign_id, variant, category_id, platform,
                coalesce(sum(events) filter (where kind = 'sent'), 0)::integer,
                coalesce(sum(events) filter (where kind = 'failed'), 0)::integer,
                coalesce(sum(events) filter (where kind = 'delivered'), 0)::integer,
                coalesce(sum(events) filter (where kind = 'displayed'), 0)::integer,
                coalesce(sum(events) filter (where kind = 'read'), 0)::integer,
                coalesce(sum(events) filter (where kind = 'opened'), 0)::integer,
                coalesce(sum(events) filter (where kind = 'action'), 0)::integer,
                coalesce(sum(events) filter (where kind = 'text_input'), 0)::integer,
                coalesce(sum(events) filter (where kind = 'dismissed'), 0)::integer,
                coalesce(sum(events) filter (where kind = 'converted'), 0)::integer,
                coalesce(sum(events) filter (where kind = 'replaced'), 0)::integer,
                coalesce(sum(events) filter (where kind = 'media_played'), 0)::integer,
                coalesce(sum(events) filter (where kind = 'media_paused'), 0)::integer,
                coalesce(sum(events) filter (where kind = 'attachment_failed'), 0)::integer,
                coalesce(sum(events) filter (where kind = 'extension_expired'), 0)::integer,
                coalesce(sum(events) filter (where kind = 'token_registered'), 0)::integer,
                coalesce(sum(events) filter (where kind = 'token_failed'), 0)::integer,
                coalesce(sum(events) filter (where kind = 'permission_granted'), 0)::integer,
                coalesce(sum(events) filter (where kind = 'permission_revoked'), 0)::integer,
                coalesce(sum(events) filter (where kind = 'app_opened'), 0)::integer,
                coalesce(sum(events) filter (where kind = 'held_out'), 0)::integer,
                sum(events)::integer
            from unnest(counts)
            group by 1, 2, 3, 4, 5, 6, 7
        )
        select row(s.*)::afterpush.rollup_events
        from summed as s
    );
end
$$;
comment on function afterpush.event_deltas is 'How numbers of events change rollup_events.';
