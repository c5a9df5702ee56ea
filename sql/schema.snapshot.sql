--
-- PostgreSQL database dump
--

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

--
-- Name: afterpush; Type: SCHEMA; Schema: -; Owner: migrating_login
--

CREATE SCHEMA afterpush;

ALTER SCHEMA afterpush OWNER TO migrating_login;

--
-- Name: SCHEMA afterpush; Type: COMMENT; Schema: -; Owner: migrating_login
--

COMMENT ON SCHEMA afterpush IS 'Events about push notifications, with the deliveries, rollups and reports derived from them.';

--
-- Name: campaign_terms; Type: TYPE; Schema: afterpush; Owner: afterpush_owner
--

CREATE TYPE afterpush.campaign_terms AS (
	campaign_id text COLLATE pg_catalog."C",
	goal_actions text[] COLLATE pg_catalog."C",
	closed_until timestamp with time zone,
	declared boolean,
	last_hour timestamp with time zone
);

ALTER TYPE afterpush.campaign_terms OWNER TO afterpush_owner;

--
-- Name: TYPE campaign_terms; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TYPE afterpush.campaign_terms IS 'Goals of a campaign, its last closed anchor hour, whether it declared sends, and the hour of the last one.';

--
-- Name: delivery_action; Type: TYPE; Schema: afterpush; Owner: afterpush_owner
--

CREATE TYPE afterpush.delivery_action AS (
	action_id text COLLATE pg_catalog."C",
	unverified_first_at timestamp with time zone,
	unverified_events integer,
	verified_first_at timestamp with time zone,
	verified_events integer
);

ALTER TYPE afterpush.delivery_action OWNER TO afterpush_owner;

--
-- Name: TYPE delivery_action; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TYPE afterpush.delivery_action IS 'One action of one delivery: earliest time and number of its unverified and of its verified events.';

--
-- Name: delivery_delta; Type: TYPE; Schema: afterpush; Owner: afterpush_owner
--

CREATE TYPE afterpush.delivery_delta AS (
	delivery_id uuid,
	app_id integer,
	kinds integer,
	verified_kinds integer,
	platform text COLLATE pg_catalog."C",
	app_version text COLLATE pg_catalog."C",
	campaign text COLLATE pg_catalog."C",
	category text COLLATE pg_catalog."C",
	first_event_at timestamp with time zone,
	sent_at timestamp with time zone,
	receipt_issued_at timestamp with time zone,
	confirmed_at timestamp with time zone,
	responded_at timestamp with time zone,
	verified_sent_at timestamp with time zone,
	verified_confirmed_at timestamp with time zone,
	verified_responded_at timestamp with time zone,
	notification_id text COLLATE pg_catalog."C",
	device_id text COLLATE pg_catalog."C",
	actions afterpush.delivery_action[],
	event_hours timestamp with time zone[],
	event_codes integer[]
);

ALTER TYPE afterpush.delivery_delta OWNER TO afterpush_owner;

--
-- Name: TYPE delivery_delta; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TYPE afterpush.delivery_delta IS 'What some events say about one delivery: dimensions as attribution keys, and the hour and code of each event.';

--
-- Name: delivery_dimensions; Type: TYPE; Schema: afterpush; Owner: afterpush_owner
--

CREATE TYPE afterpush.delivery_dimensions AS (
	delivery_id uuid,
	campaign_id text COLLATE pg_catalog."C",
	variant text COLLATE pg_catalog."C",
	category_id text COLLATE pg_catalog."C",
	platform text COLLATE pg_catalog."C",
	verified_dimensions integer
);

ALTER TYPE afterpush.delivery_dimensions OWNER TO afterpush_owner;

--
-- Name: TYPE delivery_dimensions; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TYPE afterpush.delivery_dimensions IS 'The dimensions of a delivery by which rollup_events counts its events.';

--
-- Name: timed_actions; Type: TYPE; Schema: afterpush; Owner: afterpush_owner
--

CREATE TYPE afterpush.timed_actions AS (
	action_ids text[] COLLATE pg_catalog."C",
	buckets smallint[],
	events integer[],
	verified_buckets smallint[],
	verified_events integer[]
);

ALTER TYPE afterpush.timed_actions OWNER TO afterpush_owner;

--
-- Name: TYPE timed_actions; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TYPE afterpush.timed_actions IS 'The actions of a delivery as the rollups count them: time bucket and number of events of each.';

--
-- Name: delivery_shape; Type: TYPE; Schema: afterpush; Owner: afterpush_owner
--

CREATE TYPE afterpush.delivery_shape AS (
	app_id integer,
	anchor_hour timestamp with time zone,
	app_version text COLLATE pg_catalog."C",
	campaign_id text COLLATE pg_catalog."C",
	variant text COLLATE pg_catalog."C",
	category_id text COLLATE pg_catalog."C",
	category_version integer,
	platform text COLLATE pg_catalog."C",
	verified_dimensions integer,
	kinds integer,
	verified_kinds integer,
	response_bucket smallint,
	verified_response_bucket smallint,
	actions afterpush.timed_actions,
	deliveries integer,
	come bytea,
	gone bytea
);

ALTER TYPE afterpush.delivery_shape OWNER TO afterpush_owner;

--
-- Name: TYPE delivery_shape; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TYPE afterpush.delivery_shape IS 'Everything the rollups count of a delivery, and the number of deliveries to which it applies.';

--
-- Name: event_kind; Type: TYPE; Schema: afterpush; Owner: afterpush_owner
--

CREATE TYPE afterpush.event_kind AS ENUM (
    'sent',
    'failed',
    'delivered',
    'displayed',
    'read',
    'opened',
    'action',
    'text_input',
    'dismissed',
    'converted',
    'replaced',
    'media_played',
    'media_paused',
    'attachment_failed',
    'extension_expired',
    'held_out',
    'token_registered',
    'token_failed',
    'permission_granted',
    'permission_revoked',
    'app_opened'
);

ALTER TYPE afterpush.event_kind OWNER TO afterpush_owner;

--
-- Name: TYPE event_kind; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TYPE afterpush.event_kind IS 'What happened. From token_registered on, a kind is about the device alone; so is converted without a notification.';

--
-- Name: event_count; Type: TYPE; Schema: afterpush; Owner: afterpush_owner
--

CREATE TYPE afterpush.event_count AS (
	app_id integer,
	verified boolean,
	event_hour timestamp with time zone,
	campaign_id text COLLATE pg_catalog."C",
	variant text COLLATE pg_catalog."C",
	category_id text COLLATE pg_catalog."C",
	platform text COLLATE pg_catalog."C",
	kind afterpush.event_kind,
	events bigint
);

ALTER TYPE afterpush.event_count OWNER TO afterpush_owner;

--
-- Name: TYPE event_count; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TYPE afterpush.event_count IS 'The number of events, or of verified events, of one kind and hour, with some dimensions.';

--
-- Name: event_shape; Type: TYPE; Schema: afterpush; Owner: afterpush_owner
--

CREATE TYPE afterpush.event_shape AS (
	app_id integer,
	campaign_id text COLLATE pg_catalog."C",
	variant text COLLATE pg_catalog."C",
	category_id text COLLATE pg_catalog."C",
	platform text COLLATE pg_catalog."C",
	verified_dimensions integer,
	event_hours timestamp with time zone[],
	event_codes integer[],
	deliveries integer
);

ALTER TYPE afterpush.event_shape OWNER TO afterpush_owner;

--
-- Name: TYPE event_shape; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TYPE afterpush.event_shape IS 'The hours and codes of a delivery''s events, and the number of deliveries to which they apply.';

--
-- Name: merge_result; Type: TYPE; Schema: afterpush; Owner: afterpush_owner
--

CREATE TYPE afterpush.merge_result AS (
	shapes afterpush.delivery_shape[],
	event_shapes afterpush.event_shape[],
	regrouped afterpush.delivery_dimensions[]
);

ALTER TYPE afterpush.merge_result OWNER TO afterpush_owner;

--
-- Name: TYPE merge_result; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TYPE afterpush.merge_result IS 'What a merge changes in the rollups: deliveries, events, and the old dimensions of deliveries that changed them.';

--
-- Name: name_source; Type: TYPE; Schema: afterpush; Owner: afterpush_owner
--

CREATE TYPE afterpush.name_source AS ENUM (
    'unverified',
    'receipt',
    'server'
);

ALTER TYPE afterpush.name_source OWNER TO afterpush_owner;

--
-- Name: TYPE name_source; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TYPE afterpush.name_source IS 'What vouches for a name: nothing, a receipt bound to the device, or the server, by a send key or in a receipt.';

--
-- Name: running_totals; Type: TYPE; Schema: afterpush; Owner: afterpush_owner
--

CREATE TYPE afterpush.running_totals AS (
	times integer[]
);

ALTER TYPE afterpush.running_totals OWNER TO afterpush_owner;

--
-- Name: TYPE running_totals; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TYPE afterpush.running_totals IS 'Running totals of deliveries by time bucket (function running_totals_of).';

--
-- Name: touched_delivery; Type: TYPE; Schema: afterpush; Owner: afterpush_owner
--

CREATE TYPE afterpush.touched_delivery AS (
	stored_row tid,
	is_frozen boolean,
	delivery_id uuid,
	app_id integer,
	kinds integer,
	verified_kinds integer,
	platform_source_rank smallint,
	app_version_source_rank smallint,
	campaign_source_rank smallint,
	category_source_rank smallint,
	category_version integer,
	first_event_at timestamp with time zone,
	sent_at timestamp with time zone,
	receipt_issued_at timestamp with time zone,
	confirmed_at timestamp with time zone,
	responded_at timestamp with time zone,
	verified_sent_at timestamp with time zone,
	verified_confirmed_at timestamp with time zone,
	verified_responded_at timestamp with time zone,
	notification_id text COLLATE pg_catalog."C",
	device_id text COLLATE pg_catalog."C",
	platform text COLLATE pg_catalog."C",
	app_version text COLLATE pg_catalog."C",
	campaign_id text COLLATE pg_catalog."C",
	variant text COLLATE pg_catalog."C",
	category_id text COLLATE pg_catalog."C",
	fallbacks text[] COLLATE pg_catalog."C",
	actions afterpush.delivery_action[],
	anchor_hour timestamp with time zone,
	event_hours timestamp with time zone[],
	event_codes integer[],
	old_kinds integer,
	old_verified_kinds integer,
	old_category_version integer,
	old_responded_at timestamp with time zone,
	old_reached_at timestamp with time zone,
	old_verified_responded_at timestamp with time zone,
	old_verified_reached_at timestamp with time zone,
	old_platform text COLLATE pg_catalog."C",
	old_app_version text COLLATE pg_catalog."C",
	old_campaign_id text COLLATE pg_catalog."C",
	old_variant text COLLATE pg_catalog."C",
	old_category_id text COLLATE pg_catalog."C",
	old_verified_dimensions integer,
	old_actions afterpush.delivery_action[],
	old_anchor_hour timestamp with time zone
);

ALTER TYPE afterpush.touched_delivery OWNER TO afterpush_owner;

--
-- Name: TYPE touched_delivery; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TYPE afterpush.touched_delivery IS 'A delivery that a merge touches: its new state, and what the rollups counted of its old one.';

SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: rollup_actions; Type: TABLE; Schema: afterpush; Owner: afterpush_owner
--

CREATE TABLE afterpush.rollup_actions (
    app_id integer NOT NULL,
    verified boolean NOT NULL,
    anchor_hour timestamp with time zone NOT NULL,
    campaign_id text NOT NULL COLLATE pg_catalog."C",
    variant text NOT NULL COLLATE pg_catalog."C",
    category_id text NOT NULL COLLATE pg_catalog."C",
    category_version integer NOT NULL,
    platform text NOT NULL COLLATE pg_catalog."C",
    is_sent boolean NOT NULL,
    is_confirmed boolean NOT NULL,
    action_id text NOT NULL COLLATE pg_catalog."C",
    bucket smallint NOT NULL,
    deliveries bigint NOT NULL,
    events bigint NOT NULL
)
WITH (fillfactor='80');

ALTER TABLE afterpush.rollup_actions OWNER TO afterpush_owner;

--
-- Name: TABLE rollup_actions; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TABLE afterpush.rollup_actions IS 'Deliveries with an action, by action and time to the action.';

--
-- Name: COLUMN rollup_actions.app_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_actions.app_id IS 'The app.';

--
-- Name: COLUMN rollup_actions.verified; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_actions.verified IS 'As in rollup_deliveries.';

--
-- Name: COLUMN rollup_actions.anchor_hour; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_actions.anchor_hour IS 'Hour of the deliveries'' anchor, UTC.';

--
-- Name: COLUMN rollup_actions.campaign_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_actions.campaign_id IS 'Campaign; empty when unknown.';

--
-- Name: COLUMN rollup_actions.variant; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_actions.variant IS 'Variant; empty when unknown.';

--
-- Name: COLUMN rollup_actions.category_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_actions.category_id IS 'Category; empty when unknown.';

--
-- Name: COLUMN rollup_actions.category_version; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_actions.category_version IS 'Stated version of the category; 0 when unstated.';

--
-- Name: COLUMN rollup_actions.platform; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_actions.platform IS 'Platform; empty when unknown.';

--
-- Name: COLUMN rollup_actions.is_sent; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_actions.is_sent IS 'Whether the deliveries are in state sent.';

--
-- Name: COLUMN rollup_actions.is_confirmed; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_actions.is_confirmed IS 'Whether the deliveries are in state confirmed.';

--
-- Name: COLUMN rollup_actions.action_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_actions.action_id IS 'The action.';

--
-- Name: COLUMN rollup_actions.bucket; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_actions.bucket IS 'Time to the action (function time_bucket); -2 when neither sent nor confirmed, -1 when negative.';

--
-- Name: COLUMN rollup_actions.deliveries; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_actions.deliveries IS 'Number of deliveries.';

--
-- Name: COLUMN rollup_actions.events; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_actions.events IS 'Number of events of the action.';

--
-- Name: action_deltas(afterpush.delivery_shape[]); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.action_deltas(shapes afterpush.delivery_shape[]) RETURNS afterpush.rollup_actions[]
    LANGUAGE plpgsql STABLE
    AS $$
begin
    return array(
        with acted as materialized (
            select * from unnest(shapes) where actions is not null
        ),
        modes as (
            select
                s.app_id, false as verified, s.anchor_hour, s.campaign_id, s.variant, s.category_id, s.category_version,
                s.platform, s.kinds, a.action_id, a.bucket, s.deliveries, a.events
            from acted as s
            cross join unnest((s.actions).action_ids, (s.actions).buckets, (s.actions).events)
                as a (action_id, bucket, events)
            union all
            select
                s.app_id, true, s.anchor_hour, v.verified_campaign_id, v.verified_variant, v.verified_category_id,
                v.verified_category_version, v.verified_platform, s.verified_kinds, a.action_id, a.bucket, s.deliveries,
                a.events
            from acted as s
            cross join lateral afterpush.verified_names(
                s.verified_dimensions, s.platform, s.app_version, s.campaign_id, s.variant, s.category_id,
                s.category_version
            ) as v
            cross join unnest((s.actions).action_ids, (s.actions).verified_buckets, (s.actions).verified_events)
                as a (action_id, bucket, events)
            where s.verified_kinds <> 0
              and a.events > 0
        ),
        summed as (
            select
                app_id, verified, anchor_hour, campaign_id, variant, category_id, category_version, platform,
                afterpush.is_sent(kinds), afterpush.is_confirmed(kinds), action_id, bucket,
                sum(deliveries), sum(deliveries::bigint * events)::bigint
            from modes
            group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
            having sum(deliveries) <> 0
                or sum(deliveries::bigint * events) <> 0
        )
        select row(s.*)::afterpush.rollup_actions
        from summed as s
    );
end
$$;

ALTER FUNCTION afterpush.action_deltas(shapes afterpush.delivery_shape[]) OWNER TO afterpush_owner;

--
-- Name: FUNCTION action_deltas(shapes afterpush.delivery_shape[]); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.action_deltas(shapes afterpush.delivery_shape[]) IS 'How a change of deliveries changes rollup_actions.';

--
-- Name: actions_key(text[]); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.actions_key(actions text[]) RETURNS bytea
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
begin
    return case when actions = '{}' then '' else sha256(convert_to(actions::text, 'UTF8')) end;
end
$$;

ALTER FUNCTION afterpush.actions_key(actions text[]) OWNER TO afterpush_owner;

--
-- Name: FUNCTION actions_key(actions text[]); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.actions_key(actions text[]) IS 'The digest that stands for a set of actions in a key: empty for no actions, else its SHA-256.';

--
-- Name: add_actions(afterpush.delivery_shape[]); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.add_actions(shapes afterpush.delivery_shape[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
    deltas afterpush.rollup_actions[];
begin
    deltas := afterpush.action_deltas(shapes);
    if cardinality(deltas) > 0 then
        perform afterpush.add_to_rollup_actions(deltas);
        perform afterpush.add_to_rollup_action_days(deltas);
    end if;
end
$$;

ALTER FUNCTION afterpush.add_actions(shapes afterpush.delivery_shape[]) OWNER TO afterpush_owner;

--
-- Name: FUNCTION add_actions(shapes afterpush.delivery_shape[]); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.add_actions(shapes afterpush.delivery_shape[]) IS 'Adds a change of deliveries to the rollups of actions.';

--
-- Name: add_deliveries(afterpush.delivery_shape[]); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.add_deliveries(shapes afterpush.delivery_shape[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
    deltas afterpush.rollup_app_versions[];
begin
    deltas := afterpush.app_version_deltas(shapes);
    perform afterpush.add_to_rollup_app_versions(deltas);
    perform afterpush.add_to_rollup_deliveries(deltas);
    perform afterpush.add_to_rollup_delivery_days(deltas);
    perform afterpush.add_to_rollup_goal_days(deltas);
end
$$;

ALTER FUNCTION afterpush.add_deliveries(shapes afterpush.delivery_shape[]) OWNER TO afterpush_owner;

--
-- Name: FUNCTION add_deliveries(shapes afterpush.delivery_shape[]); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.add_deliveries(shapes afterpush.delivery_shape[]) IS 'Adds a change of deliveries to the rollups of deliveries by state.';

--
-- Name: add_device_changes(afterpush.delivery_shape[]); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.add_device_changes(shapes afterpush.delivery_shape[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
    insert into afterpush.rollup_device_changes
    select
        app_id, mode, afterpush.day_of(anchor_hour),
        case when mode = 2 then verified_campaign_id else campaign_id end,
        case when mode = 2 then verified_variant else variant end,
        case when mode = 2 then verified_category_id else category_id end,
        case when mode = 2 then verified_category_version else category_version end,
        case when mode = 2 then verified_platform else platform end,
        case when mode = 2 then verified_kinds else kinds end,
        case when mode = 2 then verified_actions else actions end,
        coalesce(string_agg(come, ''), ''),
        coalesce(string_agg(gone, ''), '')
    from (
        select
            app_id, anchor_hour, campaign_id, variant, category_id, category_version, platform,
            v.verified_campaign_id, v.verified_variant, v.verified_category_id, v.verified_category_version,
            v.verified_platform,
            (campaign_id, variant, category_id, category_version, platform) = (
                v.verified_campaign_id, v.verified_variant, v.verified_category_id, v.verified_category_version,
                v.verified_platform
            ) as has_verified_names,
            afterpush.rate_kinds(kinds) as kinds,
            afterpush.rate_kinds(verified_kinds) as verified_kinds,
            coalesce((actions).action_ids, '{}') as actions,
            case
                when actions is null then '{}'
                when 0 = all ((actions).verified_events) then '{}'
                when 0 <> all ((actions).verified_events) then (actions).action_ids
                else array(
                    select a.action_id
                    from unnest((actions).action_ids, (actions).verified_events) as a (action_id, events)
                    where a.events > 0
                )
            end as verified_actions,
            s.verified_kinds <> 0 as is_verified,
            come, gone
        from unnest(shapes) as s
        cross join lateral afterpush.verified_names(
            verified_dimensions, platform, app_version, campaign_id, variant, category_id, category_version
        ) as v
        where come is distinct from gone
        offset 0
    ) as s
    cross join lateral unnest(
        case
            when not is_verified then '{1}'::smallint[]
            when kinds = verified_kinds and actions = verified_actions and has_verified_names then '{3}'
            else '{1,2}'
        end
    ) as mode
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10;
end
$$;

ALTER FUNCTION afterpush.add_device_changes(shapes afterpush.delivery_shape[]) OWNER TO afterpush_owner;

--
-- Name: FUNCTION add_device_changes(shapes afterpush.delivery_shape[]); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.add_device_changes(shapes afterpush.delivery_shape[]) IS 'Notes a change of deliveries in rollup_device_changes.';

--
-- Name: add_event_counts(afterpush.event_count[]); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.add_event_counts(counts afterpush.event_count[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
    deltas afterpush.rollup_events[];
begin
    deltas := afterpush.event_deltas(counts);
    if cardinality(deltas) > 0 then
        perform afterpush.add_to_rollup_events(deltas);
        perform afterpush.add_to_rollup_event_hours(deltas);
    end if;
end
$$;

ALTER FUNCTION afterpush.add_event_counts(counts afterpush.event_count[]) OWNER TO afterpush_owner;

--
-- Name: FUNCTION add_event_counts(counts afterpush.event_count[]); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.add_event_counts(counts afterpush.event_count[]) IS 'Adds numbers of events to the rollups of events.';

--
-- Name: add_responses(afterpush.delivery_shape[]); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.add_responses(shapes afterpush.delivery_shape[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
    deltas afterpush.rollup_responses[];
begin
    deltas := afterpush.response_deltas(shapes);
    if cardinality(deltas) > 0 then
        perform afterpush.add_to_rollup_responses(deltas);
        perform afterpush.add_to_rollup_response_days(deltas);
    end if;
end
$$;

ALTER FUNCTION afterpush.add_responses(shapes afterpush.delivery_shape[]) OWNER TO afterpush_owner;

--
-- Name: FUNCTION add_responses(shapes afterpush.delivery_shape[]); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.add_responses(shapes afterpush.delivery_shape[]) IS 'Adds a change of deliveries to the rollups of response times.';

--
-- Name: add_running_totals(integer[], integer[]); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.add_running_totals(a integer[], b integer[]) RETURNS integer[]
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    AS $$
declare
    ends constant integer := greatest(a[1] + cardinality(a), b[1] + cardinality(b)) - 2;
    total constant integer := coalesce(a[cardinality(a)], 0) + coalesce(b[cardinality(b)], 0);
    result integer[] := '{}';
    reached integer;
begin
    if cardinality(a) = 0 or cardinality(b) = 0 then
        return a || b;
    end if;
    for bucket in least(a[1], b[1])..ends loop
        exit when total = 0;
        reached := case when bucket < a[1] then 0 else a[least(bucket - a[1] + 2, cardinality(a))] end
            + case when bucket < b[1] then 0 else b[least(bucket - b[1] + 2, cardinality(b))] end;
        if reached > 0 then
            if cardinality(result) = 0 then
                result := array[bucket];
            end if;
            result := result || reached;
            exit when reached = total;
        end if;
    end loop;
    return result;
end
$$;

ALTER FUNCTION afterpush.add_running_totals(a integer[], b integer[]) OWNER TO afterpush_owner;

--
-- Name: FUNCTION add_running_totals(a integer[], b integer[]); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.add_running_totals(a integer[], b integer[]) IS 'The sum of two arrays of running totals, of which one may be a signed difference.';

--
-- Name: add_to_rollup_action_days(afterpush.rollup_actions[]); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.add_to_rollup_action_days(deltas afterpush.rollup_actions[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
    emptied tid[];
begin
    with by_bucket as (
        select
            app_id, verified, afterpush.day_of(anchor_hour) as anchor_day, campaign_id, variant, category_id,
            category_version, action_id, bucket,
            sum(deliveries)::bigint as deliveries,
            coalesce(sum(deliveries) filter (where is_sent), 0) as deliveries_sent,
            coalesce(sum(deliveries) filter (where is_confirmed), 0) as deliveries_confirmed,
            sum(events) as events
        from unnest(deltas)
        group by 1, 2, 3, 4, 5, 6, 7, 8, 9
    ),
    added as (
        insert into afterpush.rollup_action_days as r
        select
            app_id, verified, anchor_day, campaign_id, variant, category_id, category_version, action_id,
            sum(deliveries), sum(deliveries_sent), sum(deliveries_confirmed), sum(events),
            afterpush.running_totals_of(array_agg(bucket order by bucket), array_agg(deliveries order by bucket))
        from by_bucket
        group by 1, 2, 3, 4, 5, 6, 7, 8
        order by 1, 2, 4, 3, 5, 6, 7, 8
        on conflict (
            app_id, verified, campaign_id, anchor_day, variant, category_id, category_version, action_id
        ) do update set
            deliveries = r.deliveries + excluded.deliveries,
            deliveries_sent = r.deliveries_sent + excluded.deliveries_sent,
            deliveries_confirmed = r.deliveries_confirmed + excluded.deliveries_confirmed,
            events = r.events + excluded.events,
            times = afterpush.add_running_totals(r.times, excluded.times)
        returning r.ctid as stored_row, r.deliveries
    )
    select array_agg(stored_row) into emptied from added where deliveries = 0;

    if emptied is not null then
        delete from afterpush.rollup_action_days where ctid = any (emptied);
    end if;
end
$$;

ALTER FUNCTION afterpush.add_to_rollup_action_days(deltas afterpush.rollup_actions[]) OWNER TO afterpush_owner;

--
-- Name: FUNCTION add_to_rollup_action_days(deltas afterpush.rollup_actions[]); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.add_to_rollup_action_days(deltas afterpush.rollup_actions[]) IS 'Adds deltas to rollup_action_days.';

--
-- Name: add_to_rollup_actions(afterpush.rollup_actions[]); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.add_to_rollup_actions(deltas afterpush.rollup_actions[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
    emptied tid[];
begin
    with added as (
        insert into afterpush.rollup_actions as r
        select *
        from unnest(deltas)
        order by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
        on conflict (
            app_id, verified, anchor_hour, campaign_id, variant, category_id, category_version, platform, is_sent,
            is_confirmed, action_id, bucket
        ) do update set
            deliveries = r.deliveries + excluded.deliveries,
            events = r.events + excluded.events
        returning r.ctid as stored_row, r.deliveries
    )
    select array_agg(stored_row) into emptied from added where deliveries = 0;

    if emptied is not null then
        delete from afterpush.rollup_actions where ctid = any (emptied);
    end if;
end
$$;

ALTER FUNCTION afterpush.add_to_rollup_actions(deltas afterpush.rollup_actions[]) OWNER TO afterpush_owner;

--
-- Name: FUNCTION add_to_rollup_actions(deltas afterpush.rollup_actions[]); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.add_to_rollup_actions(deltas afterpush.rollup_actions[]) IS 'Adds deltas to rollup_actions.';

--
-- Name: rollup_app_versions; Type: TABLE; Schema: afterpush; Owner: afterpush_owner
--

CREATE TABLE afterpush.rollup_app_versions (
    app_id integer NOT NULL,
    verified boolean NOT NULL,
    anchor_hour timestamp with time zone NOT NULL,
    campaign_id text NOT NULL COLLATE pg_catalog."C",
    variant text NOT NULL COLLATE pg_catalog."C",
    category_id text NOT NULL COLLATE pg_catalog."C",
    category_version integer NOT NULL,
    platform text NOT NULL COLLATE pg_catalog."C",
    is_sent boolean NOT NULL,
    is_confirmed boolean NOT NULL,
    actions text[] NOT NULL COLLATE pg_catalog."C",
    deliveries bigint NOT NULL,
    failed bigint NOT NULL,
    delivered bigint NOT NULL,
    displayed bigint NOT NULL,
    opened bigint NOT NULL,
    replied bigint NOT NULL,
    dismissed bigint NOT NULL,
    read bigint NOT NULL,
    responded bigint NOT NULL,
    converted_events bigint NOT NULL,
    replaced bigint NOT NULL,
    refused bigint NOT NULL,
    locally_sent bigint NOT NULL,
    app_version text NOT NULL COLLATE pg_catalog."C"
)
WITH (fillfactor='80');

ALTER TABLE afterpush.rollup_app_versions OWNER TO afterpush_owner;

--
-- Name: TABLE rollup_app_versions; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TABLE afterpush.rollup_app_versions IS 'Deliveries in each state, by dimension, app version and anchor hour.';

--
-- Name: COLUMN rollup_app_versions.app_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_app_versions.app_id IS 'The app.';

--
-- Name: COLUMN rollup_app_versions.verified; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_app_versions.verified IS 'Whether only verified events count; each delivery is in false, and in true if it has a verified event. In true, dimensions are known only if verified events state them.';

--
-- Name: COLUMN rollup_app_versions.anchor_hour; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_app_versions.anchor_hour IS 'Hour of the deliveries'' anchor, UTC.';

--
-- Name: COLUMN rollup_app_versions.campaign_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_app_versions.campaign_id IS 'Campaign; empty when unknown.';

--
-- Name: COLUMN rollup_app_versions.variant; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_app_versions.variant IS 'Variant; empty when unknown.';

--
-- Name: COLUMN rollup_app_versions.category_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_app_versions.category_id IS 'Category; empty when unknown.';

--
-- Name: COLUMN rollup_app_versions.category_version; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_app_versions.category_version IS 'Stated version of the category; 0 when unstated.';

--
-- Name: COLUMN rollup_app_versions.platform; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_app_versions.platform IS 'Platform; empty when unknown.';

--
-- Name: COLUMN rollup_app_versions.is_sent; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_app_versions.is_sent IS 'Whether the deliveries are in state sent.';

--
-- Name: COLUMN rollup_app_versions.is_confirmed; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_app_versions.is_confirmed IS 'Whether the deliveries are in state confirmed.';

--
-- Name: COLUMN rollup_app_versions.actions; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_app_versions.actions IS 'The set of actions taken on the deliveries, in byte order; empty when none.';

--
-- Name: COLUMN rollup_app_versions.deliveries; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_app_versions.deliveries IS 'Number of deliveries.';

--
-- Name: COLUMN rollup_app_versions.failed; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_app_versions.failed IS 'Number of deliveries in state failed.';

--
-- Name: COLUMN rollup_app_versions.delivered; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_app_versions.delivered IS 'Number of deliveries in state delivered.';

--
-- Name: COLUMN rollup_app_versions.displayed; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_app_versions.displayed IS 'Number of deliveries in state displayed.';

--
-- Name: COLUMN rollup_app_versions.opened; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_app_versions.opened IS 'Number of deliveries in state opened.';

--
-- Name: COLUMN rollup_app_versions.replied; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_app_versions.replied IS 'Number of deliveries in state replied.';

--
-- Name: COLUMN rollup_app_versions.dismissed; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_app_versions.dismissed IS 'Number of deliveries in state dismissed.';

--
-- Name: COLUMN rollup_app_versions.read; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_app_versions.read IS 'Number of deliveries in state read.';

--
-- Name: COLUMN rollup_app_versions.responded; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_app_versions.responded IS 'Number of deliveries in state responded.';

--
-- Name: COLUMN rollup_app_versions.converted_events; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_app_versions.converted_events IS 'Number of deliveries with a converted event.';

--
-- Name: COLUMN rollup_app_versions.replaced; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_app_versions.replaced IS 'Number of deliveries in state replaced.';

--
-- Name: COLUMN rollup_app_versions.refused; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_app_versions.refused IS 'Number of deliveries in state failed and not in state replaced.';

--
-- Name: COLUMN rollup_app_versions.locally_sent; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_app_versions.locally_sent IS 'Number of deliveries in state sent of which only unverified events say so: local triggers.';

--
-- Name: COLUMN rollup_app_versions.app_version; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_app_versions.app_version IS 'Version of the app; empty when unknown.';

--
-- Name: add_to_rollup_app_versions(afterpush.rollup_app_versions[]); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.add_to_rollup_app_versions(deltas afterpush.rollup_app_versions[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
    emptied tid[];
begin
    with added as (
        insert into afterpush.rollup_app_versions as r
        select *
        from unnest(deltas)
        order by
            app_id, verified, anchor_hour, app_version, campaign_id, variant, category_id, category_version, platform,
            is_sent, is_confirmed, actions
        on conflict (
            app_id, verified, anchor_hour, app_version, campaign_id, variant, category_id, category_version, platform,
            is_sent, is_confirmed, afterpush.actions_key(actions)
        ) do update set
            deliveries = r.deliveries + excluded.deliveries,
            failed = r.failed + excluded.failed,
            delivered = r.delivered + excluded.delivered,
            displayed = r.displayed + excluded.displayed,
            opened = r.opened + excluded.opened,
            replied = r.replied + excluded.replied,
            dismissed = r.dismissed + excluded.dismissed,
            read = r.read + excluded.read,
            responded = r.responded + excluded.responded,
            converted_events = r.converted_events + excluded.converted_events,
            replaced = r.replaced + excluded.replaced,
            refused = r.refused + excluded.refused,
            locally_sent = r.locally_sent + excluded.locally_sent
        returning r.ctid as stored_row, r.deliveries
    )
    select array_agg(stored_row) into emptied from added where deliveries = 0;

    if emptied is not null then
        delete from afterpush.rollup_app_versions where ctid = any (emptied);
    end if;
end
$$;

ALTER FUNCTION afterpush.add_to_rollup_app_versions(deltas afterpush.rollup_app_versions[]) OWNER TO afterpush_owner;

--
-- Name: FUNCTION add_to_rollup_app_versions(deltas afterpush.rollup_app_versions[]); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.add_to_rollup_app_versions(deltas afterpush.rollup_app_versions[]) IS 'Adds deltas to rollup_app_versions.';

--
-- Name: add_to_rollup_deliveries(afterpush.rollup_app_versions[]); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.add_to_rollup_deliveries(deltas afterpush.rollup_app_versions[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
    emptied tid[];
begin
    with added as (
        insert into afterpush.rollup_deliveries as r
        select
            app_id, verified, anchor_hour, campaign_id, variant, category_id, category_version, platform, is_sent,
            is_confirmed, actions, sum(deliveries), sum(failed), sum(delivered), sum(displayed), sum(opened),
            sum(replied), sum(dismissed), sum(read), sum(responded), sum(converted_events), sum(replaced), sum(refused),
            sum(locally_sent)
        from unnest(deltas)
        group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
        order by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
        on conflict (
            app_id, verified, anchor_hour, campaign_id, variant, category_id, category_version, platform, is_sent,
            is_confirmed, afterpush.actions_key(actions)
        ) do update set
            deliveries = r.deliveries + excluded.deliveries,
            failed = r.failed + excluded.failed,
            delivered = r.delivered + excluded.delivered,
            displayed = r.displayed + excluded.displayed,
            opened = r.opened + excluded.opened,
            replied = r.replied + excluded.replied,
            dismissed = r.dismissed + excluded.dismissed,
            read = r.read + excluded.read,
            responded = r.responded + excluded.responded,
            converted_events = r.converted_events + excluded.converted_events,
            replaced = r.replaced + excluded.replaced,
            refused = r.refused + excluded.refused,
            locally_sent = r.locally_sent + excluded.locally_sent
        returning r.ctid as stored_row, r.deliveries
    )
    select array_agg(stored_row) into emptied from added where deliveries = 0;

    if emptied is not null then
        delete from afterpush.rollup_deliveries where ctid = any (emptied);
    end if;
end
$$;

ALTER FUNCTION afterpush.add_to_rollup_deliveries(deltas afterpush.rollup_app_versions[]) OWNER TO afterpush_owner;

--
-- Name: FUNCTION add_to_rollup_deliveries(deltas afterpush.rollup_app_versions[]); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.add_to_rollup_deliveries(deltas afterpush.rollup_app_versions[]) IS 'Adds deltas to rollup_deliveries.';

--
-- Name: add_to_rollup_delivery_days(afterpush.rollup_app_versions[]); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.add_to_rollup_delivery_days(deltas afterpush.rollup_app_versions[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
    emptied tid[];
begin
    with added as (
        insert into afterpush.rollup_delivery_days as r
        select
            app_id, verified, afterpush.day_of(anchor_hour), campaign_id, variant, category_id, category_version,
            platform,
            sum(deliveries),
            coalesce(sum(deliveries) filter (where is_sent), 0),
            coalesce(sum(deliveries) filter (where is_confirmed), 0),
            coalesce(sum(deliveries) filter (where is_sent and is_confirmed), 0),
            sum(failed),
            sum(delivered),
            coalesce(sum(delivered) filter (where is_sent), 0),
            sum(displayed),
            sum(opened),
            coalesce(sum(opened) filter (where is_sent), 0),
            coalesce(sum(opened) filter (where is_confirmed), 0),
            coalesce(sum(deliveries) filter (where cardinality(actions) > 0), 0),
            coalesce(sum(deliveries) filter (where is_sent and cardinality(actions) > 0), 0),
            coalesce(sum(deliveries) filter (where is_confirmed and cardinality(actions) > 0), 0),
            sum(replied),
            coalesce(sum(replied) filter (where is_sent), 0),
            coalesce(sum(replied) filter (where is_confirmed), 0),
            sum(dismissed),
            coalesce(sum(dismissed) filter (where is_sent), 0),
            coalesce(sum(dismissed) filter (where is_confirmed), 0),
            sum(read),
            coalesce(sum(read) filter (where is_sent), 0),
            coalesce(sum(read) filter (where is_confirmed), 0),
            sum(responded),
            coalesce(sum(responded) filter (where is_sent), 0),
            coalesce(sum(responded) filter (where is_confirmed), 0),
            sum(converted_events),
            coalesce(sum(converted_events) filter (where is_sent), 0),
            coalesce(sum(converted_events) filter (where is_confirmed), 0),
            sum(replaced),
            coalesce(sum(replaced) filter (where is_sent), 0),
            coalesce(sum(replaced) filter (where is_confirmed), 0),
            sum(refused),
            coalesce(sum(refused) filter (where is_sent), 0),
            sum(locally_sent)
        from unnest(deltas)
        group by 1, 2, 3, 4, 5, 6, 7, 8
        order by 1, 2, 4, 3, 5, 6, 7, 8
        on conflict (
            app_id, verified, campaign_id, anchor_day, variant, category_id, category_version, platform
        ) do update set
            deliveries = r.deliveries + excluded.deliveries,
            deliveries_sent = r.deliveries_sent + excluded.deliveries_sent,
            deliveries_confirmed = r.deliveries_confirmed + excluded.deliveries_confirmed,
            deliveries_both = r.deliveries_both + excluded.deliveries_both,
            failed = r.failed + excluded.failed,
            delivered = r.delivered + excluded.delivered,
            delivered_sent = r.delivered_sent + excluded.delivered_sent,
            displayed = r.displayed + excluded.displayed,
            opened = r.opened + excluded.opened,
            opened_sent = r.opened_sent + excluded.opened_sent,
            opened_confirmed = r.opened_confirmed + excluded.opened_confirmed,
            acted = r.acted + excluded.acted,
            acted_sent = r.acted_sent + excluded.acted_sent,
            acted_confirmed = r.acted_confirmed + excluded.acted_confirmed,
            replied = r.replied + excluded.replied,
            replied_sent = r.replied_sent + excluded.replied_sent,
            replied_confirmed = r.replied_confirmed + excluded.replied_confirmed,
            dismissed = r.dismissed + excluded.dismissed,
            dismissed_sent = r.dismissed_sent + excluded.dismissed_sent,
            dismissed_confirmed = r.dismissed_confirmed + excluded.dismissed_confirmed,
            read = r.read + excluded.read,
            read_sent = r.read_sent + excluded.read_sent,
            read_confirmed = r.read_confirmed + excluded.read_confirmed,
            responded = r.responded + excluded.responded,
            responded_sent = r.responded_sent + excluded.responded_sent,
            responded_confirmed = r.responded_confirmed + excluded.responded_confirmed,
            converted_events = r.converted_events + excluded.converted_events,
            converted_events_sent = r.converted_events_sent + excluded.converted_events_sent,
            converted_events_confirmed = r.converted_events_confirmed + excluded.converted_events_confirmed,
            replaced = r.replaced + excluded.replaced,
            replaced_sent = r.replaced_sent + excluded.replaced_sent,
            replaced_confirmed = r.replaced_confirmed + excluded.replaced_confirmed,
            refused = r.refused + excluded.refused,
            refused_sent = r.refused_sent + excluded.refused_sent,
            locally_sent = r.locally_sent + excluded.locally_sent
        returning r.ctid as stored_row, r.deliveries
    )
    select array_agg(stored_row) into emptied from added where deliveries = 0;

    if emptied is not null then
        delete from afterpush.rollup_delivery_days where ctid = any (emptied);
    end if;
end
$$;

ALTER FUNCTION afterpush.add_to_rollup_delivery_days(deltas afterpush.rollup_app_versions[]) OWNER TO afterpush_owner;

--
-- Name: FUNCTION add_to_rollup_delivery_days(deltas afterpush.rollup_app_versions[]); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.add_to_rollup_delivery_days(deltas afterpush.rollup_app_versions[]) IS 'Adds deltas to rollup_delivery_days.';

--
-- Name: rollup_events; Type: TABLE; Schema: afterpush; Owner: afterpush_owner
--

CREATE TABLE afterpush.rollup_events (
    app_id integer NOT NULL,
    verified boolean NOT NULL,
    event_hour timestamp with time zone NOT NULL,
    campaign_id text NOT NULL COLLATE pg_catalog."C",
    variant text NOT NULL COLLATE pg_catalog."C",
    category_id text NOT NULL COLLATE pg_catalog."C",
    platform text NOT NULL COLLATE pg_catalog."C",
    sent integer NOT NULL,
    failed integer NOT NULL,
    delivered integer NOT NULL,
    displayed integer NOT NULL,
    read integer NOT NULL,
    opened integer NOT NULL,
    action integer NOT NULL,
    text_input integer NOT NULL,
    dismissed integer NOT NULL,
    converted integer NOT NULL,
    replaced integer NOT NULL,
    media_played integer NOT NULL,
    media_paused integer NOT NULL,
    attachment_failed integer NOT NULL,
    extension_expired integer NOT NULL,
    token_registered integer NOT NULL,
    token_failed integer NOT NULL,
    permission_granted integer NOT NULL,
    permission_revoked integer NOT NULL,
    app_opened integer NOT NULL,
    held_out integer NOT NULL,
    events integer NOT NULL
)
WITH (fillfactor='80');

ALTER TABLE afterpush.rollup_events OWNER TO afterpush_owner;

--
-- Name: TABLE rollup_events; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TABLE afterpush.rollup_events IS 'Events of each kind by the hour they occurred in, and by their delivery''s dimensions.';

--
-- Name: COLUMN rollup_events.app_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_events.app_id IS 'The app.';

--
-- Name: COLUMN rollup_events.verified; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_events.verified IS 'Whether only verified events count; each event is in false, and in true if it is verified. In true, dimensions are known only if verified events state them.';

--
-- Name: COLUMN rollup_events.event_hour; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_events.event_hour IS 'Hour of occurred_at, UTC.';

--
-- Name: COLUMN rollup_events.campaign_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_events.campaign_id IS 'Campaign of the delivery; empty when unknown, and for events about the device alone.';

--
-- Name: COLUMN rollup_events.variant; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_events.variant IS 'Variant of the delivery; see campaign_id.';

--
-- Name: COLUMN rollup_events.category_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_events.category_id IS 'Category of the delivery; see campaign_id.';

--
-- Name: COLUMN rollup_events.platform; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_events.platform IS 'Platform of the delivery, or of the event if it is about the device alone; empty when unknown.';

--
-- Name: COLUMN rollup_events.sent; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_events.sent IS 'Number of events of the kind sent.';

--
-- Name: COLUMN rollup_events.failed; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_events.failed IS 'Number of events of the kind failed.';

--
-- Name: COLUMN rollup_events.delivered; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_events.delivered IS 'Number of events of the kind delivered.';

--
-- Name: COLUMN rollup_events.displayed; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_events.displayed IS 'Number of events of the kind displayed.';

--
-- Name: COLUMN rollup_events.read; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_events.read IS 'Number of events of the kind read.';

--
-- Name: COLUMN rollup_events.opened; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_events.opened IS 'Number of events of the kind opened.';

--
-- Name: COLUMN rollup_events.action; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_events.action IS 'Number of events of the kind action.';

--
-- Name: COLUMN rollup_events.text_input; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_events.text_input IS 'Number of events of the kind text_input.';

--
-- Name: COLUMN rollup_events.dismissed; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_events.dismissed IS 'Number of events of the kind dismissed.';

--
-- Name: COLUMN rollup_events.converted; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_events.converted IS 'Number of events of the kind converted.';

--
-- Name: COLUMN rollup_events.replaced; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_events.replaced IS 'Number of events of the kind replaced.';

--
-- Name: COLUMN rollup_events.media_played; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_events.media_played IS 'Number of events of the kind media_played.';

--
-- Name: COLUMN rollup_events.media_paused; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_events.media_paused IS 'Number of events of the kind media_paused.';

--
-- Name: COLUMN rollup_events.attachment_failed; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_events.attachment_failed IS 'Number of events of the kind attachment_failed.';

--
-- Name: COLUMN rollup_events.extension_expired; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_events.extension_expired IS 'Number of events of the kind extension_expired.';

--
-- Name: COLUMN rollup_events.token_registered; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_events.token_registered IS 'Number of events of the kind token_registered.';

--
-- Name: COLUMN rollup_events.token_failed; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_events.token_failed IS 'Number of events of the kind token_failed.';

--
-- Name: COLUMN rollup_events.permission_granted; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_events.permission_granted IS 'Number of events of the kind permission_granted.';

--
-- Name: COLUMN rollup_events.permission_revoked; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_events.permission_revoked IS 'Number of events of the kind permission_revoked.';

--
-- Name: COLUMN rollup_events.app_opened; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_events.app_opened IS 'Number of events of the kind app_opened.';

--
-- Name: COLUMN rollup_events.held_out; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_events.held_out IS 'Number of events of the kind held_out.';

--
-- Name: COLUMN rollup_events.events; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_events.events IS 'Number of events of all kinds.';

--
-- Name: add_to_rollup_event_hours(afterpush.rollup_events[]); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.add_to_rollup_event_hours(deltas afterpush.rollup_events[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
    emptied tid[];
begin
    with added as (
        insert into afterpush.rollup_event_hours as r
        select
            app_id, verified, event_hour, platform,
            sum(sent),
            sum(failed),
            sum(delivered),
            sum(displayed),
            sum(read),
            sum(opened),
            sum(action),
            sum(text_input),
            sum(dismissed),
            sum(converted),
            sum(replaced),
            sum(media_played),
            sum(media_paused),
            sum(attachment_failed),
            sum(extension_expired),
            sum(token_registered),
            sum(token_failed),
            sum(permission_granted),
            sum(permission_revoked),
            sum(app_opened),
            sum(held_out),
            sum(events)
        from unnest(deltas)
        group by 1, 2, 3, 4
        order by 1, 2, 3, 4
        on conflict (app_id, verified, event_hour, platform) do update set
            sent = r.sent + excluded.sent,
            failed = r.failed + excluded.failed,
            delivered = r.delivered + excluded.delivered,
            displayed = r.displayed + excluded.displayed,
            read = r.read + excluded.read,
            opened = r.opened + excluded.opened,
            action = r.action + excluded.action,
            text_input = r.text_input + excluded.text_input,
            dismissed = r.dismissed + excluded.dismissed,
            converted = r.converted + excluded.converted,
            replaced = r.replaced + excluded.replaced,
            media_played = r.media_played + excluded.media_played,
            media_paused = r.media_paused + excluded.media_paused,
            attachment_failed = r.attachment_failed + excluded.attachment_failed,
            extension_expired = r.extension_expired + excluded.extension_expired,
            token_registered = r.token_registered + excluded.token_registered,
            token_failed = r.token_failed + excluded.token_failed,
            permission_granted = r.permission_granted + excluded.permission_granted,
            permission_revoked = r.permission_revoked + excluded.permission_revoked,
            app_opened = r.app_opened + excluded.app_opened,
            held_out = r.held_out + excluded.held_out,
            events = r.events + excluded.events
        returning r.ctid as stored_row, r.events
    )
    select array_agg(stored_row) into emptied from added where events = 0;

    if emptied is not null then
        delete from afterpush.rollup_event_hours where ctid = any (emptied);
    end if;
end
$$;

ALTER FUNCTION afterpush.add_to_rollup_event_hours(deltas afterpush.rollup_events[]) OWNER TO afterpush_owner;

--
-- Name: FUNCTION add_to_rollup_event_hours(deltas afterpush.rollup_events[]); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.add_to_rollup_event_hours(deltas afterpush.rollup_events[]) IS 'Adds deltas to rollup_event_hours.';

--
-- Name: add_to_rollup_events(afterpush.rollup_events[]); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.add_to_rollup_events(deltas afterpush.rollup_events[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
    emptied tid[];
begin
    with added as (
        insert into afterpush.rollup_events as r
        select *
        from unnest(deltas)
        order by app_id, verified, campaign_id, event_hour, variant, category_id, platform
        on conflict (app_id, verified, campaign_id, event_hour, variant, category_id, platform) do update set
            sent = r.sent + excluded.sent,
            failed = r.failed + excluded.failed,
            delivered = r.delivered + excluded.delivered,
            displayed = r.displayed + excluded.displayed,
            read = r.read + excluded.read,
            opened = r.opened + excluded.opened,
            action = r.action + excluded.action,
            text_input = r.text_input + excluded.text_input,
            dismissed = r.dismissed + excluded.dismissed,
            converted = r.converted + excluded.converted,
            replaced = r.replaced + excluded.replaced,
            media_played = r.media_played + excluded.media_played,
            media_paused = r.media_paused + excluded.media_paused,
            attachment_failed = r.attachment_failed + excluded.attachment_failed,
            extension_expired = r.extension_expired + excluded.extension_expired,
            token_registered = r.token_registered + excluded.token_registered,
            token_failed = r.token_failed + excluded.token_failed,
            permission_granted = r.permission_granted + excluded.permission_granted,
            permission_revoked = r.permission_revoked + excluded.permission_revoked,
            app_opened = r.app_opened + excluded.app_opened,
            held_out = r.held_out + excluded.held_out,
            events = r.events + excluded.events
        returning r.ctid as stored_row, r.events
    )
    select array_agg(stored_row) into emptied from added where events = 0;

    if emptied is not null then
        delete from afterpush.rollup_events where ctid = any (emptied);
    end if;
end
$$;

ALTER FUNCTION afterpush.add_to_rollup_events(deltas afterpush.rollup_events[]) OWNER TO afterpush_owner;

--
-- Name: FUNCTION add_to_rollup_events(deltas afterpush.rollup_events[]); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.add_to_rollup_events(deltas afterpush.rollup_events[]) IS 'Adds deltas to rollup_events.';

--
-- Name: add_to_rollup_goal_days(afterpush.rollup_app_versions[]); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.add_to_rollup_goal_days(deltas afterpush.rollup_app_versions[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
    emptied tid[];
begin
    with added as (
        insert into afterpush.rollup_goal_days as r
        select
            app_id, verified, afterpush.day_of(anchor_hour), campaign_id, variant, category_id, category_version,
            platform, actions,
            sum(deliveries - converted_events),
            coalesce(sum(deliveries - converted_events) filter (where is_sent), 0),
            coalesce(sum(deliveries - converted_events) filter (where is_confirmed), 0)
        from unnest(deltas)
        where cardinality(actions) > 0
        group by 1, 2, 3, 4, 5, 6, 7, 8, 9
        having sum(deliveries - converted_events) <> 0
            or sum(deliveries - converted_events) filter (where is_sent) <> 0
            or sum(deliveries - converted_events) filter (where is_confirmed) <> 0
        order by 1, 2, 4, 3, 5, 6, 7, 8, 9
        on conflict (
            app_id, verified, campaign_id, anchor_day, variant, category_id, category_version, platform,
            afterpush.actions_key(actions)
        ) do update set
            deliveries = r.deliveries + excluded.deliveries,
            deliveries_sent = r.deliveries_sent + excluded.deliveries_sent,
            deliveries_confirmed = r.deliveries_confirmed + excluded.deliveries_confirmed
        returning r.ctid as stored_row, r.deliveries
    )
    select array_agg(stored_row) into emptied from added where deliveries = 0;

    if emptied is not null then
        delete from afterpush.rollup_goal_days where ctid = any (emptied);
    end if;
end
$$;

ALTER FUNCTION afterpush.add_to_rollup_goal_days(deltas afterpush.rollup_app_versions[]) OWNER TO afterpush_owner;

--
-- Name: FUNCTION add_to_rollup_goal_days(deltas afterpush.rollup_app_versions[]); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.add_to_rollup_goal_days(deltas afterpush.rollup_app_versions[]) IS 'Adds deltas to rollup_goal_days.';

--
-- Name: rollup_responses; Type: TABLE; Schema: afterpush; Owner: afterpush_owner
--

CREATE TABLE afterpush.rollup_responses (
    app_id integer NOT NULL,
    verified boolean NOT NULL,
    anchor_hour timestamp with time zone NOT NULL,
    campaign_id text NOT NULL COLLATE pg_catalog."C",
    variant text NOT NULL COLLATE pg_catalog."C",
    category_id text NOT NULL COLLATE pg_catalog."C",
    platform text NOT NULL COLLATE pg_catalog."C",
    app_version text NOT NULL COLLATE pg_catalog."C",
    bucket smallint NOT NULL,
    deliveries integer NOT NULL
)
WITH (fillfactor='80');

ALTER TABLE afterpush.rollup_responses OWNER TO afterpush_owner;

--
-- Name: TABLE rollup_responses; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TABLE afterpush.rollup_responses IS 'Deliveries in state responded, by the time to the first response.';

--
-- Name: COLUMN rollup_responses.app_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_responses.app_id IS 'The app.';

--
-- Name: COLUMN rollup_responses.verified; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_responses.verified IS 'As in rollup_deliveries.';

--
-- Name: COLUMN rollup_responses.anchor_hour; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_responses.anchor_hour IS 'Hour of the deliveries'' anchor, UTC.';

--
-- Name: COLUMN rollup_responses.campaign_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_responses.campaign_id IS 'Campaign; empty when unknown.';

--
-- Name: COLUMN rollup_responses.variant; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_responses.variant IS 'Variant; empty when unknown.';

--
-- Name: COLUMN rollup_responses.category_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_responses.category_id IS 'Category; empty when unknown.';

--
-- Name: COLUMN rollup_responses.platform; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_responses.platform IS 'Platform; empty when unknown.';

--
-- Name: COLUMN rollup_responses.app_version; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_responses.app_version IS 'Version of the app; empty when unknown.';

--
-- Name: COLUMN rollup_responses.bucket; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_responses.bucket IS 'Time from confirmation, else send, to the first response (function time_bucket); -2 if unknown, -1 if negative.';

--
-- Name: COLUMN rollup_responses.deliveries; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_responses.deliveries IS 'Number of deliveries.';

--
-- Name: add_to_rollup_response_days(afterpush.rollup_responses[]); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.add_to_rollup_response_days(deltas afterpush.rollup_responses[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
    emptied tid[];
begin
    with by_bucket as (
        select
            app_id, verified, afterpush.day_of(anchor_hour) as anchor_day, campaign_id, variant, category_id, platform,
            bucket, sum(deliveries) as deliveries
        from unnest(deltas)
        group by 1, 2, 3, 4, 5, 6, 7, 8
    ),
    added as (
        insert into afterpush.rollup_response_days as r
        select
            app_id, verified, anchor_day, campaign_id, variant, category_id, platform,
            sum(deliveries),
            afterpush.running_totals_of(array_agg(bucket order by bucket), array_agg(deliveries order by bucket))
        from by_bucket
        group by 1, 2, 3, 4, 5, 6, 7
        order by 1, 2, 4, 3, 5, 6, 7
        on conflict (app_id, verified, campaign_id, anchor_day, variant, category_id, platform) do update set
            deliveries = r.deliveries + excluded.deliveries,
            times = afterpush.add_running_totals(r.times, excluded.times)
        returning r.ctid as stored_row, r.deliveries
    )
    select array_agg(stored_row) into emptied from added where deliveries = 0;

    if emptied is not null then
        delete from afterpush.rollup_response_days where ctid = any (emptied);
    end if;
end
$$;

ALTER FUNCTION afterpush.add_to_rollup_response_days(deltas afterpush.rollup_responses[]) OWNER TO afterpush_owner;

--
-- Name: FUNCTION add_to_rollup_response_days(deltas afterpush.rollup_responses[]); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.add_to_rollup_response_days(deltas afterpush.rollup_responses[]) IS 'Adds deltas to rollup_response_days.';

--
-- Name: add_to_rollup_responses(afterpush.rollup_responses[]); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.add_to_rollup_responses(deltas afterpush.rollup_responses[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
    emptied tid[];
begin
    with added as (
        insert into afterpush.rollup_responses as r
        select *
        from unnest(deltas)
        order by 1, 2, 3, 4, 5, 6, 7, 8, 9
        on conflict (
            app_id, verified, anchor_hour, campaign_id, variant, category_id, platform, app_version, bucket
        ) do update set
            deliveries = r.deliveries + excluded.deliveries
        returning r.ctid as stored_row, r.deliveries
    )
    select array_agg(stored_row) into emptied from added where deliveries = 0;

    if emptied is not null then
        delete from afterpush.rollup_responses where ctid = any (emptied);
    end if;
end
$$;

ALTER FUNCTION afterpush.add_to_rollup_responses(deltas afterpush.rollup_responses[]) OWNER TO afterpush_owner;

--
-- Name: FUNCTION add_to_rollup_responses(deltas afterpush.rollup_responses[]); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.add_to_rollup_responses(deltas afterpush.rollup_responses[]) IS 'Adds deltas to rollup_responses.';

--
-- Name: advance_seal(); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.advance_seal() RETURNS text
    LANGUAGE plpgsql
    AS $$
declare
    announced afterpush.retention_state;
    sealed timestamptz;
begin
    select * into announced from afterpush.retention_state for update;
    select sealed_before into sealed from afterpush.rollup_worker;
    if announced.rejected_before <= sealed then
        return 'sealed';
    end if;
    if announced.barrier_batch is null then
        update afterpush.retention_state set barrier_batch = afterpush.last_batch_before_barrier();
        return 'waiting';
    end if;
    perform from afterpush.rollup_worker for update;
    if exists (select from afterpush.batches where rolled_up_at is null and batch_id <= announced.barrier_batch) then
        return 'waiting';
    end if;
    -- A late delivery whose anchor is in no sealed hour any more is counted by the rollups; its mark goes.
    delete from afterpush.late_deliveries as l
    where not exists (
        select
        from afterpush.deliveries as d
        where d.delivery_id = l.delivery_id
          and afterpush.anchor_hour(d.verified_sent_at, d.receipt_issued_at, d.first_event_at) < sealed
    );
    -- Sealed hours are never rebuilt.
    delete from afterpush.erased_event_counts where event_hour < announced.rejected_before;
    update afterpush.rollup_worker set sealed_before = announced.rejected_before;
    return 'sealed';
end
$$;

ALTER FUNCTION afterpush.advance_seal() OWNER TO afterpush_owner;

--
-- Name: FUNCTION advance_seal(); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.advance_seal() IS 'Takes the announced seal one step further; returns sealed or waiting.';

--
-- Name: anchor_at(timestamp with time zone, timestamp with time zone, timestamp with time zone); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.anchor_at(verified_sent_at timestamp with time zone, receipt_issued_at timestamp with time zone, first_event_at timestamp with time zone) RETURNS timestamp with time zone
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN (verified_sent_at IS NOT NULL) THEN verified_sent_at WHEN (receipt_issued_at IS NOT NULL) THEN receipt_issued_at ELSE first_event_at END;

ALTER FUNCTION afterpush.anchor_at(verified_sent_at timestamp with time zone, receipt_issued_at timestamp with time zone, first_event_at timestamp with time zone) OWNER TO afterpush_owner;

--
-- Name: FUNCTION anchor_at(verified_sent_at timestamp with time zone, receipt_issued_at timestamp with time zone, first_event_at timestamp with time zone); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.anchor_at(verified_sent_at timestamp with time zone, receipt_issued_at timestamp with time zone, first_event_at timestamp with time zone) IS 'The anchor of a delivery.';

--
-- Name: anchor_hour(timestamp with time zone, timestamp with time zone, timestamp with time zone); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.anchor_hour(verified_sent_at timestamp with time zone, receipt_issued_at timestamp with time zone, first_event_at timestamp with time zone) RETURNS timestamp with time zone
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN date_bin('01:00:00'::interval, COALESCE(verified_sent_at, receipt_issued_at, first_event_at), '0001-01-01 00:00:00+00 BC'::timestamp with time zone);

ALTER FUNCTION afterpush.anchor_hour(verified_sent_at timestamp with time zone, receipt_issued_at timestamp with time zone, first_event_at timestamp with time zone) OWNER TO afterpush_owner;

--
-- Name: FUNCTION anchor_hour(verified_sent_at timestamp with time zone, receipt_issued_at timestamp with time zone, first_event_at timestamp with time zone); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.anchor_hour(verified_sent_at timestamp with time zone, receipt_issued_at timestamp with time zone, first_event_at timestamp with time zone) IS 'The hour, UTC, by which a delivery is selected and grouped.';

--
-- Name: retention_state; Type: TABLE; Schema: afterpush; Owner: afterpush_owner
--

CREATE TABLE afterpush.retention_state (
    singleton boolean DEFAULT true NOT NULL,
    rejected_before timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    announced_at timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    barrier_batch bigint,
    last_run_at timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    CONSTRAINT retention_state_singleton_check CHECK (singleton)
);

ALTER TABLE afterpush.retention_state OWNER TO afterpush_owner;

--
-- Name: TABLE retention_state; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TABLE afterpush.retention_state IS 'Single row: the announced seal, and when retention last ran.';

--
-- Name: COLUMN retention_state.singleton; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.retention_state.singleton IS 'Always true, so that there is one row.';

--
-- Name: COLUMN retention_state.rejected_before; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.retention_state.rejected_before IS 'Events that occurred before this time are rejected; anchor hours before it are sealed or about to be.';

--
-- Name: COLUMN retention_state.announced_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.retention_state.announced_at IS 'When a seal or an erasure was last announced; enforce_suppression checks batches for ten minutes after it.';

--
-- Name: COLUMN retention_state.barrier_batch; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.retention_state.barrier_batch IS 'Last batch that may hold events from before rejected_before; null until the ingest barrier was passed.';

--
-- Name: COLUMN retention_state.last_run_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.retention_state.last_run_at IS 'When retention last ran to its end.';

--
-- Name: announce_seal(timestamp with time zone); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.announce_seal(before timestamp with time zone) RETURNS void
    LANGUAGE sql
    BEGIN ATOMIC
 UPDATE afterpush.retention_state SET rejected_before = announce_seal.before, announced_at = clock_timestamp(), barrier_batch = NULL::bigint
   WHERE (retention_state.rejected_before < announce_seal.before);
END;

ALTER FUNCTION afterpush.announce_seal(before timestamp with time zone) OWNER TO afterpush_owner;

--
-- Name: FUNCTION announce_seal(before timestamp with time zone); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.announce_seal(before timestamp with time zone) IS 'Announces a seal: events that occurred before a time are rejected from now on.';

--
-- Name: device_byte(uuid); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.device_byte(delivery_id uuid) RETURNS bytea
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN substr(uuid_send(delivery_id), 16);

ALTER FUNCTION afterpush.device_byte(delivery_id uuid) OWNER TO afterpush_owner;

--
-- Name: FUNCTION device_byte(delivery_id uuid); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.device_byte(delivery_id uuid) IS 'A byte whose low seven bits are the bucket of a delivery''s device.';

--
-- Name: anonymous_delivery_id(uuid); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.anonymous_delivery_id(delivery_id uuid) RETURNS uuid
    LANGUAGE sql STRICT PARALLEL SAFE
    RETURN (encode((substr(uuid_send(gen_random_uuid()), 1, 15) || afterpush.device_byte(delivery_id)), 'hex'::text))::uuid;

ALTER FUNCTION afterpush.anonymous_delivery_id(delivery_id uuid) OWNER TO afterpush_owner;

--
-- Name: FUNCTION anonymous_delivery_id(delivery_id uuid); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.anonymous_delivery_id(delivery_id uuid) IS 'A random delivery_id with the device bucket of another.';

--
-- Name: anytime_mixture(bigint, integer); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.anytime_mixture(planned bigint, comparisons integer) RETURNS double precision
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN CASE WHEN ((planned > 0) AND (comparisons > 0)) THEN (((('-2'::integer)::double precision * ln(((0.05)::double precision / (comparisons)::double precision))) + ln(((1)::double precision - ((2)::double precision * ln(((0.05)::double precision / (comparisons)::double precision)))))) / (planned)::double precision) ELSE NULL::double precision END;

ALTER FUNCTION afterpush.anytime_mixture(planned bigint, comparisons integer) OWNER TO afterpush_owner;

--
-- Name: FUNCTION anytime_mixture(planned bigint, comparisons integer); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.anytime_mixture(planned bigint, comparisons integer) IS 'Returns the variance of the normal mixture of an asymptotic confidence sequence.';

--
-- Name: anytime_variance(bigint, bigint, bigint, bigint, double precision, double precision); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.anytime_variance(k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision) RETURNS double precision
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN CASE WHEN ((n1 > 0) AND (n0 > 0) AND ((k1 >= 0) AND (k1 <= n1)) AND ((k0 >= 0) AND (k0 <= n0))) THEN ((((((((k1)::double precision / design_effect1) + (1)::double precision) * ((((n1 - k1))::double precision / design_effect1) + (1)::double precision)) / power((((n1)::double precision / design_effect1) + (2)::double precision), (2)::double precision)) * design_effect1) / (n1)::double precision) + (((((((k0)::double precision / design_effect0) + (1)::double precision) * ((((n0 - k0))::double precision / design_effect0) + (1)::double precision)) / power((((n0)::double precision / design_effect0) + (2)::double precision), (2)::double precision)) * design_effect0) / (n0)::double precision)) ELSE NULL::double precision END;

ALTER FUNCTION afterpush.anytime_variance(k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision) OWNER TO afterpush_owner;

--
-- Name: FUNCTION anytime_variance(k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.anytime_variance(k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision) IS 'Returns the variance of k1/n1 - k0/n0 that an asymptotic confidence sequence uses; null unless both are rates.';

--
-- Name: app_version_deltas(afterpush.delivery_shape[]); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.app_version_deltas(shapes afterpush.delivery_shape[]) RETURNS afterpush.rollup_app_versions[]
    LANGUAGE plpgsql STABLE
    AS $$
begin
    return array(
        with modes as (
            select
                app_id, false as verified, anchor_hour, app_version, campaign_id, variant, category_id,
                category_version, platform, kinds, coalesce((actions).action_ids, '{}') as action_ids, deliveries,
                (afterpush.is_sent(kinds) and not afterpush.is_sent(verified_kinds))::integer as locally_sent
            from unnest(shapes)
            union all
            select
                app_id, true, anchor_hour, verified_app_version, verified_campaign_id, verified_variant,
                verified_category_id, verified_category_version, verified_platform, verified_kinds,
                array(
                    select a.action_id
                    from unnest((actions).action_ids, (actions).verified_events) as a (action_id, events)
                    where a.events > 0
                ),
                deliveries, 0
            from unnest(shapes)
            cross join lateral afterpush.verified_names(
                verified_dimensions, platform, app_version, campaign_id, variant, category_id, category_version
            )
            where verified_kinds <> 0
        ),
        summed as (
            select
                app_id, verified, anchor_hour, campaign_id, variant, category_id, category_version, platform, is_sent,
                is_confirmed, action_ids,
                sum(deliveries),
                sum(deliveries * failed),
                sum(deliveries * delivered),
                sum(deliveries * displayed),
                sum(deliveries * opened),
                sum(deliveries * replied),
                sum(deliveries * dismissed),
                sum(deliveries * read),
                sum(deliveries * responded),
                sum(deliveries * converted_events),
                sum(deliveries * replaced),
                sum(deliveries * refused),
                sum(deliveries * locally_sent),
                app_version
            from modes
            cross join lateral afterpush.states(kinds)
            group by
                app_id, verified, anchor_hour, app_version, campaign_id, variant, category_id, category_version,
                platform, is_sent, is_confirmed, action_ids
        )
        select row(s.*)::afterpush.rollup_app_versions
        from summed as s
    );
end
$$;

ALTER FUNCTION afterpush.app_version_deltas(shapes afterpush.delivery_shape[]) OWNER TO afterpush_owner;

--
-- Name: FUNCTION app_version_deltas(shapes afterpush.delivery_shape[]); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.app_version_deltas(shapes afterpush.delivery_shape[]) IS 'How a change of deliveries changes rollup_app_versions.';

--
-- Name: apply_upgrades(bigint[], timestamp with time zone); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.apply_upgrades(batches bigint[], sealed timestamp with time zone) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    -- Deliveries, and identities of a device alone, whose events are merged and change.
    changed uuid[];
    -- The deliveries among them that are computed again.
    recomputed uuid[];
    -- The merged batches of their events. The statement that computes them reads only these: it would also see batches
    -- stored since the beginning, which are not merged yet.
    merged bigint[];
    shapes afterpush.delivery_shape[];
    counts afterpush.event_count[];
begin
    changed := array(
        select distinct e.delivery_id
        from afterpush.event_upgrades as u
        join afterpush.events as e using (delivery_id, event_id, device_time)
        where u.batch_id = any (batches)
          and not e.verified
          and not exists (select from afterpush.batches as b where b.batch_id = e.batch_id and b.rolled_up_at is null)
    );
    recomputed := array(
        select d.delivery_id
        from afterpush.deliveries as d
        where d.delivery_id = any (changed)
          and (
              afterpush.anchor_hour(d.verified_sent_at, d.receipt_issued_at, d.first_event_at) >= sealed
              or exists (select from afterpush.late_deliveries as l where l.delivery_id = d.delivery_id)
          )
    );
    merged := array(
        select distinct e.batch_id
        from afterpush.events as e
        where e.delivery_id = any (recomputed)
          and not exists (select from afterpush.batches as b where b.batch_id = e.batch_id and b.rolled_up_at is null)
    );
    shapes := afterpush.shapes_of(recomputed, sealed, -1);
    counts := afterpush.event_counts_of(changed, sealed, -1);

    update afterpush.events as e
    set (
            occurred_at, kind, verified, category_version, utc_offset_minutes, text_length,
            skew_milliseconds, receipt_issued_at, names_past_limit, device_id, notification_id, action_identifier,
            campaign_id, variant, category_id, platform, app_version, os_version, locale, surface, trigger,
            app_state, dismiss_cause, handling, reason, name, value, currency, properties
        ) = (
            u.occurred_at, u.kind, u.verified, u.category_version, u.utc_offset_minutes, u.text_length,
            u.skew_milliseconds, u.receipt_issued_at, u.names_past_limit, u.device_id, u.notification_id,
            u.action_identifier, u.campaign_id, u.variant, u.category_id, u.platform, u.app_version, u.os_version, u.locale,
            u.surface, u.trigger, u.app_state, u.dismiss_cause, u.handling, u.reason, u.name, u.value,
            u.currency, u.properties
        )
    from afterpush.event_upgrades as u
    where u.batch_id = any (batches)
      and (e.delivery_id, e.event_id, e.device_time) = (u.delivery_id, u.event_id, u.device_time)
      and not e.verified;
    delete from afterpush.replies as r
    using afterpush.event_upgrades as u
    where u.batch_id = any (batches)
      and (r.delivery_id, r.event_id, r.device_time) = (u.delivery_id, u.event_id, u.device_time)
      and u.kind <> 'text_input';
    delete from afterpush.waiting_replies as r
    using afterpush.event_upgrades as u
    where u.batch_id = any (batches)
      and (r.delivery_id, r.event_id, r.device_time) = (u.delivery_id, u.event_id, u.device_time)
      and u.kind <> 'text_input';

    delete from afterpush.deliveries where delivery_id = any (recomputed);
    insert into afterpush.deliveries
    select * from afterpush.merged_deliveries(merged, null, only_deliveries => recomputed);
    insert into afterpush.late_deliveries (delivery_id, app_id)
    select d.delivery_id, d.app_id
    from afterpush.deliveries as d
    where d.delivery_id = any (recomputed)
      and afterpush.anchor_hour(d.verified_sent_at, d.receipt_issued_at, d.first_event_at) < sealed
    on conflict (delivery_id) do nothing;

    shapes := shapes || afterpush.shapes_of(recomputed, sealed, 1);
    counts := counts || afterpush.event_counts_of(changed, sealed, 1);
    if cardinality(shapes) > 0 then
        perform afterpush.add_deliveries(shapes);
        perform afterpush.add_actions(shapes);
        perform afterpush.add_responses(shapes);
        perform afterpush.add_device_changes(shapes);
    end if;
    perform afterpush.add_event_counts(counts);
    delete from afterpush.event_upgrades where batch_id = any (batches);
end
$$;

ALTER FUNCTION afterpush.apply_upgrades(batches bigint[], sealed timestamp with time zone) OWNER TO afterpush_owner;

--
-- Name: FUNCTION apply_upgrades(batches bigint[], sealed timestamp with time zone); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.apply_upgrades(batches bigint[], sealed timestamp with time zone) IS 'Replaces unverified events by verified copies that came later, and corrects deliveries and rollups.';

--
-- Name: as_of(text); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.as_of(app text) RETURNS timestamp with time zone
    LANGUAGE plpgsql STABLE
    AS $$
begin
    return least(
        now(),
        (
            select min(b.started_at)
            from afterpush.batches as b
            join afterpush.apps as a using (app_id)
            where b.rolled_up_at is null
              and a.name = app
        )
    );
end
$$;

ALTER FUNCTION afterpush.as_of(app text) OWNER TO afterpush_owner;

--
-- Name: FUNCTION as_of(app text); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.as_of(app text) IS 'The as_of of reports in this transaction: all events answered 200 before it are counted.';

--
-- Name: attribution_detail(text); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.attribution_detail(key text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN (ascii(split_part(key, ''::text, 2)) = 48) THEN substr(key, (strpos(key, ''::text) + 3)) ELSE NULL::text END;

ALTER FUNCTION afterpush.attribution_detail(key text) OWNER TO afterpush_owner;

--
-- Name: FUNCTION attribution_detail(key text); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.attribution_detail(key text) IS 'The detail of an attribution key; null if it was absent.';

--
-- Name: attribution_key(text, text, text); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.attribution_key(source_rank text, value text, detail text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (((source_rank || replace(value, ''::text, ''::text)) || ''::text) || COALESCE(('0'::text || detail), '1'::text));

ALTER FUNCTION afterpush.attribution_key(source_rank text, value text, detail text) OWNER TO afterpush_owner;

--
-- Name: FUNCTION attribution_key(source_rank text, value text, detail text); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.attribution_key(source_rank text, value text, detail text) IS 'A source rank, a value and a detail as one text that sorts by bytes as they do; null without a value.';

--
-- Name: attribution_source_rank(text); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.attribution_source_rank(key text) RETURNS smallint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (COALESCE((ascii(key) - 48), 7))::smallint;

ALTER FUNCTION afterpush.attribution_source_rank(key text) OWNER TO afterpush_owner;

--
-- Name: FUNCTION attribution_source_rank(key text); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.attribution_source_rank(key text) IS 'The source rank of an attribution key; 7 for null.';

--
-- Name: attribution_value(text); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.attribution_value(key text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN replace(substr(split_part(key, ''::text, 1), 2), ''::text, ''::text);

ALTER FUNCTION afterpush.attribution_value(key text) OWNER TO afterpush_owner;

--
-- Name: FUNCTION attribution_value(key text); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.attribution_value(key text) IS 'The value of an attribution key that has a detail.';

--
-- Name: base_and_response_kinds(integer); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.base_and_response_kinds(kinds integer) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (kinds & ((((((1 | 4) | 32) | 64) | 128) | 256) | 1024));

ALTER FUNCTION afterpush.base_and_response_kinds(kinds integer) OWNER TO afterpush_owner;

--
-- Name: FUNCTION base_and_response_kinds(kinds integer); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.base_and_response_kinds(kinds integer) IS 'The kinds of a set that the rates of responses depend on: the bases, the responses and replaced.';

--
-- Name: bucket_seconds(smallint); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.bucket_seconds(bucket smallint) RETURNS double precision
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN (bucket < 0) THEN CASE WHEN (bucket = '-1'::integer) THEN (0)::double precision ELSE NULL::double precision END WHEN (bucket = 0) THEN (0)::double precision ELSE (power((1.08)::double precision, ((bucket)::double precision - (0.5)::double precision)) / ('1000000'::numeric)::double precision) END;

ALTER FUNCTION afterpush.bucket_seconds(bucket smallint) OWNER TO afterpush_owner;

--
-- Name: FUNCTION bucket_seconds(bucket smallint); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.bucket_seconds(bucket smallint) IS 'The duration that a bucket stands for, in seconds; relative error at most 3.9 %.';

--
-- Name: gamma_tails(double precision, double precision); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.gamma_tails(a double precision, x double precision, OUT lower double precision, OUT upper double precision) RETURNS record
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
declare
    term double precision := 1;
    total double precision := 1;
    exponent double precision;
    b double precision;
    c double precision := 1e300;
    d double precision;
    step double precision;
begin
    if not (a > 0 and a <= 1e6 and x >= 0) or x = 'nan' then
        return;
    elsif x = 0 then
        lower := 0;
        upper := 1;
        return;
    elsif x > 1e9 then
        lower := 1;
        upper := 0;
        return;
    elsif x < a + 1 then
        for n in 1..20000 loop
            exit when x < 1e-280;
            term := term * (x / (a + n));
            total := total + term;
            exit when term < total * 1e-17;
        end loop;
        exponent := a * ln(x) - x - afterpush.ln_gamma(a) - ln(a) + ln(total);
        lower := case when exponent > -745 then least(exp(exponent), 1) else 0 end;
        upper := 1 - lower;
        return;
    end if;
    b := x + 1 - a;
    d := 1 / b;
    total := d;
    for n in 1..20000 loop
        b := b + 2;
        d := 1 / (b - n * (n - a) * d);
        c := b - n * (n - a) / c;
        step := c * d;
        total := total * step;
        exit when abs(step - 1) < 1e-16;
    end loop;
    exponent := a * ln(x) - x - afterpush.ln_gamma(a) + ln(total);
    upper := case when exponent > -745 then least(exp(exponent), 1) else 0 end;
    lower := 1 - upper;
end
$$;

ALTER FUNCTION afterpush.gamma_tails(a double precision, x double precision, OUT lower double precision, OUT upper double precision) OWNER TO afterpush_owner;

--
-- Name: FUNCTION gamma_tails(a double precision, x double precision, OUT lower double precision, OUT upper double precision); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.gamma_tails(a double precision, x double precision, OUT lower double precision, OUT upper double precision) IS 'Returns the regularised incomplete gamma functions P (lower) and Q (upper); null outside 0 < a <= 10^6, x >= 0.';

--
-- Name: chi_square_cdf(double precision, integer); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.chi_square_cdf(statistic double precision, degrees integer) RETURNS double precision
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN CASE WHEN (degrees > 0) THEN (afterpush.gamma_tails(((degrees)::double precision / (2.0)::double precision), CASE WHEN ((statistic >= (0)::double precision) AND (statistic <= (0.0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000001)::double precision)) THEN (0)::double precision ELSE (statistic / (2)::double precision) END)).lower ELSE NULL::double precision END;

ALTER FUNCTION afterpush.chi_square_cdf(statistic double precision, degrees integer) OWNER TO afterpush_owner;

--
-- Name: FUNCTION chi_square_cdf(statistic double precision, degrees integer); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.chi_square_cdf(statistic double precision, degrees integer) IS 'Returns the chi-square distribution function; null without degrees of freedom.';

--
-- Name: gamma_q(double precision, double precision); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.gamma_q(a double precision, x double precision) RETURNS double precision
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN (afterpush.gamma_tails(a, x)).upper;

ALTER FUNCTION afterpush.gamma_q(a double precision, x double precision) OWNER TO afterpush_owner;

--
-- Name: FUNCTION gamma_q(a double precision, x double precision); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.gamma_q(a double precision, x double precision) IS 'Returns the upper regularised incomplete gamma function; null outside 0 < a <= 10^6, x >= 0.';

--
-- Name: chi_square_p(double precision, integer); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.chi_square_p(statistic double precision, degrees integer) RETURNS double precision
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN CASE WHEN (degrees > 0) THEN afterpush.gamma_q(((degrees)::double precision / (2.0)::double precision), CASE WHEN ((statistic >= (0)::double precision) AND (statistic <= (0.0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000001)::double precision)) THEN (0)::double precision ELSE (statistic / (2)::double precision) END) ELSE NULL::double precision END;

ALTER FUNCTION afterpush.chi_square_p(statistic double precision, degrees integer) OWNER TO afterpush_owner;

--
-- Name: FUNCTION chi_square_p(statistic double precision, degrees integer); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.chi_square_p(statistic double precision, degrees integer) IS 'Returns the probability of a chi-square statistic of at least this size; null without degrees of freedom.';

--
-- Name: combined_quantile(afterpush.running_totals[], bigint, integer, integer, integer); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.combined_quantile(several afterpush.running_totals[], total bigint, percent integer, lowest integer, highest integer) RETURNS integer
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    AS $$
declare
    wanted constant bigint := (total * percent + 99) / 100;
    middle integer;
    reached bigint;
    one afterpush.running_totals;
begin
    while lowest < highest loop
        middle := lowest + (highest - lowest) / 2;
        reached := 0;
        foreach one in array several loop
            reached := reached + afterpush.running_total_at(one.times, middle);
        end loop;
        if reached >= wanted then
            highest := middle;
        else
            lowest := middle + 1;
        end if;
    end loop;
    return lowest;
end
$$;

ALTER FUNCTION afterpush.combined_quantile(several afterpush.running_totals[], total bigint, percent integer, lowest integer, highest integer) OWNER TO afterpush_owner;

--
-- Name: FUNCTION combined_quantile(several afterpush.running_totals[], total bigint, percent integer, lowest integer, highest integer); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.combined_quantile(several afterpush.running_totals[], total bigint, percent integer, lowest integer, highest integer) IS 'The bucket in which a quantile of several running totals lies.';

--
-- Name: compact_batches(bigint, integer); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.compact_batches(after bigint, max integer) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
declare
    last bigint;
begin
    perform from afterpush.retention_state for update;
    select max(batch_id)
    into last
    from (select batch_id from afterpush.batches where batch_id > after order by batch_id limit max) as slice;
    if last is null then
        return null;
    end if;

    with combined as materialized (
        select
            max(b.batch_id) as batch_id,
            min(b.started_at) as started_at,
            sum(b.events)::integer as events,
            sum(b.duplicates)::integer as duplicates,
            sum(b.upgrades)::integer as upgrades,
            sum(b.conflicts)::integer as conflicts,
            sum(b.rejected)::integer as rejected,
            array_agg(b.batch_id) as batch_ids
        from afterpush.batches as b
        where b.batch_id > after
          and b.batch_id <= last
          and b.rolled_up_at is not null
          and b.started_at < now() - interval '7 days'
          and not exists (select from afterpush.events as e where e.batch_id = b.batch_id)
        group by b.app_id, date_trunc('hour', b.started_at)
        having count(*) > 1
    ),
    kept as (
        update afterpush.batches as b
        set started_at = c.started_at,
            events = c.events,
            duplicates = c.duplicates,
            upgrades = c.upgrades,
            conflicts = c.conflicts,
            rejected = c.rejected
        from combined as c
        where b.batch_id = c.batch_id
    )
    delete from afterpush.batches as b
    using combined as c
    where b.batch_id = any (c.batch_ids)
      and b.batch_id <> c.batch_id;
    return last;
end
$$;

ALTER FUNCTION afterpush.compact_batches(after bigint, max integer) OWNER TO afterpush_owner;

--
-- Name: FUNCTION compact_batches(after bigint, max integer); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.compact_batches(after bigint, max integer) IS 'Combines old batches without events into one row per app and hour; returns the last batch it looked at.';

--
-- Name: compare_duplicates(bigint[], uuid[], uuid[], timestamp with time zone[], boolean[], text[], jsonb[], text[]); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.compare_duplicates(places bigint[], delivery_ids uuid[], event_ids uuid[], device_times timestamp with time zone[], verified boolean[], contents text[], names jsonb[], user_texts text[], OUT upgrades bigint[], OUT conflicts bigint) RETURNS record
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    with upgraded as materialized (
        select delivery_id, event_id, device_time
        from unnest(delivery_ids, event_ids, device_times, compare_duplicates.verified)
            as i (delivery_id, event_id, device_time, verified)
        join afterpush.events as e using (delivery_id, event_id, device_time)
        where i.verified and not e.verified
    ),
    deleted as (
        delete from afterpush.replies as r
        using upgraded as u
        where (r.delivery_id, r.event_id, r.device_time) = (u.delivery_id, u.event_id, u.device_time)
    )
    delete from afterpush.waiting_replies as r
    using upgraded as u
    where (r.delivery_id, r.event_id, r.device_time) = (u.delivery_id, u.event_id, u.device_time);
    select
        array_agg(i.place) filter (where i.verified and not e.verified),
        count(*) filter (
            where (e.verified or not i.verified)
              and (
                  i.user_text <> r.user_text
                  or i.content <> afterpush.event_content(
                      e.kind::text, e.text_length, e.platform, e.os_version, e.locale, e.surface, e.trigger,
                      e.app_state, e.dismiss_cause, e.handling, e.utc_offset_minutes, e.reason, e.name, e.value,
                      e.currency, e.properties
                  )
                  or i.names <> stored.names
                  and exists (
                      select
                      from jsonb_each(i.names) as one (kind, name)
                      join jsonb_each(stored.names) as other (kind, name) using (kind)
                      where one.name <> other.name
                  )
              )
        )
    from unnest(
        places, delivery_ids, event_ids, device_times, compare_duplicates.verified, contents, compare_duplicates.names,
        user_texts
    ) as i (place, delivery_id, event_id, device_time, verified, content, names, user_text)
    join afterpush.events as e using (delivery_id, event_id, device_time)
    left join afterpush.replies as r using (delivery_id, event_id, device_time)
    cross join lateral afterpush.event_names(
        e.action_identifier, e.campaign_id, e.variant, e.category_id, e.category_version, e.app_version,
        e.names_past_limit
    ) as stored (names)
$$;

ALTER FUNCTION afterpush.compare_duplicates(places bigint[], delivery_ids uuid[], event_ids uuid[], device_times timestamp with time zone[], verified boolean[], contents text[], names jsonb[], user_texts text[], OUT upgrades bigint[], OUT conflicts bigint) OWNER TO afterpush_owner;

--
-- Name: FUNCTION compare_duplicates(places bigint[], delivery_ids uuid[], event_ids uuid[], device_times timestamp with time zone[], verified boolean[], contents text[], names jsonb[], user_texts text[], OUT upgrades bigint[], OUT conflicts bigint); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.compare_duplicates(places bigint[], delivery_ids uuid[], event_ids uuid[], device_times timestamp with time zone[], verified boolean[], contents text[], names jsonb[], user_texts text[], OUT upgrades bigint[], OUT conflicts bigint) IS 'Finds events that upgrade a stored unverified one, and counts other duplicates with another content.';

--
-- Name: contains_id(text, text); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.contains_id(content text, id text) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ((strpos(content, id) > 0) AND (content ~ (('(?<![A-Za-z0-9])'::text || regexp_replace(id, '[!-/:-@[-`{-~]'::text, '\\\&'::text, 'g'::text)) || '(?![A-Za-z0-9])'::text)));

ALTER FUNCTION afterpush.contains_id(content text, id text) OWNER TO afterpush_owner;

--
-- Name: FUNCTION contains_id(content text, id text); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.contains_id(content text, id text) IS 'Returns whether a text contains an id without a letter or digit next to it.';

--
-- Name: count_names_with_id(integer, text); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.count_names_with_id(app integer, id text) RETURNS bigint
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    select count(distinct (n.kind, n.name))
    from (
        select 'campaign' as kind, c.campaign_id as name from afterpush.campaigns as c where c.app_id = app
        union all
        select 'title', c.name from afterpush.campaigns as c where c.app_id = app
        union all
        select 'variant', v.variant from afterpush.campaign_variants as v where v.app_id = app
        union all
        select 'category', c.category_id from afterpush.categories as c where c.app_id = app
        union all
        select 'action', a.action_id from afterpush.actions as a where a.app_id = app
        union all
        select 'title', a.title from afterpush.actions as a where a.app_id = app
        union all
        select u.kind, u.name from afterpush.undeclared_names as u where u.app_id = app
    ) as n
    where afterpush.contains_id(n.name, id)
$$;

ALTER FUNCTION afterpush.count_names_with_id(app integer, id text) OWNER TO afterpush_owner;

--
-- Name: FUNCTION count_names_with_id(app integer, id text); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.count_names_with_id(app integer, id text) IS 'Returns how many names of campaigns, variants, categories, actions and app versions contain an id.';

--
-- Name: day_of(timestamp with time zone); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.day_of(at timestamp with time zone) RETURNS timestamp with time zone
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN date_bin('1 day'::interval, at, '0001-01-01 00:00:00+00 BC'::timestamp with time zone);

ALTER FUNCTION afterpush.day_of(at timestamp with time zone) OWNER TO afterpush_owner;

--
-- Name: FUNCTION day_of(at timestamp with time zone); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.day_of(at timestamp with time zone) IS 'The start of the day, UTC, that holds a time.';

--
-- Name: definitions(text[]); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.definitions(names text[]) RETURNS SETOF text
    LANGUAGE sql STABLE
    AS $$
    select json_build_object(
        'name', d.name, 'version', d.version, 'unit', d.unit, 'definition', d.definition, 'numerator', d.numerator,
        'denominator', d.denominator, 'window', d.selection_window
    )::text
    from unnest(names) with ordinality as n (name, place)
    cross join lateral (
        select *
        from afterpush.metric_definitions
        where metric_definitions.name = n.name
        order by version desc
        limit 1
    ) as d
    order by place
$$;

ALTER FUNCTION afterpush.definitions(names text[]) OWNER TO afterpush_owner;

--
-- Name: FUNCTION definitions(names text[]); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.definitions(names text[]) IS 'The current definitions of some metrics, as JSON objects.';

--
-- Name: delivery_deltas(bigint[], bigint[], uuid, uuid, uuid[]); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.delivery_deltas(only_batches bigint[], except_batches bigint[], from_id uuid DEFAULT NULL::uuid, to_id uuid DEFAULT NULL::uuid, only_deliveries uuid[] DEFAULT NULL::uuid[]) RETURNS SETOF afterpush.delivery_delta
    LANGUAGE sql STABLE
    AS $$
    select
        delivery_id,
        min(app_id),
        bit_or(bit),
        bit_or(case when verified then bit else 0 end),
        min((source_rank || platform) collate "C"),
        min((source_rank || app_version) collate "C"),
        min(afterpush.attribution_key(source_rank, campaign_id, variant) collate "C"),
        min(afterpush.attribution_key(source_rank, category_id, lpad(category_version::text, 10, '0')) collate "C"),
        coalesce(min(occurred_at) filter (where verified), min(occurred_at)),
        min(occurred_at) filter (where afterpush.is_sent(bit)),
        case
            when bit_or(case when verified then bit else 0 end) <> 0
            then min(receipt_issued_at) filter (where verified)
            else min(receipt_issued_at)
        end,
        min(occurred_at) filter (where afterpush.is_confirmed(bit)),
        min(occurred_at) filter (where afterpush.has_responded(bit)),
        min(occurred_at) filter (where verified and afterpush.is_sent(bit)),
        min(occurred_at) filter (where verified and afterpush.is_confirmed(bit)),
        min(occurred_at) filter (where verified and afterpush.has_responded(bit)),
        min(notification_id),
        min(device_id),
        array_agg(row(
            action_identifier, case when not verified then occurred_at end, (not verified)::integer,
            case when verified then occurred_at end, verified::integer
        )::afterpush.delivery_action) filter (where afterpush.has_acted(bit)),
        array_agg(afterpush.hour_of(occurred_at)),
        array_agg(afterpush.event_code(bit, verified))
    from (
        select
            *,
            afterpush.kind_bit(kind) as bit,
            case kind
                when 'sent' then case when verified then '1' else '4' end
                when 'delivered' then case when verified then '2' else '5' end
                else case when verified then '3' else '6' end
            end as source_rank
        from afterpush.events
        where (only_batches is null or batch_id = any (only_batches))
          and (except_batches is null or batch_id <> all (except_batches))
          and notification_id is not null
          and (from_id is null or delivery_id >= from_id)
          and (to_id is null or delivery_id < to_id)
          and (only_deliveries is null or delivery_id = any (only_deliveries))
    ) as ranked
    group by delivery_id
$$;

ALTER FUNCTION afterpush.delivery_deltas(only_batches bigint[], except_batches bigint[], from_id uuid, to_id uuid, only_deliveries uuid[]) OWNER TO afterpush_owner;

--
-- Name: FUNCTION delivery_deltas(only_batches bigint[], except_batches bigint[], from_id uuid, to_id uuid, only_deliveries uuid[]); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.delivery_deltas(only_batches bigint[], except_batches bigint[], from_id uuid, to_id uuid, only_deliveries uuid[]) IS 'What the events of some batches say about their deliveries, one row per delivery.';

--
-- Name: design_effect(double precision, bigint, bigint); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.design_effect(variance double precision, in_state bigint, total bigint) RETURNS double precision
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN (total > 0) THEN CASE WHEN (((in_state >= 1) AND (in_state <= (total - 1))) AND (variance > (0)::double precision)) THEN GREATEST((1)::double precision, ((variance * (total)::double precision) / (((in_state)::double precision / (total)::double precision) * (((total - in_state))::double precision / (total)::double precision)))) ELSE (1.0)::double precision END ELSE NULL::double precision END;

ALTER FUNCTION afterpush.design_effect(variance double precision, in_state bigint, total bigint) OWNER TO afterpush_owner;

--
-- Name: FUNCTION design_effect(variance double precision, in_state bigint, total bigint); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.design_effect(variance double precision, in_state bigint, total bigint) IS 'Returns the variance of a rate over that of independent deliveries, at least 1; null without deliveries.';

--
-- Name: detectable_effect(bigint, bigint, bigint, double precision, double precision); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.detectable_effect(n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision) RETURNS double precision
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
declare
    p0 constant double precision := k0::double precision / nullif(n0, 0);
    m1 constant double precision := n1 / design_effect1;
    m0 constant double precision := n0 / design_effect0;
    low double precision := 0;
    high double precision := 1 - p0;
    d double precision;
    p double precision;
begin
    if not (n1 > 0 and n0 > 0 and k0 between 0 and n0 - 1 and design_effect1 > 0 and design_effect0 > 0) then
        return null;
    end if;
    d := high;
    loop
        p := p0 + d * m1 / (m1 + m0);
        if d >= 1.959963984540054::double precision * sqrt(p * (1 - p) * (1 / m1 + 1 / m0))
            + 0.8416212335729143::double precision * sqrt((p0 + d) * (1 - p0 - d) / m1 + p0 * (1 - p0) / m0)
        then
            high := d;
        elsif d = 1 - p0 then
            return null;
        else
            low := d;
        end if;
        exit when high - low <= 1e-14 * high;
        d := low + (high - low) / 2;
    end loop;
    return high;
end
$$;

ALTER FUNCTION afterpush.detectable_effect(n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision) OWNER TO afterpush_owner;

--
-- Name: FUNCTION detectable_effect(n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.detectable_effect(n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision) IS 'Returns the smallest increase over k0/n0 that the deliveries show with 80 % power at 5 %; null if there is none.';

--
-- Name: device_bucket(uuid); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.device_bucket(delivery_id uuid) RETURNS integer
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN (get_byte(uuid_send(delivery_id), 15) & 127);

ALTER FUNCTION afterpush.device_bucket(delivery_id uuid) OWNER TO afterpush_owner;

--
-- Name: FUNCTION device_bucket(delivery_id uuid); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.device_bucket(delivery_id uuid) IS 'The bucket of a delivery''s device, 0 to 127.';

--
-- Name: device_hash(text, bytea, bytea); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.device_hash(device text, inner_block bytea, outer_block bytea) RETURNS bytea
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN sha256((outer_block || sha256((inner_block || convert_to(device, 'UTF8'::name)))));

ALTER FUNCTION afterpush.device_hash(device text, inner_block bytea, outer_block bytea) OWNER TO afterpush_owner;

--
-- Name: FUNCTION device_hash(device text, inner_block bytea, outer_block bytea); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.device_hash(device text, inner_block bytea, outer_block bytea) IS 'Returns the HMAC-SHA-256 of a device id, given the two blocks of the key.';

--
-- Name: device_identity(integer, text); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.device_identity(app integer, device text) RETURNS uuid
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (SELECT (encode(set_byte(set_byte(digest.digest, 6, ((get_byte(digest.digest, 6) & 15) | 128)), 8, ((get_byte(digest.digest, 8) & 63) | 128)), 'hex'::text))::uuid AS encode FROM substr(sha256((((int4send(4) || int4send(device_identity.app)) || int4send(octet_length(convert_to(device_identity.device, 'UTF8'::name)))) || convert_to(device_identity.device, 'UTF8'::name))), 1, 16) digest(digest));

ALTER FUNCTION afterpush.device_identity(app integer, device text) OWNER TO afterpush_owner;

--
-- Name: FUNCTION device_identity(app integer, device text); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.device_identity(app integer, device text) IS 'The delivery_id of the events that are about a device alone.';

--
-- Name: difference(bigint, bigint, bigint, bigint); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.difference(k1 bigint, n1 bigint, k0 bigint, n0 bigint) RETURNS double precision
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN CASE WHEN ((n1 > 0) AND (n0 > 0) AND ((k1 >= 0) AND (k1 <= n1)) AND ((k0 >= 0) AND (k0 <= n0))) THEN (((((k1)::numeric * (n0)::numeric) - ((k0)::numeric * (n1)::numeric)))::double precision / ((n1)::double precision * (n0)::double precision)) ELSE NULL::double precision END;

ALTER FUNCTION afterpush.difference(k1 bigint, n1 bigint, k0 bigint, n0 bigint) OWNER TO afterpush_owner;

--
-- Name: FUNCTION difference(k1 bigint, n1 bigint, k0 bigint, n0 bigint); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.difference(k1 bigint, n1 bigint, k0 bigint, n0 bigint) IS 'Returns the difference k1/n1 - k0/n0; null unless both are proportions.';

--
-- Name: difference_anytime_margin(bigint, bigint, bigint, bigint, double precision, double precision, bigint, integer); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.difference_anytime_margin(k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision, planned bigint, comparisons integer) RETURNS double precision
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN (SELECT sqrt(((((v.variance * (2)::double precision) * (v.nr2 + (1)::double precision)) / v.nr2) * ((ln((v.nr2 + (1)::double precision)) / (2)::double precision) - ln(((0.05)::double precision / (difference_anytime_margin.comparisons)::double precision))))) AS sqrt FROM (SELECT afterpush.anytime_variance(difference_anytime_margin.k1, difference_anytime_margin.n1, difference_anytime_margin.k0, difference_anytime_margin.n0, difference_anytime_margin.design_effect1, difference_anytime_margin.design_effect0) AS variance, ((((difference_anytime_margin.n1)::double precision / difference_anytime_margin.design_effect1) + ((difference_anytime_margin.n0)::double precision / difference_anytime_margin.design_effect0)) * afterpush.anytime_mixture(difference_anytime_margin.planned, difference_anytime_margin.comparisons)) AS nr2) v);

ALTER FUNCTION afterpush.difference_anytime_margin(k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision, planned bigint, comparisons integer) OWNER TO afterpush_owner;

--
-- Name: FUNCTION difference_anytime_margin(k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision, planned bigint, comparisons integer); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.difference_anytime_margin(k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision, planned bigint, comparisons integer) IS 'Returns half the width of the anytime interval of k1/n1 - k0/n0 at 95 %; null unless both are proportions.';

--
-- Name: wilson_lower_margin(bigint, bigint, double precision); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.wilson_lower_margin(k bigint, n bigint, design_effect double precision DEFAULT 1) RETURNS double precision
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN CASE WHEN ((k > 0) AND (k <= n)) THEN (((1.959963984540054)::double precision * (sqrt(((((k)::double precision * (((n - k))::double precision / (n)::double precision)) / design_effect) + (0.960364705173531)::double precision)) - ((1.959963984540054)::double precision * ((0.5)::double precision - ((k)::double precision / (n)::double precision))))) / (((n)::double precision / design_effect) + (3.841458820694124)::double precision)) WHEN ((k = 0) AND (n > 0)) THEN (0.0)::double precision ELSE NULL::double precision END;

ALTER FUNCTION afterpush.wilson_lower_margin(k bigint, n bigint, design_effect double precision) OWNER TO afterpush_owner;

--
-- Name: FUNCTION wilson_lower_margin(k bigint, n bigint, design_effect double precision); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.wilson_lower_margin(k bigint, n bigint, design_effect double precision) IS 'Returns how far the lower bound of the Wilson score interval of k out of n lies below k/n.';

--
-- Name: difference_low(bigint, bigint, bigint, bigint, double precision, double precision); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.difference_low(k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision DEFAULT 1, design_effect0 double precision DEFAULT 1) RETURNS double precision
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN (afterpush.difference(k1, n1, k0, n0) - sqrt((power(afterpush.wilson_lower_margin(k1, n1, design_effect1), (2)::double precision) + power(afterpush.wilson_lower_margin((n0 - k0), n0, design_effect0), (2)::double precision))));

ALTER FUNCTION afterpush.difference_low(k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision) OWNER TO afterpush_owner;

--
-- Name: FUNCTION difference_low(k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.difference_low(k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision) IS 'Returns the lower bound of Newcombe''s hybrid score interval of k1/n1 - k0/n0 at 95 %.';

--
-- Name: difference_high(bigint, bigint, bigint, bigint, double precision, double precision); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.difference_high(k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision DEFAULT 1, design_effect0 double precision DEFAULT 1) RETURNS double precision
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN (- afterpush.difference_low(k0, n0, k1, n1, design_effect0, design_effect1));

ALTER FUNCTION afterpush.difference_high(k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision) OWNER TO afterpush_owner;

--
-- Name: FUNCTION difference_high(k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.difference_high(k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision) IS 'Returns the upper bound of Newcombe''s hybrid score interval of k1/n1 - k0/n0 at 95 %.';

--
-- Name: difference_high_anytime(bigint, bigint, bigint, bigint, double precision, double precision, bigint, integer); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.difference_high_anytime(k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision, planned bigint, comparisons integer) RETURNS double precision
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN (afterpush.difference(k1, n1, k0, n0) + afterpush.difference_anytime_margin(k1, n1, k0, n0, design_effect1, design_effect0, planned, comparisons));

ALTER FUNCTION afterpush.difference_high_anytime(k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision, planned bigint, comparisons integer) OWNER TO afterpush_owner;

--
-- Name: FUNCTION difference_high_anytime(k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision, planned bigint, comparisons integer); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.difference_high_anytime(k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision, planned bigint, comparisons integer) IS 'Returns the upper bound of the interval of k1/n1 - k0/n0 at 95 % that holds at every look.';

--
-- Name: difference_low_anytime(bigint, bigint, bigint, bigint, double precision, double precision, bigint, integer); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.difference_low_anytime(k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision, planned bigint, comparisons integer) RETURNS double precision
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN (afterpush.difference(k1, n1, k0, n0) - afterpush.difference_anytime_margin(k1, n1, k0, n0, design_effect1, design_effect0, planned, comparisons));

ALTER FUNCTION afterpush.difference_low_anytime(k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision, planned bigint, comparisons integer) OWNER TO afterpush_owner;

--
-- Name: FUNCTION difference_low_anytime(k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision, planned bigint, comparisons integer); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.difference_low_anytime(k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision, planned bigint, comparisons integer) IS 'Returns the lower bound of the interval of k1/n1 - k0/n0 at 95 % that holds at every look.';

--
-- Name: deliveries; Type: TABLE; Schema: afterpush; Owner: afterpush_owner
--

CREATE TABLE afterpush.deliveries (
    delivery_id uuid NOT NULL,
    app_id integer NOT NULL,
    kinds integer NOT NULL,
    verified_kinds integer NOT NULL,
    platform_source_rank smallint NOT NULL,
    app_version_source_rank smallint NOT NULL,
    campaign_source_rank smallint NOT NULL,
    category_source_rank smallint NOT NULL,
    category_version integer,
    first_event_at timestamp with time zone NOT NULL,
    sent_at timestamp with time zone,
    receipt_issued_at timestamp with time zone,
    confirmed_at timestamp with time zone,
    responded_at timestamp with time zone,
    verified_sent_at timestamp with time zone,
    verified_confirmed_at timestamp with time zone,
    verified_responded_at timestamp with time zone,
    notification_id text COLLATE pg_catalog."C",
    device_id text COLLATE pg_catalog."C",
    platform text COLLATE pg_catalog."C",
    app_version text COLLATE pg_catalog."C",
    campaign_id text COLLATE pg_catalog."C",
    variant text COLLATE pg_catalog."C",
    category_id text COLLATE pg_catalog."C",
    fallbacks text[] COLLATE pg_catalog."C",
    actions afterpush.delivery_action[]
)
WITH (fillfactor='80');

ALTER TABLE afterpush.deliveries OWNER TO afterpush_owner;

--
-- Name: TABLE deliveries; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TABLE afterpush.deliveries IS 'One row per delivery, which is one notification on one device: what its stored events say about it.';

--
-- Name: COLUMN deliveries.delivery_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.deliveries.delivery_id IS 'The identity of the delivery, as in events; once its device was erased, a random one with the device''s bucket.';

--
-- Name: COLUMN deliveries.app_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.deliveries.app_id IS 'The app.';

--
-- Name: COLUMN deliveries.kinds; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.deliveries.kinds IS 'The kinds of its events, a bit each (function kind_bit).';

--
-- Name: COLUMN deliveries.verified_kinds; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.deliveries.verified_kinds IS 'The kinds of its verified events, a bit each.';

--
-- Name: COLUMN deliveries.platform_source_rank; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.deliveries.platform_source_rank IS 'What states the platform: 1 a sent event, 2 a confirmation, 3 another event, each verified; 4 to 6 the same unverified; 7 none.';

--
-- Name: COLUMN deliveries.app_version_source_rank; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.deliveries.app_version_source_rank IS 'What states the app version; see platform_source_rank.';

--
-- Name: COLUMN deliveries.campaign_source_rank; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.deliveries.campaign_source_rank IS 'What states campaign and variant; see platform_source_rank.';

--
-- Name: COLUMN deliveries.category_source_rank; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.deliveries.category_source_rank IS 'What states category and version; see platform_source_rank.';

--
-- Name: COLUMN deliveries.category_version; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.deliveries.category_version IS 'The stated version of the category; if null, the version in force at the anchor''s hour applies.';

--
-- Name: COLUMN deliveries.first_event_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.deliveries.first_event_at IS 'Earliest occurred_at of its verified events; of all its events if none is verified.';

--
-- Name: COLUMN deliveries.sent_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.deliveries.sent_at IS 'Earliest occurred_at of its sent events.';

--
-- Name: COLUMN deliveries.receipt_issued_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.deliveries.receipt_issued_at IS 'Earliest issue time of the receipts of its verified events; of all its events if none is verified.';

--
-- Name: COLUMN deliveries.confirmed_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.deliveries.confirmed_at IS 'Earliest occurred_at of its delivered events.';

--
-- Name: COLUMN deliveries.responded_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.deliveries.responded_at IS 'Earliest occurred_at of its opens, actions, text inputs and dismissals.';

--
-- Name: COLUMN deliveries.verified_sent_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.deliveries.verified_sent_at IS 'Like sent_at, of verified events.';

--
-- Name: COLUMN deliveries.verified_confirmed_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.deliveries.verified_confirmed_at IS 'Like confirmed_at, of verified events.';

--
-- Name: COLUMN deliveries.verified_responded_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.deliveries.verified_responded_at IS 'Like responded_at, of verified events.';

--
-- Name: COLUMN deliveries.notification_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.deliveries.notification_id IS 'The notification; null once its device was erased.';

--
-- Name: COLUMN deliveries.device_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.deliveries.device_id IS 'The device; null once it was erased.';

--
-- Name: COLUMN deliveries.platform; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.deliveries.platform IS 'Platform, as known before anyone responded.';

--
-- Name: COLUMN deliveries.app_version; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.deliveries.app_version IS 'Version of the app, as known before anyone responded.';

--
-- Name: COLUMN deliveries.campaign_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.deliveries.campaign_id IS 'Campaign, as known before anyone responded.';

--
-- Name: COLUMN deliveries.variant; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.deliveries.variant IS 'Variant, taken together with campaign_id.';

--
-- Name: COLUMN deliveries.category_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.deliveries.category_id IS 'Category, as known before anyone responded.';

--
-- Name: COLUMN deliveries.fallbacks; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.deliveries.fallbacks IS 'Attribution keys that count once a verified send or confirmation comes, of platform, app version, campaign and category; null if there is none.';

--
-- Name: COLUMN deliveries.actions; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.deliveries.actions IS 'The actions that were taken, in byte order of their identifiers: earliest time and number of events of each.';

--
-- Name: differing_deliveries(timestamp with time zone, uuid, uuid); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.differing_deliveries(sealed timestamp with time zone, from_id uuid, to_id uuid) RETURNS TABLE(rebuilt afterpush.deliveries, stored_id uuid)
    LANGUAGE plpgsql STABLE COST 1e+08 PARALLEL SAFE
    SET plan_cache_mode TO 'force_custom_plan'
    SET enable_hashagg TO 'off'
    AS $$
declare
    -- Read in the same snapshot as the events: a batch that is merged in between would be counted twice.
    waiting constant bigint[] :=
        (select coalesce(array_agg(batch_id), '{}') from afterpush.batches where rolled_up_at is null);
begin
    return query
    select r.rebuilt, s.delivery_id
    from (
        select m.delivery_id, row(m.*)::afterpush.deliveries as rebuilt
        from afterpush.merged_deliveries(null, waiting, from_id, to_id) as m
        where afterpush.anchor_hour(m.verified_sent_at, m.receipt_issued_at, m.first_event_at) >= sealed
        -- Keeps the planner from merging the selects, so that each value is computed once.
        offset 0
    ) as r
    full join (
        select
            d.delivery_id, d as stored,
            afterpush.anchor_hour(d.verified_sent_at, d.receipt_issued_at, d.first_event_at) < sealed as is_sealed
        from afterpush.deliveries as d
        where (from_id is null or d.delivery_id >= from_id)
          and (to_id is null or d.delivery_id < to_id)
    ) as s using (delivery_id)
    where r.rebuilt is distinct from s.stored
      and case
          when s.delivery_id is null then true
          -- A delivery without a device was erased: it has no events any more, and stays.
          when r.delivery_id is null then not s.is_sealed and (s.stored).device_id is not null
          -- Some events of a sealed delivery may be gone, so it stays, unless it has never been counted.
          else not s.is_sealed or s.delivery_id in (select l.delivery_id from afterpush.late_deliveries as l)
      end;
end
$$;

ALTER FUNCTION afterpush.differing_deliveries(sealed timestamp with time zone, from_id uuid, to_id uuid) OWNER TO afterpush_owner;

--
-- Name: FUNCTION differing_deliveries(sealed timestamp with time zone, from_id uuid, to_id uuid); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.differing_deliveries(sealed timestamp with time zone, from_id uuid, to_id uuid) IS 'Deliveries, of a range of delivery_ids, whose stored row differs from what their events say.';

--
-- Name: drop_expired_partition(); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.drop_expired_partition() RETURNS text
    LANGUAGE plpgsql
    AS $_$
declare
    sealed timestamptz;
    partition text;
    unmerged_batches bigint[];
begin
    -- While this transaction holds the lock of the rollup worker, nothing is merged and no delivery changes.
    select sealed_before into sealed from afterpush.rollup_worker for update;
    select p into partition from afterpush.expired_partitions(sealed) as p limit 1;
    if partition is null then
        return null;
    end if;
    execute format(
        'create temporary table needed_events on commit drop as
         select e.*
         from afterpush.%I as e
         left join afterpush.deliveries as d using (delivery_id)
         where e.occurred_at >= %L
            or afterpush.anchor_hour(d.verified_sent_at, d.receipt_issued_at, d.first_event_at) >= %L',
        partition, sealed, sealed
    );
    -- The exclusive lock is held only from here on. Batches that were stored until now are added.
    lock table afterpush.events in access exclusive mode;
    select coalesce(array_agg(batch_id), '{}') into unmerged_batches
    from afterpush.batches
    where rolled_up_at is null;
    execute format(
        'insert into pg_temp.needed_events
         select * from afterpush.%I where batch_id = any ($1)
         except select * from pg_temp.needed_events',
        partition
    ) using unmerged_batches;
    execute format('drop table afterpush.%I', partition);
    insert into afterpush.events select * from pg_temp.needed_events;
    return partition;
end
$_$;

ALTER FUNCTION afterpush.drop_expired_partition() OWNER TO afterpush_owner;

--
-- Name: FUNCTION drop_expired_partition(); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.drop_expired_partition() IS 'Drops the oldest month of events that is sealed as a whole, except for events that are still needed.';

--
-- Name: effective_attribution(text, text[], integer, integer, integer); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.effective_attribution(key text, fallbacks text[], place integer, kinds integer, verified_kinds integer) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN ((ascii(key) = 51) AND ((verified_kinds & (1 | 4)) <> 0)) THEN (fallbacks)[place] WHEN ((ascii(key) = 54) AND ((kinds & (1 | 4)) <> 0)) THEN NULL::text ELSE key END;

ALTER FUNCTION afterpush.effective_attribution(key text, fallbacks text[], place integer, kinds integer, verified_kinds integer) OWNER TO afterpush_owner;

--
-- Name: FUNCTION effective_attribution(key text, fallbacks text[], place integer, kinds integer, verified_kinds integer); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.effective_attribution(key text, fallbacks text[], place integer, kinds integer, verified_kinds integer) IS 'The attribution key that counts, once it is known whether the delivery was sent or confirmed.';

--
-- Name: end_report_sessions(interval); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.end_report_sessions(max_age interval) RETURNS TABLE(login text, age_seconds double precision)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    session record;
begin
    for session in
        with sessions as materialized (
            select
                a.pid,
                l.login,
                extract(
                    epoch from
                    clock_timestamp() - least(a.xact_start, case when a.state = 'active' then a.query_start end)
                ) as age,
                -- The locks are looked up only for sessions that wait.
                case
                    when a.backend_xid is not null then true
                    when a.wait_event_type = 'Lock'
                    then exists (
                        select
                        from pg_lock_status() as k
                        where k.pid = a.pid and not k.granted and k.locktype in ('relation', 'object')
                          and k.mode not in ('AccessShareLock', 'RowShareLock', 'RowExclusiveLock')
                    )
                end as is_intruder
            from afterpush.report_logins as l
            join pg_stat_get_activity(null) as a
                on a.usesysid = l.role_id and pg_get_userbyid(a.usesysid) = l.login
        )
        select s.pid, s.login, case when not i.is_intruder then s.age end as age
        from sessions as s
        cross join lateral (
            select coalesce(bool_or(o.is_intruder), false) as is_intruder from sessions as o where o.login = s.login
        ) as i
        where i.is_intruder or s.age > extract(epoch from max_age)
    loop
        begin
            if pg_terminate_backend(session.pid) then
                login := session.login;
                age_seconds := session.age;
                return next;
            end if;
        exception
            -- The owner can't end sessions of superusers. The others are ended all the same.
            when insufficient_privilege then null;
        end;
    end loop;
end
$$;

ALTER FUNCTION afterpush.end_report_sessions(max_age interval) OWNER TO afterpush_owner;

--
-- Name: FUNCTION end_report_sessions(max_age interval); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.end_report_sessions(max_age interval) IS 'Ends sessions of dashboards'' logins that are too old, write or wait for a lock of owners; returns them.';

--
-- Name: enforce_suppression(); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.enforce_suppression() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
    lock table afterpush.ingest_barrier in row exclusive mode;
    if (select announced_at from afterpush.retention_state) > clock_timestamp() - interval '10 minutes'
        and afterpush.has_suppressed_events(new.batch_id)
    then
        raise exception 'batch % holds events of erased devices or sealed hours', new.batch_id using errcode = 'AP001';
    end if;
    return null;
end
$$;

ALTER FUNCTION afterpush.enforce_suppression() OWNER TO afterpush_owner;

--
-- Name: FUNCTION enforce_suppression(); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.enforce_suppression() IS 'Trigger: refuses a batch with events of erased devices or sealed hours (SQLSTATE AP001).';

--
-- Name: ensure_partitions(timestamp with time zone, integer, integer); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.ensure_partitions(at timestamp with time zone, months_back integer, months_ahead integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    month timestamptz;
    next_month timestamptz;
    partition text;
    created integer := 0;
begin
    for i in -months_back..months_ahead loop
        month := (date_trunc('month', at at time zone 'UTC') + make_interval(months => i)) at time zone 'UTC';
        next_month := (month at time zone 'UTC' + interval '1 month') at time zone 'UTC';
        partition := 'events_' || to_char(month at time zone 'UTC', 'YYYY_MM');
        continue when to_regclass('afterpush.' || partition) is not null;
        continue when exists (select from afterpush.rollup_worker where sealed_before >= next_month);
        lock table afterpush.events in access exclusive mode;
        -- Another collector may have created it while this one waited for the lock.
        continue when to_regclass('afterpush.' || partition) is not null;
        execute format(
            'create table afterpush.%I (
                 like afterpush.events including defaults including constraints including comments
             )',
            partition
        );
        if exists (
            select from afterpush.events_default where device_time >= month and device_time < next_month
        ) then
            execute format(
                'with moved_events as (
                     delete from afterpush.events_default where device_time >= %L and device_time < %L returning *
                 )
                 insert into afterpush.%I select * from moved_events',
                month, next_month, partition
            );
        end if;
        execute format(
            'alter table afterpush.events attach partition afterpush.%I for values from (%L) to (%L)',
            partition, month, next_month
        );
        execute format(
            'comment on table afterpush.%I is %L', partition,
            'Events of one month of device_time, ' || to_char(month at time zone 'UTC', 'YYYY-MM') || ' UTC.'
        );
        created := created + 1;
    end loop;
    return created;
end
$$;

ALTER FUNCTION afterpush.ensure_partitions(at timestamp with time zone, months_back integer, months_ahead integer) OWNER TO afterpush_owner;

--
-- Name: FUNCTION ensure_partitions(at timestamp with time zone, months_back integer, months_ahead integer); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.ensure_partitions(at timestamp with time zone, months_back integer, months_ahead integer) IS 'Creates the monthly partitions of events around a time; returns how many it created.';

--
-- Name: entropy_term(double precision); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.entropy_term(e double precision) RETURNS double precision
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN CASE WHEN (e <= ('-1'::integer)::double precision) THEN (1.0)::double precision WHEN (abs(e) > (0.05)::double precision) THEN ((((1)::double precision + e) * ln(((1)::double precision + e))) - e) WHEN (abs(e) < (0.0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000001)::double precision) THEN (0.0)::double precision ELSE ((e * e) * (((1)::double precision / (2.0)::double precision) + (e * ((('-1'::integer)::double precision / (6.0)::double precision) + (e * (((1)::double precision / (12.0)::double precision) + (e * ((('-1'::integer)::double precision / (20.0)::double precision) + (e * (((1)::double precision / (30.0)::double precision) + (e * ((('-1'::integer)::double precision / (42.0)::double precision) + (e * (((1)::double precision / (56.0)::double precision) + (e * ((('-1'::integer)::double precision / (72.0)::double precision) + (e * (((1)::double precision / (90.0)::double precision) + (e * ((('-1'::integer)::double precision / (110.0)::double precision) + (e * ((1)::double precision / (132.0)::double precision)))))))))))))))))))))) END;

ALTER FUNCTION afterpush.entropy_term(e double precision) OWNER TO afterpush_owner;

--
-- Name: FUNCTION entropy_term(e double precision); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.entropy_term(e double precision) IS 'Returns (1 + e) ln(1 + e) - e, for e >= -1.';

--
-- Name: erase_device_chunk(integer, text, integer); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.erase_device_chunk(app integer, device text, max integer) RETURNS TABLE(events bigint, replies bigint, deliveries bigint)
    LANGUAGE plpgsql
    AS $$
declare
    chunk uuid[];
    identity uuid := afterpush.device_identity(app, device);
begin
    select array_agg(delivery_id)
    into chunk
    from (
        select d.delivery_id, sum(d.events) over (order by d.delivery_id) - d.events as events_before
        from (
            select
                d.delivery_id,
                (
                    select count(*)
                    from (
                        select from afterpush.events as e where e.delivery_id = d.delivery_id limit 5000
                    ) as delivery_events
                ) as events
            from afterpush.deliveries as d
            where d.app_id = app
              and d.device_id = device
            order by d.delivery_id
            limit max
        ) as d
    ) as counted
    where events_before < 5000;
    if chunk is null then
        -- Events about the device alone belong to no delivery. Their only dimension in rollup_events is the platform.
        with deleted as (
            delete from afterpush.events as e
            where (e.delivery_id, e.event_id, e.device_time) in (
                select s.delivery_id, s.event_id, s.device_time
                from afterpush.events as s
                where s.delivery_id = identity
                limit 5000
            )
            returning e.occurred_at, e.platform, e.kind, e.verified
        ),
        preserved as (
            insert into afterpush.erased_event_counts as c
            select
                app, m.verified, afterpush.hour_of(x.occurred_at), '', '', '', coalesce(x.platform, ''), x.kind,
                count(*)
            from deleted as x
            join unnest(array[false, true]) as m (verified) on x.verified or not m.verified
            group by 1, 2, 3, 4, 5, 6, 7, 8
            on conflict (app_id, verified, event_hour, campaign_id, variant, category_id, platform, kind) do update set
                events = c.events + excluded.events
        )
        select count(*), 0, 0 into events, replies, deliveries from deleted;
        return next;
        return;
    end if;

    perform afterpush.preserve_event_counts(chunk);
    with deleted as (
        delete from afterpush.replies where delivery_id = any (chunk) returning 1
    ),
    deleted_waiting as (
        delete from afterpush.waiting_replies where delivery_id = any (chunk) returning 1
    )
    select (select count(*) from deleted) + (select count(*) from deleted_waiting) into replies;
    with deleted as (
        delete from afterpush.events as e where e.delivery_id = any (chunk) returning 1
    )
    select count(*) into events from deleted;
    with anonymised as (
        update afterpush.deliveries as d
        set delivery_id = afterpush.anonymous_delivery_id(d.delivery_id),
            device_id = null,
            notification_id = null
        where d.delivery_id = any (chunk)
        returning 1
    )
    select count(*) into deliveries from anonymised;
    delete from afterpush.late_deliveries where delivery_id = any (chunk);
    return next;
end
$$;

ALTER FUNCTION afterpush.erase_device_chunk(app integer, device text, max integer) OWNER TO afterpush_owner;

--
-- Name: FUNCTION erase_device_chunk(app integer, device text, max integer); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.erase_device_chunk(app integer, device text, max integer) IS 'Erases a part of what is stored about a device; returns how many events, replies and deliveries that were.';

--
-- Name: event_code(integer, boolean); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.event_code(kind_bit integer, is_verified boolean) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ((kind_bit * 2) + (is_verified)::integer);

ALTER FUNCTION afterpush.event_code(kind_bit integer, is_verified boolean) OWNER TO afterpush_owner;

--
-- Name: FUNCTION event_code(kind_bit integer, is_verified boolean); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.event_code(kind_bit integer, is_verified boolean) IS 'The code of an event: its kind''s bit twice, plus 1 if it is verified.';

--
-- Name: event_code_bit(integer); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.event_code_bit(code integer) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (code >> 1);

ALTER FUNCTION afterpush.event_code_bit(code integer) OWNER TO afterpush_owner;

--
-- Name: FUNCTION event_code_bit(code integer); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.event_code_bit(code integer) IS 'The kind''s bit of an event code.';

--
-- Name: event_code_is_verified(integer); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.event_code_is_verified(code integer) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ((code & 1) = 1);

ALTER FUNCTION afterpush.event_code_is_verified(code integer) OWNER TO afterpush_owner;

--
-- Name: FUNCTION event_code_is_verified(code integer); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.event_code_is_verified(code integer) IS 'Whether an event code is that of a verified event.';

--
-- Name: event_content(text, integer, text, text, text, text, text, text, text, text, integer, text, text, numeric, text, jsonb); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.event_content(kind text, text_length integer, platform text, os_version text, locale text, surface text, trigger text, app_state text, dismiss_cause text, handling text, utc_offset_minutes integer, reason text, name text, value numeric, currency text, properties jsonb) RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN (ROW(kind, text_length, platform, os_version, locale, surface, trigger, app_state, dismiss_cause, handling, utc_offset_minutes, reason, name, trim_scale(value), currency, properties))::text;

ALTER FUNCTION afterpush.event_content(kind text, text_length integer, platform text, os_version text, locale text, surface text, trigger text, app_state text, dismiss_cause text, handling text, utc_offset_minutes integer, reason text, name text, value numeric, currency text, properties jsonb) OWNER TO afterpush_owner;

--
-- Name: FUNCTION event_content(kind text, text_length integer, platform text, os_version text, locale text, surface text, trigger text, app_state text, dismiss_cause text, handling text, utc_offset_minutes integer, reason text, name text, value numeric, currency text, properties jsonb); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.event_content(kind text, text_length integer, platform text, os_version text, locale text, surface text, trigger text, app_state text, dismiss_cause text, handling text, utc_offset_minutes integer, reason text, name text, value numeric, currency text, properties jsonb) IS 'Returns the content of an event, without its names, as one text, which is equal for copies of the same event.';

--
-- Name: event_counts(afterpush.event_shape[], bigint[]); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.event_counts(shapes afterpush.event_shape[], batches bigint[]) RETURNS afterpush.event_count[]
    LANGUAGE plpgsql STABLE
    AS $$
begin
    return array(
        with counted as (
            select
                s.app_id, false as verified, e.hour as event_hour, s.campaign_id, s.variant, s.category_id, s.platform,
                afterpush.event_code_bit(e.code) as bit, s.deliveries as events
            from unnest(shapes) as s
            cross join unnest(s.event_hours, s.event_codes) as e (hour, code)
            union all
            select
                s.app_id, true, e.hour, v.verified_campaign_id, v.verified_variant, v.verified_category_id,
                v.verified_platform, afterpush.event_code_bit(e.code), s.deliveries
            from unnest(shapes) as s
            cross join lateral afterpush.verified_names(
                s.verified_dimensions, s.platform, '', s.campaign_id, s.variant, s.category_id, 0
            ) as v
            cross join unnest(s.event_hours, s.event_codes) as e (hour, code)
            where afterpush.event_code_is_verified(e.code)
        ),
        of_kinds as (
            select
                c.app_id, c.verified, c.event_hour, c.campaign_id, c.variant, c.category_id, c.platform, k.kind,
                c.events
            from counted as c
            join unnest(enum_range('sent'::afterpush.event_kind, 'held_out')) as k (kind)
                on afterpush.kind_bit(k.kind) = c.bit
            union all
            select
                e.app_id, m.verified, afterpush.hour_of(e.occurred_at), '', '', '', coalesce(e.platform, ''), e.kind, 1
            from afterpush.events as e
            join unnest(array[false, true]) as m (verified) on e.verified or not m.verified
            where e.batch_id = any (batches)
              and e.notification_id is null
        ),
        summed as (
            select
                app_id, verified, event_hour, campaign_id, variant, category_id, platform, kind, sum(events)
            from of_kinds
            group by 1, 2, 3, 4, 5, 6, 7, 8
        )
        select row(s.*)::afterpush.event_count
        from summed as s
    );
end
$$;

ALTER FUNCTION afterpush.event_counts(shapes afterpush.event_shape[], batches bigint[]) OWNER TO afterpush_owner;

--
-- Name: FUNCTION event_counts(shapes afterpush.event_shape[], batches bigint[]); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.event_counts(shapes afterpush.event_shape[], batches bigint[]) IS 'How many events of each kind some batches add, by hour and dimensions.';

--
-- Name: event_counts_of(uuid[], timestamp with time zone, integer); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.event_counts_of(delivery_ids uuid[], sealed timestamp with time zone, sign integer) RETURNS afterpush.event_count[]
    LANGUAGE sql STABLE
    AS $$
    select array_agg(row(counted.*)::afterpush.event_count)
    from (
        select
            app_id, verified, event_hour, campaign_id, variant, category_id, platform, kind, sign * count(*) as events
        from afterpush.merged_events
        where delivery_id = any (delivery_ids)
          and event_hour >= sealed
        group by app_id, verified, event_hour, campaign_id, variant, category_id, platform, kind
    ) as counted
$$;

ALTER FUNCTION afterpush.event_counts_of(delivery_ids uuid[], sealed timestamp with time zone, sign integer) OWNER TO afterpush_owner;

--
-- Name: FUNCTION event_counts_of(delivery_ids uuid[], sealed timestamp with time zone, sign integer); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.event_counts_of(delivery_ids uuid[], sealed timestamp with time zone, sign integer) IS 'The numbers of merged events of some deliveries, with a sign.';

--
-- Name: event_deltas(afterpush.event_count[]); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.event_deltas(counts afterpush.event_count[]) RETURNS afterpush.rollup_events[]
    LANGUAGE plpgsql STABLE
    AS $$
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

ALTER FUNCTION afterpush.event_deltas(counts afterpush.event_count[]) OWNER TO afterpush_owner;

--
-- Name: FUNCTION event_deltas(counts afterpush.event_count[]); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.event_deltas(counts afterpush.event_count[]) IS 'How numbers of events change rollup_events.';

--
-- Name: event_names(text, text, text, text, integer, text, text[]); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.event_names(action_identifier text, campaign_id text, variant text, category_id text, category_version integer, app_version text, names_past_limit text[]) RETURNS jsonb
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN (jsonb_build_object('action', action_identifier, 'campaign', campaign_id, 'variant', variant, 'category', category_id, 'category_version', category_version, 'app_version', app_version) - COALESCE(names_past_limit, '{}'::text[]));

ALTER FUNCTION afterpush.event_names(action_identifier text, campaign_id text, variant text, category_id text, category_version integer, app_version text, names_past_limit text[]) OWNER TO afterpush_owner;

--
-- Name: FUNCTION event_names(action_identifier text, campaign_id text, variant text, category_id text, category_version integer, app_version text, names_past_limit text[]); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.event_names(action_identifier text, campaign_id text, variant text, category_id text, category_version integer, app_version text, names_past_limit text[]) IS 'Returns the names of an event as a JSON object, without those that were past their limit.';

--
-- Name: experiment_verdict(double precision, double precision, double precision, double precision, boolean); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.experiment_verdict(sample_ratio_p_anytime double precision, low double precision, high double precision, margin double precision, is_waiting boolean) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN (sample_ratio_p_anytime < (0.01)::double precision) THEN 'sample_ratio_mismatch'::text WHEN (low > (0)::double precision) THEN 'better'::text WHEN (high < (0)::double precision) THEN 'worse'::text WHEN ((low >= (- margin)) AND (high <= margin)) THEN 'equivalent'::text WHEN is_waiting THEN 'waiting'::text ELSE 'undecided'::text END;

ALTER FUNCTION afterpush.experiment_verdict(sample_ratio_p_anytime double precision, low double precision, high double precision, margin double precision, is_waiting boolean) OWNER TO afterpush_owner;

--
-- Name: FUNCTION experiment_verdict(sample_ratio_p_anytime double precision, low double precision, high double precision, margin double precision, is_waiting boolean); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.experiment_verdict(sample_ratio_p_anytime double precision, low double precision, high double precision, margin double precision, is_waiting boolean) IS 'What a comparison says: sample_ratio_mismatch, better, worse, equivalent, waiting or undecided.';

--
-- Name: expired_partitions(timestamp with time zone); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.expired_partitions(before timestamp with time zone) RETURNS SETOF text
    LANGUAGE sql STABLE
    AS $_$
    select c.relname::text
    from pg_inherits as i
    join pg_class as c on c.oid = i.inhrelid
    where i.inhparent = 'afterpush.events'::regclass
      and c.relname ~ '^events_\d{4}_\d{2}$'
      and (to_date(right(c.relname, 7), 'YYYY_MM')::timestamp + interval '1 month') at time zone 'UTC' <= before
    order by c.relname
$_$;

ALTER FUNCTION afterpush.expired_partitions(before timestamp with time zone) OWNER TO afterpush_owner;

--
-- Name: FUNCTION expired_partitions(before timestamp with time zone); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.expired_partitions(before timestamp with time zone) IS 'Returns the monthly partitions of events that end at or before a time, oldest first.';

--
-- Name: find_erased_devices(); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.find_erased_devices() RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    create temporary table found_devices on commit drop as
    select known.app_id, e.device_hash, min(known.device_id) as device_id
    from (
        select d.app_id, d.device_id from afterpush.deliveries as d where d.device_id is not null
        union
        select e.app_id, e.device_id from afterpush.events as e where e.notification_id is null
        union
        select r.app_id, named.device
        from afterpush.rejected_events as r
        cross join unnest(afterpush.rejected_event_devices(r.event)) as named (device)
    ) as known (app_id, device_id)
    cross join afterpush.suppression_keys as k
    join afterpush.erasures as e
        on e.app_id = known.app_id
        and e.phase = 'searching'
        and e.device_id is null
        and e.device_hash = afterpush.device_hash(known.device_id, k.inner_block, k.outer_block)
    group by 1, 2;
    update afterpush.erasures as e
    set device_id = f.device_id
    from pg_temp.found_devices as f
    where (e.app_id, e.device_hash) = (f.app_id, f.device_hash)
      and e.phase = 'searching';
    update afterpush.erasures as e
    set phase = 'done', finished_at = clock_timestamp()
    where e.phase = 'searching'
      and e.device_id is null;
end
$$;

ALTER FUNCTION afterpush.find_erased_devices() OWNER TO afterpush_owner;

--
-- Name: FUNCTION find_erased_devices(); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.find_erased_devices() IS 'Finds the devices of erasure jobs that have only a hash; finishes the jobs whose device is not found.';

--
-- Name: first_instant(timestamp without time zone, text); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.first_instant(midnight timestamp without time zone, tz text) RETURNS timestamp with time zone
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN (SELECT CASE WHEN (((e.early AT TIME ZONE first_instant.tz) = first_instant.midnight) AND (e.early < l.late)) THEN e.early ELSE l.late END AS late FROM ((SELECT (first_instant.midnight AT TIME ZONE first_instant.tz) AS late) l CROSS JOIN LATERAL (SELECT ((first_instant.midnight AT TIME ZONE 'UTC'::text) - (((l.late - '25:00:00'::interval) AT TIME ZONE first_instant.tz) - ((l.late - '25:00:00'::interval) AT TIME ZONE 'UTC'::text))) AS early) e));

ALTER FUNCTION afterpush.first_instant(midnight timestamp without time zone, tz text) OWNER TO afterpush_owner;

--
-- Name: FUNCTION first_instant(midnight timestamp without time zone, tz text); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.first_instant(midnight timestamp without time zone, tz text) IS 'The first instant of a local day.';

--
-- Name: has_acted(integer); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.has_acted(kinds integer) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ((kinds & (64 | 128)) <> 0);

ALTER FUNCTION afterpush.has_acted(kinds integer) OWNER TO afterpush_owner;

--
-- Name: FUNCTION has_acted(kinds integer); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.has_acted(kinds integer) IS 'Whether a set of kinds includes an action or a text input.';

--
-- Name: has_converted_event(integer); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.has_converted_event(kinds integer) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ((kinds & 512) <> 0);

ALTER FUNCTION afterpush.has_converted_event(kinds integer) OWNER TO afterpush_owner;

--
-- Name: FUNCTION has_converted_event(kinds integer); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.has_converted_event(kinds integer) IS 'Whether a set of kinds includes a converted event; a delivery also converts by a goal action.';

--
-- Name: has_failed(integer); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.has_failed(kinds integer) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (((kinds & 2) <> 0) AND ((kinds & ((((((((((4 | 8) | 16) | 32) | 64) | 128) | 256) | 2048) | 4096) | 8192) | 16384)) = 0));

ALTER FUNCTION afterpush.has_failed(kinds integer) OWNER TO afterpush_owner;

--
-- Name: FUNCTION has_failed(kinds integer); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.has_failed(kinds integer) IS 'Whether a set of kinds includes failed and nothing shows that the notification reached the device.';

--
-- Name: has_failure_event(integer); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.has_failure_event(kinds integer) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ((kinds & ((2 | 8192) | 16384)) <> 0);

ALTER FUNCTION afterpush.has_failure_event(kinds integer) OWNER TO afterpush_owner;

--
-- Name: FUNCTION has_failure_event(kinds integer); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.has_failure_event(kinds integer) IS 'Whether a set of kinds includes a failure, of the send or on the device.';

--
-- Name: has_rank_3(text, text, text, text); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.has_rank_3(platform text, app_version text, campaign text, category text) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ((ascii(platform) = 51) OR (ascii(app_version) = 51) OR (ascii(campaign) = 51) OR (ascii(category) = 51));

ALTER FUNCTION afterpush.has_rank_3(platform text, app_version text, campaign text, category text) OWNER TO afterpush_owner;

--
-- Name: FUNCTION has_rank_3(platform text, app_version text, campaign text, category text); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.has_rank_3(platform text, app_version text, campaign text, category text) IS 'Whether one of some attribution keys has source rank 3.';

--
-- Name: has_replied(integer); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.has_replied(kinds integer) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ((kinds & 128) <> 0);

ALTER FUNCTION afterpush.has_replied(kinds integer) OWNER TO afterpush_owner;

--
-- Name: FUNCTION has_replied(kinds integer); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.has_replied(kinds integer) IS 'Whether a set of kinds includes a text input.';

--
-- Name: has_responded(integer); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.has_responded(kinds integer) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ((kinds & (((32 | 64) | 128) | 256)) <> 0);

ALTER FUNCTION afterpush.has_responded(kinds integer) OWNER TO afterpush_owner;

--
-- Name: FUNCTION has_responded(kinds integer); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.has_responded(kinds integer) IS 'Whether a set of kinds includes a response: an open, an action, a text input or a dismissal.';

--
-- Name: has_suppressed_events(bigint); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.has_suppressed_events(batch bigint) RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    with stored as materialized (
        select e.app_id, e.device_id, e.occurred_at from afterpush.events as e where e.batch_id = batch
        union all
        select u.app_id, u.device_id, u.occurred_at from afterpush.event_upgrades as u where u.batch_id = batch
    )
    select exists (
        select
        from stored as e
        cross join afterpush.retention_state as r
        where e.occurred_at < r.rejected_before
    ) or exists (
        select
        from stored as e
        cross join afterpush.suppression_keys as k
        join afterpush.suppressed_devices as s
            on s.app_id = e.app_id
            and s.device_hash = afterpush.device_hash(e.device_id, k.inner_block, k.outer_block)
        where s.suppressed_at > clock_timestamp() - interval '10 minutes'
    )
$$;

ALTER FUNCTION afterpush.has_suppressed_events(batch bigint) OWNER TO afterpush_owner;

--
-- Name: FUNCTION has_suppressed_events(batch bigint); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.has_suppressed_events(batch bigint) IS 'Returns whether a batch holds events from before the announced seal or of recently erased devices.';

--
-- Name: apps; Type: TABLE; Schema: afterpush; Owner: afterpush_owner
--

CREATE TABLE afterpush.apps (
    app_id integer NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    text_retention interval DEFAULT '90 days'::interval NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    receipt_policy text DEFAULT 'optional'::text NOT NULL,
    event_id_key bytea DEFAULT sha256(((uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())) || uuid_send(gen_random_uuid()))) NOT NULL,
    CONSTRAINT apps_event_id_key_check CHECK ((octet_length(event_id_key) = 32)),
    CONSTRAINT apps_name_check CHECK (((octet_length(name) >= 1) AND (octet_length(name) <= 256))),
    CONSTRAINT apps_receipt_policy_check CHECK ((receipt_policy = ANY (ARRAY['optional'::text, 'required'::text])))
);

ALTER TABLE afterpush.apps OWNER TO afterpush_owner;

--
-- Name: TABLE apps; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TABLE afterpush.apps IS 'One row per app, the tenant that keys, events, declarations and reports belong to.';

--
-- Name: COLUMN apps.app_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.apps.app_id IS 'Number that identifies the app in every other table.';

--
-- Name: COLUMN apps.name; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.apps.name IS 'Name that commands and reports use for the app, 1 to 256 bytes.';

--
-- Name: COLUMN apps.text_retention; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.apps.text_retention IS 'How long reply texts are kept if their category states nothing; 0 keeps none.';

--
-- Name: COLUMN apps.created_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.apps.created_at IS 'When the app was created.';

--
-- Name: COLUMN apps.receipt_policy; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.apps.receipt_policy IS 'required: an ingest key can post events of deliveries only with a valid receipt bound to the device; optional: also without one.';

--
-- Name: COLUMN apps.event_id_key; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.apps.event_id_key IS '32 random bytes. Event ids that the collector derives from content are HMACs with this key, so that only the app''s server can make them.';

--
-- Name: categories; Type: TABLE; Schema: afterpush; Owner: afterpush_owner
--

CREATE TABLE afterpush.categories (
    app_id integer NOT NULL,
    category_id text NOT NULL COLLATE pg_catalog."C",
    version integer NOT NULL,
    effective_from timestamp with time zone NOT NULL,
    options text[] DEFAULT '{}'::text[] NOT NULL COLLATE pg_catalog."C",
    text_retention interval,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    retired_at timestamp with time zone,
    min_app_version text COLLATE pg_catalog."C",
    intent_identifiers text[] DEFAULT '{}'::text[] NOT NULL,
    CONSTRAINT categories_category_id_check CHECK (((octet_length(category_id) >= 1) AND (octet_length(category_id) <= 256))),
    CONSTRAINT categories_version_check CHECK ((version > 0))
);

ALTER TABLE afterpush.categories OWNER TO afterpush_owner;

--
-- Name: TABLE categories; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TABLE afterpush.categories IS 'One row per version of a notification category.';

--
-- Name: COLUMN categories.app_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.categories.app_id IS 'App that declared the category.';

--
-- Name: COLUMN categories.category_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.categories.category_id IS 'Identifier that payloads carry in aps.category, 1 to 256 bytes.';

--
-- Name: COLUMN categories.version; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.categories.version IS 'Version number, from 1; a changed set of actions or options makes the next version.';

--
-- Name: COLUMN categories.effective_from; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.categories.effective_from IS 'The version is in force from the hour of this time; -infinity for version 1.';

--
-- Name: COLUMN categories.options; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.categories.options IS 'Names of UNNotificationCategoryOptions, sorted.';

--
-- Name: COLUMN categories.text_retention; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.categories.text_retention IS 'How long reply texts are kept; 0 keeps none; null uses the period of the app.';

--
-- Name: COLUMN categories.created_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.categories.created_at IS 'When this version was declared.';

--
-- Name: COLUMN categories.retired_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.categories.retired_at IS 'When a newly declared set left the category out; null while it is declared.';

--
-- Name: COLUMN categories.min_app_version; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.categories.min_app_version IS 'First app version that can handle the category; null if every version can.';

--
-- Name: COLUMN categories.intent_identifiers; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.categories.intent_identifiers IS 'Identifiers of the intents that notifications of the category support.';

--
-- Name: text_retention(integer, text); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.text_retention(app_id integer, category_id text) RETURNS interval
    LANGUAGE sql STABLE
    RETURN COALESCE((SELECT c.text_retention FROM afterpush.categories c WHERE ((c.app_id = text_retention.app_id) AND (c.category_id = text_retention.category_id)) ORDER BY c.version DESC LIMIT 1), (SELECT a.text_retention FROM afterpush.apps a WHERE (a.app_id = text_retention.app_id)));

ALTER FUNCTION afterpush.text_retention(app_id integer, category_id text) OWNER TO afterpush_owner;

--
-- Name: FUNCTION text_retention(app_id integer, category_id text); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.text_retention(app_id integer, category_id text) IS 'Returns how long the reply texts of a category are kept.';

--
-- Name: has_textless_category(integer); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.has_textless_category(app_id integer) RETURNS boolean
    LANGUAGE sql STABLE
    RETURN (EXISTS (SELECT FROM (SELECT DISTINCT c_1.category_id FROM afterpush.categories c_1 WHERE (c_1.app_id = has_textless_category.app_id)) c WHERE (afterpush.text_retention(has_textless_category.app_id, c.category_id) <= '00:00:00'::interval)));

ALTER FUNCTION afterpush.has_textless_category(app_id integer) OWNER TO afterpush_owner;

--
-- Name: FUNCTION has_textless_category(app_id integer); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.has_textless_category(app_id integer) IS 'Returns whether a category of the app keeps no reply texts.';

--
-- Name: has_unverified_evidence(integer[]); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.has_unverified_evidence(codes integer[]) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (codes && ARRAY[(1 * 2), (4 * 2)]);

ALTER FUNCTION afterpush.has_unverified_evidence(codes integer[]) OWNER TO afterpush_owner;

--
-- Name: FUNCTION has_unverified_evidence(codes integer[]); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.has_unverified_evidence(codes integer[]) IS 'Whether some event codes include that of an unverified sent or delivered event.';

--
-- Name: hold_ingest_barrier(); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.hold_ingest_barrier() RETURNS boolean
    LANGUAGE plpgsql
    AS $$
begin
    lock table afterpush.ingest_barrier in row exclusive mode;
    return true;
end
$$;

ALTER FUNCTION afterpush.hold_ingest_barrier() OWNER TO afterpush_owner;

--
-- Name: FUNCTION hold_ingest_barrier(); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.hold_ingest_barrier() IS 'Locks the ingest barrier until the transaction ends, together with other transactions that store batches.';

--
-- Name: holm(double precision[]); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.holm(p double precision[]) RETURNS double precision[]
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
    select coalesce(array_agg(adjusted order by place), '{}')
    from (
        select
            place,
            case when q is not null then least(1, max(q * (tests - rank + 1)) over (order by rank)) end as adjusted
        from (
            select q, place, count(q) over () as tests, row_number() over (order by q nulls last, place) as rank
            from unnest(p) with ordinality as u (q, place)
        ) as ranked
    ) as adjusted
$$;

ALTER FUNCTION afterpush.holm(p double precision[]) OWNER TO afterpush_owner;

--
-- Name: FUNCTION holm(p double precision[]); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.holm(p double precision[]) IS 'Returns the p-values adjusted by Holm''s method, in the order given; a null stays null and is not a comparison.';

--
-- Name: hour_of(timestamp with time zone); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.hour_of(at timestamp with time zone) RETURNS timestamp with time zone
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN date_bin('01:00:00'::interval, at, '0001-01-01 00:00:00+00 BC'::timestamp with time zone);

ALTER FUNCTION afterpush.hour_of(at timestamp with time zone) OWNER TO afterpush_owner;

--
-- Name: FUNCTION hour_of(at timestamp with time zone); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.hour_of(at timestamp with time zone) IS 'The start of the hour, UTC, that holds a time.';

--
-- Name: is_confirmed(integer); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.is_confirmed(kinds integer) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ((kinds & 4) <> 0);

ALTER FUNCTION afterpush.is_confirmed(kinds integer) OWNER TO afterpush_owner;

--
-- Name: FUNCTION is_confirmed(kinds integer); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.is_confirmed(kinds integer) IS 'Whether a set of kinds includes delivered, the confirmation.';

--
-- Name: is_delivered(integer); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.is_delivered(kinds integer) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ((kinds & ((((((((((4 | 8) | 16) | 32) | 64) | 128) | 256) | 2048) | 4096) | 8192) | 16384)) <> 0);

ALTER FUNCTION afterpush.is_delivered(kinds integer) OWNER TO afterpush_owner;

--
-- Name: FUNCTION is_delivered(kinds integer); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.is_delivered(kinds integer) IS 'Whether a set of kinds shows that the notification reached the device.';

--
-- Name: is_dismissed(integer); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.is_dismissed(kinds integer) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ((kinds & 256) <> 0);

ALTER FUNCTION afterpush.is_dismissed(kinds integer) OWNER TO afterpush_owner;

--
-- Name: FUNCTION is_dismissed(kinds integer); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.is_dismissed(kinds integer) IS 'Whether a set of kinds includes dismissed.';

--
-- Name: is_displayed(integer); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.is_displayed(kinds integer) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ((kinds & 8) <> 0);

ALTER FUNCTION afterpush.is_displayed(kinds integer) OWNER TO afterpush_owner;

--
-- Name: FUNCTION is_displayed(kinds integer); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.is_displayed(kinds integer) IS 'Whether a set of kinds includes displayed.';

--
-- Name: is_held_out(integer); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.is_held_out(kinds integer) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ((kinds & 32768) <> 0);

ALTER FUNCTION afterpush.is_held_out(kinds integer) OWNER TO afterpush_owner;

--
-- Name: FUNCTION is_held_out(kinds integer); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.is_held_out(kinds integer) IS 'Whether a set of kinds includes held_out: such a delivery is in no count but those of report lift.';

--
-- Name: is_opened(integer); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.is_opened(kinds integer) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ((kinds & 32) <> 0);

ALTER FUNCTION afterpush.is_opened(kinds integer) OWNER TO afterpush_owner;

--
-- Name: FUNCTION is_opened(kinds integer); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.is_opened(kinds integer) IS 'Whether a set of kinds includes opened, the default action.';

--
-- Name: is_read(integer); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.is_read(kinds integer) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ((kinds & 16) <> 0);

ALTER FUNCTION afterpush.is_read(kinds integer) OWNER TO afterpush_owner;

--
-- Name: FUNCTION is_read(kinds integer); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.is_read(kinds integer) IS 'Whether a set of kinds includes read.';

--
-- Name: is_replaced(integer); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.is_replaced(kinds integer) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (((kinds & 1024) <> 0) AND ((kinds & (((32 | 64) | 128) | 256)) = 0));

ALTER FUNCTION afterpush.is_replaced(kinds integer) OWNER TO afterpush_owner;

--
-- Name: FUNCTION is_replaced(kinds integer); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.is_replaced(kinds integer) IS 'Whether a set of kinds includes replaced and no response.';

--
-- Name: is_sent(integer); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.is_sent(kinds integer) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ((kinds & 1) <> 0);

ALTER FUNCTION afterpush.is_sent(kinds integer) OWNER TO afterpush_owner;

--
-- Name: FUNCTION is_sent(kinds integer); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.is_sent(kinds integer) IS 'Whether a set of kinds includes sent.';

--
-- Name: is_unopened(integer); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.is_unopened(kinds integer) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ((kinds & 32) < 1);

ALTER FUNCTION afterpush.is_unopened(kinds integer) OWNER TO afterpush_owner;

--
-- Name: FUNCTION is_unopened(kinds integer); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.is_unopened(kinds integer) IS 'Whether a set of kinds does not include opened, the default action.';

--
-- Name: keep_declared_variant(); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.keep_declared_variant() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    insert into afterpush.undeclared_names (app_id, kind, parent, name, source)
    values (old.app_id, 'variant', old.campaign_id, old.variant, 'server')
    on conflict (app_id, kind, parent, name) do update set source = excluded.source;
    return null;
end
$$;

ALTER FUNCTION afterpush.keep_declared_variant() OWNER TO afterpush_owner;

--
-- Name: FUNCTION keep_declared_variant(); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.keep_declared_variant() IS 'Trigger: adds a variant that is no longer declared to undeclared_names.';

--
-- Name: kept_fallbacks(text[], text, text, text, text); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.kept_fallbacks(fallbacks text[], platform text, app_version text, campaign text, category text) RETURNS text[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN NULLIF(ARRAY[CASE WHEN (ascii(platform) = 51) THEN (fallbacks)[1] ELSE NULL::text END, CASE WHEN (ascii(app_version) = 51) THEN (fallbacks)[2] ELSE NULL::text END, CASE WHEN (ascii(campaign) = 51) THEN (fallbacks)[3] ELSE NULL::text END, CASE WHEN (ascii(category) = 51) THEN (fallbacks)[4] ELSE NULL::text END], ARRAY[NULL::text, NULL::text, NULL::text, NULL::text]);

ALTER FUNCTION afterpush.kept_fallbacks(fallbacks text[], platform text, app_version text, campaign text, category text) OWNER TO afterpush_owner;

--
-- Name: FUNCTION kept_fallbacks(fallbacks text[], platform text, app_version text, campaign text, category text); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.kept_fallbacks(fallbacks text[], platform text, app_version text, campaign text, category text) IS 'The fallbacks of keys that may stop counting; null if there is none.';

--
-- Name: key_block(bytea, integer); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.key_block(key bytea, pad integer) RETURNS bytea
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
    select string_agg(
        set_byte('\x00', 0, (case when place < octet_length(key) then get_byte(key, place) else 0 end) # pad), ''
        order by place
    )
    from generate_series(0, 63) as place
$$;

ALTER FUNCTION afterpush.key_block(key bytea, pad integer) OWNER TO afterpush_owner;

--
-- Name: FUNCTION key_block(key bytea, pad integer); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.key_block(key bytea, pad integer) IS 'Returns a key extended to 64 bytes and combined with a padding byte, as HMAC (RFC 2104) uses it.';

--
-- Name: kind_bit(afterpush.event_kind); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.kind_bit(kind afterpush.event_kind) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE kind WHEN 'sent'::afterpush.event_kind THEN 1 WHEN 'failed'::afterpush.event_kind THEN 2 WHEN 'delivered'::afterpush.event_kind THEN 4 WHEN 'displayed'::afterpush.event_kind THEN 8 WHEN 'read'::afterpush.event_kind THEN 16 WHEN 'opened'::afterpush.event_kind THEN 32 WHEN 'action'::afterpush.event_kind THEN 64 WHEN 'text_input'::afterpush.event_kind THEN 128 WHEN 'dismissed'::afterpush.event_kind THEN 256 WHEN 'converted'::afterpush.event_kind THEN 512 WHEN 'replaced'::afterpush.event_kind THEN 1024 WHEN 'media_played'::afterpush.event_kind THEN 2048 WHEN 'media_paused'::afterpush.event_kind THEN 4096 WHEN 'attachment_failed'::afterpush.event_kind THEN 8192 WHEN 'extension_expired'::afterpush.event_kind THEN 16384 WHEN 'held_out'::afterpush.event_kind THEN 32768 ELSE 0 END;

ALTER FUNCTION afterpush.kind_bit(kind afterpush.event_kind) OWNER TO afterpush_owner;

--
-- Name: FUNCTION kind_bit(kind afterpush.event_kind); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.kind_bit(kind afterpush.event_kind) IS 'The bit of a kind in deliveries.kinds; 0 for kinds about the device alone.';

--
-- Name: last_batch_before_barrier(); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.last_batch_before_barrier() RETURNS bigint
    LANGUAGE plpgsql
    AS $$
declare
    running text[];
    wait constant interval := nullif(current_setting('lock_timeout')::interval, interval '0');
    start constant timestamptz := clock_timestamp();
begin
    select array_agg(k.virtualtransaction)
    into running
    from pg_catalog.pg_lock_status() as k
    where k.relation = 'afterpush.ingest_barrier'::regclass
      and k.database = (select oid from pg_catalog.pg_database where datname = current_database())
      and k.mode = 'RowExclusiveLock'
      and not exists (
          select
          from pg_catalog.pg_stat_get_activity(k.pid) as a
          where not pg_has_role(a.usesysid, 'afterpush_ingest', 'member')
      );
    while exists (
        select
        from pg_catalog.pg_lock_status() as k
        where k.relation = 'afterpush.ingest_barrier'::regclass
          and k.virtualtransaction = any (running)
    ) loop
        if clock_timestamp() > start + wait then
            raise exception 'transactions that store batches did not end within %', wait
                using errcode = 'lock_not_available';
        end if;
        perform pg_sleep(0.01);
    end loop;
    return (select last_value from afterpush.batch_ids);
end
$$;

ALTER FUNCTION afterpush.last_batch_before_barrier() OWNER TO afterpush_owner;

--
-- Name: FUNCTION last_batch_before_barrier(); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.last_batch_before_barrier() IS 'Waits for transactions that store batches, and returns the last batch number that they can have.';

--
-- Name: limited_actions(afterpush.delivery_action[]); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.limited_actions(actions afterpush.delivery_action[]) RETURNS afterpush.delivery_action[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (SELECT array_agg(ROW(merged.action_id, merged.unverified_first_at, merged.unverified_events, merged.verified_first_at, merged.verified_events)::afterpush.delivery_action ORDER BY merged.action_id) AS array_agg FROM (SELECT parts.action_id, min(parts.unverified_first_at) AS unverified_first_at, (sum(parts.unverified_events))::integer AS unverified_events, min(parts.verified_first_at) AS verified_first_at, (sum(parts.verified_events))::integer AS verified_events FROM (SELECT CASE WHEN (placed.is_limited AND (placed.place > 32)) THEN '(other)'::text ELSE placed.action_id END AS action_id, placed.unverified_first_at, placed.unverified_events, NULL::timestamp with time zone AS verified_first_at, 0 AS verified_events FROM (SELECT a.action_id, a.unverified_first_at, a.unverified_events, a.verified_first_at, a.verified_events, ((a.unverified_events > 0) AND (a.action_id <> '(other)'::text)) AS is_limited, row_number() OVER (PARTITION BY ((a.unverified_events > 0) AND (a.action_id <> '(other)'::text)) ORDER BY a.action_id) AS place FROM unnest(limited_actions.actions) a(action_id, unverified_first_at, unverified_events, verified_first_at, verified_events)) placed UNION ALL SELECT unnest.action_id, NULL::timestamp with time zone, 0, unnest.verified_first_at, unnest.verified_events FROM unnest(limited_actions.actions) unnest(action_id, unverified_first_at, unverified_events, verified_first_at, verified_events)) parts GROUP BY parts.action_id) merged WHERE ((merged.unverified_events + merged.verified_events) > 0));

ALTER FUNCTION afterpush.limited_actions(actions afterpush.delivery_action[]) OWNER TO afterpush_owner;

--
-- Name: FUNCTION limited_actions(actions afterpush.delivery_action[]); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.limited_actions(actions afterpush.delivery_action[]) IS 'The actions of a delivery, with the unverified events of those after the 32nd counted as (other).';

--
-- Name: ln_gamma(double precision); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.ln_gamma(a double precision) RETURNS double precision
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN ((((0.918938533204672741780329736406)::double precision + ((a - (0.5)::double precision) * ln((a + (6.5)::double precision)))) - (a + (6.5)::double precision)) + ln((((((((((0.99999999999980993)::double precision + ((676.5203681218851)::double precision / a)) - ((1259.1392167224028)::double precision / (a + (1)::double precision))) + ((771.32342877765313)::double precision / (a + (2)::double precision))) - ((176.61502916214059)::double precision / (a + (3)::double precision))) + ((12.507343278686905)::double precision / (a + (4)::double precision))) - ((0.13857109526572012)::double precision / (a + (5)::double precision))) + ((0.0000099843695780195716)::double precision / (a + (6)::double precision))) + ((0.00000015056327351493116)::double precision / (a + (7)::double precision)))));

ALTER FUNCTION afterpush.ln_gamma(a double precision) OWNER TO afterpush_owner;

--
-- Name: FUNCTION ln_gamma(a double precision); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.ln_gamma(a double precision) IS 'Returns the natural logarithm of the gamma function, for a > 0.';

--
-- Name: merge_batches(bigint[], timestamp with time zone); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.merge_batches(batches bigint[], sealed timestamp with time zone) RETURNS afterpush.merge_result
    LANGUAGE plpgsql
    AS $$
declare
    result afterpush.merge_result;
begin
    with touched as materialized (
        select * from afterpush.touched_deliveries(batches, sealed)
    ),
    late as (
        insert into afterpush.late_deliveries (delivery_id, app_id)
        select delivery_id, app_id
        from touched
        where sealed > '-infinity'
          and anchor_hour < sealed
          and not is_frozen
        order by delivery_id
        on conflict (delivery_id) do nothing
    ),
    inserted as (
        insert into afterpush.deliveries (
            delivery_id, app_id, kinds, verified_kinds, platform_source_rank, app_version_source_rank,
            campaign_source_rank, category_source_rank, category_version, first_event_at, sent_at, receipt_issued_at,
            confirmed_at, responded_at, verified_sent_at, verified_confirmed_at, verified_responded_at,
            notification_id, device_id, platform, app_version, campaign_id, variant, category_id, fallbacks, actions
        )
        select
            delivery_id, app_id, kinds, verified_kinds, platform_source_rank, app_version_source_rank,
            campaign_source_rank, category_source_rank, category_version, first_event_at, sent_at, receipt_issued_at,
            confirmed_at, responded_at, verified_sent_at, verified_confirmed_at, verified_responded_at,
            notification_id, device_id, platform, app_version, campaign_id, variant, category_id, fallbacks, actions
        from touched
        where stored_row is null
        order by delivery_id
    ),
    updated as (
        update afterpush.deliveries as d
        set kinds = t.kinds,
            verified_kinds = t.verified_kinds,
            platform_source_rank = t.platform_source_rank,
            app_version_source_rank = t.app_version_source_rank,
            campaign_source_rank = t.campaign_source_rank,
            category_source_rank = t.category_source_rank,
            category_version = t.category_version,
            first_event_at = t.first_event_at,
            sent_at = t.sent_at,
            receipt_issued_at = t.receipt_issued_at,
            confirmed_at = t.confirmed_at,
            responded_at = t.responded_at,
            verified_sent_at = t.verified_sent_at,
            verified_confirmed_at = t.verified_confirmed_at,
            verified_responded_at = t.verified_responded_at,
            platform = t.platform,
            app_version = t.app_version,
            campaign_id = t.campaign_id,
            variant = t.variant,
            category_id = t.category_id,
            fallbacks = t.fallbacks,
            actions = t.actions
        from touched as t
        where t.stored_row is not null
          and not t.is_frozen
          and d.ctid = t.stored_row
    ),
    -- Each delivery twice: plus what it is now, minus what it was. Rollups count no delivery that was held out.
    counted as (
        select
            1 as sign, app_id, anchor_hour, app_version, campaign_id, variant, category_id, category_version, platform,
            afterpush.verified_dimensions(
                platform_source_rank, app_version_source_rank, campaign_source_rank, category_source_rank
            ) as verified_dimensions,
            kinds, verified_kinds, actions, responded_at, coalesce(confirmed_at, sent_at) as reached_at,
            verified_responded_at, coalesce(verified_confirmed_at, verified_sent_at) as verified_reached_at,
            afterpush.device_byte(delivery_id) as device
        from touched
        where not afterpush.is_held_out(kinds)
          and (sealed = '-infinity' or anchor_hour >= sealed and not is_frozen)
        union all
        select
            -1, app_id, old_anchor_hour, old_app_version, old_campaign_id, old_variant, old_category_id,
            old_category_version, old_platform, old_verified_dimensions, old_kinds, old_verified_kinds, old_actions,
            old_responded_at, old_reached_at, old_verified_responded_at, old_verified_reached_at,
            afterpush.device_byte(delivery_id)
        from touched
        where stored_row is not null
          and not afterpush.is_held_out(old_kinds)
          and (sealed = '-infinity' or old_anchor_hour >= sealed and not is_frozen)
    ),
    shapes as (
        select
            app_id, anchor_hour, coalesce(app_version, ''), coalesce(campaign_id, ''), coalesce(variant, ''),
            coalesce(category_id, ''), coalesce(category_version, 0), coalesce(platform, ''), verified_dimensions,
            kinds, verified_kinds,
            afterpush.response_bucket(responded_at, reached_at),
            afterpush.response_bucket(verified_responded_at, verified_reached_at),
            afterpush.timed_actions(actions, reached_at, verified_reached_at),
            sum(sign)::integer,
            string_agg(device, '') filter (where sign > 0) as come,
            string_agg(device, '') filter (where sign < 0) as gone
        from counted
        group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14
        -- Deliveries of other devices may have taken the place of those that left.
        having sum(sign) <> 0
            or string_agg(device, '') filter (where sign > 0) <> string_agg(device, '') filter (where sign < 0)
    ),
    -- Of the verified dimensions, 13 are all but the app version, by which no rollup counts events.
    event_shapes as (
        select
            app_id,
            coalesce(case when is_frozen then old_campaign_id else campaign_id end, ''),
            coalesce(case when is_frozen then old_variant else variant end, ''),
            coalesce(case when is_frozen then old_category_id else category_id end, ''),
            coalesce(case when is_frozen then old_platform else platform end, ''),
            13 & case
                when is_frozen then old_verified_dimensions
                else afterpush.verified_dimensions(
                    platform_source_rank, app_version_source_rank, campaign_source_rank, category_source_rank
                )
            end,
            event_hours, event_codes, count(*)::integer
        from touched
        group by 1, 2, 3, 4, 5, 6, 7, 8
    )
    select
        array(select row(s.*)::afterpush.delivery_shape from shapes as s),
        array(select row(e.*)::afterpush.event_shape from event_shapes as e),
        array(
            select row(
                delivery_id, old_campaign_id, old_variant, old_category_id, old_platform, 13 & old_verified_dimensions
            )::afterpush.delivery_dimensions
            from touched
            where stored_row is not null
              and not is_frozen
              and (old_campaign_id, old_variant, old_category_id, old_platform, 13 & old_verified_dimensions)
                  is distinct from (
                      campaign_id, variant, category_id, platform,
                      13 & afterpush.verified_dimensions(
                          platform_source_rank, app_version_source_rank, campaign_source_rank, category_source_rank
                      )
                  )
        )
    into result;
    return result;
end
$$;

ALTER FUNCTION afterpush.merge_batches(batches bigint[], sealed timestamp with time zone) OWNER TO afterpush_owner;

--
-- Name: FUNCTION merge_batches(batches bigint[], sealed timestamp with time zone); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.merge_batches(batches bigint[], sealed timestamp with time zone) IS 'Merges the events of some batches into deliveries, and returns what that changes in the rollups.';

--
-- Name: merged_actions(afterpush.delivery_action[]); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.merged_actions(actions afterpush.delivery_action[]) RETURNS afterpush.delivery_action[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (SELECT CASE WHEN (cardinality(whole.merged) > 32) THEN afterpush.limited_actions(whole.merged) ELSE whole.merged END AS merged FROM (SELECT array_agg(ROW(entries.action_id, entries.unverified_first_at, entries.unverified_events, entries.verified_first_at, entries.verified_events)::afterpush.delivery_action ORDER BY entries.action_id) AS merged FROM (SELECT a.action_id, min(a.unverified_first_at) AS unverified_first_at, (sum(a.unverified_events))::integer AS unverified_events, min(a.verified_first_at) AS verified_first_at, (sum(a.verified_events))::integer AS verified_events FROM unnest(merged_actions.actions) a(action_id, unverified_first_at, unverified_events, verified_first_at, verified_events) GROUP BY a.action_id) entries) whole);

ALTER FUNCTION afterpush.merged_actions(actions afterpush.delivery_action[]) OWNER TO afterpush_owner;

--
-- Name: FUNCTION merged_actions(actions afterpush.delivery_action[]); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.merged_actions(actions afterpush.delivery_action[]) IS 'The actions of a delivery, one entry per action, in byte order.';

--
-- Name: merged_deliveries(bigint[], bigint[], uuid, uuid, uuid[]); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.merged_deliveries(only_batches bigint[], except_batches bigint[], from_id uuid DEFAULT NULL::uuid, to_id uuid DEFAULT NULL::uuid, only_deliveries uuid[] DEFAULT NULL::uuid[]) RETURNS SETOF afterpush.deliveries
    LANGUAGE sql STABLE
    AS $$
    select
        delivery_id, app_id, kinds, verified_kinds,
        afterpush.attribution_source_rank(platform), afterpush.attribution_source_rank(app_version),
        afterpush.attribution_source_rank(campaign), afterpush.attribution_source_rank(category),
        afterpush.attribution_detail(category)::integer,
        first_event_at, sent_at, receipt_issued_at, confirmed_at, responded_at,
        verified_sent_at, verified_confirmed_at, verified_responded_at, notification_id, device_id,
        substr(platform, 2), substr(app_version, 2),
        afterpush.attribution_value(campaign), afterpush.attribution_detail(campaign),
        afterpush.attribution_value(category),
        case
            when afterpush.has_unverified_evidence(event_codes)
                and afterpush.has_rank_3(platform, app_version, campaign, category)
            then afterpush.kept_fallbacks(
                afterpush.stated_fallbacks(delivery_id, only_batches, except_batches, false),
                platform, app_version, campaign, category
            )
        end,
        case when cardinality(actions) > 1 then afterpush.merged_actions(actions) else actions end
    from (
        select
            delivery_id, app_id, kinds, verified_kinds,
            afterpush.effective_attribution(
                platform,
                case
                    when afterpush.has_unverified_evidence(event_codes)
                    then afterpush.stated_fallbacks(delivery_id, only_batches, except_batches, false)
                end,
                1, kinds, verified_kinds
            ) as platform,
            afterpush.effective_attribution(
                app_version,
                case
                    when afterpush.has_unverified_evidence(event_codes)
                    then afterpush.stated_fallbacks(delivery_id, only_batches, except_batches, false)
                end,
                2, kinds, verified_kinds
            ) as app_version,
            afterpush.effective_attribution(
                campaign,
                case
                    when afterpush.has_unverified_evidence(event_codes)
                    then afterpush.stated_fallbacks(delivery_id, only_batches, except_batches, false)
                end,
                3, kinds, verified_kinds
            ) as campaign,
            afterpush.effective_attribution(
                category,
                case
                    when afterpush.has_unverified_evidence(event_codes)
                    then afterpush.stated_fallbacks(delivery_id, only_batches, except_batches, false)
                end,
                4, kinds, verified_kinds
            ) as category,
            first_event_at, sent_at, receipt_issued_at, confirmed_at, responded_at,
            verified_sent_at, verified_confirmed_at, verified_responded_at, notification_id, device_id, actions,
            event_codes
        from afterpush.delivery_deltas(only_batches, except_batches, from_id, to_id, only_deliveries)
        -- Keeps the planner from merging the two selects: each key is then computed once, and not once per use.
        offset 0
    ) as keyed
$$;

ALTER FUNCTION afterpush.merged_deliveries(only_batches bigint[], except_batches bigint[], from_id uuid, to_id uuid, only_deliveries uuid[]) OWNER TO afterpush_owner;

--
-- Name: FUNCTION merged_deliveries(only_batches bigint[], except_batches bigint[], from_id uuid, to_id uuid, only_deliveries uuid[]); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.merged_deliveries(only_batches bigint[], except_batches bigint[], from_id uuid, to_id uuid, only_deliveries uuid[]) IS 'Deliveries as they follow from the events of some batches.';

--
-- Name: suppressed(bigint, bigint[]); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.suppressed(min_n bigint, VARIADIC denominators bigint[]) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN COALESCE((min_n > ANY (array_remove(denominators, (0)::bigint))), false);

ALTER FUNCTION afterpush.suppressed(min_n bigint, VARIADIC denominators bigint[]) OWNER TO afterpush_owner;

--
-- Name: FUNCTION suppressed(min_n bigint, VARIADIC denominators bigint[]); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.suppressed(min_n bigint, VARIADIC denominators bigint[]) IS 'Whether a denominator is above 0 and under min_n.';

--
-- Name: missing_rates(bigint, bigint, bigint[], bigint[]); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.missing_rates(min_n bigint, base_n bigint, numerators bigint[], denominators bigint[]) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN (COALESCE(base_n, (0)::bigint) = 0) THEN 'no_base'::text WHEN afterpush.suppressed(min_n, VARIADIC denominators) THEN 'few'::text WHEN (EXISTS (SELECT FROM UNNEST(missing_rates.numerators, missing_rates.denominators) r(k, n) WHERE ((r.n > 0) AND ((r.k < 0) OR (r.k > r.n))))) THEN 'uncovered'::text ELSE NULL::text END;

ALTER FUNCTION afterpush.missing_rates(min_n bigint, base_n bigint, numerators bigint[], denominators bigint[]) OWNER TO afterpush_owner;

--
-- Name: FUNCTION missing_rates(min_n bigint, base_n bigint, numerators bigint[], denominators bigint[]); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.missing_rates(min_n bigint, base_n bigint, numerators bigint[], denominators bigint[]) IS 'Why a rate of a row is null: no_base, few or uncovered.';

--
-- Name: moved_event_counts(afterpush.delivery_dimensions[]); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.moved_event_counts(before afterpush.delivery_dimensions[]) RETURNS afterpush.event_count[]
    LANGUAGE sql STABLE
    AS $$
    select array_agg(row(moving.*)::afterpush.event_count)
    from (
        select
            e.app_id, e.verified, e.event_hour, side.campaign_id, side.variant, side.category_id, side.platform, e.kind,
            sum(side.sign)::bigint
        from unnest(before) as b
        cross join lateral afterpush.verified_names(
            b.verified_dimensions, coalesce(b.platform, ''), '', coalesce(b.campaign_id, ''), coalesce(b.variant, ''),
            coalesce(b.category_id, ''), 0
        ) as v
        join afterpush.merged_events as e using (delivery_id)
        join afterpush.rollup_worker as w on e.event_hour >= w.sealed_before
        cross join lateral (
            select 1, e.campaign_id, e.variant, e.category_id, e.platform
            union all
            select -1, v.verified_campaign_id, v.verified_variant, v.verified_category_id, v.verified_platform
            where e.verified
            union all
            select
                -1, coalesce(b.campaign_id, ''), coalesce(b.variant, ''), coalesce(b.category_id, ''),
                coalesce(b.platform, '')
            where not e.verified
        ) as side (sign, campaign_id, variant, category_id, platform)
        group by 1, 2, 3, 4, 5, 6, 7, 8
        having sum(side.sign) <> 0
    ) as moving
$$;

ALTER FUNCTION afterpush.moved_event_counts(before afterpush.delivery_dimensions[]) OWNER TO afterpush_owner;

--
-- Name: FUNCTION moved_event_counts(before afterpush.delivery_dimensions[]); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.moved_event_counts(before afterpush.delivery_dimensions[]) IS 'How the numbers of events change because deliveries have other dimensions now.';

--
-- Name: n_needed(double precision, double precision); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.n_needed(p1 double precision, p0 double precision) RETURNS bigint
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN (SELECT CASE WHEN (needed.n < ('9000000000000000000'::numeric)::double precision) THEN (ceil(needed.n))::bigint ELSE NULL::bigint END AS "case" FROM (SELECT CASE WHEN (((n_needed.p1 >= (0)::double precision) AND (n_needed.p1 <= (1)::double precision)) AND ((n_needed.p0 >= (0)::double precision) AND (n_needed.p0 <= (1)::double precision)) AND (abs((n_needed.p1 - n_needed.p0)) > (0.000000000000000001)::double precision)) THEN (power((((1.959963984540054)::double precision * sqrt((((n_needed.p1 + n_needed.p0) * (((2)::double precision - n_needed.p1) - n_needed.p0)) / (2)::double precision))) + ((0.8416212335729143)::double precision * sqrt(((n_needed.p1 * ((1)::double precision - n_needed.p1)) + (n_needed.p0 * ((1)::double precision - n_needed.p0)))))), (2)::double precision) / power((n_needed.p1 - n_needed.p0), (2)::double precision)) ELSE NULL::double precision END AS "case") needed(n));

ALTER FUNCTION afterpush.n_needed(p1 double precision, p0 double precision) OWNER TO afterpush_owner;

--
-- Name: FUNCTION n_needed(p1 double precision, p0 double precision); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.n_needed(p1 double precision, p0 double precision) IS 'Returns the deliveries per variant for 80 % power at 5 % to find p1 - p0; null if they are equal, or over 9e18.';

--
-- Name: normal_cdf(double precision); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.normal_cdf(z double precision) RETURNS double precision
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN CASE WHEN (z = 'NaN'::double precision) THEN NULL::double precision WHEN (abs(z) > ('1000'::numeric)::double precision) THEN (CASE WHEN (z > (0)::double precision) THEN 1.0 ELSE 0.0 END)::double precision WHEN (z < (0)::double precision) THEN (afterpush.gamma_q((0.5)::double precision, ((z * z) / (2)::double precision)) / (2)::double precision) ELSE ((1)::double precision - (afterpush.gamma_q((0.5)::double precision, ((z * z) / (2)::double precision)) / (2)::double precision)) END;

ALTER FUNCTION afterpush.normal_cdf(z double precision) OWNER TO afterpush_owner;

--
-- Name: FUNCTION normal_cdf(z double precision); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.normal_cdf(z double precision) IS 'Returns the standard normal distribution function; null for NaN.';

--
-- Name: normal_quantile(double precision); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.normal_quantile(p double precision) RETURNS double precision
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
declare
    q double precision;
    r double precision;
    z double precision;
    e double precision;
begin
    if p = 0 then
        return '-infinity';
    elsif p = 1 then
        return 'infinity';
    elsif not (p > 0 and p < 1) then
        return null;
    elsif p > 0.5 then
        return -afterpush.normal_quantile(1 - p);
    elsif p < 0.02425 then
        q := sqrt(-2 * ln(p));
        z := (((((-7.784894002430293e-03 * q - 3.223964580411365e-01) * q - 2.400758277161838e+00) * q
            - 2.549732539343734e+00) * q + 4.374664141464968e+00) * q + 2.938163982698783e+00)
            / ((((7.784695709041462e-03 * q + 3.224671290700398e-01) * q + 2.445134137142996e+00) * q
            + 3.754408661907416e+00) * q + 1);
    else
        q := p - 0.5;
        r := q * q;
        z := (((((-3.969683028665376e+01 * r + 2.209460984245205e+02) * r - 2.759285104469687e+02) * r
            + 1.383577518672690e+02) * r - 3.066479806614716e+01) * r + 2.506628277459239e+00) * q
            / (((((-5.447609879822406e+01 * r + 1.615858368580409e+02) * r - 1.556989798598866e+02) * r
            + 6.680131188771972e+01) * r - 1.328068155288572e+01) * r + 1);
    end if;
    if z * z > 1400 then
        return z;
    end if;
    e := (afterpush.normal_cdf(z) - p) * sqrt(2 * pi()) * exp(z * z / 2);
    return z - e / (1 + z * e / 2);
end
$$;

ALTER FUNCTION afterpush.normal_quantile(p double precision) OWNER TO afterpush_owner;

--
-- Name: FUNCTION normal_quantile(p double precision); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.normal_quantile(p double precision) IS 'Returns the quantile of the standard normal distribution; null outside 0 to 1.';

--
-- Name: normalised_answer(text); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.normalised_answer(answer text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN NORMALIZE(btrim(regexp_replace(lower((NORMALIZE(answer, NFC) COLLATE "und-x-icu")), '[\u0009-\u000d\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+'::text, ' '::text, 'g'::text)), NFC);

ALTER FUNCTION afterpush.normalised_answer(answer text) OWNER TO afterpush_owner;

--
-- Name: FUNCTION normalised_answer(answer text); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.normalised_answer(answer text) IS 'An answer in lower case, trimmed, white space collapsed, NFC.';

--
-- Name: open_report(integer); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.open_report(app integer) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    perform set_config('afterpush.report_claim', afterpush.report_claim(secret, app), true)
    from afterpush.report_secret;
    if has_parameter_privilege('temp_file_limit', 'set') then
        perform set_config('temp_file_limit', '4GB', true);
    end if;
    -- The text of an error can be as long as a report likes. The collector logs that a report failed, without the text.
    if has_parameter_privilege('log_min_messages', 'set') then
        perform set_config('log_min_messages', 'fatal', true);
    end if;
end
$$;

ALTER FUNCTION afterpush.open_report(app integer) OWNER TO afterpush_owner;

--
-- Name: FUNCTION open_report(app integer); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.open_report(app integer) IS 'Opens the rows of an app to reports until the transaction ends, and limits their temporary files.';

--
-- Name: p_anytime(bigint, bigint, bigint, bigint, double precision, double precision, bigint, integer); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.p_anytime(k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision, planned bigint, comparisons integer) RETURNS double precision
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN (SELECT CASE WHEN (e.exponent > ('-745'::integer)::double precision) THEN LEAST((1)::double precision, exp(LEAST(e.exponent, (0)::double precision))) ELSE (0)::double precision END AS "case" FROM (SELECT ((ln((p_anytime.comparisons)::double precision) + (ln((v.nr2 + (1)::double precision)) / (2)::double precision)) - ((((power(afterpush.difference(p_anytime.k1, p_anytime.n1, p_anytime.k0, p_anytime.n0), (2)::double precision) / v.variance) * v.nr2) / (v.nr2 + (1)::double precision)) / (2)::double precision)) AS exponent FROM (SELECT afterpush.anytime_variance(p_anytime.k1, p_anytime.n1, p_anytime.k0, p_anytime.n0, p_anytime.design_effect1, p_anytime.design_effect0) AS variance, ((((p_anytime.n1)::double precision / p_anytime.design_effect1) + ((p_anytime.n0)::double precision / p_anytime.design_effect0)) * afterpush.anytime_mixture(p_anytime.planned, p_anytime.comparisons)) AS nr2) v) e WHERE (e.exponent IS NOT NULL));

ALTER FUNCTION afterpush.p_anytime(k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision, planned bigint, comparisons integer) OWNER TO afterpush_owner;

--
-- Name: FUNCTION p_anytime(k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision, planned bigint, comparisons integer); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.p_anytime(k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision, planned bigint, comparisons integer) IS 'Returns the p-value of equal proportions that holds at every look; null unless both are proportions.';

--
-- Name: packed_buckets(bytea); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.packed_buckets(devices bytea) RETURNS numeric
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN (SELECT COALESCE(sum((((counted.deliveries || 'e'::text) || (counted.bucket * 8)))::numeric), (0)::numeric) AS "coalesce" FROM (SELECT (get_byte(packed_buckets.devices, i.i) & 127) AS bucket, count(*) AS deliveries FROM generate_series(0, (octet_length(packed_buckets.devices) - 1)) i(i) GROUP BY (get_byte(packed_buckets.devices, i.i) & 127)) counted);

ALTER FUNCTION afterpush.packed_buckets(devices bytea) OWNER TO afterpush_owner;

--
-- Name: FUNCTION packed_buckets(devices bytea); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.packed_buckets(devices bytea) IS 'The numbers of deliveries in each device bucket, as one number.';

--
-- Name: packed_design_effect(numeric, numeric); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.packed_design_effect(n numeric, y numeric) RETURNS double precision
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    AS $$
declare
    n_buckets constant bigint[] := afterpush.unpacked_buckets(coalesce(n, 0));
    y_buckets constant bigint[] := afterpush.unpacked_buckets(coalesce(y, 0));
begin
    return afterpush.design_effect(
        afterpush.ratio_variance(n_buckets, y_buckets),
        (select sum(b) from unnest(y_buckets) as b)::bigint,
        (select sum(b) from unnest(n_buckets) as b)::bigint
    );
end
$$;

ALTER FUNCTION afterpush.packed_design_effect(n numeric, y numeric) OWNER TO afterpush_owner;

--
-- Name: FUNCTION packed_design_effect(n numeric, y numeric); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.packed_design_effect(n numeric, y numeric) IS 'The design effect of a rate, from its packed denominators and numerators; null without deliveries.';

--
-- Name: stated(text, smallint, boolean); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.stated(value text, source_rank smallint, verified boolean) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN ((source_rank <= 3) OR (NOT verified)) THEN value ELSE NULL::text END;

ALTER FUNCTION afterpush.stated(value text, source_rank smallint, verified boolean) OWNER TO afterpush_owner;

--
-- Name: FUNCTION stated(value text, source_rank smallint, verified boolean); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.stated(value text, source_rank smallint, verified boolean) IS 'A dimension of a delivery; null if only verified events count and none of them states it.';

--
-- Name: batches; Type: TABLE; Schema: afterpush; Owner: afterpush_owner
--

CREATE TABLE afterpush.batches (
    batch_id bigint NOT NULL,
    app_id integer NOT NULL,
    started_at timestamp with time zone NOT NULL,
    events integer NOT NULL,
    duplicates integer NOT NULL,
    conflicts integer NOT NULL,
    rejected integer NOT NULL,
    upgrades integer DEFAULT 0 NOT NULL,
    rolled_up_at timestamp with time zone
)
WITH (fillfactor='90');

ALTER TABLE afterpush.batches OWNER TO afterpush_owner;

--
-- Name: TABLE batches; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TABLE afterpush.batches IS 'One row per app and ingest transaction: how many events it stored, and whether reports count them yet.';

--
-- Name: COLUMN batches.batch_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.batches.batch_id IS 'Number of the batch; its events carry it.';

--
-- Name: COLUMN batches.app_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.batches.app_id IS 'App whose events the batch holds.';

--
-- Name: COLUMN batches.started_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.batches.started_at IS 'Clock of the database shortly before the transaction committed.';

--
-- Name: COLUMN batches.events; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.batches.events IS 'Number of events stored.';

--
-- Name: COLUMN batches.duplicates; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.batches.duplicates IS 'Number of events received that were stored already.';

--
-- Name: COLUMN batches.conflicts; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.batches.conflicts IS 'Number of other duplicates whose content differed from the stored event.';

--
-- Name: COLUMN batches.rejected; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.batches.rejected IS 'Number of events rejected.';

--
-- Name: COLUMN batches.upgrades; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.batches.upgrades IS 'Number of duplicates that replace the stored event, because they are verified and it was not.';

--
-- Name: COLUMN batches.rolled_up_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.batches.rolled_up_at IS 'When the batch was merged into deliveries and rollups; null until then.';

--
-- Name: erased_event_counts; Type: TABLE; Schema: afterpush; Owner: afterpush_owner
--

CREATE TABLE afterpush.erased_event_counts OF afterpush.event_count (
    app_id NOT NULL,
    verified NOT NULL,
    event_hour NOT NULL,
    campaign_id NOT NULL COLLATE pg_catalog."C",
    variant NOT NULL COLLATE pg_catalog."C",
    category_id NOT NULL COLLATE pg_catalog."C",
    platform NOT NULL COLLATE pg_catalog."C",
    kind NOT NULL,
    events NOT NULL
);

ALTER TABLE afterpush.erased_event_counts OWNER TO afterpush_owner;

--
-- Name: TABLE erased_event_counts; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TABLE afterpush.erased_event_counts IS 'Counts of events that were erased with their device, so that a rebuild of rollup_events still includes them.';

--
-- Name: COLUMN erased_event_counts.app_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.erased_event_counts.app_id IS 'App of the events.';

--
-- Name: COLUMN erased_event_counts.verified; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.erased_event_counts.verified IS 'Whether only verified events count; each event is in false, and in true if it is verified.';

--
-- Name: COLUMN erased_event_counts.event_hour; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.erased_event_counts.event_hour IS 'Hour in which the events occurred, UTC.';

--
-- Name: COLUMN erased_event_counts.campaign_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.erased_event_counts.campaign_id IS 'Campaign; empty if unknown.';

--
-- Name: COLUMN erased_event_counts.variant; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.erased_event_counts.variant IS 'Variant of the campaign; empty if unknown.';

--
-- Name: COLUMN erased_event_counts.category_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.erased_event_counts.category_id IS 'Category; empty if unknown.';

--
-- Name: COLUMN erased_event_counts.platform; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.erased_event_counts.platform IS 'Platform; empty if unknown.';

--
-- Name: COLUMN erased_event_counts.kind; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.erased_event_counts.kind IS 'Kind of the events.';

--
-- Name: COLUMN erased_event_counts.events; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.erased_event_counts.events IS 'Number of erased events.';

--
-- Name: events; Type: TABLE; Schema: afterpush; Owner: afterpush_owner
--

CREATE TABLE afterpush.events (
    delivery_id uuid NOT NULL,
    event_id uuid NOT NULL,
    device_time timestamp with time zone NOT NULL,
    occurred_at timestamp with time zone NOT NULL,
    batch_id bigint NOT NULL,
    app_id integer NOT NULL,
    kind afterpush.event_kind NOT NULL,
    verified boolean NOT NULL,
    category_version integer,
    utc_offset_minutes integer,
    text_length integer,
    skew_milliseconds bigint,
    receipt_issued_at timestamp with time zone,
    names_past_limit text[] COLLATE pg_catalog."C",
    device_id text NOT NULL COLLATE pg_catalog."C",
    notification_id text COLLATE pg_catalog."C",
    action_identifier text COLLATE pg_catalog."C",
    campaign_id text COLLATE pg_catalog."C",
    variant text COLLATE pg_catalog."C",
    category_id text COLLATE pg_catalog."C",
    platform text COLLATE pg_catalog."C",
    app_version text COLLATE pg_catalog."C",
    os_version text COLLATE pg_catalog."C",
    locale text COLLATE pg_catalog."C",
    surface text COLLATE pg_catalog."C",
    trigger text COLLATE pg_catalog."C",
    app_state text COLLATE pg_catalog."C",
    dismiss_cause text COLLATE pg_catalog."C",
    handling text COLLATE pg_catalog."C",
    reason text COLLATE pg_catalog."C",
    name text COLLATE pg_catalog."C",
    value numeric,
    currency text COLLATE pg_catalog."C",
    properties jsonb,
    CONSTRAINT action_is_named CHECK (((kind <> ALL (ARRAY['action'::afterpush.event_kind, 'text_input'::afterpush.event_kind])) OR (action_identifier IS NOT NULL))),
    CONSTRAINT version_is_positive CHECK ((category_version > 0))
)
PARTITION BY RANGE (device_time);

ALTER TABLE afterpush.events OWNER TO afterpush_owner;

--
-- Name: TABLE events; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TABLE afterpush.events IS 'Log of events: one row per stored event, replaced only by a verified copy of an unverified one; partitioned by month of device_time (UTC).';

--
-- Name: COLUMN events.delivery_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events.delivery_id IS 'Derived from app, notification and device; for events about the device alone, from app and device.';

--
-- Name: COLUMN events.event_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events.event_id IS 'Idempotency key that the sender chose.';

--
-- Name: COLUMN events.device_time; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events.device_time IS 'occurred_at as the device sent it.';

--
-- Name: COLUMN events.occurred_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events.occurred_at IS 'device_time corrected by the clock skew, if the request stated sent_at and the skew is 60 s or more.';

--
-- Name: COLUMN events.batch_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events.batch_id IS 'Batch that stored the event.';

--
-- Name: COLUMN events.app_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events.app_id IS 'App of the key that posted the event.';

--
-- Name: COLUMN events.kind; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events.kind IS 'What happened.';

--
-- Name: COLUMN events.verified; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events.verified IS 'Whether the event came with a valid receipt bound to its device, or was posted with a send key.';

--
-- Name: COLUMN events.category_version; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events.category_version IS 'Version of the category; null if not stated.';

--
-- Name: COLUMN events.utc_offset_minutes; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events.utc_offset_minutes IS 'Offset of the device''s local time from UTC, in minutes.';

--
-- Name: COLUMN events.text_length; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events.text_length IS 'Length of the reply text in UTF-8 bytes; the text itself is stored only in replies.';

--
-- Name: COLUMN events.skew_milliseconds; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events.skew_milliseconds IS 'Clock of the collector minus sent_at, in milliseconds; null if the request stated no sent_at.';

--
-- Name: COLUMN events.receipt_issued_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events.receipt_issued_at IS 'Issue time of the receipt that came with the event; null without a valid receipt.';

--
-- Name: COLUMN events.names_past_limit; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events.names_past_limit IS 'Kinds of the names that the event stated past their limit, so that they are null, or (other); null without any.';

--
-- Name: COLUMN events.device_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events.device_id IS 'Device that the event is about.';

--
-- Name: COLUMN events.notification_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events.notification_id IS 'Notification; null for kinds about the device alone, and for outcomes (converted without a notification).';

--
-- Name: COLUMN events.action_identifier; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events.action_identifier IS 'Identifier of the action, as the platform reported it; never null for kinds action and text_input.';

--
-- Name: COLUMN events.campaign_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events.campaign_id IS 'Campaign; null if not stated.';

--
-- Name: COLUMN events.variant; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events.variant IS 'Variant of the campaign; null if not stated.';

--
-- Name: COLUMN events.category_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events.category_id IS 'Category; null if not stated.';

--
-- Name: COLUMN events.platform; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events.platform IS 'ios, macos, watchos, visionos, android or web; null if not stated.';

--
-- Name: COLUMN events.app_version; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events.app_version IS 'Version of the app; null if not stated.';

--
-- Name: COLUMN events.os_version; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events.os_version IS 'Version of the operating system; null if not stated.';

--
-- Name: COLUMN events.locale; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events.locale IS 'Locale of the device; null if not stated.';

--
-- Name: COLUMN events.surface; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events.surface IS 'Where it happened: banner, list, watch and so on; null if not stated.';

--
-- Name: COLUMN events.trigger; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events.trigger IS 'push, time_interval, calendar or location; null if not stated.';

--
-- Name: COLUMN events.app_state; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events.app_state IS 'State of the app when it happened; null if not stated.';

--
-- Name: COLUMN events.dismiss_cause; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events.dismiss_cause IS 'Why the notification was dismissed; null where the platform doesn''t report it.';

--
-- Name: COLUMN events.handling; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events.handling IS 'Who handled the response: app, extension or forwarded; null if not stated.';

--
-- Name: COLUMN events.reason; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events.reason IS 'Reason of a failure; null if not stated.';

--
-- Name: COLUMN events.name; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events.name IS 'Name of a conversion; null if not stated.';

--
-- Name: COLUMN events.value; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events.value IS 'Value of a conversion, in units of currency; null if not stated.';

--
-- Name: COLUMN events.currency; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events.currency IS 'ISO 4217 code of the currency of value; null if not stated.';

--
-- Name: COLUMN events.properties; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events.properties IS 'Other members of the event''s JSON object; null if there are none.';

--
-- Name: merged_events; Type: VIEW; Schema: afterpush; Owner: afterpush_owner
--

CREATE VIEW afterpush.merged_events AS
 SELECT e.app_id,
    e.delivery_id,
    afterpush.hour_of(e.occurred_at) AS event_hour,
    COALESCE(afterpush.stated(d.campaign_id, d.campaign_source_rank, m.verified), ''::text) AS campaign_id,
    COALESCE(afterpush.stated(d.variant, d.campaign_source_rank, m.verified), ''::text) AS variant,
    COALESCE(afterpush.stated(d.category_id, d.category_source_rank, m.verified), ''::text) AS category_id,
    COALESCE(
        CASE
            WHEN (e.notification_id IS NOT NULL) THEN afterpush.stated(d.platform, d.platform_source_rank, m.verified)
            ELSE e.platform
        END, ''::text) AS platform,
    e.kind,
    m.verified
   FROM (((afterpush.events e
     JOIN afterpush.batches b USING (batch_id))
     JOIN unnest(ARRAY[false, true]) m(verified) ON ((e.verified OR (NOT m.verified))))
     LEFT JOIN afterpush.deliveries d ON ((d.delivery_id = e.delivery_id)))
  WHERE (b.rolled_up_at IS NOT NULL);

ALTER TABLE afterpush.merged_events OWNER TO afterpush_owner;

--
-- Name: VIEW merged_events; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON VIEW afterpush.merged_events IS 'Merged events with the dimensions by which rollup_events counts them; verified ones twice.';

--
-- Name: preserve_event_counts(uuid[]); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.preserve_event_counts(delivery_ids uuid[]) RETURNS void
    LANGUAGE sql
    BEGIN ATOMIC
 INSERT INTO afterpush.erased_event_counts AS k (app_id, verified, event_hour, campaign_id, variant, category_id, platform, kind, events)  SELECT merged_events.app_id,
             merged_events.verified,
             merged_events.event_hour,
             merged_events.campaign_id,
             merged_events.variant,
             merged_events.category_id,
             merged_events.platform,
             merged_events.kind,
             count(*) AS count
            FROM afterpush.merged_events
           WHERE (merged_events.delivery_id = ANY (preserve_event_counts.delivery_ids))
           GROUP BY merged_events.app_id, merged_events.verified, merged_events.event_hour, merged_events.campaign_id, merged_events.variant, merged_events.category_id, merged_events.platform, merged_events.kind ON CONFLICT(app_id, verified, event_hour, campaign_id, variant, category_id, platform, kind) DO UPDATE SET events = (k.events + excluded.events);
END;

ALTER FUNCTION afterpush.preserve_event_counts(delivery_ids uuid[]) OWNER TO afterpush_owner;

--
-- Name: FUNCTION preserve_event_counts(delivery_ids uuid[]); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.preserve_event_counts(delivery_ids uuid[]) IS 'Remembers the numbers of events that are about to be erased, so that rollups keep them.';

--
-- Name: protect_sealed_hours(); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.protect_sealed_hours() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    new.effective_from := greatest(new.effective_from, (select sealed_before from afterpush.rollup_worker));
    return new;
end
$$;

ALTER FUNCTION afterpush.protect_sealed_hours() OWNER TO afterpush_owner;

--
-- Name: FUNCTION protect_sealed_hours(); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.protect_sealed_hours() IS 'Trigger: moves effective_from of a new category version to the end of the sealed hours, if it is earlier.';

--
-- Name: purge_default_events(integer); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.purge_default_events(max integer) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
declare
    sealed timestamptz;
    purged bigint;
begin
    select sealed_before into sealed from afterpush.rollup_worker for update;
    delete from afterpush.events_default
    where ctid = any (array(
        select e.ctid
        from afterpush.events_default as e
        where e.occurred_at < sealed
          and not exists (
              select
              from afterpush.deliveries as d
              where d.delivery_id = e.delivery_id
                and afterpush.anchor_hour(d.verified_sent_at, d.receipt_issued_at, d.first_event_at) >= sealed
          )
          and not exists (select from afterpush.batches as b where b.batch_id = e.batch_id and b.rolled_up_at is null)
        limit max
    ));
    get diagnostics purged = row_count;
    return purged;
end
$$;

ALTER FUNCTION afterpush.purge_default_events(max integer) OWNER TO afterpush_owner;

--
-- Name: FUNCTION purge_default_events(max integer); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.purge_default_events(max integer) IS 'Deletes events of sealed hours from the default partition; returns how many.';

--
-- Name: purge_deliveries(timestamp with time zone, bigint, integer); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.purge_deliveries(cutoff timestamp with time zone, first_block bigint, block_count integer) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
declare
    sealed timestamptz;
    purged bigint;
begin
    if first_block >= pg_relation_size('afterpush.deliveries') / current_setting('block_size')::integer then
        return null;
    end if;
    select sealed_before into sealed from afterpush.rollup_worker for update;
    with purged_deliveries as (
        delete from afterpush.deliveries as d
        where d.ctid >= format('(%s,0)', first_block)::tid
          and d.ctid < format('(%s,0)', first_block + block_count)::tid
          and afterpush.anchor_hour(d.verified_sent_at, d.receipt_issued_at, d.first_event_at) < least(cutoff, sealed)
          and not exists (select from afterpush.events as e where e.delivery_id = d.delivery_id)
          and not exists (select from afterpush.replies as r where r.delivery_id = d.delivery_id)
          and not exists (select from afterpush.waiting_replies as r where r.delivery_id = d.delivery_id)
        returning d.delivery_id
    ),
    purged_marks as (
        delete from afterpush.late_deliveries as l using purged_deliveries as p where l.delivery_id = p.delivery_id
    )
    select count(*) into purged from purged_deliveries;
    return purged;
end
$$;

ALTER FUNCTION afterpush.purge_deliveries(cutoff timestamp with time zone, first_block bigint, block_count integer) OWNER TO afterpush_owner;

--
-- Name: FUNCTION purge_deliveries(cutoff timestamp with time zone, first_block bigint, block_count integer); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.purge_deliveries(cutoff timestamp with time zone, first_block bigint, block_count integer) IS 'Deletes deliveries of sealed hours without events and replies, in some blocks of the table; returns how many.';

--
-- Name: purge_rejected(timestamp with time zone, integer); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.purge_rejected(before timestamp with time zone, max integer) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
declare
    purged bigint;
begin
    delete from afterpush.rejected_events
    where ctid = any (array(select ctid from afterpush.rejected_events where received_at < before limit max));
    get diagnostics purged = row_count;
    return purged;
end
$$;

ALTER FUNCTION afterpush.purge_rejected(before timestamp with time zone, max integer) OWNER TO afterpush_owner;

--
-- Name: FUNCTION purge_rejected(before timestamp with time zone, max integer); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.purge_rejected(before timestamp with time zone, max integer) IS 'Deletes rejected events that arrived before a time; returns how many.';

--
-- Name: purge_replies(integer); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.purge_replies(max integer) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
declare
    purged bigint;
    purged_waiting bigint;
begin
    perform afterpush.release_waiting_replies(null);
    delete from afterpush.replies where ctid = any (array(select stored_row from afterpush.expired_replies limit max));
    get diagnostics purged = row_count;
    delete from afterpush.waiting_replies
    where ctid = any (array(select stored_row from afterpush.expired_waiting_replies limit max - purged));
    get diagnostics purged_waiting = row_count;
    return purged + purged_waiting;
end
$$;

ALTER FUNCTION afterpush.purge_replies(max integer) OWNER TO afterpush_owner;

--
-- Name: FUNCTION purge_replies(max integer); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.purge_replies(max integer) IS 'Deletes replies whose retention period has passed; returns how many.';

--
-- Name: rate(bigint, bigint, bigint); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.rate(numerator bigint, denominator bigint, min_n bigint) RETURNS double precision
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN ((denominator > 0) AND (denominator >= min_n) AND ((numerator >= 0) AND (numerator <= denominator))) THEN ((numerator)::double precision / (denominator)::double precision) ELSE NULL::double precision END;

ALTER FUNCTION afterpush.rate(numerator bigint, denominator bigint, min_n bigint) OWNER TO afterpush_owner;

--
-- Name: FUNCTION rate(numerator bigint, denominator bigint, min_n bigint); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.rate(numerator bigint, denominator bigint, min_n bigint) IS 'numerator / denominator; null if the denominator is 0 or under min_n, or the numerator is negative or larger than the denominator.';

--
-- Name: wilson_low(bigint, bigint, double precision); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.wilson_low(k bigint, n bigint, design_effect double precision DEFAULT 1) RETURNS double precision
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN ((n > 0) AND (k = 0)) THEN (0.0)::double precision WHEN ((n > 0) AND ((k >= 1) AND (k <= n))) THEN (((((k)::double precision / design_effect) + (1.920729410347062)::double precision) - ((1.959963984540054)::double precision * sqrt((((((k)::double precision * ((n - k))::double precision) / (n)::double precision) / design_effect) + (0.960364705173531)::double precision)))) / (((n)::double precision / design_effect) + (3.841458820694124)::double precision)) ELSE NULL::double precision END;

ALTER FUNCTION afterpush.wilson_low(k bigint, n bigint, design_effect double precision) OWNER TO afterpush_owner;

--
-- Name: FUNCTION wilson_low(k bigint, n bigint, design_effect double precision); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.wilson_low(k bigint, n bigint, design_effect double precision) IS 'Returns the lower bound of the Wilson score interval of k out of n at 95 %; null unless 0 <= k <= n and n > 0.';

--
-- Name: wilson_high(bigint, bigint, double precision); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.wilson_high(k bigint, n bigint, design_effect double precision DEFAULT 1) RETURNS double precision
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ((1.0)::double precision - afterpush.wilson_low((n - k), n, design_effect));

ALTER FUNCTION afterpush.wilson_high(k bigint, n bigint, design_effect double precision) OWNER TO afterpush_owner;

--
-- Name: FUNCTION wilson_high(k bigint, n bigint, design_effect double precision); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.wilson_high(k bigint, n bigint, design_effect double precision) IS 'Returns the upper bound of the Wilson score interval of k out of n at 95 %; null unless 0 <= k <= n and n > 0.';

--
-- Name: rate_high(bigint, bigint, bigint, double precision); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.rate_high(numerator bigint, denominator bigint, min_n bigint, design_effect double precision DEFAULT 1) RETURNS double precision
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN (denominator >= min_n) THEN afterpush.wilson_high(numerator, denominator, design_effect) ELSE NULL::double precision END;

ALTER FUNCTION afterpush.rate_high(numerator bigint, denominator bigint, min_n bigint, design_effect double precision) OWNER TO afterpush_owner;

--
-- Name: FUNCTION rate_high(numerator bigint, denominator bigint, min_n bigint, design_effect double precision); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.rate_high(numerator bigint, denominator bigint, min_n bigint, design_effect double precision) IS 'Upper bound of the interval of afterpush.rate.';

--
-- Name: rate_kinds(integer); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.rate_kinds(kinds integer) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ((kinds & ((((((((1 | 2) | 4) | 16) | 32) | 128) | 256) | 512) | 1024)) | CASE WHEN (((kinds & (((((4 | 16) | 32) | 64) | 128) | 256)) = 0) AND ((kinds & ((((8 | 2048) | 4096) | 8192) | 16384)) <> 0)) THEN 8 ELSE 0 END);

ALTER FUNCTION afterpush.rate_kinds(kinds integer) OWNER TO afterpush_owner;

--
-- Name: FUNCTION rate_kinds(kinds integer); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.rate_kinds(kinds integer) IS 'The kinds of a set that rates depend on.';

--
-- Name: rate_low(bigint, bigint, bigint, double precision); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.rate_low(numerator bigint, denominator bigint, min_n bigint, design_effect double precision DEFAULT 1) RETURNS double precision
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN (denominator >= min_n) THEN afterpush.wilson_low(numerator, denominator, design_effect) ELSE NULL::double precision END;

ALTER FUNCTION afterpush.rate_low(numerator bigint, denominator bigint, min_n bigint, design_effect double precision) OWNER TO afterpush_owner;

--
-- Name: FUNCTION rate_low(numerator bigint, denominator bigint, min_n bigint, design_effect double precision); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.rate_low(numerator bigint, denominator bigint, min_n bigint, design_effect double precision) IS 'Lower bound of the interval of afterpush.rate.';

--
-- Name: ratio_variance(bigint[], bigint[]); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.ratio_variance(n bigint[], y bigint[]) RETURNS double precision
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
declare
    total constant double precision := (select sum(b) from unnest(n) as b);
    rate double precision;
begin
    if total > 0 then
        rate := (select sum(b) from unnest(y) as b) / total;
        return (
            select 128.0 / 127 * sum(power(b.y - b.n * rate, 2)) / power(total, 2)
            from unnest(n, y) as b (n, y)
        );
    end if;
    return null;
end
$$;

ALTER FUNCTION afterpush.ratio_variance(n bigint[], y bigint[]) OWNER TO afterpush_owner;

--
-- Name: FUNCTION ratio_variance(n bigint[], y bigint[]); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.ratio_variance(n bigint[], y bigint[]) IS 'Returns the variance of the rate sum(y) / sum(n) by the delta method over device buckets; null without n.';

--
-- Name: rebuild_deliveries(timestamp with time zone, integer); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.rebuild_deliveries(sealed timestamp with time zone, ranges integer DEFAULT 8) RETURNS void
    LANGUAGE plpgsql
    SET jit TO 'off'
    SET parallel_leader_participation TO 'off'
    AS $$
declare
    pages bigint;
    bounds uuid[];
begin
    select sum(c.relpages) into pages
    from pg_catalog.pg_inherits as i
    join pg_catalog.pg_class as c on c.oid = i.inhrelid
    where i.inhparent = 'afterpush.events'::regclass;

    select array_agg(distinct bound) into bounds
    from (
        select unnest(
            percentile_disc(array(select i::double precision / ranges from generate_series(1, ranges - 1) as i))
            within group (order by delivery_id)
        ) as bound
        -- A sample of about a thousand pages is enough to place the bounds.
        from afterpush.events tablesample system (100000.0 / greatest(pages, 1000))
    ) as b
    where bound is not null;

    execute 'create temporary table differing on commit drop as '
        || (
            select string_agg(
                format('select * from afterpush.differing_deliveries(%L, %L, %L)', sealed, from_id, to_id),
                ' union all '
            )
            from unnest(array_prepend(null, bounds), array_append(bounds, null)) as r (from_id, to_id)
        );

    delete from afterpush.deliveries
    where delivery_id in (select stored_id from pg_temp.differing where (rebuilt).delivery_id is null);

    insert into afterpush.deliveries
    select (rebuilt).*
    from pg_temp.differing
    where (rebuilt).delivery_id is not null
    order by (rebuilt).delivery_id
    on conflict (delivery_id) do update set
        kinds = excluded.kinds,
        verified_kinds = excluded.verified_kinds,
        platform_source_rank = excluded.platform_source_rank,
        app_version_source_rank = excluded.app_version_source_rank,
        campaign_source_rank = excluded.campaign_source_rank,
        category_source_rank = excluded.category_source_rank,
        category_version = excluded.category_version,
        first_event_at = excluded.first_event_at,
        sent_at = excluded.sent_at,
        receipt_issued_at = excluded.receipt_issued_at,
        confirmed_at = excluded.confirmed_at,
        responded_at = excluded.responded_at,
        verified_sent_at = excluded.verified_sent_at,
        verified_confirmed_at = excluded.verified_confirmed_at,
        verified_responded_at = excluded.verified_responded_at,
        notification_id = excluded.notification_id,
        device_id = excluded.device_id,
        platform = excluded.platform,
        app_version = excluded.app_version,
        campaign_id = excluded.campaign_id,
        variant = excluded.variant,
        category_id = excluded.category_id,
        fallbacks = excluded.fallbacks,
        actions = excluded.actions;
end
$$;

ALTER FUNCTION afterpush.rebuild_deliveries(sealed timestamp with time zone, ranges integer) OWNER TO afterpush_owner;

--
-- Name: FUNCTION rebuild_deliveries(sealed timestamp with time zone, ranges integer); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.rebuild_deliveries(sealed timestamp with time zone, ranges integer) IS 'Stores deliveries as their events say, for hours that are not sealed.';

--
-- Name: rebuild_device_buckets(timestamp with time zone); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.rebuild_device_buckets(sealed timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
    perform afterpush.settle_device_changes(null);
    create temporary table fresh_device_buckets (like afterpush.rollup_device_buckets) on commit drop;
    insert into pg_temp.fresh_device_buckets
    select * from afterpush.expected_device_buckets where anchor_day >= sealed;
    perform afterpush.replace_rows(
        'afterpush.rollup_device_buckets', 'pg_temp.fresh_device_buckets', format('anchor_day >= %L', sealed)
    );
    delete from afterpush.rollup_device_bucket_totals where anchor_day >= sealed;
    insert into afterpush.rollup_device_bucket_totals
    select * from afterpush.summed_device_buckets where anchor_day >= sealed;
end
$$;

ALTER FUNCTION afterpush.rebuild_device_buckets(sealed timestamp with time zone) OWNER TO afterpush_owner;

--
-- Name: FUNCTION rebuild_device_buckets(sealed timestamp with time zone); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.rebuild_device_buckets(sealed timestamp with time zone) IS 'Recomputes the rollups of device buckets for days that are not sealed.';

--
-- Name: rebuild_rollup_actions(timestamp with time zone); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.rebuild_rollup_actions(sealed timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
    create temporary table fresh_actions (like afterpush.rollup_actions) on commit drop;
    insert into pg_temp.fresh_actions
    with modes as (
        select
            s.app_id, false as verified, s.anchor_hour, s.campaign_id, s.variant, s.category_id, s.category_version,
            s.platform, s.kinds, a.action_id, a.bucket, s.deliveries, a.events
        from pg_temp.delivery_shapes as s
        cross join unnest((s.actions).action_ids, (s.actions).buckets, (s.actions).events)
            as a (action_id, bucket, events)
        where s.actions is not null
        union all
        select
            s.app_id, true, s.anchor_hour, v.verified_campaign_id, v.verified_variant, v.verified_category_id,
            v.verified_category_version, v.verified_platform, s.verified_kinds, a.action_id, a.bucket, s.deliveries,
            a.events
        from pg_temp.delivery_shapes as s
        cross join lateral afterpush.verified_names(
            s.verified_dimensions, s.platform, s.app_version, s.campaign_id, s.variant, s.category_id,
            s.category_version
        ) as v
        cross join unnest((s.actions).action_ids, (s.actions).verified_buckets, (s.actions).verified_events)
            as a (action_id, bucket, events)
        where s.actions is not null
          and s.verified_kinds <> 0
          and a.events > 0
    )
    select
        app_id, verified, anchor_hour, campaign_id, variant, category_id, category_version, platform,
        afterpush.is_sent(kinds), afterpush.is_confirmed(kinds), action_id, bucket,
        sum(deliveries), sum(deliveries * events)
    from modes
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12;
    perform afterpush.replace_rows(
        'afterpush.rollup_actions', 'pg_temp.fresh_actions', format('anchor_hour >= %L', sealed)
    );
end
$$;

ALTER FUNCTION afterpush.rebuild_rollup_actions(sealed timestamp with time zone) OWNER TO afterpush_owner;

--
-- Name: FUNCTION rebuild_rollup_actions(sealed timestamp with time zone); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.rebuild_rollup_actions(sealed timestamp with time zone) IS 'Recomputes rollup_actions for hours that are not sealed.';

--
-- Name: rebuild_rollup_days(timestamp with time zone); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.rebuild_rollup_days(sealed timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
    first_day constant timestamptz := afterpush.day_of(sealed);
begin
    delete from afterpush.rollup_delivery_days where anchor_day >= first_day;
    delete from afterpush.rollup_goal_days where anchor_day >= first_day;
    delete from afterpush.rollup_action_days where anchor_day >= first_day;
    delete from afterpush.rollup_response_days where anchor_day >= first_day;
    insert into afterpush.rollup_delivery_days
    select * from afterpush.summed_delivery_days where anchor_day >= first_day;
    insert into afterpush.rollup_goal_days
    select * from afterpush.summed_goal_days where anchor_day >= first_day;
    insert into afterpush.rollup_action_days
    select * from afterpush.summed_action_days where anchor_day >= first_day;
    insert into afterpush.rollup_response_days
    select * from afterpush.summed_response_days where anchor_day >= first_day;
end
$$;

ALTER FUNCTION afterpush.rebuild_rollup_days(sealed timestamp with time zone) OWNER TO afterpush_owner;

--
-- Name: FUNCTION rebuild_rollup_days(sealed timestamp with time zone); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.rebuild_rollup_days(sealed timestamp with time zone) IS 'Recomputes the rollups by day from those by hour, for days with hours that are not sealed.';

--
-- Name: rebuild_rollup_deliveries(timestamp with time zone); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.rebuild_rollup_deliveries(sealed timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
    create temporary table fresh_app_versions (like afterpush.rollup_app_versions) on commit drop;
    insert into pg_temp.fresh_app_versions
    with timeless as materialized (
        select
            app_id, anchor_hour, app_version, campaign_id, variant, category_id, category_version, platform,
            verified_dimensions, kinds, verified_kinds, (actions).action_ids,
            array(select e > 0 from unnest((actions).verified_events) as e) as are_verified,
            sum(deliveries)::integer as deliveries
        from pg_temp.delivery_shapes
        group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13
    ),
    modes as (
        select
            app_id, false as verified, anchor_hour, app_version, campaign_id, variant, category_id, category_version,
            platform, kinds, coalesce(action_ids, '{}') as action_ids, deliveries,
            (afterpush.is_sent(kinds) and not afterpush.is_sent(verified_kinds))::integer as locally_sent
        from timeless
        union all
        select
            app_id, true, anchor_hour, verified_app_version, verified_campaign_id, verified_variant,
            verified_category_id, verified_category_version, verified_platform, verified_kinds,
            array(
                select a.action_id
                from unnest(action_ids, are_verified) as a (action_id, is_verified)
                where a.is_verified
            ),
            deliveries, 0
        from timeless
        cross join lateral afterpush.verified_names(
            verified_dimensions, platform, app_version, campaign_id, variant, category_id, category_version
        )
        where verified_kinds <> 0
    )
    select
        app_id, verified, anchor_hour, campaign_id, variant, category_id, category_version, platform, is_sent,
        is_confirmed, action_ids,
        sum(deliveries), sum(deliveries * failed), sum(deliveries * delivered), sum(deliveries * displayed),
        sum(deliveries * opened), sum(deliveries * replied), sum(deliveries * dismissed), sum(deliveries * read),
        sum(deliveries * responded), sum(deliveries * converted_events), sum(deliveries * replaced),
        sum(deliveries * refused), sum(deliveries * locally_sent), app_version
    from modes
    cross join lateral afterpush.states(kinds)
    group by app_id, verified, anchor_hour, app_version, campaign_id, variant, category_id, category_version, platform,
        is_sent, is_confirmed, action_ids;
    perform afterpush.replace_rows(
        'afterpush.rollup_app_versions', 'pg_temp.fresh_app_versions', format('anchor_hour >= %L', sealed)
    );

    create temporary table fresh_deliveries (like afterpush.rollup_deliveries) on commit drop;
    insert into pg_temp.fresh_deliveries
    select
        app_id, verified, anchor_hour, campaign_id, variant, category_id, category_version, platform, is_sent,
        is_confirmed, actions, sum(deliveries), sum(failed), sum(delivered), sum(displayed), sum(opened), sum(replied),
        sum(dismissed), sum(read), sum(responded), sum(converted_events), sum(replaced), sum(refused), sum(locally_sent)
    from afterpush.rollup_app_versions
    where anchor_hour >= sealed
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11;
    perform afterpush.replace_rows(
        'afterpush.rollup_deliveries', 'pg_temp.fresh_deliveries', format('anchor_hour >= %L', sealed)
    );
end
$$;

ALTER FUNCTION afterpush.rebuild_rollup_deliveries(sealed timestamp with time zone) OWNER TO afterpush_owner;

--
-- Name: FUNCTION rebuild_rollup_deliveries(sealed timestamp with time zone); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.rebuild_rollup_deliveries(sealed timestamp with time zone) IS 'Recomputes rollup_app_versions and rollup_deliveries for hours that are not sealed.';

--
-- Name: rebuild_rollup_events(timestamp with time zone); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.rebuild_rollup_events(sealed timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
    -- `create table as` may run in parallel processes, `insert` may not. The planner expects every event to be a group
    -- of its own and would sort them; there are few groups, so a hash table serves better.
    perform set_config('enable_sort', 'off', true);
    create temporary table fresh_events on commit drop as
    select * from afterpush.expected_events where event_hour >= sealed;
    perform set_config('enable_sort', 'on', true);
    perform afterpush.replace_rows(
        'afterpush.rollup_events', 'pg_temp.fresh_events', format('event_hour >= %L', sealed)
    );

    delete from afterpush.rollup_event_hours where event_hour >= sealed;
    insert into afterpush.rollup_event_hours select * from afterpush.summed_event_hours where event_hour >= sealed;
end
$$;

ALTER FUNCTION afterpush.rebuild_rollup_events(sealed timestamp with time zone) OWNER TO afterpush_owner;

--
-- Name: FUNCTION rebuild_rollup_events(sealed timestamp with time zone); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.rebuild_rollup_events(sealed timestamp with time zone) IS 'Recomputes rollup_events and rollup_event_hours for hours that are not sealed.';

--
-- Name: rebuild_rollup_responses(timestamp with time zone); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.rebuild_rollup_responses(sealed timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
    create temporary table fresh_responses (like afterpush.rollup_responses) on commit drop;
    insert into pg_temp.fresh_responses
    with modes as (
        select
            app_id, false as verified, anchor_hour, campaign_id, variant, category_id, platform, app_version,
            response_bucket as bucket, deliveries
        from pg_temp.delivery_shapes
        where response_bucket is not null
        union all
        select
            s.app_id, true, s.anchor_hour, v.verified_campaign_id, v.verified_variant, v.verified_category_id,
            v.verified_platform, v.verified_app_version, s.verified_response_bucket, s.deliveries
        from pg_temp.delivery_shapes as s
        cross join lateral afterpush.verified_names(
            s.verified_dimensions, s.platform, s.app_version, s.campaign_id, s.variant, s.category_id,
            s.category_version
        ) as v
        where s.verified_response_bucket is not null
    )
    select
        app_id, verified, anchor_hour, campaign_id, variant, category_id, platform, app_version, bucket, sum(deliveries)
    from modes
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9;
    perform afterpush.replace_rows(
        'afterpush.rollup_responses', 'pg_temp.fresh_responses', format('anchor_hour >= %L', sealed)
    );
end
$$;

ALTER FUNCTION afterpush.rebuild_rollup_responses(sealed timestamp with time zone) OWNER TO afterpush_owner;

--
-- Name: FUNCTION rebuild_rollup_responses(sealed timestamp with time zone); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.rebuild_rollup_responses(sealed timestamp with time zone) IS 'Recomputes rollup_responses for hours that are not sealed.';

--
-- Name: receipt_claims(text[]); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.receipt_claims(texts text[]) RETURNS text[]
    LANGUAGE plpgsql IMMUTABLE
    AS $_$
declare
    receipt text;
    encoded text;
    claims text[] := '{}';
begin
    for receipt in
        select candidate.text
        from unnest(texts) as candidate (text)
        -- Three parts in base64url. The middle one is a JSON object, so it begins with e; {"sub":"a"} has 15 characters.
        where candidate.text ~ '^[A-Za-z0-9_=-]*\.e[A-Za-z0-9_=-]{13,}\.[A-Za-z0-9_=-]*$'
    loop
        begin
            -- The claims are the middle part of the token, base64url without padding.
            encoded := rtrim(translate(split_part(receipt, '.', 2), '-_', '+/'), '=');
            encoded := rpad(encoded, (length(encoded) + 3) / 4 * 4, '=');
            claims := array_append(claims, convert_from(decode(encoded, 'base64'), 'UTF8'));
        exception when others then null;
        end;
    end loop;
    return claims;
end
$_$;

ALTER FUNCTION afterpush.receipt_claims(texts text[]) OWNER TO afterpush_owner;

--
-- Name: FUNCTION receipt_claims(texts text[]); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.receipt_claims(texts text[]) IS 'Returns the claims of receipts, without verifying them.';

--
-- Name: receipt_devices(text[]); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.receipt_devices(texts text[]) RETURNS text[]
    LANGUAGE plpgsql IMMUTABLE
    AS $_$
declare
    claims text;
    devices text[] := '{}';
begin
    foreach claims in array afterpush.receipt_claims(texts)
    loop
        begin
            devices := devices || array(
                select distinct subject.scalar #>> '{}'
                from jsonb_path_query(claims::jsonb, '$.**.sub') as subject (scalar)
            );
        exception when others then null;
        end;
    end loop;
    return array_remove(devices, null);
end
$_$;

ALTER FUNCTION afterpush.receipt_devices(texts text[]) OWNER TO afterpush_owner;

--
-- Name: FUNCTION receipt_devices(texts text[]); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.receipt_devices(texts text[]) IS 'Returns the devices that receipts are bound to, without verifying them.';

--
-- Name: redact_rejected_event(); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.redact_rejected_event() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
declare
    devices text[];
begin
    if not exists (select from afterpush.suppressed_devices as s where s.app_id = new.app_id) then
        return new;
    end if;
    devices := afterpush.rejected_event_devices(new.event);
    if cardinality(devices) > 48 then
        new.event := '{}';
    end if;
    if exists (
        select
        from unnest(devices[:48]) as named (device)
        cross join afterpush.suppression_keys as k
        join afterpush.suppressed_devices as s
            on s.app_id = new.app_id
            and s.device_hash = afterpush.device_hash(named.device, k.inner_block, k.outer_block)
    ) then
        new.code := 'device_suppressed';
        new.detail := 'the device was erased';
        -- A client could send the device's id as the event's.
        if new.event_id !~ '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$' then
            new.event_id := null;
        end if;
        new.event := coalesce('{"event_id":"' || new.event_id || '"}', '{}');
    end if;
    return new;
end
$_$;

ALTER FUNCTION afterpush.redact_rejected_event() OWNER TO afterpush_owner;

--
-- Name: FUNCTION redact_rejected_event(); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.redact_rejected_event() IS 'Trigger: removes the content of a rejected event that names an erased device.';

--
-- Name: rejected_event_content(text); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.rejected_event_content(event text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE
    AS $$
declare
    plain text := event;
    content text := event;
    claims text;
begin
    if strpos(event, '\') > 0 then
        plain := afterpush.without_json_escapes(event);
        content := concat_ws(E'\n', event, plain);
    end if;
    if strpos(plain, '%') > 0 then
        begin
            content := concat_ws(E'\n', content, afterpush.without_percent_encoding(plain));
        -- Bytes that encode no character.
        exception when character_not_in_repertoire then null;
        end;
    end if;
    claims := array_to_string(afterpush.receipt_claims(string_to_array(plain, '"')), E'\n');
    return concat_ws(
        E'\n', content, claims, case when strpos(claims, '\') > 0 then afterpush.without_json_escapes(claims) end
    );
end
$$;

ALTER FUNCTION afterpush.rejected_event_content(event text) OWNER TO afterpush_owner;

--
-- Name: FUNCTION rejected_event_content(event text); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.rejected_event_content(event text) IS 'Returns the text of a rejected event and what is behind the encodings in it, for the search for an id.';

--
-- Name: rejected_event_devices(text); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.rejected_event_devices(event text) RETURNS text[]
    LANGUAGE plpgsql IMMUTABLE
    AS $_$
declare
    devices text[] := afterpush.receipt_devices(string_to_array(event, '"'));
    device text;
begin
    begin
        -- jsonb would keep only the last of the fields that are stated twice.
        devices := devices || array(
            select stated.scalar #>> '{}'
            from json_each(event::json) as field
            cross join jsonb_path_query(field.value::jsonb, 'strict $.**') as stated (scalar)
            where field.key = 'device_id'
              and jsonb_typeof(stated.scalar) in ('string', 'number')
        );
    exception when others then
        device := substring(event from '"device_id"\s*:\s*"((?:[^"\\]|\\.)*)"');
        begin
            -- Resolves escapes.
            device := ('"' || device || '"')::jsonb #>> '{}';
        exception when others then null;
        end;
        devices := array_append(devices, device);
    end;
    devices := array_remove(devices, null);
    if devices = '{}' then
        devices := afterpush.rejected_event_texts(event);
    end if;
    return devices || array(
        select btrim(named.device, E' \t\r\n')
        from unnest(devices) as named (device)
        where named.device ~ '^\s|\s$'
    );
end
$_$;

ALTER FUNCTION afterpush.rejected_event_devices(event text) OWNER TO afterpush_owner;

--
-- Name: FUNCTION rejected_event_devices(event text); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.rejected_event_devices(event text) IS 'Returns the texts of a rejected event that can be the id of its device.';

--
-- Name: rejected_event_texts(text); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.rejected_event_texts(event text) RETURNS text[]
    LANGUAGE plpgsql IMMUTABLE
    AS $_$
declare
    -- The parts between quotes: every second one and, because a stray quote shifts them, every other one that does not
    -- look like a separator. Once without escape sequences, in which a quote ends no text, and once with them. This needs
    -- no valid JSON, and keeps fields that are stated twice.
    texts text[] := array(
        select part.text
        from (values (event), (regexp_replace(event, '\\.', '', 'g'))) as source (text)
        cross join unnest(string_to_array(source.text, '"')) with ordinality as part (text, place)
        where part.place % 2 = 0
           or part.text !~ '^[][{}:,[:space:]]'
    );
begin
    texts := texts || afterpush.receipt_devices(texts);
    begin
        -- Resolves escapes, and finds numbers.
        texts := texts || array(
            select text.scalar #>> '{}'
            from jsonb_path_query(event::jsonb, 'strict $.**') as text (scalar)
            where jsonb_typeof(text.scalar) in ('string', 'number')
        );
    exception when others then
        -- Escapes are resolved only where an id should be.
        begin
            texts := array_append(
                texts,
                ('"' || substring(event from '"device_id"\s*:\s*"((?:[^"\\]|\\.)*)"') || '"')::jsonb #>> '{}'
            );
        exception when others then null;
        end;
    end;
    return array(
        select distinct found.text
        from unnest(texts) as found (text)
        where octet_length(found.text) between 1 and 256
    );
end
$_$;

ALTER FUNCTION afterpush.rejected_event_texts(event text) OWNER TO afterpush_owner;

--
-- Name: FUNCTION rejected_event_texts(event text); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.rejected_event_texts(event text) IS 'Returns all texts of a rejected event that are as long as an id can be.';

--
-- Name: release_waiting_replies(bigint[]); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.release_waiting_replies(batches bigint[]) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    with released as (
        delete from afterpush.waiting_replies as w
        using afterpush.deliveries as d
        where d.delivery_id = w.delivery_id
          and (d.category_id is not null or not afterpush.has_textless_category(w.app_id))
          and (
              batches is null
              or w.delivery_id in (select e.delivery_id from afterpush.events as e where e.batch_id = any (batches))
          )
        returning w.*, d.category_id
    )
    insert into afterpush.replies (app_id, delivery_id, event_id, device_time, user_text, stored_at)
    select app_id, delivery_id, event_id, device_time, user_text, stored_at
    from released
    where afterpush.text_retention(app_id, category_id) > interval '0'
    order by delivery_id, event_id, device_time
    on conflict (delivery_id, event_id, device_time) do nothing
$$;

ALTER FUNCTION afterpush.release_waiting_replies(batches bigint[]) OWNER TO afterpush_owner;

--
-- Name: FUNCTION release_waiting_replies(batches bigint[]); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.release_waiting_replies(batches bigint[]) IS 'Moves waiting reply texts to replies, or deletes them, once the category of their delivery is known.';

--
-- Name: remove_undeclared_name(); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.remove_undeclared_name() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    declared jsonb := to_jsonb(new);
begin
    delete from afterpush.undeclared_names as u
    where u.app_id = new.app_id
      and u.kind = tg_argv[0]
      and u.parent = coalesce(declared ->> tg_argv[2], '')
      and u.name = declared ->> tg_argv[1];
    if tg_argv[0] = 'category' then
        delete from afterpush.undeclared_names as u
        where u.app_id = new.app_id
          and u.kind = 'category_version'
          and u.parent = declared ->> 'category_id'
          and u.name = declared ->> 'version';
    end if;
    return null;
end
$$;

ALTER FUNCTION afterpush.remove_undeclared_name() OWNER TO afterpush_owner;

--
-- Name: FUNCTION remove_undeclared_name(); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.remove_undeclared_name() IS 'Trigger: removes a name from undeclared_names when it is declared.';

--
-- Name: replace_rows(regclass, regclass, text); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.replace_rows(stored regclass, fresh regclass, condition text) RETURNS void
    LANGUAGE plpgsql
    AS $_$
declare
    is_different boolean;
begin
    execute format('analyze %s', fresh);
    execute format(
        $text$
        select
            (select count(*) from %1$s where %2$s) <> (select count(*) from %3$s)
            or exists (select * from %1$s where %2$s except select * from %3$s)
        $text$,
        stored, condition, fresh
    )
    into is_different;
    if is_different then
        execute format(
            'delete from %s as s where %s and not exists (select from %s as f where f = s)', stored, condition, fresh
        );
        -- Not `where not exists`: as a nested loop, which the planner chooses if `stored` was empty when it was analyzed,
        -- that reads all rows inserted so far for each row.
        execute format(
            'insert into %1$s select * from %3$s except select * from %1$s where %2$s', stored, condition, fresh
        );
    end if;
end
$_$;

ALTER FUNCTION afterpush.replace_rows(stored regclass, fresh regclass, condition text) OWNER TO afterpush_owner;

--
-- Name: FUNCTION replace_rows(stored regclass, fresh regclass, condition text); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.replace_rows(stored regclass, fresh regclass, condition text) IS 'Makes some rows of a table equal to those of another, and writes only the rows that differ.';

--
-- Name: reply_place(integer, uuid, text); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.reply_place(app_id integer, delivery_id uuid, category_id text) RETURNS text
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    select case
        when afterpush.text_retention(reply_place.app_id, known.category_id) <= interval '0' then null
        when known.category_id is null and afterpush.has_textless_category(reply_place.app_id) then 'waiting_replies'
        else 'replies'
    end
    from (
        select coalesce(
            (select d.category_id from afterpush.deliveries as d where d.delivery_id = reply_place.delivery_id),
            reply_place.category_id
        ) as category_id
    ) as known
$$;

ALTER FUNCTION afterpush.reply_place(app_id integer, delivery_id uuid, category_id text) OWNER TO afterpush_owner;

--
-- Name: FUNCTION reply_place(app_id integer, delivery_id uuid, category_id text); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.reply_place(app_id integer, delivery_id uuid, category_id text) IS 'Returns the table in which the text of a new reply is stored; null if it is not kept.';

--
-- Name: report_action_effects(text, timestamp with time zone, timestamp with time zone, text, text, text, text, boolean, text, boolean); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.report_action_effects(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, base text, versions boolean) RETURNS TABLE(category_id text, category_version integer, campaign_id text, variant text, action_id text, design_effect double precision)
    LANGUAGE plpgsql STABLE
    SET plan_cache_mode TO 'force_custom_plan'
    SET max_parallel_workers_per_gather TO '0'
    AS $$
#variable_conflict use_column
declare
    this_app constant integer := (select a.app_id from afterpush.apps as a where a.name = report_action_effects.app);
    declared constant text[] :=
        array(select distinct s.campaign_id from afterpush.sends as s where s.app_id = this_app);
begin
    return query
    select
        category_id, category_version, campaign_id, variant, action_id,
        afterpush.packed_design_effect(sum(d), sum(d) filter (where action_id = any (actions)))
    from (
        select
            s.category_id,
            case when report_action_effects.versions then v.version end as category_version,
            s.campaign_id, s.variant, s.actions, v.offered, s.device_buckets as d
        from afterpush.device_bucket_counts as s
        join afterpush.category_versions as v
            on v.app_id = this_app
            and v.category_id = s.category_id
            and case
                when s.category_version > 0 then v.version = s.category_version
                else s.anchor_day >= v.in_force_from and s.anchor_day < v.in_force_to
            end
        where s.app_id = this_app
          and s.modes & case when report_action_effects.verified then 2 else 1 end <> 0
          and case report_action_effects.base
              when 'sent' then s.campaign_id = any (declared) or afterpush.is_sent(s.kinds)
              when 'confirmed' then afterpush.is_confirmed(s.kinds)
              else false
          end
          and (only_campaign is null or s.campaign_id = only_campaign)
          and (only_category is null or s.category_id = only_category)
          and (only_variant is null or s.variant = only_variant)
          and (only_platform is null or s.platform = only_platform)
          and (
              report_action_effects."from" is null
              or s.anchor_day >= afterpush.day_of(report_action_effects."from")
          )
          and (report_action_effects."to" is null or s.anchor_day < report_action_effects."to")
    ) as s
    cross join unnest(offered) as action_id
    group by 1, 2, 3, 4, 5;
end
$$;

ALTER FUNCTION afterpush.report_action_effects(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, base text, versions boolean) OWNER TO afterpush_owner;

--
-- Name: FUNCTION report_action_effects(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, base text, versions boolean); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.report_action_effects(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, base text, versions boolean) IS 'Design effects of the conversions of actions, by category, campaign and variant.';

--
-- Name: report_action_hours(integer, timestamp with time zone, timestamp with time zone, text, text, text, text, boolean, text, timestamp with time zone[]); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.report_action_hours(app_id integer, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, base text, split timestamp with time zone[]) RETURNS TABLE(campaign_id text, variant text, category_id text, category_version integer, action_id text, hour timestamp with time zone, deliveries integer, deliveries_base integer, events integer, times integer[])
    LANGUAGE plpgsql STABLE ROWS 100
    SET plan_cache_mode TO 'force_custom_plan'
    AS $$
#variable_conflict use_column
declare
    split_hours constant timestamptz[] := array(
        select d + n * interval '1 hour' from unnest(split) as d cross join generate_series(0, 23) as n
    );
begin
    return query
    select
        h.campaign_id, h.variant, h.category_id, h.category_version, h.action_id, h.hour,
        sum(h.deliveries)::integer as deliveries,
        sum(h.deliveries_base)::integer as deliveries_base,
        sum(h.events)::integer as events,
        afterpush.running_totals_of(
            array_agg(h.bucket order by h.bucket), array_agg(h.deliveries order by h.bucket)
        ) as times
    from (
        select
            a.campaign_id, a.variant, a.category_id, a.category_version, a.action_id, a.bucket,
            case
                when afterpush.day_of(a.anchor_hour) = any (split) then a.anchor_hour
                else afterpush.day_of(a.anchor_hour)
            end as hour,
            sum(a.deliveries)::bigint as deliveries,
            coalesce(
                sum(a.deliveries) filter (
                    where case base when 'sent' then a.is_sent when 'confirmed' then a.is_confirmed else false end
                ),
                0
            ) as deliveries_base,
            sum(a.events) as events
        from afterpush.rollup_actions as a
        where a.app_id = report_action_hours.app_id
          and a.verified = report_action_hours.verified
          and (only_campaign is null or a.campaign_id = only_campaign)
          and (only_category is null or a.category_id = only_category)
          and (only_variant is null or a.variant = only_variant)
          and (only_platform is null or a.platform = only_platform)
          and ("from" is null or a.anchor_hour >= "from")
          and ("to" is null or a.anchor_hour < "to")
          and (only_platform is not null or a.anchor_hour = any (split_hours))
        group by 1, 2, 3, 4, 5, 6, 7
    ) as h
    group by 1, 2, 3, 4, 5, 6;
end
$$;

ALTER FUNCTION afterpush.report_action_hours(app_id integer, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, base text, split timestamp with time zone[]) OWNER TO afterpush_owner;

--
-- Name: FUNCTION report_action_hours(app_id integer, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, base text, split timestamp with time zone[]); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.report_action_hours(app_id integer, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, base text, split timestamp with time zone[]) IS 'Deliveries acted on, by action and hour or day, with the running totals of their times.';

--
-- Name: report_actions(text, timestamp with time zone, timestamp with time zone, text, text, text, text, boolean, text, boolean); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.report_actions(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, base_choice text, versions boolean) RETURNS TABLE(category_id text, category_version integer, campaign_id text, variant text, action_id text, offered boolean, offered_n bigint, acted bigint, acted_base bigint, total bigint, p50_seconds double precision)
    LANGUAGE plpgsql STABLE
    SET plan_cache_mode TO 'force_custom_plan'
    SET max_parallel_workers_per_gather TO '0'
    SET enable_mergejoin TO 'off'
    AS $$
#variable_conflict use_column
declare
    this_app constant integer := (select a.app_id from afterpush.apps as a where a.name = report_actions.app);
    base constant text := afterpush.report_base(
        report_actions.app, "from", "to", only_campaign, only_category, only_variant, only_platform,
        report_actions.verified, base_choice
    );
    -- Declared sends are the base of their campaign, and all its deliveries belong to it.
    declared constant text[] := array(
        select distinct s.campaign_id from afterpush.sends as s where s.app_id = this_app
    );
    by_sends constant boolean := base = 'sent' and cardinality(declared) > 0;
    known_versions constant afterpush.category_versions[] :=
        array(select v from afterpush.category_versions as v where v.app_id = this_app);
    -- Days that are not alike throughout. They are read by the hour; actions on one platform are read by the hour
    -- always.
    split constant timestamptz[] := afterpush.report_split(
        "from", "to",
        array["from", "to"] || (select array_agg(v.in_force_from) from unnest(known_versions) as v where v.version > 1)
    );
    starts timestamptz;
    ends timestamptz;
begin
    select s.starts, s.ends into starts, ends from afterpush.report_span(this_app, "from", "to", only_campaign) as s;
    return query
    select
        category_id, category_version, campaign_id, variant, action_id, offered, offered_n, acted, acted_base, total,
        afterpush.bucket_seconds(bucket)
    from (
        select
            *,
            case
                when several is null then least_p50
                else afterpush.combined_quantile(several, timed, 50, least_p50, greatest_p50)
            end::smallint as bucket
        from (
            select
                category_id, category_version, campaign_id, variant, action_id, offered,
                sum(base_n)::bigint as offered_n,
                sum(deliveries)::bigint as acted,
                sum(deliveries_base)::bigint as acted_base,
                sum(events)::bigint as total,
                -- The median of rows that have the same one needs no search.
                sum(times[cardinality(times)]) as timed,
                min(p50) as least_p50,
                max(p50) as greatest_p50,
                case
                    when min(p50) < max(p50)
                    then array_agg(row(times)::afterpush.running_totals) filter (where p50 is not null)
                end as several
            from (
                -- The actions that were performed.
                select
                    s.category_id,
                    case when report_actions.versions then coalesce(v.version, nullif(s.category_version, 0)) end
                        as category_version,
                    s.campaign_id,
                    s.variant,
                    s.action_id,
                    coalesce(s.action_id = any (v.offered), false) as offered,
                    0 as base_n,
                    s.deliveries,
                    case when by_sends and s.campaign_id = any (declared) then s.deliveries else s.deliveries_base end
                        as deliveries_base,
                    s.events,
                    s.times,
                    afterpush.running_totals_quantile(s.times, 50) as p50
                from (
                    -- `times` holds the running totals of deliveries by the time to the action.
                    select
                        d.campaign_id, d.variant, d.category_id, d.category_version, d.action_id, d.anchor_day as hour,
                        d.deliveries,
                        case base
                            when 'sent' then d.deliveries_sent
                            when 'confirmed' then d.deliveries_confirmed
                            else 0
                        end as deliveries_base,
                        d.events, d.times
                    from afterpush.rollup_action_days as d
                    where only_platform is null
                      and d.app_id = this_app
                      and d.verified = report_actions.verified
                      and (only_campaign is null or d.campaign_id = only_campaign)
                      and (only_category is null or d.category_id = only_category)
                      and (only_variant is null or d.variant = only_variant)
                      and (starts is null or d.anchor_day >= starts)
                      and (ends is null or d.anchor_day < ends)
                      and d.anchor_day <> all (split)
                    union all
                    select h.*
                    from afterpush.report_action_hours(
                        this_app, starts, ends, only_campaign, only_category, only_variant, only_platform,
                        report_actions.verified, base, split
                    ) as h
                    where only_platform is not null
                       or cardinality(split) > 0
                ) as s
                left join unnest(known_versions) as v
                    on v.category_id = s.category_id
                    and case
                        when s.category_version > 0 then v.version = s.category_version
                        else s.hour >= v.in_force_from and s.hour < v.in_force_to
                    end
                union all
                -- The actions that were offered, with their base.
                select category_id, category_version, campaign_id, variant, action_id, true, base_n, 0, 0, 0, null, null
                from (
                    select
                        s.category_id,
                        case when report_actions.versions then v.version end as category_version,
                        s.campaign_id,
                        s.variant,
                        v.offered,
                        sum(s.base_n)::bigint as base_n
                    from (
                        select
                            s.campaign_id, s.variant, s.category_id, s.category_version, s.anchor_day as hour,
                            case
                                when by_sends and s.campaign_id = any (declared) then 0
                                when base = 'sent' then s.deliveries_sent
                                when base = 'confirmed' then s.deliveries_confirmed
                                else 0
                            end::bigint as base_n
                        from afterpush.rollup_delivery_days as s
                        where s.app_id = this_app
                          and s.verified = report_actions.verified
                          and (only_campaign is null or s.campaign_id = only_campaign)
                          and (only_category is null or s.category_id = only_category)
                          and (only_variant is null or s.variant = only_variant)
                          and (only_platform is null or s.platform = only_platform)
                          and ("from" is null or s.anchor_day >= "from")
                          and ("to" is null or s.anchor_day < "to")
                          and s.anchor_day <> all (split)
                        union all
                        select h.*
                        from afterpush.report_offering_hours(
                            this_app, "from", "to", only_campaign, only_category, only_variant, only_platform,
                            report_actions.verified, base, split, declared
                        ) as h
                        where cardinality(split) > 0
                           or cardinality(declared) > 0
                    ) as s
                    join unnest(known_versions) as v
                        on v.category_id = s.category_id
                        and case
                            when s.category_version > 0 then v.version = s.category_version
                            else s.hour >= v.in_force_from and s.hour < v.in_force_to
                        end
                    group by 1, 2, 3, 4, 5
                ) as offering
                cross join unnest(offered) as action_id
                -- Each value is computed once.
                offset 0
            ) as listed
            group by 1, 2, 3, 4, 5, 6
        ) as grouped
        offset 0
    ) as found;
end
$$;

ALTER FUNCTION afterpush.report_actions(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, base_choice text, versions boolean) OWNER TO afterpush_owner;

--
-- Name: FUNCTION report_actions(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, base_choice text, versions boolean); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.report_actions(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, base_choice text, versions boolean) IS 'What was offered and what was taken, of the deliveries and declared sends that a report selects.';

--
-- Name: report_app(); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.report_app() RETURNS integer
    LANGUAGE plpgsql STABLE SECURITY DEFINER PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    claim text := current_setting('afterpush.report_claim', true);
    known record;
    app bigint;
begin
    -- One query, because this function runs for every table of a report.
    select s.secret, l.role_id, l.app_id into known
    from afterpush.report_secret as s
    left join afterpush.report_logins as l on l.login = session_user;
    if known.role_id is not null
        and known.role_id = (select oid from pg_roles where rolname = session_user) then
        return known.app_id;
    end if;
    app := nullif(split_part(claim, ':', 1), '');
    if claim = afterpush.report_claim(known.secret, app) then
        return app;
    end if;
    return null;
end
$$;

ALTER FUNCTION afterpush.report_app() OWNER TO afterpush_owner;

--
-- Name: FUNCTION report_app(); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.report_app() IS 'Returns the app whose rows the current transaction can read in reports; null if it can read no app.';

--
-- Name: report_attribution_problems(text, timestamp with time zone, timestamp with time zone, bigint); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.report_attribution_problems(app text, from_hour timestamp with time zone, to_hour timestamp with time zone, first_batch bigint) RETURNS TABLE(anchor_hour timestamp with time zone, problems integer, delivery_id uuid, last_stored_at timestamp with time zone)
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
    select c.anchor_hour, c.problems, c.delivery_id, max(c.started_at)
    from (
        select
            p.anchor_hour, p.started_at, p.problems, case when p.problems <> 0 then p.delivery_id end as delivery_id
        from (
            select
                afterpush.anchor_hour(d.verified_sent_at, d.receipt_issued_at, d.first_event_at) as anchor_hour,
                b.started_at,
                d.delivery_id,
                afterpush.report_event_problems(
                    'platform', e.platform is not null, e.platform <> d.platform, e.source_rank,
                    d.platform_source_rank, d.fallbacks[1], afterpush.has_failed(d.kinds)
                )
                + afterpush.report_event_problems(
                    'app_version', e.app_version is not null, e.app_version <> d.app_version,
                    e.source_rank, d.app_version_source_rank, d.fallbacks[2], afterpush.has_failed(d.kinds)
                )
                + afterpush.report_event_problems(
                    'campaign', e.campaign_id is not null,
                    e.campaign_id <> d.campaign_id or e.variant is distinct from d.variant,
                    e.source_rank, d.campaign_source_rank, d.fallbacks[3], afterpush.has_failed(d.kinds)
                )
                + afterpush.report_event_problems(
                    'category', e.category_id is not null,
                    e.category_id <> d.category_id or e.category_version is distinct from d.category_version,
                    e.source_rank, d.category_source_rank, d.fallbacks[4], afterpush.has_failed(d.kinds)
                ) as problems
            from (
                select
                    *,
                    case kind when 'sent' then 1 when 'delivered' then 2 else 3 end
                        + case when verified then 0 else 3 end as source_rank
                from afterpush.events
                where app_id = (select a.app_id from afterpush.apps as a where a.name = app)
                  and batch_id >= first_batch
                  and notification_id is not null
            ) as e
            join afterpush.report_selected_deliveries(app, from_hour, to_hour) as d using (delivery_id)
            join afterpush.batches as b using (batch_id)
        ) as p
    ) as c
    group by c.anchor_hour, c.problems, c.delivery_id
$$;

ALTER FUNCTION afterpush.report_attribution_problems(app text, from_hour timestamp with time zone, to_hour timestamp with time zone, first_batch bigint) OWNER TO afterpush_owner;

--
-- Name: FUNCTION report_attribution_problems(app text, from_hour timestamp with time zone, to_hour timestamp with time zone, first_batch bigint); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.report_attribution_problems(app text, from_hour timestamp with time zone, to_hour timestamp with time zone, first_batch bigint) IS 'Which dimensions of the selected deliveries are in conflict, or known from responses only.';

--
-- Name: report_base(text, timestamp with time zone, timestamp with time zone, text, text, text, text, boolean, text, timestamp with time zone, boolean); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.report_base(app text, "from" timestamp with time zone, "to" timestamp with time zone, campaign text, category text, variant text, platform text, verified boolean, base_choice text, seam timestamp with time zone DEFAULT NULL::timestamp with time zone, by_time boolean DEFAULT false) RETURNS text
    LANGUAGE plpgsql STABLE
    SET plan_cache_mode TO 'force_custom_plan'
    SET max_parallel_workers_per_gather TO '0'
    AS $$
declare
    this_app constant integer := (select a.app_id from afterpush.apps as a where a.name = report_base.app);
    starts constant timestamptz := greatest(report_base."from", report_base.seam);
    ends constant timestamptz := report_base."to";
    split constant timestamptz[] := afterpush.report_split(starts, ends, array[starts, ends]);
    hours timestamptz[] := '{}';
    declared text[];
begin
    if this_app is null then
        raise exception 'app: there is no app named %, or this role may not read it',
            coalesce(quote_literal(report_base.app), 'null') using errcode = 'invalid_parameter_value';
    end if;
    if base_choice <> 'auto' then
        return base_choice;
    end if;
    declared := array(select distinct s.campaign_id from afterpush.sends as s where s.app_id = this_app);
    if not by_time and cardinality(declared) > 0 and exists (
        select
        from afterpush.declared_sends as s
        where s.app_id = this_app
          and (starts is null or s.hour >= starts)
          and (ends is null or s.hour < ends)
          and (report_base.campaign is null or s.campaign_id = report_base.campaign)
          and (report_base.category is null or s.category_id = report_base.category)
          and (report_base.variant is null or s.variant = report_base.variant)
          and (report_base.platform is null or s.platform = report_base.platform)
    ) then
        return 'sent';
    end if;
    if exists (
        select
        from afterpush.rollup_delivery_days as d
        where d.app_id = this_app
          and d.verified = report_base.verified
          and d.anchor_day <> all (split)
          and (starts is null or d.anchor_day >= starts)
          and (ends is null or d.anchor_day < ends)
          and (report_base.campaign is null or d.campaign_id = report_base.campaign)
          and (report_base.category is null or d.category_id = report_base.category)
          and (report_base.variant is null or d.variant = report_base.variant)
          and (report_base.platform is null or d.platform = report_base.platform)
          and d.deliveries_sent > d.locally_sent
          and d.campaign_id <> all (declared)
    ) then
        return 'sent';
    end if;
    if cardinality(split) > 0 then
        hours := array(
            select h
            from unnest(split) as d
            cross join generate_series(d, d + interval '23 hours', interval '1 hour') as h
            where (starts is null or h >= starts)
              and (ends is null or h < ends)
        );
        if exists (
            select
            from afterpush.rollup_deliveries as d
            where d.app_id = this_app
              and d.verified = report_base.verified
              and d.anchor_hour = any (hours)
              and (report_base.campaign is null or d.campaign_id = report_base.campaign)
              and (report_base.category is null or d.category_id = report_base.category)
              and (report_base.variant is null or d.variant = report_base.variant)
              and (report_base.platform is null or d.platform = report_base.platform)
              and d.is_sent
              and d.deliveries > d.locally_sent
              and d.campaign_id <> all (declared)
        ) then
            return 'sent';
        end if;
    end if;
    if exists (
        select
        from afterpush.rollup_delivery_days as d
        where d.app_id = this_app
          and d.verified = report_base.verified
          and d.anchor_day <> all (split)
          and (starts is null or d.anchor_day >= starts)
          and (ends is null or d.anchor_day < ends)
          and (report_base.campaign is null or d.campaign_id = report_base.campaign)
          and (report_base.category is null or d.category_id = report_base.category)
          and (report_base.variant is null or d.variant = report_base.variant)
          and (report_base.platform is null or d.platform = report_base.platform)
          and d.deliveries_confirmed > 0
    ) or exists (
        select
        from afterpush.rollup_deliveries as d
        where d.app_id = this_app
          and d.verified = report_base.verified
          and d.anchor_hour = any (hours)
          and (report_base.campaign is null or d.campaign_id = report_base.campaign)
          and (report_base.category is null or d.category_id = report_base.category)
          and (report_base.variant is null or d.variant = report_base.variant)
          and (report_base.platform is null or d.platform = report_base.platform)
          and d.is_confirmed
          and d.deliveries > 0
    ) then
        return 'confirmed';
    end if;
    return (
        select case when sum(d.deliveries) = sum(d.locally_sent) then 'sent' else 'none' end
        from (
            select
                d.deliveries,
                case when d.campaign_id <> all (declared) then d.locally_sent else 0 end as locally_sent
            from afterpush.rollup_delivery_days as d
            where d.app_id = this_app
              and d.verified = report_base.verified
              and d.anchor_day <> all (split)
              and (starts is null or d.anchor_day >= starts)
              and (ends is null or d.anchor_day < ends)
              and (report_base.campaign is null or d.campaign_id = report_base.campaign)
              and (report_base.category is null or d.category_id = report_base.category)
              and (report_base.variant is null or d.variant = report_base.variant)
              and (report_base.platform is null or d.platform = report_base.platform)
            union all
            select d.deliveries, case when d.campaign_id <> all (declared) then d.locally_sent else 0 end
            from afterpush.rollup_deliveries as d
            where d.app_id = this_app
              and d.verified = report_base.verified
              and d.anchor_hour = any (hours)
              and (report_base.campaign is null or d.campaign_id = report_base.campaign)
              and (report_base.category is null or d.category_id = report_base.category)
              and (report_base.variant is null or d.variant = report_base.variant)
              and (report_base.platform is null or d.platform = report_base.platform)
        ) as d
    );
end
$$;

ALTER FUNCTION afterpush.report_base(app text, "from" timestamp with time zone, "to" timestamp with time zone, campaign text, category text, variant text, platform text, verified boolean, base_choice text, seam timestamp with time zone, by_time boolean) OWNER TO afterpush_owner;

--
-- Name: FUNCTION report_base(app text, "from" timestamp with time zone, "to" timestamp with time zone, campaign text, category text, variant text, platform text, verified boolean, base_choice text, seam timestamp with time zone, by_time boolean); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.report_base(app text, "from" timestamp with time zone, "to" timestamp with time zone, campaign text, category text, variant text, platform text, verified boolean, base_choice text, seam timestamp with time zone, by_time boolean) IS 'The base of a report''s rates: sent, confirmed or none.';

--
-- Name: report_bounds(text, timestamp with time zone, timestamp with time zone); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.report_bounds(app text, "from" timestamp with time zone, "to" timestamp with time zone) RETURNS TABLE(from_hour text, to_hour text, first_batch text, first_statement_batch text)
    LANGUAGE sql STABLE
    AS $$
    with given as (
        select
            afterpush.anchor_hour("from" + interval '1 hour' - interval '1 microsecond', null, null) as from_hour,
            afterpush.anchor_hour("to" + interval '1 hour' - interval '1 microsecond', null, null) as to_hour
    ),
    stored as (
        select
            min(batch_id) filter (where started_at >= given.from_hour - interval '25 hours') as first_batch,
            min(batch_id) filter (where started_at >= given.from_hour - interval '31 days') as first_statement_batch
        from given
        cross join afterpush.batches
        join afterpush.apps as a using (app_id)
        where a.name = app
          and given.from_hour is not null
    )
    select
        coalesce(given.from_hour, '-infinity')::text,
        coalesce(given.to_hour, 'infinity')::text,
        case when given.from_hour is null then 0 else coalesce(first_batch, 9223372036854775807) end::text,
        case when given.from_hour is null then 0 else coalesce(first_statement_batch, 9223372036854775807) end::text
    from given
    cross join stored
$$;

ALTER FUNCTION afterpush.report_bounds(app text, "from" timestamp with time zone, "to" timestamp with time zone) OWNER TO afterpush_owner;

--
-- Name: FUNCTION report_bounds(app text, "from" timestamp with time zone, "to" timestamp with time zone); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.report_bounds(app text, "from" timestamp with time zone, "to" timestamp with time zone) IS 'What a report selects events by: hours, and the first batches that can hold them.';

--
-- Name: report_by(text); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.report_by(by text) RETURNS TABLE(by_columns text, by_group text, by_order text)
    LANGUAGE plpgsql IMMUTABLE
    AS $$
declare
    words text[] := string_to_array(nullif(by, ''), ',');
    known constant text[] := array['campaign', 'category', 'variant', 'platform', 'day', 'hour', 'app_version'];
    columns constant text[] := array['campaign_id', 'category_id', 'variant', 'platform', 'day', 'hour', 'app_version'];
    chosen text[] := '{}';
    word text;
begin
    if cardinality(words) > 2 then
        raise exception 'by: at most two groups, not %', by using errcode = 'invalid_parameter_value';
    end if;
    foreach word in array coalesce(words, '{}') loop
        if array_position(known, word) is null then
            raise exception 'by: % must be one of %', word, array_to_string(known, ', ')
                using errcode = 'invalid_parameter_value';
        end if;
        if columns[array_position(known, word)] = any (chosen) then
            raise exception 'by: % is given twice', word using errcode = 'invalid_parameter_value';
        end if;
        chosen := chosen || columns[array_position(known, word)];
    end loop;
    if 'app_version' = any (chosen) and chosen && array['campaign_id', 'category_id', 'variant', 'hour'] then
        raise exception 'by: app_version can only be combined with day or platform'
            using errcode = 'invalid_parameter_value';
    end if;
    return query select
        case when words is null then '' else array_to_string(chosen, ', ') || ',' end,
        case when words is null then '()' else array_to_string(chosen, ', ') end,
        case when words is null then '1' else array_to_string(chosen, ' nulls last, ') || ' nulls last' end;
end
$$;

ALTER FUNCTION afterpush.report_by(by text) OWNER TO afterpush_owner;

--
-- Name: FUNCTION report_by(by text); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.report_by(by text) IS 'The columns that a report''s `by` stands for, as text for the statement.';

--
-- Name: report_claim(bytea, bigint); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.report_claim(secret bytea, app bigint) RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN ((app || ':'::text) || encode(sha256((secret || sha256(((secret || int8send(app)) || timestamptz_send(transaction_timestamp()))))), 'hex'::text));

ALTER FUNCTION afterpush.report_claim(secret bytea, app bigint) OWNER TO afterpush_owner;

--
-- Name: FUNCTION report_claim(secret bytea, app bigint); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.report_claim(secret bytea, app bigint) IS 'Returns the text that opens the rows of an app to reports in the current transaction.';

--
-- Name: report_closing_times(text, timestamp with time zone, timestamp with time zone, text); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.report_closing_times(app text, from_hour timestamp with time zone, to_hour timestamp with time zone, tz text) RETURNS TABLE(day date, deliveries bigint, closed_at timestamp with time zone)
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
    select
        (r.anchor_hour at time zone tz)::date,
        r.deliveries,
        coalesce(s.last_hour, r.anchor_hour) + interval '1 hour' + coalesce(c.response_window, interval '72 hours')
    from (
        select r.app_id, r.anchor_hour, r.campaign_id, sum(r.deliveries)::bigint as deliveries
        from afterpush.rollup_deliveries as r
        where r.app_id = (select a.app_id from afterpush.apps as a where a.name = app)
          and not r.verified
          and r.anchor_hour >= from_hour
          and r.anchor_hour < to_hour
        group by r.app_id, r.anchor_hour, r.campaign_id
    ) as r
    left join (
        select s.campaign_id, afterpush.hour_of(max(s.sent_at)) as last_hour
        from afterpush.sends as s
        where s.app_id = (select a.app_id from afterpush.apps as a where a.name = app)
        group by s.campaign_id
    ) as s using (campaign_id)
    left join afterpush.campaigns as c using (app_id, campaign_id)
$$;

ALTER FUNCTION afterpush.report_closing_times(app text, from_hour timestamp with time zone, to_hour timestamp with time zone, tz text) OWNER TO afterpush_owner;

--
-- Name: FUNCTION report_closing_times(app text, from_hour timestamp with time zone, to_hour timestamp with time zone, tz text); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.report_closing_times(app text, from_hour timestamp with time zone, to_hour timestamp with time zone, tz text) IS 'Deliveries by local day, anchor hour and campaign, with the time at which they are closed.';

--
-- Name: report_conflict_bit(text); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.report_conflict_bit(dimension text) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE dimension WHEN 'platform'::text THEN 1 WHEN 'app_version'::text THEN 2 WHEN 'campaign'::text THEN 4 WHEN 'category'::text THEN 8 ELSE NULL::integer END;

ALTER FUNCTION afterpush.report_conflict_bit(dimension text) OWNER TO afterpush_owner;

--
-- Name: FUNCTION report_conflict_bit(dimension text); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.report_conflict_bit(dimension text) IS 'The bit for a conflict about a dimension.';

--
-- Name: report_counts(text, timestamp with time zone, timestamp with time zone, text, text, text, text, boolean, text, text, text, timestamp with time zone, boolean); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.report_counts(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, base_choice text, by text, tz text, seam timestamp with time zone DEFAULT NULL::timestamp with time zone, closing boolean DEFAULT true) RETURNS TABLE(campaign_id text, category_id text, variant text, platform text, day date, hour timestamp with time zone, app_version text, period integer, base text, sent bigint, failed bigint, delivered bigint, confirmed bigint, displayed bigint, opened bigint, acted bigint, replied bigint, dismissed bigint, read bigint, responded bigint, converted bigint, no_response bigint, pending bigint, base_n bigint, reply_n bigint, observable_n bigint, dismiss_n bigint, closed_n bigint, delivered_sent bigint, confirmed_sent bigint, opened_base bigint, acted_base bigint, responded_base bigint, converted_base bigint, replied_base bigint, dismissed_base bigint, read_base bigint, responded_closed bigint, refused_closed bigint, closed_base bigint, sent_base bigint)
    LANGUAGE plpgsql STABLE
    SET max_parallel_workers_per_gather TO '0'
    SET enable_mergejoin TO 'off'
    SET enable_indexscan TO 'off'
    AS $_$
declare
    keys constant text[] := coalesce(string_to_array(nullif(report_counts.by, ''), ','), '{}');
    by_time constant boolean := keys && array['day', 'hour'];
    level constant text := case
        when 'app_version' = any (keys) then 'delivery_app_versions'
        when 'hour' = any (keys) or 'day' = any (keys) and report_counts.tz <> 'UTC' then 'delivery_hours'
        else 'delivery_days'
    end;
    this_app constant integer := (select a.app_id from afterpush.apps as a where a.name = report_counts.app);
    last_closed constant timestamptz := afterpush.as_of(report_counts.app) - interval '1 hour';
    -- What was declared. It is read once, and joined from arrays.
    versions constant afterpush.category_versions[] :=
        array(select v from afterpush.category_versions as v where v.app_id = this_app);
    terms constant afterpush.campaign_terms[] := afterpush.report_terms(this_app, only_campaign, last_closed);
    sealed constant afterpush.sealed_goals[] :=
        array(select g from afterpush.sealed_goals as g where g.app_id = this_app);
    has_sends constant boolean := exists (select from afterpush.sends as s where s.app_id = this_app);
    base constant text := afterpush.report_base(
        report_counts.app, "from", "to", only_campaign, only_category, only_variant, only_platform,
        report_counts.verified, base_choice, seam, by_time
    );
    starts timestamptz := "from";
    ends timestamptz := "to";
    -- Days that are not alike throughout. They are read by the hour.
    split timestamptz[] := '{}';
    source text := 'select * from afterpush.' || level;
    -- The groups' columns as they are returned, and as they are grouped by.
    shown text;
    grouped text;
    -- The rows that the report selects (s), each with the category version in force (v), the terms of its campaign (c)
    -- and, in sealed hours, the goals of that time (g).
    selected text := $text$
        from %1$s as s
        left join unnest($15) as v
            on v.category_id = s.category_id
            and case
                when s.category_version > 0 then v.version = s.category_version
                else s.hour >= v.in_force_from and s.hour < v.in_force_to
            end
        left join unnest($16) as c on c.campaign_id = s.campaign_id
        %2$s
        where s.app_id = $2
          and (s.verified = $3 or s.source = 'declared_sends')
          and ($4 is null or s.campaign_id = $4)
          and ($5 is null or s.category_id = $5)
          and ($6 is null or s.variant = $6)
          and ($7 is null or s.platform = $7)
          and ($8 is null or s.hour >= $8)
          and ($9 is null or s.hour < $9)
          and (s.source not in ('delivery_days', 'delivery_action_days') or s.hour <> all ($10))
        $text$;
    -- Goals are those of the category version and of the campaign together; if there are none, every action that is not
    -- declared destructive.
    is_goal constant text := $text$
        (
            s.actions && coalesce(g.goal_actions, c.goal_actions, '{}')
            or coalesce(s.actions && v.goals, false)
            or cardinality(coalesce(g.goal_actions, c.goal_actions, '{}')) = 0
            and coalesce(cardinality(v.goals), 0) = 0
            and not s.actions <@ coalesce(v.destructive, '{}')
        )
        $text$;
    -- Columns that count what is among the sends or in the base, and one of them.
    sent_or_base text;
    unconverted_base text;
    day_conversions text := '';
begin
    if level = 'delivery_days' then
        split := afterpush.report_split(
            starts, ends,
            array[starts, ends, seam]
            -- The first hour that is not closed.
            || case when closing then last_closed - interval '72 hours' + interval '1 microsecond' end
            || (
                select array_agg(distinct t.closed_until + interval '1 microsecond')
                from unnest(terms) as t
                where closing
            )
            || (select array_agg(v.in_force_from) from unnest(versions) as v where v.version > 1)
            || (select array_agg(g.sealed_from) || array_agg(g.sealed_before) from unnest(sealed) as g)
        );
        if cardinality(split) > 0 then
            -- `offset 0` keeps the planner from reading all hours and picking those of the days then.
            source := source || $text$
                union all
                select h.*
                from unnest($10) as day
                cross join lateral (
                    select *
                    from afterpush.delivery_hours as d
                    where d.app_id = $2
                      and d.verified = $3
                      and ($4 is null or d.campaign_id = $4)
                      and d.hour >= day
                      and d.hour < day + interval '24 hours'
                    offset 0
                ) as h
                $text$;
        end if;
    elsif by_time or not has_sends then
        select s.starts, s.ends
        into starts, ends
        from afterpush.report_span(this_app, starts, ends, only_campaign) as s;
        if has_sends and only_campaign is not null then
            -- The campaign's declared sends may lie outside of the days of its deliveries.
            select
                least(starts, greatest("from", coalesce(min(s.hour), 'infinity'))),
                greatest(ends, least("to", coalesce(max(s.hour) + interval '1 hour', '-infinity')))
            into starts, ends
            from afterpush.declared_sends as s
            where s.app_id = this_app
              and s.campaign_id = only_campaign;
        end if;
    end if;
    if has_sends then
        source := source || ' union all select * from afterpush.declared_sends';
    end if;
    selected := format(
        selected, '%s',
        case
            when cardinality(sealed) > 0
            then 'left join unnest($17) as g '
                'on g.campaign_id = s.campaign_id and s.hour >= g.sealed_from and s.hour < g.sealed_before'
            else 'cross join (select null::text[] as goal_actions) as g'
        end
    );
    select
        string_agg(
            case
                when word <> all (keys) then 'null::' || type
                when type = 'text' then format('nullif(f.%s, '''')', key)
                else key
            end,
            ', ' order by place
        ),
        'group by ' || string_agg(key, ', ') filter (where word = any (keys))
    into shown, grouped
    from (
        values
            (1, 'campaign', 'text', 'campaign_id'),
            (2, 'category', 'text', 'category_id'),
            (3, 'variant', 'text', 'variant'),
            (4, 'platform', 'text', 'platform'),
            (5, 'day', 'date', format('(f.hour at time zone %L)::date', report_counts.tz)),
            (6, 'hour', 'timestamptz', 'f.hour'),
            (7, 'app_version', 'text', 'app_version'),
            (8, 'period', 'integer', format('case when f.hour < %L then 2 else 1 end', seam))
    ) as k (place, word, type, key);
    -- Without declared sends the last column counts, for the base that was chosen. Declared sends are the sends of
    -- their campaign, and all its deliveries are among them; by day or hour they are counted, but are no base, and the
    -- campaign has no other sends.
    select string_agg(counted || ' as ' || name, ', '), max(counted) filter (where name = 'unconverted_base')
    into sent_or_base, unconverted_base
    from (
        values
            ('sends', 'declared_sends', 's.deliveries_sent'),
            ('sent_base', 'declared_sends', 's.deliveries_sent'),
            ('delivered_sent', 'delivered', 's.delivered_sent'),
            ('confirmed_sent', 'deliveries_confirmed', 's.deliveries_both'),
            ('base_n', 'declared_sends', 's.deliveries_$base'),
            ('opened_base', 'opened', 's.opened_$base'),
            ('acted_base', 'acted', 's.acted_$base'),
            ('replied_base', 'replied', 's.replied_$base'),
            ('dismissed_base', 'dismissed', 's.dismissed_$base'),
            ('read_base', 'read', 's.read_$base'),
            ('responded_base', 'responded', 's.responded_$base'),
            ('replaced_base', 'replaced', 's.replaced_$base'),
            -- Only sends can be refused: a confirmation is a sign of the delivery. Declared sends were all accepted.
            ('refused_base', '0', case base when 'sent' then 's.refused_sent' else '0' end),
            ('converted_events_base', 'converted_events', 's.converted_events_$base'),
            ('unconverted_base', 'unconverted', 's.unconverted_$base')
    ) as k (name, whole, undeclared)
    cross join lateral (
        select
            undeclared ~ '\$base' as of_base,
            case
                when base in ('sent', 'confirmed') or undeclared !~ '\$base' then replace(undeclared, '$base', base)
                else '0'
            end as part
    ) as p
    cross join lateral (
        select case
            when not has_sends or of_base and base <> 'sent' then part
            when by_time and name <> 'sends' then format('case when c.declared then 0 else %s end', part)
            else format(
                'case when c.declared then %s else %s end', case whole when '0' then '0' else 's.' || whole end, part
            )
        end as counted
    ) as q;
    if level = 'delivery_days' then
        -- Days are read without sets of actions. What these converted is summed up before it is added.
        select format(
            $text$
            union all
            select
                %1$s, null,
                sum(s.unconverted), sum(%5$s),
                false, false, false, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
            %2$s
              -- A set of actions without any goal converts only where a campaign has no goals.
              and (s.actions && $12 or s.campaign_id <> all ($13))
              and %3$s
            %4$s
            $text$,
            string_agg(case when asked && keys then key else 'null' end, ', ' order by place),
            format(selected, 'afterpush.delivery_action_days'),
            is_goal,
            'group by ' || string_agg(key, ', ') filter (where asked && keys),
            unconverted_base
        )
        into day_conversions
        from (
            values
                (1, 's.campaign_id', array['campaign']),
                (2, 's.category_id', array['category']),
                (3, 's.variant', array['variant']),
                (4, 's.platform', array['platform']),
                (5, 's.hour', array['day', 'period'])
        ) as k (place, key, asked);
    end if;

    return query execute format(
        $statement$
        select
            %1$s,
            $1,
            coalesce(sum(f.sends), 0)::bigint as sent,
            coalesce(sum(f.failed), 0)::bigint as failed,
            coalesce(sum(f.delivered), 0)::bigint as delivered,
            coalesce(sum(f.deliveries_confirmed), 0)::bigint as confirmed,
            coalesce(sum(f.displayed), 0)::bigint as displayed,
            coalesce(sum(f.opened), 0)::bigint as opened,
            coalesce(sum(f.acted), 0)::bigint as acted,
            coalesce(sum(f.replied), 0)::bigint as replied,
            coalesce(sum(f.dismissed), 0)::bigint as dismissed,
            coalesce(sum(f.read), 0)::bigint as read,
            coalesce(sum(f.responded), 0)::bigint as responded,
            coalesce(sum(f.converted), 0)::bigint as converted,
            coalesce(sum(f.unanswered) filter (where f.closed), 0)::bigint as no_response,
            coalesce(sum(f.unanswered) filter (where not f.closed), 0)::bigint as pending,
            coalesce(sum(f.base_n), 0)::bigint as base_n,
            coalesce(sum(f.base_n) filter (where f.offers_text), 0)::bigint as reply_n,
            coalesce(sum(f.base_n) filter (where f.observable), 0)::bigint as observable_n,
            greatest(sum(f.base_n - f.replaced_base) filter (where f.observable), 0)::bigint as dismiss_n,
            greatest(sum(f.base_n - f.replaced_base) filter (where f.closed), 0)::bigint as closed_n,
            coalesce(sum(f.delivered_sent), 0)::bigint as delivered_sent,
            coalesce(sum(f.confirmed_sent), 0)::bigint as confirmed_sent,
            coalesce(sum(f.opened_base), 0)::bigint as opened_base,
            coalesce(sum(f.acted_base), 0)::bigint as acted_base,
            coalesce(sum(f.responded_base), 0)::bigint as responded_base,
            coalesce(sum(f.converted_base), 0)::bigint as converted_base,
            coalesce(sum(f.replied_base) filter (where f.offers_text), 0)::bigint as replied_base,
            coalesce(sum(f.dismissed_base) filter (where f.observable), 0)::bigint as dismissed_base,
            coalesce(sum(f.read_base), 0)::bigint as read_base,
            coalesce(sum(f.responded_base) filter (where f.closed), 0)::bigint as responded_closed,
            coalesce(sum(f.refused_base) filter (where f.closed), 0)::bigint as refused_closed,
            coalesce(sum(f.base_n) filter (where f.closed), 0)::bigint as closed_base,
            -- The same sum as `sent`, unless they can differ.
            coalesce(sum(f.%7$s), 0)::bigint as sent_base
        from (
            select
                campaign_id, category_id, variant, platform, hour, app_version,
                converted_events + case when is_goal then unconverted else 0 end as converted,
                converted_events_base + case when is_goal then unconverted_base else 0 end as converted_base,
                closed, observable, offers_text,
                deliveries - responded - replaced - refused as unanswered, deliveries_confirmed, failed, delivered,
                displayed, opened, acted, replied, dismissed, read, responded, sends, delivered_sent, confirmed_sent,
                base_n, opened_base, acted_base, replied_base, dismissed_base, read_base, responded_base, replaced_base,
                refused_base, sent_base
            from (
                select
                    s.campaign_id, s.category_id, s.variant, s.platform, s.hour, s.app_version,
                    s.deliveries, s.deliveries_confirmed, s.failed, s.delivered, s.displayed, s.opened, s.acted,
                    s.replied, s.dismissed, s.read, s.responded, s.replaced, s.refused, s.converted_events,
                    s.unconverted,
                    %6$s,
                    cardinality(s.actions) > 0 and %2$s as is_goal,
                    -- Closed: the anchor hour and the response window have passed. A campaign with declared sends
                    -- closes as a whole, with its last.
                    case when $14 and c.declared then c.last_hour else s.hour end
                        <= coalesce(c.closed_until, $11) as closed,
                    -- Dismiss-observable: a dismissal would be reported.
                    case
                        when s.platform in ('android', 'web') then true
                        when s.platform = 'ios' then coalesce(v.dismiss_observable, false)
                        else false
                    end as observable,
                    coalesce(v.offers_text, false) as offers_text
                %3$s
                -- Each value is computed once, however many sums use it.
                offset 0
            ) as counted
            %4$s
        ) as f
        %5$s
        $statement$,
        shown,
        is_goal,
        format(
            selected,
            case when strpos(source, 'union all') > 0 then format('(%s)', source) else 'afterpush.' || level end
        ),
        day_conversions,
        grouped,
        sent_or_base,
        case when has_sends and by_time then 'sent_base' else 'sends' end
    )
    using
        -- $1 to $17
        base, this_app, report_counts.verified, only_campaign, only_category, only_variant, only_platform, starts, ends,
        split, last_closed - interval '72 hours',
        array(
            select unnest(t.goal_actions) from unnest(terms) as t
            union select unnest(v.goals) from unnest(versions) as v
            union select unnest(g.goal_actions) from unnest(sealed) as g
        ),
        array(
            select t.campaign_id
            from unnest(terms) as t
            where t.goal_actions <> '{}'
              and not exists (select from unnest(sealed) as g where g.campaign_id = t.campaign_id)
        ),
        has_sends, versions, terms, sealed;
end
$_$;

ALTER FUNCTION afterpush.report_counts(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, base_choice text, by text, tz text, seam timestamp with time zone, closing boolean) OWNER TO afterpush_owner;

--
-- Name: FUNCTION report_counts(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, base_choice text, by text, tz text, seam timestamp with time zone, closing boolean); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.report_counts(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, base_choice text, by text, tz text, seam timestamp with time zone, closing boolean) IS 'Counts of the deliveries and declared sends that a report selects, by group.';

--
-- Name: report_definitions(text, text[]); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.report_definitions(report text, names text[]) RETURNS SETOF text
    LANGUAGE sql STABLE
    AS $$
    select json_build_object(
        'name', n.name, 'version', d.version, 'unit', d.unit, 'definition', d.definition, 'numerator', d.numerator,
        'denominator', d.denominator, 'window', d.selection_window
    )::text
    from unnest(names) with ordinality as n (name, place)
    cross join lateral (
        select *
        from afterpush.metric_definitions
        where metric_definitions.name in (n.name, report || '.' || n.name)
        order by metric_definitions.name = n.name, version desc
        limit 1
    ) as d
    order by place
$$;

ALTER FUNCTION afterpush.report_definitions(report text, names text[]) OWNER TO afterpush_owner;

--
-- Name: FUNCTION report_definitions(report text, names text[]); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.report_definitions(report text, names text[]) IS 'The current definitions of the columns of a report, as JSON objects.';

--
-- Name: report_deliveries(text, timestamp with time zone, timestamp with time zone, text, text, text, text, boolean); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.report_deliveries(app text, "from" timestamp with time zone, "to" timestamp with time zone, campaign text, category text, variant text, platform text, verified boolean) RETURNS TABLE(app_id integer, delivery_id uuid, device_id text, anchor_at timestamp with time zone, hour timestamp with time zone, campaign_id text, variant text, category_id text, category_version integer, platform text, app_version text, kinds integer, confirmed_at timestamp with time zone, reached_at timestamp with time zone, responded_at timestamp with time zone)
    LANGUAGE sql STABLE
    AS $$
    select
        d.app_id,
        d.delivery_id,
        d.device_id,
        afterpush.anchor_at(d.verified_sent_at, d.receipt_issued_at, d.first_event_at),
        afterpush.anchor_hour(d.verified_sent_at, d.receipt_issued_at, d.first_event_at),
        coalesce(afterpush.stated(d.campaign_id, d.campaign_source_rank, report_deliveries.verified), ''),
        coalesce(afterpush.stated(d.variant, d.campaign_source_rank, report_deliveries.verified), ''),
        coalesce(afterpush.stated(d.category_id, d.category_source_rank, report_deliveries.verified), ''),
        case
            when d.category_source_rank <= 3 or not report_deliveries.verified then coalesce(d.category_version, 0)
            else 0
        end,
        coalesce(afterpush.stated(d.platform, d.platform_source_rank, report_deliveries.verified), ''),
        coalesce(afterpush.stated(d.app_version, d.app_version_source_rank, report_deliveries.verified), ''),
        case when report_deliveries.verified then d.verified_kinds else d.kinds end,
        case when report_deliveries.verified then d.verified_confirmed_at else d.confirmed_at end,
        case
            when report_deliveries.verified then coalesce(d.verified_confirmed_at, d.verified_sent_at)
            else coalesce(d.confirmed_at, d.sent_at)
        end,
        case when report_deliveries.verified then d.verified_responded_at else d.responded_at end
    from afterpush.deliveries as d
    join afterpush.apps as a using (app_id)
    where a.name = report_deliveries.app
      and (not report_deliveries.verified or d.verified_kinds <> 0)
      and not afterpush.is_held_out(d.kinds)
      and afterpush.anchor_at(d.verified_sent_at, d.receipt_issued_at, d.first_event_at)
          >= (select coalesce(afterpush.hour_of(report_deliveries."from" + interval '3599.999999 s'), '-infinity'))
      and afterpush.anchor_at(d.verified_sent_at, d.receipt_issued_at, d.first_event_at)
          < (select coalesce(afterpush.hour_of(report_deliveries."to" + interval '3599.999999 s'), 'infinity'))
      and (
          report_deliveries.campaign is null
          or afterpush.stated(d.campaign_id, d.campaign_source_rank, report_deliveries.verified)
              = report_deliveries.campaign
      )
      and (
          report_deliveries.campaign is null
          or afterpush.anchor_at(d.verified_sent_at, d.receipt_issued_at, d.first_event_at)
              >= (select h.starts from afterpush.report_hours(report_deliveries.app, report_deliveries.campaign) as h)
      )
      and (
          report_deliveries.campaign is null
          or afterpush.anchor_at(d.verified_sent_at, d.receipt_issued_at, d.first_event_at)
              < (select h.ends from afterpush.report_hours(report_deliveries.app, report_deliveries.campaign) as h)
      )
      and (
          report_deliveries.category is null
          or afterpush.stated(d.category_id, d.category_source_rank, report_deliveries.verified)
              = report_deliveries.category
      )
      and (
          report_deliveries.variant is null
          or afterpush.stated(d.variant, d.campaign_source_rank, report_deliveries.verified)
              = report_deliveries.variant
      )
      and (
          report_deliveries.platform is null
          or afterpush.stated(d.platform, d.platform_source_rank, report_deliveries.verified)
              = report_deliveries.platform
      )
$$;

ALTER FUNCTION afterpush.report_deliveries(app text, "from" timestamp with time zone, "to" timestamp with time zone, campaign text, category text, variant text, platform text, verified boolean) OWNER TO afterpush_owner;

--
-- Name: FUNCTION report_deliveries(app text, "from" timestamp with time zone, "to" timestamp with time zone, campaign text, category text, variant text, platform text, verified boolean); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.report_deliveries(app text, "from" timestamp with time zone, "to" timestamp with time zone, campaign text, category text, variant text, platform text, verified boolean) IS 'The deliveries that a report selects.';

--
-- Name: report_device_buckets(text, timestamp with time zone, timestamp with time zone, text, text, text, text, boolean, text, text, boolean); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.report_device_buckets(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, base text, by text, totals boolean DEFAULT false) RETURNS TABLE(campaign_id text, category_id text, variant text, platform text, day date, sent numeric, confirmed numeric, base_n numeric, reply_n numeric, dismiss_n numeric, closed_n numeric, delivered_sent numeric, confirmed_sent numeric, opened numeric, acted numeric, converted numeric, replied numeric, dismissed numeric, read numeric, responded numeric, no_response numeric, observable_n numeric)
    LANGUAGE plpgsql STABLE
    SET plan_cache_mode TO 'force_custom_plan'
    SET max_parallel_workers_per_gather TO '0'
    AS $$
#variable_conflict use_column
declare
    keys constant text[] := coalesce(string_to_array(nullif(report_device_buckets.by, ''), ','), '{}');
    by_time constant boolean := 'day' = any (keys);
    this_app constant integer := (select a.app_id from afterpush.apps as a where a.name = report_device_buckets.app);
    -- The totals don't know the campaigns of all deliveries, which decide whether declared sends stand for them.
    is_total constant boolean := totals
        and keys = '{}'
        and only_campaign is null and only_category is null and only_variant is null and only_platform is null
        and not exists (select from afterpush.sends as s where s.app_id = this_app);
    last_closed constant timestamptz := afterpush.as_of(report_device_buckets.app) - interval '1 hour';
    terms constant afterpush.campaign_terms[] := afterpush.report_terms(this_app, only_campaign, last_closed);
    versions constant afterpush.category_versions[] :=
        array(select v from afterpush.category_versions as v where v.app_id = this_app);
    sealed constant afterpush.sealed_goals[] :=
        array(select g from afterpush.sealed_goals as g where g.app_id = this_app);
begin
    if keys && array['hour', 'app_version'] then
        raise exception 'cluster: deliveries are not counted by device within hours and app versions'
            using errcode = 'invalid_parameter_value';
    end if;
    return query
    select
        g.campaign_id, g.category_id, g.variant, g.platform, g.day,
        sum(d) filter (where is_sent),
        sum(d) filter (where is_confirmed),
        sum(d) filter (where in_base),
        sum(d) filter (where in_base and offers_text),
        sum(d) filter (where in_base and is_observable and not is_replaced),
        sum(d) filter (where in_base and is_closed and not is_replaced),
        sum(d) filter (where is_sent and is_delivered),
        sum(d) filter (where is_sent and is_confirmed),
        sum(d) filter (where in_base and is_opened),
        sum(d) filter (where in_base and is_acted),
        sum(d) filter (where in_base and is_converted),
        sum(d) filter (where in_base and is_replied and offers_text),
        sum(d) filter (where in_base and is_dismissed and is_observable),
        sum(d) filter (where in_base and is_read),
        sum(d) filter (where in_base and is_responded),
        sum(d) filter (where in_base and is_closed and not is_responded and not is_replaced and not is_refused),
        sum(d) filter (where in_base and is_observable)
    from (
        -- What only the kinds say is found out here, of few rows, and not of each stored one.
        select
            campaign_id, category_id, variant, platform, day, d, is_sent, in_base, offers_text, is_observable,
            is_closed, is_acted, is_converted,
            afterpush.is_confirmed(kinds) as is_confirmed,
            afterpush.is_delivered(kinds) or is_acted as is_delivered,
            afterpush.is_opened(kinds) as is_opened,
            afterpush.has_replied(kinds) as is_replied,
            afterpush.is_dismissed(kinds) as is_dismissed,
            afterpush.is_read(kinds) as is_read,
            afterpush.has_responded(kinds) or is_acted as is_responded,
            afterpush.is_replaced(kinds) and not is_acted as is_replaced,
            -- As in report_counts.
            report_device_buckets.base = 'sent' and not is_declared and afterpush.has_failed(kinds) as is_refused
        from (
            -- Rows that count alike are added once: adding packed numbers takes long, and most columns need each row.
            select
                campaign_id, category_id, variant, platform, day, kinds, is_acted, is_converted, offers_text,
                is_observable, is_closed, is_declared, sum(d) as d,
                case when is_declared then not by_time else afterpush.is_sent(kinds) end as is_sent,
                case report_device_buckets.base
                    when 'sent' then case when is_declared then not by_time else afterpush.is_sent(kinds) end
                    when 'confirmed' then afterpush.is_confirmed(kinds)
                    else false
                end as in_base
            from (
                select
                    case when 'campaign' = any (keys) then nullif(s.campaign_id, '') end as campaign_id,
                    case when 'category' = any (keys) then nullif(s.category_id, '') end as category_id,
                    case when 'variant' = any (keys) then nullif(s.variant, '') end as variant,
                    case when 'platform' = any (keys) then nullif(s.platform, '') end as platform,
                    case when by_time then (s.anchor_day at time zone 'UTC')::date end as day,
                    s.kinds,
                    s.device_buckets as d,
                    coalesce(c.declared, false) as is_declared,
                    is_total or coalesce(v.offers_text, false) as offers_text,
                    case
                        when is_total or s.platform in ('android', 'web') then true
                        when s.platform = 'ios' then coalesce(v.dismiss_observable, false)
                        else false
                    end as is_observable,
                    not is_total
                        and case when c.declared then c.last_hour else s.anchor_day + interval '23 hours' end
                            <= coalesce(c.closed_until, last_closed - interval '72 hours') as is_closed,
                    s.actions <> '{}' as is_acted,
                    afterpush.has_converted_event(s.kinds) or s.actions <> '{}' and (
                        s.actions && coalesce(g.goal_actions, c.goal_actions, '{}')
                        or coalesce(s.actions && v.goals, false)
                        or cardinality(coalesce(g.goal_actions, c.goal_actions, '{}')) = 0
                        and coalesce(cardinality(v.goals), 0) = 0
                        and not s.actions <@ coalesce(v.destructive, '{}')
                    ) as is_converted
                from (
                    select * from afterpush.device_bucket_counts where not is_total
                    union all
                    select * from afterpush.device_bucket_totals where is_total
                ) as s
                left join unnest(versions) as v
                    on v.category_id = s.category_id
                    and case
                        when s.category_version > 0 then v.version = s.category_version
                        else s.anchor_day >= v.in_force_from and s.anchor_day < v.in_force_to
                    end
                left join unnest(terms) as c on c.campaign_id = s.campaign_id
                left join unnest(sealed) as g
                    on g.campaign_id = s.campaign_id
                    and s.anchor_day >= g.sealed_from
                    and s.anchor_day < g.sealed_before
                where s.app_id = this_app
                  and s.modes & case when report_device_buckets.verified then 2 else 1 end <> 0
                  and (only_campaign is null or s.campaign_id = only_campaign)
                  and (only_category is null or s.category_id = only_category)
                  and (only_variant is null or s.variant = only_variant)
                  and (only_platform is null or s.platform = only_platform)
                  and (
                      report_device_buckets."from" is null
                      or s.anchor_day >= afterpush.day_of(report_device_buckets."from")
                  )
                  and (report_device_buckets."to" is null or s.anchor_day < report_device_buckets."to")
                -- Each value is computed once, however many others use it.
                offset 0
            ) as s
            group by
                campaign_id, category_id, variant, platform, day, kinds, is_acted, is_converted, offers_text,
                is_observable, is_closed, is_declared
            offset 0
        ) as s
        offset 0
    ) as g
    group by 1, 2, 3, 4, 5;
end
$$;

ALTER FUNCTION afterpush.report_device_buckets(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, base text, by text, totals boolean) OWNER TO afterpush_owner;

--
-- Name: FUNCTION report_device_buckets(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, base text, by text, totals boolean); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.report_device_buckets(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, base text, by text, totals boolean) IS 'Deliveries by device bucket that a report selects, by group: numerators and denominators of its rates.';

--
-- Name: report_devices(text, timestamp with time zone, timestamp with time zone, text, text, text, boolean, text); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.report_devices(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_platform text, verified boolean, base text) RETURNS TABLE(campaign_id text, variant text, devices bigint, deliveries_per_device double precision)
    LANGUAGE plpgsql STABLE
    SET plan_cache_mode TO 'force_custom_plan'
    SET max_parallel_workers_per_gather TO '0'
    AS $_$
#variable_conflict use_column
declare
    this_app constant integer := (select a.app_id from afterpush.apps as a where a.name = report_devices.app);
    declared constant text[] :=
        array(select distinct s.campaign_id from afterpush.sends as s where s.app_id = this_app);
    starts timestamptz := report_devices."from";
    ends timestamptz := report_devices."to";
    is_sampled boolean;
begin
    -- The days of the campaign, as report_span has them, but with `verified` those of its verified deliveries.
    if only_campaign is not null then
        select
            greatest(starts, coalesce(min(d.anchor_day), 'infinity')),
            least(ends, coalesce(max(d.anchor_day), '-infinity') + interval '24 hours')
        into starts, ends
        from afterpush.rollup_delivery_days as d
        where d.app_id = this_app
          and d.verified = report_devices.verified
          and d.campaign_id = only_campaign;
    end if;
    select coalesce(sum(d.deliveries), 0) > 10000
    into is_sampled
    from afterpush.rollup_delivery_days as d
    where d.app_id = this_app
      and d.verified = report_devices.verified
      and (starts is null or d.anchor_day >= afterpush.day_of(starts))
      and (ends is null or d.anchor_day < ends);
    return query execute format(
        $text$
        select
            campaign_id, variant,
            case when not $9 then count(*) end,
            sum(deliveries)::double precision / count(*)
        from (
            select campaign_id, variant, device_id, count(*) as deliveries
            from afterpush.deliveries
            where app_id = $1
              and device_id is not null
              and afterpush.stated(campaign_id, campaign_source_rank, $10) is not null
              and variant is not null
              %s
              and ($2 is null or campaign_id = $2)
              and ($3 is null or afterpush.stated(category_id, category_source_rank, $10) = $3)
              and ($4 is null or afterpush.stated(platform, platform_source_rank, $10) = $4)
              and case when $10 then verified_kinds else kinds end <> 0
              and not afterpush.is_held_out(kinds)
              and case $5
                  when 'sent'
                  then campaign_id = any ($8) or afterpush.is_sent(case when $10 then verified_kinds else kinds end)
                  when 'confirmed' then afterpush.is_confirmed(case when $10 then verified_kinds else kinds end)
                  else false
              end
              and ($6 is null or afterpush.anchor_at(verified_sent_at, receipt_issued_at, first_event_at) >= $6)
              and ($7 is null or afterpush.anchor_at(verified_sent_at, receipt_issued_at, first_event_at) < $7)
            group by 1, 2, 3
        ) as d
        group by 1, 2
        $text$,
        -- As a condition of the statement, so that the planner finds the index.
        case when is_sampled then 'and afterpush.device_bucket(delivery_id) < 8' else '' end
    )
    using
        this_app, only_campaign, only_category, only_platform, base,
        -- An anchor is selected by its hour: the next full hours select the same.
        afterpush.hour_of(starts + interval '3599.999999 s'), afterpush.hour_of(ends + interval '3599.999999 s'),
        declared, is_sampled,
        report_devices.verified;
end
$_$;

ALTER FUNCTION afterpush.report_devices(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_platform text, verified boolean, base text) OWNER TO afterpush_owner;

--
-- Name: FUNCTION report_devices(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_platform text, verified boolean, base text); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.report_devices(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_platform text, verified boolean, base text) IS 'Devices of the deliveries that a report selects, by campaign and variant; estimated if they are many.';

--
-- Name: report_from_responses_bit(text); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.report_from_responses_bit(dimension text) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (16 * afterpush.report_conflict_bit(dimension));

ALTER FUNCTION afterpush.report_from_responses_bit(dimension text) OWNER TO afterpush_owner;

--
-- Name: FUNCTION report_from_responses_bit(dimension text); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.report_from_responses_bit(dimension text) IS 'The bit for a dimension that only responses state.';

--
-- Name: report_event_problems(text, boolean, boolean, integer, smallint, text, boolean); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.report_event_problems(dimension text, stated boolean, differs boolean, source_rank integer, deciding_rank smallint, fallback text, failed boolean) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN (NOT stated) THEN 0 ELSE (((((deciding_rank = source_rank) AND differs))::integer * afterpush.report_conflict_bit(dimension)) + ((((source_rank = ANY (ARRAY[3, 6])) AND (deciding_rank = ANY (ARRAY[3, 6, 7])) AND (fallback IS NULL) AND (NOT failed)))::integer * afterpush.report_from_responses_bit(dimension))) END;

ALTER FUNCTION afterpush.report_event_problems(dimension text, stated boolean, differs boolean, source_rank integer, deciding_rank smallint, fallback text, failed boolean) OWNER TO afterpush_owner;

--
-- Name: FUNCTION report_event_problems(dimension text, stated boolean, differs boolean, source_rank integer, deciding_rank smallint, fallback text, failed boolean); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.report_event_problems(dimension text, stated boolean, differs boolean, source_rank integer, deciding_rank smallint, fallback text, failed boolean) IS 'The problems that an event shows with a dimension of its delivery, as bits.';

--
-- Name: report_event_statistics(text, timestamp with time zone, timestamp with time zone, bigint); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.report_event_statistics(app text, from_hour timestamp with time zone, to_hour timestamp with time zone, first_batch bigint) RETURNS TABLE(events bigint, actions_past_limit bigint, app_versions_past_limit bigint, campaigns_past_limit bigint, categories_past_limit bigint, category_versions_past_limit bigint, variants_past_limit bigint, of_deliveries bigint, verified bigint, responses bigint, verified_responses bigint, of_devices bigint, verified_of_devices bigint, skew_stated bigint, corrected bigint, skew_p01 bigint, skew_p50 bigint, skew_p99 bigint, over_1h bigint, over_24h bigint, over_72h bigint, delay_p50 double precision, delay_p90 double precision, delay_p99 double precision)
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
    -- Events, grouped for all numbers in one pass. Delays over an hour count in minutes, over a day in hours, so that
    -- the groups stay few.
    with groups as materialized (
        select
            of_delivery, is_response, verified, names_past_limit, skew,
            case
                when delay between -3600 and 3599 then delay
                when delay < 86400 then floor(delay / 60) * 60
                else floor(delay / 3600) * 3600
            end as delay,
            count(*) as events
        from (
            select
                e.notification_id is not null as of_delivery,
                e.kind in ('opened', 'action', 'text_input', 'dismissed') as is_response,
                e.verified,
                e.names_past_limit,
                e.skew_milliseconds / 1000 as skew,
                floor(date_part('epoch', b.started_at - e.occurred_at)) as delay
            from afterpush.events as e
            join afterpush.batches as b using (batch_id)
            where e.app_id = (select a.app_id from afterpush.apps as a where a.name = app)
              and e.batch_id >= first_batch
              and e.occurred_at >= from_hour
              and e.occurred_at < to_hour
        ) as e
        group by 1, 2, 3, 4, 5, 6
    ),
    counts as (
        select
            coalesce(sum(events), 0)::bigint as events,
            coalesce(sum(events) filter (where 'action' = any (names_past_limit)), 0)::bigint
                as actions_past_limit,
            coalesce(sum(events) filter (where 'app_version' = any (names_past_limit)), 0)::bigint
                as app_versions_past_limit,
            coalesce(sum(events) filter (where 'campaign' = any (names_past_limit)), 0)::bigint
                as campaigns_past_limit,
            coalesce(sum(events) filter (where 'category' = any (names_past_limit)), 0)::bigint
                as categories_past_limit,
            coalesce(sum(events) filter (where 'category_version' = any (names_past_limit)), 0)::bigint
                as category_versions_past_limit,
            coalesce(sum(events) filter (where 'variant' = any (names_past_limit)), 0)::bigint
                as variants_past_limit,
            coalesce(sum(events) filter (where of_delivery), 0)::bigint as of_deliveries,
            coalesce(sum(events) filter (where of_delivery and verified), 0)::bigint as verified,
            coalesce(sum(events) filter (where is_response), 0)::bigint as responses,
            coalesce(sum(events) filter (where is_response and verified), 0)::bigint as verified_responses,
            coalesce(sum(events) filter (where not of_delivery), 0)::bigint as of_devices,
            coalesce(sum(events) filter (where not of_delivery and verified), 0)::bigint as verified_of_devices,
            coalesce(sum(events) filter (where skew is not null), 0)::bigint as skew_stated,
            coalesce(sum(events) filter (where skew <> 0), 0)::bigint as corrected
        from groups
    ),
    skews as (
        select
            min(skew) filter (where reached >= 0.01 * n) as skew_p01,
            min(skew) filter (where reached >= 0.5 * n) as skew_p50,
            min(skew) filter (where reached >= 0.99 * n) as skew_p99
        from (
            select skew, sum(sum(events)) over (order by skew) as reached, sum(sum(events)) over () as n
            from groups
            where skew is not null
            group by skew
        ) as s
    ),
    delays as (
        select
            coalesce(sum(events) filter (where delay >= 3600), 0)::bigint as over_1h,
            coalesce(sum(events) filter (where delay >= 86400), 0)::bigint as over_24h,
            coalesce(sum(events) filter (where delay >= 259200), 0)::bigint as over_72h,
            min(delay) filter (where reached >= 0.5 * n) as delay_p50,
            min(delay) filter (where reached >= 0.9 * n) as delay_p90,
            min(delay) filter (where reached >= 0.99 * n) as delay_p99
        from (
            select
                delay, sum(events) as events,
                sum(sum(events)) over (order by delay) as reached, sum(sum(events)) over () as n
            from groups
            group by delay
        ) as d
    )
    select
        c.events, c.actions_past_limit, c.app_versions_past_limit, c.campaigns_past_limit, c.categories_past_limit,
        c.category_versions_past_limit, c.variants_past_limit, c.of_deliveries, c.verified, c.responses,
        c.verified_responses, c.of_devices, c.verified_of_devices,
        c.skew_stated, c.corrected, s.skew_p01, s.skew_p50, s.skew_p99,
        d.over_1h, d.over_24h, d.over_72h, d.delay_p50, d.delay_p90, d.delay_p99
    from counts as c
    cross join skews as s
    cross join delays as d
$$;

ALTER FUNCTION afterpush.report_event_statistics(app text, from_hour timestamp with time zone, to_hour timestamp with time zone, first_batch bigint) OWNER TO afterpush_owner;

--
-- Name: FUNCTION report_event_statistics(app text, from_hour timestamp with time zone, to_hour timestamp with time zone, first_batch bigint); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.report_event_statistics(app text, from_hour timestamp with time zone, to_hour timestamp with time zone, first_batch bigint) IS 'How many events had names past their limit or are verified, how far devices'' clocks are off, and how long events took to be stored.';

--
-- Name: report_time(text, text); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.report_time(at text, tz text) RETURNS timestamp with time zone
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN CASE WHEN (at = ''::text) THEN NULL::timestamp with time zone WHEN (at ~ '^\d{4}-\d{2}-\d{2}$'::text) THEN afterpush.first_instant((at)::timestamp without time zone, tz) ELSE (at)::timestamp with time zone END;

ALTER FUNCTION afterpush.report_time(at text, tz text) OWNER TO afterpush_owner;

--
-- Name: FUNCTION report_time(at text, tz text); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.report_time(at text, tz text) IS 'A time given to a report; a date alone means midnight in tz.';

--
-- Name: report_hour(text, text); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.report_hour(at text, tz text) RETURNS timestamp with time zone
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN date_bin('01:00:00'::interval, (afterpush.report_time(at, tz) + '00:59:59.999999'::interval), '2000-01-01 00:00:00+00'::timestamp with time zone);

ALTER FUNCTION afterpush.report_hour(at text, tz text) OWNER TO afterpush_owner;

--
-- Name: FUNCTION report_hour(at text, tz text); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.report_hour(at text, tz text) IS 'The first whole hour at or after a time given to a report.';

--
-- Name: rollup_event_hours; Type: TABLE; Schema: afterpush; Owner: afterpush_owner
--

CREATE TABLE afterpush.rollup_event_hours (
    app_id integer NOT NULL,
    verified boolean NOT NULL,
    event_hour timestamp with time zone NOT NULL,
    platform text NOT NULL COLLATE pg_catalog."C",
    sent integer NOT NULL,
    failed integer NOT NULL,
    delivered integer NOT NULL,
    displayed integer NOT NULL,
    read integer NOT NULL,
    opened integer NOT NULL,
    action integer NOT NULL,
    text_input integer NOT NULL,
    dismissed integer NOT NULL,
    converted integer NOT NULL,
    replaced integer NOT NULL,
    media_played integer NOT NULL,
    media_paused integer NOT NULL,
    attachment_failed integer NOT NULL,
    extension_expired integer NOT NULL,
    token_registered integer NOT NULL,
    token_failed integer NOT NULL,
    permission_granted integer NOT NULL,
    permission_revoked integer NOT NULL,
    app_opened integer NOT NULL,
    held_out integer NOT NULL,
    events integer NOT NULL
)
WITH (fillfactor='80');

ALTER TABLE afterpush.rollup_event_hours OWNER TO afterpush_owner;

--
-- Name: TABLE rollup_event_hours; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TABLE afterpush.rollup_event_hours IS 'rollup_events summed over campaigns, variants and categories.';

--
-- Name: COLUMN rollup_event_hours.app_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_event_hours.app_id IS 'The app.';

--
-- Name: COLUMN rollup_event_hours.verified; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_event_hours.verified IS 'As in rollup_events.';

--
-- Name: COLUMN rollup_event_hours.event_hour; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_event_hours.event_hour IS 'As in rollup_events.';

--
-- Name: COLUMN rollup_event_hours.platform; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_event_hours.platform IS 'As in rollup_events.';

--
-- Name: COLUMN rollup_event_hours.sent; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_event_hours.sent IS 'Number of events of the kind sent.';

--
-- Name: COLUMN rollup_event_hours.failed; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_event_hours.failed IS 'Number of events of the kind failed.';

--
-- Name: COLUMN rollup_event_hours.delivered; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_event_hours.delivered IS 'Number of events of the kind delivered.';

--
-- Name: COLUMN rollup_event_hours.displayed; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_event_hours.displayed IS 'Number of events of the kind displayed.';

--
-- Name: COLUMN rollup_event_hours.read; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_event_hours.read IS 'Number of events of the kind read.';

--
-- Name: COLUMN rollup_event_hours.opened; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_event_hours.opened IS 'Number of events of the kind opened.';

--
-- Name: COLUMN rollup_event_hours.action; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_event_hours.action IS 'Number of events of the kind action.';

--
-- Name: COLUMN rollup_event_hours.text_input; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_event_hours.text_input IS 'Number of events of the kind text_input.';

--
-- Name: COLUMN rollup_event_hours.dismissed; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_event_hours.dismissed IS 'Number of events of the kind dismissed.';

--
-- Name: COLUMN rollup_event_hours.converted; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_event_hours.converted IS 'Number of events of the kind converted.';

--
-- Name: COLUMN rollup_event_hours.replaced; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_event_hours.replaced IS 'Number of events of the kind replaced.';

--
-- Name: COLUMN rollup_event_hours.media_played; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_event_hours.media_played IS 'Number of events of the kind media_played.';

--
-- Name: COLUMN rollup_event_hours.media_paused; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_event_hours.media_paused IS 'Number of events of the kind media_paused.';

--
-- Name: COLUMN rollup_event_hours.attachment_failed; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_event_hours.attachment_failed IS 'Number of events of the kind attachment_failed.';

--
-- Name: COLUMN rollup_event_hours.extension_expired; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_event_hours.extension_expired IS 'Number of events of the kind extension_expired.';

--
-- Name: COLUMN rollup_event_hours.token_registered; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_event_hours.token_registered IS 'Number of events of the kind token_registered.';

--
-- Name: COLUMN rollup_event_hours.token_failed; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_event_hours.token_failed IS 'Number of events of the kind token_failed.';

--
-- Name: COLUMN rollup_event_hours.permission_granted; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_event_hours.permission_granted IS 'Number of events of the kind permission_granted.';

--
-- Name: COLUMN rollup_event_hours.permission_revoked; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_event_hours.permission_revoked IS 'Number of events of the kind permission_revoked.';

--
-- Name: COLUMN rollup_event_hours.app_opened; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_event_hours.app_opened IS 'Number of events of the kind app_opened.';

--
-- Name: COLUMN rollup_event_hours.held_out; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_event_hours.held_out IS 'Number of events of the kind held_out.';

--
-- Name: COLUMN rollup_event_hours.events; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_event_hours.events IS 'Number of events of all kinds.';

--
-- Name: report_hour_at_share(text, timestamp with time zone, timestamp with time zone, double precision); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.report_hour_at_share(app text, "from" timestamp with time zone, "to" timestamp with time zone, share double precision) RETURNS timestamp with time zone
    LANGUAGE sql STABLE
    BEGIN ATOMIC
 SELECT max(h.event_hour) FILTER (WHERE ((h.before)::double precision <= ((h.total)::double precision * report_hour_at_share.share))) AS max
    FROM ( SELECT e.event_hour,
             (sum(sum(e.events)) OVER (ORDER BY e.event_hour) - (sum(e.events))::numeric) AS before,
             sum(sum(e.events)) OVER () AS total
            FROM (afterpush.rollup_event_hours e
              JOIN afterpush.apps a USING (app_id))
           WHERE ((a.name = report_hour_at_share.app) AND (NOT e.verified) AND (e.event_hour >= report_hour_at_share."from") AND (e.event_hour < report_hour_at_share."to"))
           GROUP BY e.event_hour) h;
END;

ALTER FUNCTION afterpush.report_hour_at_share(app text, "from" timestamp with time zone, "to" timestamp with time zone, share double precision) OWNER TO afterpush_owner;

--
-- Name: FUNCTION report_hour_at_share(app text, "from" timestamp with time zone, "to" timestamp with time zone, share double precision); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.report_hour_at_share(app text, "from" timestamp with time zone, "to" timestamp with time zone, share double precision) IS 'The last hour before which at most a share of the events between two times happened; null if there are none.';

--
-- Name: report_hours(text, text); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.report_hours(app text, campaign text, OUT starts timestamp with time zone, OUT ends timestamp with time zone) RETURNS record
    LANGUAGE plpgsql STABLE
    AS $$
declare
    this_app constant integer := (select a.app_id from afterpush.apps as a where a.name = report_hours.app);
begin
    select min(d.anchor_day), max(d.anchor_day) + interval '24 hours'
    into starts, ends
    from afterpush.rollup_delivery_days as d
    where d.app_id = this_app
      and not d.verified
      and d.campaign_id = report_hours.campaign;
    if ends <= starts + interval '48 hours' then
        select min(r.anchor_hour), max(r.anchor_hour) + interval '1 hour'
        into starts, ends
        from afterpush.rollup_deliveries as r
        where r.app_id = this_app
          and not r.verified
          and r.anchor_hour >= starts
          and r.anchor_hour < ends
          and r.campaign_id = report_hours.campaign;
    end if;
end
$$;

ALTER FUNCTION afterpush.report_hours(app text, campaign text, OUT starts timestamp with time zone, OUT ends timestamp with time zone) OWNER TO afterpush_owner;

--
-- Name: FUNCTION report_hours(app text, campaign text, OUT starts timestamp with time zone, OUT ends timestamp with time zone); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.report_hours(app text, campaign text, OUT starts timestamp with time zone, OUT ends timestamp with time zone) IS 'The hours that a campaign''s deliveries are anchored in, or the days if there are more than two.';

--
-- Name: report_intake_checks(text, timestamp with time zone, timestamp with time zone, timestamp with time zone); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.report_intake_checks(app text, from_hour timestamp with time zone, to_hour timestamp with time zone, as_of timestamp with time zone) RETURNS TABLE(place integer, section text, item text, value double precision, unit text, n bigint, at timestamp with time zone, flag text, detail text)
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
    with this_app as materialized (
        select a.app_id from afterpush.apps as a where a.name = app
    ),
    waiting as (
        select count(*) as batches, coalesce(sum(b.events), 0) as events
        from afterpush.batches as b
        join this_app using (app_id)
        where b.rolled_up_at is null
    ),
    -- A collector that holds nothing and no longer reports has ended.
    spooled as (
        select s.events, s.oldest_at, s.reported_at, s.reported_at < now() - interval '1 minute' as away
        from afterpush.spools as s
        where s.events > 0
           or s.reported_at >= now() - interval '1 minute'
    ),
    intake as (
        select
            coalesce(sum(b.events), 0) as stored,
            coalesce(sum(b.duplicates), 0) as duplicates,
            coalesce(sum(b.conflicts), 0) as conflicts,
            coalesce(sum(b.rejected), 0) as rejected,
            coalesce(sum(b.events::bigint + b.duplicates + b.rejected), 0)::bigint as received
        from afterpush.batches as b
        join this_app using (app_id)
        where b.started_at >= from_hour
          and b.started_at < to_hour
    )
    select
        1, 'rollups', 'lag', date_part('epoch', now() - as_of), 'seconds', w.batches, as_of,
        case when as_of < now() - interval '1 minute' then 'behind' end,
        'how far reports are behind; ' || w.events || ' events wait'
    from this_app
    cross join waiting as w
    union all
    select
        2, 'spool', 'waiting', sum(s.events)::double precision, 'events', count(*), min(s.oldest_at),
        case when bool_or(s.away) then 'away' when sum(s.events) > 0 then 'spooled' end,
        case
            when count(*) = 0 then 'no collector has reported a spool'
            else 'events of all apps answered 202 and not stored yet; collectors that reported: ' || count(*)
                || ', the first of them at ' || afterpush.rfc3339(min(s.reported_at))
        end
    from spooled as s
    union all
    select
        3, 'intake', c.item, c.value::double precision, 'events', i.received, null,
        case
            when c.item = 'conflicts' and c.value > 0 then 'conflicts'
            when c.item = 'rejected' and c.value > 0.01 * i.received then 'rejected'
        end,
        c.detail
    from intake as i
    cross join lateral (
        values
            ('stored', i.stored, 'new events'),
            ('duplicates', i.duplicates, 'events that were stored before; they add nothing'),
            ('conflicts', i.conflicts, 'duplicates with different content; the event stored first stays'),
            ('rejected', i.rejected, 'see the report rejected')
    ) as c (item, value, detail)
$$;

ALTER FUNCTION afterpush.report_intake_checks(app text, from_hour timestamp with time zone, to_hour timestamp with time zone, as_of timestamp with time zone) OWNER TO afterpush_owner;

--
-- Name: FUNCTION report_intake_checks(app text, from_hour timestamp with time zone, to_hour timestamp with time zone, as_of timestamp with time zone); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.report_intake_checks(app text, from_hour timestamp with time zone, to_hour timestamp with time zone, as_of timestamp with time zone) IS 'Rows of report health about the rollups, the spools and what was received.';

--
-- Name: report_offering_hours(integer, timestamp with time zone, timestamp with time zone, text, text, text, text, boolean, text, timestamp with time zone[], text[]); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.report_offering_hours(app_id integer, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, base text, split timestamp with time zone[], declared text[]) RETURNS TABLE(campaign_id text, variant text, category_id text, category_version integer, hour timestamp with time zone, base_n bigint)
    LANGUAGE plpgsql STABLE ROWS 100
    SET plan_cache_mode TO 'force_custom_plan'
    AS $$
#variable_conflict use_column
declare
    split_hours constant timestamptz[] := array(
        select d + n * interval '1 hour' from unnest(split) as d cross join generate_series(0, 23) as n
    );
begin
    if cardinality(split) > 0 then
        return query
        select
            s.campaign_id, s.variant, s.category_id, s.category_version, s.anchor_hour,
            case
                when base = 'sent' and s.campaign_id = any (declared) then 0
                when base = 'sent' and s.is_sent then s.deliveries
                when base = 'confirmed' and s.is_confirmed then s.deliveries
                else 0
            end
        from afterpush.rollup_deliveries as s
        where s.app_id = report_offering_hours.app_id
          and s.verified = report_offering_hours.verified
          and (only_campaign is null or s.campaign_id = only_campaign)
          and (only_category is null or s.category_id = only_category)
          and (only_variant is null or s.variant = only_variant)
          and (only_platform is null or s.platform = only_platform)
          and ("from" is null or s.anchor_hour >= "from")
          and ("to" is null or s.anchor_hour < "to")
          and s.anchor_hour = any (split_hours);
    end if;
    if cardinality(declared) > 0 then
        return query
        select
            s.campaign_id, coalesce(s.variant, ''), coalesce(s.category_id, ''), coalesce(s.category_version, 0),
            afterpush.hour_of(s.sent_at),
            case when base = 'sent' then s.count else 0 end
        from afterpush.sends as s
        where s.app_id = report_offering_hours.app_id
          and (only_campaign is null or s.campaign_id = only_campaign)
          and (only_category is null or s.category_id = only_category)
          and (only_variant is null or s.variant = only_variant)
          and (only_platform is null or s.platform = only_platform)
          and ("from" is null or afterpush.hour_of(s.sent_at) >= "from")
          and ("to" is null or afterpush.hour_of(s.sent_at) < "to");
    end if;
end
$$;

ALTER FUNCTION afterpush.report_offering_hours(app_id integer, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, base text, split timestamp with time zone[], declared text[]) OWNER TO afterpush_owner;

--
-- Name: FUNCTION report_offering_hours(app_id integer, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, base text, split timestamp with time zone[], declared text[]); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.report_offering_hours(app_id integer, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, base text, split timestamp with time zone[], declared text[]) IS 'The base of what was offered, by category version: deliveries read by the hour, and declared sends.';

--
-- Name: report_openings(text, timestamp with time zone, timestamp with time zone, interval, boolean, boolean, text, boolean, text); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.report_openings(app text, "from" timestamp with time zone, "to" timestamp with time zone, "window" interval, baseline boolean, credited boolean, only_platform text, verified boolean, by text) RETURNS TABLE(how text, campaign_id text, category_id text, variant text, platform text, app_version text, hour timestamp with time zone, openings bigint, verified_openings bigint)
    LANGUAGE plpgsql STABLE COST 1e+08 PARALLEL SAFE
    SET plan_cache_mode TO 'force_custom_plan'
    AS $$
#variable_conflict use_column
declare
    this_app constant integer := (select a.app_id from afterpush.apps as a where a.name = report_openings.app);
    -- Chance is measured at the same time of a later day, which lies in the selected time and before as_of.
    later constant interval :=
        greatest(ceil(extract(epoch from report_openings."window") / 86400), 1) * interval '24 hours';
    -- Times are joined by the bin that holds them.
    bin_width constant interval := 8 * greatest(report_openings."window", interval '1 hour');
    -- Batches that are not in the rollups yet are in no report.
    waiting constant bigint[] := array(select b.batch_id from afterpush.batches as b where b.rolled_up_at is null);
    starts constant timestamptz := report_openings."from";
    -- With a baseline, openings are read that long before.
    earlier constant interval := case when baseline then later else interval '0' end;
    now_at constant timestamptz := afterpush.as_of(report_openings.app);
begin
    return query
    with openings as materialized (
        select row_number() over () as opening, e.device_id, e.occurred_at, e.platform, e.app_version, e.verified
        from afterpush.events as e
        where e.app_id = this_app
          and e.kind = 'app_opened'
          and e.occurred_at >= starts - earlier
          and e.occurred_at < report_openings."to"
          and (only_platform is null or e.platform = only_platform)
          and (not report_openings.verified or e.verified)
          and e.batch_id <> all (waiting)
    ),
    responses as (
        select
            e.device_id, e.occurred_at, e.delivery_id,
            date_bin('1 hour', e.occurred_at, timestamptz '2000-01-01 00:00Z') as bin
        from afterpush.events as e
        where e.app_id = this_app
          and e.kind in ('opened', 'action', 'text_input')
          and e.occurred_at >= starts - earlier - interval '60 s'
          and e.occurred_at < report_openings."to"
          and (not report_openings.verified or e.verified)
          and e.batch_id <> all (waiting)
    ),
    unopened as not materialized (
        select
            c.device_id, c.at, date_bin(bin_width, c.at, timestamptz '2000-01-01 00:00Z') as bin,
            -- Read only where they are asked for.
            case when credited then c.delivery_id end as delivery_id,
            case when credited then c.notification_id end as notification_id,
            case
                when credited then afterpush.stated(c.campaign_id, c.campaign_source_rank, report_openings.verified)
            end as campaign_id,
            case
                when credited then afterpush.stated(c.category_id, c.category_source_rank, report_openings.verified)
            end as category_id,
            case
                when credited then afterpush.stated(c.variant, c.campaign_source_rank, report_openings.verified)
            end as variant
        from (
            select
                *,
                case when report_openings.verified then verified_kinds else kinds end as state_kinds,
                case when report_openings.verified then verified_confirmed_at else confirmed_at end as at
            from afterpush.deliveries
        ) as c
        where c.app_id = this_app
          and afterpush.is_unopened(c.state_kinds)
          and not afterpush.is_held_out(c.kinds)
          and c.at >= report_openings."from" - report_openings."window"
          and c.at < report_openings."to"
    ),
    direct as materialized (
        select distinct on (o.opening)
            o.*,
            afterpush.stated(d.campaign_id, d.campaign_source_rank, report_openings.verified) as campaign_id,
            afterpush.stated(d.category_id, d.category_source_rank, report_openings.verified) as category_id,
            afterpush.stated(d.variant, d.campaign_source_rank, report_openings.verified) as variant
        from (
            select *, date_bin('1 hour', occurred_at, timestamptz '2000-01-01 00:00Z') as bin
            from openings
            union all
            select *, date_bin('1 hour', occurred_at, timestamptz '2000-01-01 00:00Z') - interval '1 hour'
            from openings
            where occurred_at - interval '60 s' < date_bin('1 hour', occurred_at, timestamptz '2000-01-01 00:00Z')
        ) as o
        join responses as r
            on r.device_id = o.device_id
            and r.bin = o.bin
            and r.occurred_at between o.occurred_at - interval '60 s' and o.occurred_at
        left join afterpush.deliveries as d
            on d.delivery_id = r.delivery_id
            and credited
        order by o.opening, r.occurred_at desc, d.notification_id, d.delivery_id
    ),
    -- When the others happened, and the time at which chance is measured for them.
    indirect as not materialized (
        select o.*, h.how, o.occurred_at + h.later as until
        from openings as o
        cross join (values ('influenced', interval '0'), ('expected', later)) as h (how, later)
        where o.opening not in (select opening from direct)
          and o.occurred_at + h.later >= starts
          and (h.how = 'influenced' or baseline and o.occurred_at + h.later < least(report_openings."to", now_at))
    ),
    notified as materialized (
        select distinct on (o.how, o.opening) o.*, u.campaign_id, u.category_id, u.variant
        from (
            select *, date_bin(bin_width, until, timestamptz '2000-01-01 00:00Z') as bin
            from indirect
            union all
            select *, date_bin(bin_width, until, timestamptz '2000-01-01 00:00Z') - bin_width
            from indirect
            where until - report_openings."window" < date_bin(bin_width, until, timestamptz '2000-01-01 00:00Z')
        ) as o
        join unopened as u
            on u.device_id = o.device_id
            and u.bin = o.bin
            and u.at between o.until - report_openings."window" and o.until
        order by o.how, o.opening, u.at desc, u.notification_id, u.delivery_id
    ),
    credited_openings as (
        select
            'direct' as how, 1 as openings, campaign_id, category_id, variant, platform, app_version, occurred_at,
            verified as is_verified
        from direct
        where occurred_at >= starts
        union all
        select how, 1, campaign_id, category_id, variant, platform, app_version, until, verified
        from notified
        union all
        select 'other', openings, null, null, null, platform, app_version, occurred_at, is_verified
        from (
            select 1 as openings, platform, app_version, occurred_at, verified as is_verified
            from openings
            where occurred_at >= starts
            union all
            select -1, platform, app_version, occurred_at, verified
            from direct
            where occurred_at >= starts
            union all
            select -1, platform, app_version, occurred_at, verified from notified where how = 'influenced'
        ) as o
    )
    select
        how, campaign_id, category_id, variant,
        case when report_openings.by ~ 'platform' then platform end,
        case when report_openings.by ~ 'app_version' then app_version end,
        case
            when report_openings.by ~ 'day|hour' then date_bin('1 hour', occurred_at, timestamptz '2000-01-01 00:00Z')
        end,
        sum(openings),
        coalesce(sum(openings) filter (where is_verified), 0)
    from credited_openings
    group by 1, 2, 3, 4, 5, 6, 7;
end
$$;

ALTER FUNCTION afterpush.report_openings(app text, "from" timestamp with time zone, "to" timestamp with time zone, "window" interval, baseline boolean, credited boolean, only_platform text, verified boolean, by text) OWNER TO afterpush_owner;

--
-- Name: FUNCTION report_openings(app text, "from" timestamp with time zone, "to" timestamp with time zone, "window" interval, baseline boolean, credited boolean, only_platform text, verified boolean, by text); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.report_openings(app text, "from" timestamp with time zone, "to" timestamp with time zone, "window" interval, baseline boolean, credited boolean, only_platform text, verified boolean, by text) IS 'Openings of the app by how they came about.';

--
-- Name: report_outcomes(text, timestamp with time zone, timestamp with time zone, text, text, interval, boolean); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.report_outcomes(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_outcome text, "window" interval, verified boolean) RETURNS TABLE(campaign_id text, outcome text, treated_n bigint, treated_outcomes bigint, treated_closed bigint, treated_effect double precision, holdout_n bigint, holdout_outcomes bigint, holdout_closed bigint, holdout_effect double precision, share_variance double precision, devices bigint)
    LANGUAGE plpgsql STABLE
    SET plan_cache_mode TO 'force_custom_plan'
    AS $$
#variable_conflict use_column
declare
    this_app constant integer := (select a.app_id from afterpush.apps as a where a.name = report_outcomes.app);
    -- Batches that are not in the rollups yet are in no report.
    waiting constant bigint[] := array(select b.batch_id from afterpush.batches as b where b.rolled_up_at is null);
    now_at constant timestamptz := afterpush.as_of(report_outcomes.app);
    starts constant timestamptz := greatest(
        coalesce(report_outcomes."from", '-infinity'), (select w.sealed_before from afterpush.rollup_worker as w)
    );
    ends constant timestamptz := coalesce(report_outcomes."to", 'infinity');
    campaigns text[];
begin
    campaigns := array(
        select c.campaign_id
        from afterpush.campaigns as c
        where c.app_id = this_app
          and c.holdout is not null
          and (only_campaign is null or c.campaign_id = only_campaign)
        union
        select d.campaign_id
        from afterpush.events as e
        join afterpush.deliveries as d using (delivery_id)
        where e.app_id = this_app
          and e.kind = 'held_out'
          and afterpush.is_held_out(d.kinds)
          and afterpush.stated(d.campaign_id, d.campaign_source_rank, report_outcomes.verified) is not null
          and (only_campaign is null or d.campaign_id = only_campaign)
    );
    return query
    with selected as materialized (
        select
            d.delivery_id, d.device_id, d.campaign_id, d.is_held_out, d.at,
            afterpush.device_bucket(d.delivery_id) as bucket
        from (
            select
                delivery_id, app_id, device_id,
                afterpush.stated(campaign_id, campaign_source_rank, report_outcomes.verified) as campaign_id,
                afterpush.is_held_out(kinds) as is_held_out,
                case when report_outcomes.verified then verified_kinds else kinds end as state_kinds,
                afterpush.anchor_at(verified_sent_at, receipt_issued_at, first_event_at) as at
            from afterpush.deliveries
        ) as d
        where d.app_id = this_app
          and d.device_id is not null
          and d.at >= starts
          and d.at < ends
          and d.campaign_id = any (campaigns)
          and (d.is_held_out or afterpush.is_sent(d.state_kinds) or afterpush.has_failed(d.state_kinds))
    ),
    outcomes as (
        select e.device_id, e.occurred_at, coalesce(e.name, '') as name
        from afterpush.events as e
        where e.app_id = this_app
          and e.kind = 'converted'
          and e.notification_id is null
          and e.occurred_at >= (select min(s.at) from selected as s)
          and e.occurred_at <= (select max(s.at) from selected as s) + report_outcomes."window"
          and (only_outcome is null or e.name = only_outcome)
          and (not report_outcomes.verified or e.verified)
          and e.batch_id <> all (waiting)
        union all
        select e.device_id, e.occurred_at, 'app_opened'
        from afterpush.events as e
        where e.app_id = this_app
          and e.kind = 'app_opened'
          and e.occurred_at >= (select min(s.at) from selected as s)
          and e.occurred_at <= (select max(s.at) from selected as s) + report_outcomes."window"
          and (only_outcome is null or only_outcome = 'app_opened')
          and (not report_outcomes.verified or e.verified)
          and e.batch_id <> all (waiting)
    ),
    with_outcome as materialized (
        select distinct s.delivery_id, s.campaign_id, s.is_held_out, s.bucket, o.name
        from selected as s
        join outcomes as o
            on o.device_id = s.device_id
            and o.occurred_at between s.at and s.at + report_outcomes."window"
    ),
    names as (
        select n.campaign_id, n.name
        from (
            select
                w.campaign_id, w.name,
                row_number() over (
                    partition by w.campaign_id order by count(*) desc, nullif(w.name, '') nulls last
                ) as place
            from with_outcome as w
            group by w.campaign_id, w.name
        ) as n
        where n.place <= 100
        union
        select s.campaign_id, coalesce(only_outcome, '')
        from selected as s
        where only_outcome is not null
           or s.campaign_id not in (select w.campaign_id from with_outcome as w)
    ),
    buckets as materialized (
        select
            s.campaign_id, s.is_held_out, s.bucket, count(*) as n,
            count(*) filter (where s.at + report_outcomes."window" <= now_at) as closed
        from selected as s
        group by 1, 2, 3
    ),
    bucket_outcomes as (
        select w.campaign_id, w.is_held_out, w.bucket, w.name, count(*) as outcomes
        from with_outcome as w
        group by 1, 2, 3, 4
    ),
    arms as materialized (
        select
            n.campaign_id, n.name, b.is_held_out,
            sum(b.n)::bigint as n,
            sum(b.closed)::bigint as closed,
            coalesce(sum(o.outcomes), 0)::bigint as outcomes,
            afterpush.design_effect(
                afterpush.ratio_variance(
                    array_agg(b.n order by b.bucket), array_agg(coalesce(o.outcomes, 0) order by b.bucket)
                ),
                coalesce(sum(o.outcomes), 0)::bigint,
                sum(b.n)::bigint
            ) as effect
        from names as n
        join buckets as b using (campaign_id)
        left join bucket_outcomes as o using (campaign_id, is_held_out, bucket, name)
        group by 1, 2, 3
    ),
    shares as (
        select
            b.campaign_id,
            afterpush.ratio_variance(array_agg(b.n order by b.bucket), array_agg(b.held_out order by b.bucket)) as variance
        from (
            select
                campaign_id, bucket, sum(n)::bigint as n,
                coalesce(sum(n) filter (where is_held_out), 0)::bigint as held_out
            from buckets
            group by 1, 2
        ) as b
        group by 1
    ),
    counted_devices as (
        select s.campaign_id, count(distinct s.device_id) as devices
        from selected as s
        group by 1
    )
    select
        a.campaign_id,
        nullif(a.name, ''),
        coalesce(max(a.n) filter (where not a.is_held_out), 0),
        coalesce(max(a.outcomes) filter (where not a.is_held_out), 0),
        coalesce(max(a.closed) filter (where not a.is_held_out), 0),
        max(a.effect) filter (where not a.is_held_out),
        coalesce(max(a.n) filter (where a.is_held_out), 0),
        coalesce(max(a.outcomes) filter (where a.is_held_out), 0),
        coalesce(max(a.closed) filter (where a.is_held_out), 0),
        max(a.effect) filter (where a.is_held_out),
        max(s.variance),
        max(d.devices)
    from arms as a
    join shares as s using (campaign_id)
    join counted_devices as d using (campaign_id)
    group by a.campaign_id, a.name;
end
$$;

ALTER FUNCTION afterpush.report_outcomes(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_outcome text, "window" interval, verified boolean) OWNER TO afterpush_owner;

--
-- Name: FUNCTION report_outcomes(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_outcome text, "window" interval, verified boolean); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.report_outcomes(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_outcome text, "window" interval, verified boolean) IS 'What the devices of campaigns did afterwards: those that they were sent to, and those that were held out.';

--
-- Name: report_recent_deliveries(text, timestamp with time zone, timestamp with time zone, text, text, text, text, boolean); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.report_recent_deliveries(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean) RETURNS TABLE(recent bigint, kinds integer, dismiss_observable boolean, locally_sent boolean, deliveries bigint)
    LANGUAGE plpgsql STABLE COST 1e+08 PARALLEL SAFE
    SET plan_cache_mode TO 'force_custom_plan'
    AS $$
#variable_conflict use_column
declare
    this_app constant integer := (select a.app_id from afterpush.apps as a where a.name = report_recent_deliveries.app);
    -- Category versions with customDismissAction. They are looked up once, and not for each delivery: by category and
    -- version, categories that always have it, and those that have it for a while, with these times.
    observable_versions constant text[] := array(
        select v.category_id || ' ' || v.version
        from afterpush.category_versions as v
        where v.app_id = this_app
          and v.dismiss_observable
    );
    always_observable constant text[] := array(
        select v.category_id
        from afterpush.category_versions as v
        where v.app_id = this_app
        group by v.category_id
        having bool_and(v.dismiss_observable)
    );
    sometimes_observable text[];
    observable_times tstzmultirange[];
begin
    select array_agg(c.category_id), array_agg(c.times)
    into sometimes_observable, observable_times
    from (
        select
            v.category_id,
            range_agg(tstzrange(v.in_force_from, v.in_force_to))
                filter (where v.dismiss_observable and v.in_force_from < v.in_force_to) as times
        from afterpush.category_versions as v
        where v.app_id = this_app
        group by v.category_id
        having bool_or(v.dismiss_observable) and not bool_and(v.dismiss_observable)
    ) as c;
    return query
    select h.recent, h.kinds, h.dismiss_observable, h.locally_sent, count(*)
    from (
        select
            is_selected, kinds, dismiss_observable, locally_sent,
            count(*) filter (where not has_failed) over (
                partition by device_hash, device_hash_2
                order by anchor_at
                range between interval '168 hours' preceding and interval '1 microsecond' preceding
            ) as recent
        from (
            select
                -- 128 bits stand for a device: they are sorted faster than its name, which may be long.
                hashtextextended(d.device_id, 0) as device_hash,
                hashtextextended(d.device_id, 1) as device_hash_2,
                d.anchor_at,
                afterpush.base_and_response_kinds(d.kinds) as kinds,
                afterpush.has_failed(d.kinds) as has_failed,
                afterpush.is_sent(d.kinds) and not afterpush.is_sent(d.verified_kinds) as locally_sent,
                coalesce(
                    d.anchor_at >= coalesce(report_recent_deliveries."from", '-infinity')
                    and (only_campaign is null or d.campaign_id = only_campaign)
                    and (only_category is null or d.category_id = only_category)
                    and (only_variant is null or d.variant = only_variant)
                    and (only_platform is null or d.platform = only_platform),
                    false
                ) as is_selected,
                case
                    when d.platform in ('android', 'web') then true
                    when d.platform is distinct from 'ios' or d.category_id is null then false
                    when d.category_version > 0
                    then d.category_id || ' ' || d.category_version = any (observable_versions)
                    when d.category_id = any (always_observable) then true
                    else coalesce(
                        d.anchor_at <@ observable_times[array_position(sometimes_observable, d.category_id)], false
                    )
                end as dismiss_observable
            from (
                select
                    app_id, device_id, verified_kinds,
                    afterpush.stated(campaign_id, campaign_source_rank, report_recent_deliveries.verified)
                        as campaign_id,
                    afterpush.stated(category_id, category_source_rank, report_recent_deliveries.verified)
                        as category_id,
                    category_version,
                    afterpush.is_held_out(kinds) as is_held_out,
                    afterpush.stated(variant, campaign_source_rank, report_recent_deliveries.verified) as variant,
                    afterpush.stated(platform, platform_source_rank, report_recent_deliveries.verified) as platform,
                    case when report_recent_deliveries.verified then verified_kinds else kinds end as kinds,
                    afterpush.anchor_at(verified_sent_at, receipt_issued_at, first_event_at) as anchor_at
                from afterpush.deliveries
            ) as d
            where d.app_id = this_app
              and d.device_id is not null
              and d.kinds <> 0
              and not d.is_held_out
              and (
                  report_recent_deliveries."from" is null
                  or d.anchor_at >= report_recent_deliveries."from" - interval '168 hours'
              )
              and (report_recent_deliveries."to" is null or d.anchor_at < report_recent_deliveries."to")
            -- Sorts these, and not what they are made of.
            offset 0
        ) as d
    ) as h
    where h.is_selected
    group by 1, 2, 3, 4;
end
$$;

ALTER FUNCTION afterpush.report_recent_deliveries(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean) OWNER TO afterpush_owner;

--
-- Name: FUNCTION report_recent_deliveries(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.report_recent_deliveries(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean) IS 'Deliveries by how many notifications their device had in the seven days before.';

--
-- Name: report_response_hours(integer, timestamp with time zone, timestamp with time zone, text, text, text, text, boolean, text[], text, timestamp with time zone[]); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.report_response_hours(app_id integer, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, keys text[], tz text, split timestamp with time zone[]) RETURNS TABLE(campaign_id text, category_id text, variant text, platform text, day date, hour timestamp with time zone, app_version text, deliveries integer, times integer[])
    LANGUAGE plpgsql STABLE ROWS 100
    SET max_parallel_workers_per_gather TO '0'
    AS $_$
declare
    shown text;
    grouped text;
begin
    select
        string_agg(
            case when word = any (keys) then key else 'null::' || type end || ' as ' || name, ', ' order by place
        ),
        string_agg(name || ', ', '' order by place) filter (where word = any (keys))
    into shown, grouped
    from (
        values
            (1, 'campaign', 'campaign_id', 'text', 'campaign_id'),
            (2, 'category', 'category_id', 'text', 'category_id'),
            (3, 'variant', 'variant', 'text', 'variant'),
            (4, 'platform', 'platform', 'text', 'platform'),
            (5, 'day', 'day', 'date', format('(anchor_hour at time zone %L)::date', tz)),
            (6, 'hour', 'hour', 'timestamptz', 'anchor_hour'),
            (7, 'app_version', 'app_version', 'text', 'app_version')
    ) as k (place, word, name, type, key);
    return query execute format(
        $statement$
        select
            campaign_id, category_id, variant, platform, day, hour, app_version,
            sum(deliveries)::integer,
            afterpush.running_totals_of(array_agg(bucket order by bucket), array_agg(deliveries order by bucket))
        from (
            select
                %1$s,
                bucket,
                sum(deliveries)::bigint as deliveries
            from afterpush.rollup_responses
            where app_id = $1
              and verified = $8
              and ($2 is null or anchor_hour >= $2)
              and ($3 is null or anchor_hour < $3)
              and ($4 is null or campaign_id = $4)
              and ($5 is null or category_id = $5)
              and ($6 is null or variant = $6)
              and ($7 is null or platform = $7)
              and ($9 is null or anchor_hour = any ($9))
            group by %2$s bucket
        ) as timed
        group by campaign_id, category_id, variant, platform, day, hour, app_version
        $statement$,
        shown, grouped
    )
    using
        report_response_hours.app_id, "from", "to", only_campaign, only_category, only_variant, only_platform,
        report_response_hours.verified,
        case
            when split is not null then array(
                select d + n * interval '1 hour' from unnest(split) as d cross join generate_series(0, 23) as n
            )
        end;
end
$_$;

ALTER FUNCTION afterpush.report_response_hours(app_id integer, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, keys text[], tz text, split timestamp with time zone[]) OWNER TO afterpush_owner;

--
-- Name: FUNCTION report_response_hours(app_id integer, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, keys text[], tz text, split timestamp with time zone[]); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.report_response_hours(app_id integer, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, keys text[], tz text, split timestamp with time zone[]) IS 'Responses by group, read by the hour, with the running totals of their times.';

--
-- Name: report_selected_deliveries(text, timestamp with time zone, timestamp with time zone); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.report_selected_deliveries(app text, from_hour timestamp with time zone, to_hour timestamp with time zone) RETURNS SETOF afterpush.deliveries
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
    select d.*
    from afterpush.deliveries as d
    where d.app_id = (select a.app_id from afterpush.apps as a where a.name = app)
      and not afterpush.is_held_out(d.kinds)
      and (from_hour = '-infinity' or coalesce(d.verified_sent_at, d.receipt_issued_at, d.first_event_at) >= from_hour)
      and (to_hour = 'infinity' or coalesce(d.verified_sent_at, d.receipt_issued_at, d.first_event_at) < to_hour)
$$;

ALTER FUNCTION afterpush.report_selected_deliveries(app text, from_hour timestamp with time zone, to_hour timestamp with time zone) OWNER TO afterpush_owner;

--
-- Name: FUNCTION report_selected_deliveries(app text, from_hour timestamp with time zone, to_hour timestamp with time zone); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.report_selected_deliveries(app text, from_hour timestamp with time zone, to_hour timestamp with time zone) IS 'The deliveries of an app whose anchor lies in the selected hours.';

--
-- Name: report_span(integer, timestamp with time zone, timestamp with time zone, text); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.report_span(app_id integer, "from" timestamp with time zone, "to" timestamp with time zone, campaign text, OUT starts timestamp with time zone, OUT ends timestamp with time zone) RETURNS record
    LANGUAGE plpgsql STABLE
    AS $$
begin
    if report_span.app_id is null then
        raise exception 'app: there is no app with this name, or this role may not read it'
            using errcode = 'invalid_parameter_value';
    end if;
    starts := "from";
    ends := "to";
    if campaign is not null then
        select
            greatest("from", coalesce(min(d.anchor_day), 'infinity')),
            least("to", coalesce(max(d.anchor_day), '-infinity') + interval '24 hours')
        into starts, ends
        from afterpush.rollup_delivery_days as d
        where d.app_id = report_span.app_id
          and not d.verified
          and d.campaign_id = report_span.campaign;
    end if;
end
$$;

ALTER FUNCTION afterpush.report_span(app_id integer, "from" timestamp with time zone, "to" timestamp with time zone, campaign text, OUT starts timestamp with time zone, OUT ends timestamp with time zone) OWNER TO afterpush_owner;

--
-- Name: FUNCTION report_span(app_id integer, "from" timestamp with time zone, "to" timestamp with time zone, campaign text, OUT starts timestamp with time zone, OUT ends timestamp with time zone); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.report_span(app_id integer, "from" timestamp with time zone, "to" timestamp with time zone, campaign text, OUT starts timestamp with time zone, OUT ends timestamp with time zone) IS 'The time of a selection, narrowed to the days of its campaign.';

--
-- Name: report_split(timestamp with time zone, timestamp with time zone, timestamp with time zone[]); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.report_split("from" timestamp with time zone, "to" timestamp with time zone, times timestamp with time zone[]) RETURNS timestamp with time zone[]
    LANGUAGE plpgsql IMMUTABLE
    AS $$
begin
    return (
        select coalesce(array_agg(distinct afterpush.day_of(at)), '{}')
        from unnest(times) as at
        where isfinite(at)
          and at <> afterpush.day_of(at)
          and ("from" is null or afterpush.day_of(at) >= afterpush.day_of("from"))
          and ("to" is null or afterpush.day_of(at) < "to")
    );
end
$$;

ALTER FUNCTION afterpush.report_split("from" timestamp with time zone, "to" timestamp with time zone, times timestamp with time zone[]) OWNER TO afterpush_owner;

--
-- Name: FUNCTION report_split("from" timestamp with time zone, "to" timestamp with time zone, times timestamp with time zone[]); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.report_split("from" timestamp with time zone, "to" timestamp with time zone, times timestamp with time zone[]) IS 'Days of a selection that contain one of some times, but don''t begin with it.';

--
-- Name: report_terms(integer, text, timestamp with time zone); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.report_terms(app_id integer, campaign text, last_closed timestamp with time zone) RETURNS afterpush.campaign_terms[]
    LANGUAGE plpgsql STABLE
    AS $$
begin
    return array(
        select row(
            coalesce(c.campaign_id, s.campaign_id),
            coalesce(c.goal_actions, '{}'),
            last_closed - coalesce(c.response_window, interval '72 hours'),
            s.campaign_id is not null,
            s.last_hour
        )::afterpush.campaign_terms
        from (select * from afterpush.campaigns as c where c.app_id = report_terms.app_id) as c
        full join (
            select s.campaign_id, afterpush.hour_of(max(s.sent_at)) as last_hour
            from afterpush.sends as s
            where s.app_id = report_terms.app_id
            group by s.campaign_id
        ) as s on s.campaign_id = c.campaign_id
        where report_terms.campaign is null
           or coalesce(c.campaign_id, s.campaign_id) = report_terms.campaign
    );
end
$$;

ALTER FUNCTION afterpush.report_terms(app_id integer, campaign text, last_closed timestamp with time zone) OWNER TO afterpush_owner;

--
-- Name: FUNCTION report_terms(app_id integer, campaign text, last_closed timestamp with time zone); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.report_terms(app_id integer, campaign text, last_closed timestamp with time zone) IS 'What holds of the deliveries of each declared campaign, and of each campaign with declared sends.';

--
-- Name: report_times(text, timestamp with time zone, timestamp with time zone, text, text, text, text, boolean, text, text); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.report_times(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, by text, tz text) RETURNS TABLE(campaign_id text, category_id text, variant text, platform text, day date, hour timestamp with time zone, app_version text, responded bigint, p50_seconds double precision, p90_seconds double precision, p99_seconds double precision, timed bigint)
    LANGUAGE plpgsql STABLE
    SET plan_cache_mode TO 'force_custom_plan'
    SET max_parallel_workers_per_gather TO '0'
    SET enable_mergejoin TO 'off'
    AS $$
#variable_conflict use_column
declare
    this_app constant integer := (select a.app_id from afterpush.apps as a where a.name = report_times.app);
    keys constant text[] := coalesce(string_to_array(nullif(report_times.by, ''), ','), '{}');
    by_hour constant boolean := keys && array['hour', 'app_version'] or 'day' = any (keys) and report_times.tz <> 'UTC';
    starts timestamptz;
    ends timestamptz;
    -- Days that are not selected whole. They are read by the hour.
    split timestamptz[] := '{}';
begin
    select s.starts, s.ends into starts, ends from afterpush.report_span(this_app, "from", "to", only_campaign) as s;
    if not by_hour then
        split := afterpush.report_split(starts, ends, array[starts, ends]);
    end if;
    return query
    with responses as (
        select h.*
        from afterpush.report_response_hours(
            this_app, starts, ends, only_campaign, only_category, only_variant, only_platform, report_times.verified,
            keys, report_times.tz, case when not by_hour then split end
        ) as h
        where by_hour
           or cardinality(split) > 0
        union all
        select
            case when 'campaign' = any (keys) then d.campaign_id end,
            case when 'category' = any (keys) then d.category_id end,
            case when 'variant' = any (keys) then d.variant end,
            case when 'platform' = any (keys) then d.platform end,
            case when 'day' = any (keys) then (d.anchor_day at time zone tz)::date end,
            case when 'hour' = any (keys) then d.anchor_day end,
            null,
            d.deliveries,
            d.times
        from afterpush.rollup_response_days as d
        where not by_hour
          and d.app_id = this_app
          and d.verified = report_times.verified
          and (only_campaign is null or d.campaign_id = only_campaign)
          and (only_category is null or d.category_id = only_category)
          and (only_variant is null or d.variant = only_variant)
          and (only_platform is null or d.platform = only_platform)
          and (starts is null or d.anchor_day >= starts)
          and (ends is null or d.anchor_day < ends)
          and d.anchor_day <> all (split)
    ),
    read as (
        select
            *,
            afterpush.running_totals_quantile(times, 50) as p50,
            afterpush.running_totals_quantile(times, 90) as p90,
            afterpush.running_totals_quantile(times, 99) as p99
        from responses
        -- Each quantile is computed once.
        offset 0
    ),
    grouped as (
        select
            campaign_id, category_id, variant, platform, day, hour, app_version,
            coalesce(sum(deliveries), 0)::bigint as responded,
            sum(times[cardinality(times)]) as timed,
            min(p50) as least_p50,
            max(p50) as greatest_p50,
            min(p90) as least_p90,
            max(p90) as greatest_p90,
            min(p99) as least_p99,
            max(p99) as greatest_p99,
            array_agg(row(times)::afterpush.running_totals) filter (where p50 is not null) as several
        from read
        group by 1, 2, 3, 4, 5, 6, 7
    ),
    found as (
        select
            *,
            afterpush.combined_quantile(several, timed, 50, least_p50, greatest_p50)::smallint as p50,
            afterpush.combined_quantile(several, timed, 90, least_p90, greatest_p90)::smallint as p90,
            afterpush.combined_quantile(several, timed, 99, least_p99, greatest_p99)::smallint as p99
        from grouped
        offset 0
    )
    select
        nullif(campaign_id, ''), nullif(category_id, ''), nullif(variant, ''), nullif(platform, ''), day, hour,
        nullif(app_version, ''), responded,
        afterpush.bucket_seconds(p50), afterpush.bucket_seconds(p90), afterpush.bucket_seconds(p99),
        coalesce(timed, 0)::bigint
    from found;
    if not found and cardinality(keys) = 0 then
        -- Without groups there is a row even if nothing is selected.
        responded := 0;
        timed := 0;
        return next;
    end if;
end
$$;

ALTER FUNCTION afterpush.report_times(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, by text, tz text) OWNER TO afterpush_owner;

--
-- Name: FUNCTION report_times(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, by text, tz text); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.report_times(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, by text, tz text) IS 'How long deliveries that a report selects took to be responded to, by group.';

--
-- Name: report_token_events(text, timestamp with time zone, timestamp with time zone, bigint); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.report_token_events(app text, from_hour timestamp with time zone, to_hour timestamp with time zone, first_batch bigint) RETURNS SETOF afterpush.events
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
    select e.*
    from afterpush.events as e
    where e.app_id = (select a.app_id from afterpush.apps as a where a.name = app)
      and e.kind in ('token_registered', 'token_failed', 'permission_granted', 'permission_revoked')
      and e.batch_id >= first_batch
      and e.occurred_at >= from_hour
      and e.occurred_at < to_hour
$$;

ALTER FUNCTION afterpush.report_token_events(app text, from_hour timestamp with time zone, to_hour timestamp with time zone, first_batch bigint) OWNER TO afterpush_owner;

--
-- Name: FUNCTION report_token_events(app text, from_hour timestamp with time zone, to_hour timestamp with time zone, first_batch bigint); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.report_token_events(app text, from_hour timestamp with time zone, to_hour timestamp with time zone, first_batch bigint) IS 'Changes of push tokens and permissions in the selected hours.';

--
-- Name: report_version_coverage(text, timestamp with time zone, timestamp with time zone, bigint); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.report_version_coverage(app text, from_hour timestamp with time zone, to_hour timestamp with time zone, first_statement_batch bigint) RETURNS TABLE(dimension text, platform text, version text, sent bigint, confirmed bigint, other_sent bigint, other_confirmed bigint)
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
    with versions_of_sends as (
        select
            e.delivery_id,
            coalesce(min(e.app_version) filter (where e.verified), min(e.app_version)) as app_version,
            coalesce(min(e.os_version) filter (where e.verified), min(e.os_version)) as os_version
        from afterpush.events as e
        where e.app_id = (select a.app_id from afterpush.apps as a where a.name = app)
          -- An unverified send can lie before its delivery's anchor.
          and e.batch_id >= first_statement_batch
          and e.occurred_at >= from_hour - interval '30 days'
          and e.kind = 'sent'
          and (e.app_version is not null or e.os_version is not null)
        group by e.delivery_id
    ),
    -- With the versions that the sends themselves stated.
    sends as materialized (
        select
            d.device_id, d.sent_at, d.platform, d.confirmed_at is not null as confirmed,
            v.app_version, v.os_version
        from afterpush.report_selected_deliveries(app, from_hour, to_hour) as d
        left join versions_of_sends as v using (delivery_id)
        where afterpush.is_sent(d.kinds)
    ),
    -- When each device with a send first and last stated each version of its app (dimension 1) and its system
    -- (dimension 2). Read from the tables, not from `sends`, so that several processes can read.
    stated as (
        select e.device_id, v.dimension, v.version, min(e.since) as since, max(e.last) as last
        from (
            select
                e.device_id, e.app_version, e.os_version, min(e.occurred_at) as since, max(e.occurred_at) as last
            from afterpush.events as e
            where e.app_id = (select a.app_id from afterpush.apps as a where a.name = app)
              and e.batch_id >= first_statement_batch
              and e.occurred_at >= from_hour - interval '30 days'
              and (e.app_version is not null or e.os_version is not null)
              and exists (select from sends as s where s.app_version is null or s.os_version is null)
              and e.device_id in (
                  select d.device_id
                  from afterpush.report_selected_deliveries(app, from_hour, to_hour) as d
                  where afterpush.is_sent(d.kinds)
              )
            group by e.device_id, e.app_version, e.os_version
        ) as e
        cross join lateral (values (1, e.app_version), (2, e.os_version)) as v (dimension, version)
        where v.version is not null
        group by e.device_id, v.dimension, v.version
    ),
    -- Most devices state one version after the other, so the first statement of each is enough. The others went back to
    -- an earlier version, and all their statements are needed.
    returned as materialized (
        select distinct device_id, dimension
        from (
            select *, lead(since) over (partition by device_id, dimension order by since, version desc) as next_since
            from stated
        ) as s
        where last >= next_since
    ),
    all_statements as (
        select e.device_id, v.dimension, min(v.version) as version, e.occurred_at as since
        from afterpush.events as e
        cross join lateral (values (1, e.app_version), (2, e.os_version)) as v (dimension, version)
        join returned as r on r.device_id = e.device_id and r.dimension = v.dimension
        where e.app_id = (select a.app_id from afterpush.apps as a where a.name = app)
          and e.batch_id >= first_statement_batch
          and e.occurred_at >= from_hour - interval '30 days'
          and v.version is not null
        group by e.device_id, v.dimension, e.occurred_at
    ),
    spans as (
        select
            *,
            lead(since, 1, 'infinity') over (partition by device_id, dimension order by since, version desc) as until
        from (
            select device_id, dimension, version, since
            from stated
            where (device_id, dimension) not in (select device_id, dimension from returned)
            union all
            select device_id, dimension, version, since
            from all_statements
        ) as s
    ),
    coverage as (
        select
            s.dimension, s.platform, coalesce(s.version, v.version) as version,
            count(*) as sent, count(*) filter (where s.confirmed) as confirmed
        from (
            select s.device_id, s.sent_at, s.platform, s.confirmed, v.dimension, v.version
            from sends as s
            cross join lateral (values (1, s.app_version), (2, s.os_version)) as v (dimension, version)
        ) as s
        left join spans as v
            on s.version is null
            and v.device_id = s.device_id
            and v.dimension = s.dimension
            and v.since < s.sent_at
            and s.sent_at <= v.until
        group by 1, 2, 3
    )
    select
        case dimension when 1 then 'app_version' else 'os_version' end, platform, version, sent, confirmed,
        (
            sum(sent) filter (where version is not null) over (partition by dimension, platform)
            - case when version is null then 0 else sent end
        )::bigint,
        (
            sum(confirmed) filter (where version is not null) over (partition by dimension, platform)
            - case when version is null then 0 else confirmed end
        )::bigint
    from coverage
$$;

ALTER FUNCTION afterpush.report_version_coverage(app text, from_hour timestamp with time zone, to_hour timestamp with time zone, first_statement_batch bigint) OWNER TO afterpush_owner;

--
-- Name: FUNCTION report_version_coverage(app text, from_hour timestamp with time zone, to_hour timestamp with time zone, first_statement_batch bigint); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.report_version_coverage(app text, from_hour timestamp with time zone, to_hour timestamp with time zone, first_statement_batch bigint) IS 'Confirmed sends by platform and by the version of the app and of the system, with those of other versions.';

--
-- Name: request_erasure(integer, text); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.request_erasure(app integer, device text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    hash bytea;
    hash_key integer;
begin
    -- Makes rows commit in the order of suppression_id, so that a collector that has read up to one has missed none.
    -- A row, because any login can lock a table with `prepare`, without a privilege.
    perform from afterpush.retention_state for update;
    -- A device that is on the list already keeps its hash; a new one is hashed with the oldest key.
    select afterpush.device_hash(device, k.inner_block, k.outer_block), k.key_id
    into hash, hash_key
    from afterpush.suppression_keys as k
    left join afterpush.suppressed_devices as s
        on s.app_id = app
        and s.device_hash = afterpush.device_hash(device, k.inner_block, k.outer_block)
    order by s.app_id is null, k.key_id
    limit 1;
    insert into afterpush.suppressed_devices (app_id, device_hash, key_id)
    values (app, hash, hash_key)
    on conflict do nothing;
    update afterpush.retention_state set announced_at = clock_timestamp();
    insert into afterpush.erasures as e (app_id, device_hash, device_id, phase)
    values (app, hash, device, 'announced')
    on conflict (app_id, device_hash) do update set
        device_id = excluded.device_id,
        phase = case when e.phase in ('done', 'searching') then 'announced' else e.phase end,
        requested_at = excluded.requested_at,
        rejected_checked = 0,
        finished_at = null;
end
$$;

ALTER FUNCTION afterpush.request_erasure(app integer, device text) OWNER TO afterpush_owner;

--
-- Name: FUNCTION request_erasure(app integer, device text); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.request_erasure(app integer, device text) IS 'Puts a device on the suppression list and requests its erasure.';

--
-- Name: reserve_names(integer[], text[], text[], text[], text[], integer[]); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.reserve_names(app_ids integer[], kinds text[], parents text[], names text[], sources text[], quotas integer[]) RETURNS integer[]
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    places bigint[];
    step record;
begin
    -- From here on, the arrays hold only what is neither declared nor reserved by a source as trustworthy. Most calls
    -- end here. (A scalar subquery, not `exists`, so that each name is one probe of the index.)
    select
        array_agg(n.app_id), array_agg(n.kind), array_agg(n.parent), array_agg(n.name), array_agg(n.source),
        array_agg(n.quota), array_agg(n.place)
    into app_ids, kinds, parents, names, sources, quotas, places
    from unnest(app_ids, kinds, parents, names, sources, quotas) with ordinality
        as n (app_id, kind, parent, name, source, quota, place)
    where coalesce((
            select u.source < n.source::afterpush.name_source
            from afterpush.undeclared_names as u
            where (u.app_id, u.kind, u.parent, u.name) = (n.app_id, n.kind, n.parent, n.name)
        ), true)
      and case n.kind
            when 'campaign' then not exists (
                select from afterpush.campaigns as c where (c.app_id, c.campaign_id) = (n.app_id, n.name)
            )
            when 'variant' then not exists (
                select from afterpush.campaign_variants as v
                where (v.app_id, v.campaign_id, v.variant) = (n.app_id, n.parent, n.name)
            )
            when 'category' then not exists (
                select from afterpush.categories as c where (c.app_id, c.category_id) = (n.app_id, n.name)
            )
            when 'category_version' then not exists (
                select from afterpush.categories as c
                where (c.app_id, c.category_id, c.version::text) = (n.app_id, n.parent, n.name)
            )
            when 'action' then not exists (
                select from afterpush.actions as a where (a.app_id, a.action_id) = (n.app_id, n.name)
            )
            else true
        end;
    if places is null then
        return '{}';
    end if;
    -- What has room. Parents come first, because nothing is added below a name that is past its quota; then the most
    -- trustworthy source, because every event may use what it adds. If all quotas are used up, no lock is taken.
    for step in
        select distinct g.has_parent, g.source
        from (
            select n.kind in ('variant', 'category_version') as has_parent, n.source
            from unnest(app_ids, kinds, parents, sources::afterpush.name_source[], quotas)
                as n (app_id, kind, parent, source, quota)
            group by n.app_id, n.kind, n.parent, n.source
            having min(n.quota) > (
                select count(*)
                from afterpush.undeclared_names as u
                where (u.app_id, u.kind, u.parent, u.source) = (n.app_id, n.kind, n.parent, n.source)
            )
        ) as g
        order by g.has_parent, g.source desc
    loop
        perform 1
        from afterpush.apps as a
        where a.app_id = any (app_ids)
        order by a.app_id
        for no key update;
        -- A statement of its own, so that its snapshot has what the previous holder of the lock added.
        insert into afterpush.undeclared_names (app_id, kind, parent, name, source)
        with new_names as materialized (
            select
                n.app_id, n.kind, n.parent, n.name, n.quota,
                row_number() over (partition by n.app_id, n.kind, n.parent order by n.place) as rank
            from unnest(app_ids, kinds, parents, names, sources::afterpush.name_source[], quotas) with ordinality
                as n (app_id, kind, parent, name, source, quota, place)
            where n.source = step.source
              and (n.kind in ('variant', 'category_version')) = step.has_parent
              and coalesce((
                    select u.source < n.source
                    from afterpush.undeclared_names as u
                    where (u.app_id, u.kind, u.parent, u.name) = (n.app_id, n.kind, n.parent, n.name)
                ), true)
              and case n.kind
                    when 'variant' then exists (
                        select from afterpush.campaigns as c where (c.app_id, c.campaign_id) = (n.app_id, n.parent)
                    ) or exists (
                        select from afterpush.undeclared_names as u
                        where (u.app_id, u.kind, u.parent, u.name) = (n.app_id, 'campaign', '', n.parent)
                    )
                    when 'category_version' then exists (
                        select from afterpush.categories as c where (c.app_id, c.category_id) = (n.app_id, n.parent)
                    ) or exists (
                        select from afterpush.undeclared_names as u
                        where (u.app_id, u.kind, u.parent, u.name) = (n.app_id, 'category', '', n.parent)
                    )
                    else true
                end
        ),
        remaining_quotas as materialized (
            select
                n.app_id, n.kind, n.parent,
                min(n.quota) - (
                    select count(*)
                    from afterpush.undeclared_names as u
                    where (u.app_id, u.kind, u.parent, u.source) = (n.app_id, n.kind, n.parent, step.source)
                ) as remaining
            from new_names as n
            group by n.app_id, n.kind, n.parent
        )
        select n.app_id, n.kind, n.parent, n.name, step.source
        from new_names as n
        join remaining_quotas as q using (app_id, kind, parent)
        where n.rank <= q.remaining
        order by n.app_id, n.kind, n.parent, n.name
        on conflict (app_id, kind, parent, name) do update set source = excluded.source;
    end loop;
    return (
        select coalesce(array_agg(n.place::integer), '{}')
        from unnest(app_ids, kinds, parents, names, places) as n (app_id, kind, parent, name, place)
        where coalesce((
            select false
            from afterpush.undeclared_names as u
            where (u.app_id, u.kind, u.parent, u.name) = (n.app_id, n.kind, n.parent, n.name)
        ), true)
    );
end
$$;

ALTER FUNCTION afterpush.reserve_names(app_ids integer[], kinds text[], parents text[], names text[], sources text[], quotas integer[]) OWNER TO afterpush_owner;

--
-- Name: FUNCTION reserve_names(app_ids integer[], kinds text[], parents text[], names text[], sources text[], quotas integer[]); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.reserve_names(app_ids integer[], kinds text[], parents text[], names text[], sources text[], quotas integer[]) IS 'Adds names that events use to undeclared_names, within quotas; returns the positions of those past a quota.';

--
-- Name: time_bucket(interval); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.time_bucket(duration interval) RETURNS smallint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (CASE WHEN (duration IS NULL) THEN ('-2'::integer)::double precision WHEN (duration < '00:00:00'::interval) THEN ('-1'::integer)::double precision WHEN (duration = '00:00:00'::interval) THEN (0)::double precision ELSE ((1)::double precision + floor((ln(((EXTRACT(epoch FROM duration))::double precision * ('1000000'::numeric)::double precision)) / ln((1.08)::double precision)))) END)::smallint;

ALTER FUNCTION afterpush.time_bucket(duration interval) OWNER TO afterpush_owner;

--
-- Name: FUNCTION time_bucket(duration interval); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.time_bucket(duration interval) IS 'The logarithmic bucket of a duration; -2 for null, -1 for a negative one, 0 for zero.';

--
-- Name: response_bucket(timestamp with time zone, timestamp with time zone); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.response_bucket(responded_at timestamp with time zone, reached_at timestamp with time zone) RETURNS smallint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN (responded_at IS NOT NULL) THEN afterpush.time_bucket((responded_at - reached_at)) ELSE NULL::smallint END;

ALTER FUNCTION afterpush.response_bucket(responded_at timestamp with time zone, reached_at timestamp with time zone) OWNER TO afterpush_owner;

--
-- Name: FUNCTION response_bucket(responded_at timestamp with time zone, reached_at timestamp with time zone); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.response_bucket(responded_at timestamp with time zone, reached_at timestamp with time zone) IS 'The bucket of the time from the confirmation, else the send, to the first response; null without a response.';

--
-- Name: response_deltas(afterpush.delivery_shape[]); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.response_deltas(shapes afterpush.delivery_shape[]) RETURNS afterpush.rollup_responses[]
    LANGUAGE plpgsql STABLE
    AS $$
begin
    return array(
        with modes as (
            select
                app_id, false as verified, anchor_hour, campaign_id, variant, category_id, platform, app_version,
                response_bucket as bucket, deliveries
            from unnest(shapes)
            where response_bucket is not null
            union all
            select
                app_id, true, anchor_hour, verified_campaign_id, verified_variant, verified_category_id,
                verified_platform, verified_app_version, verified_response_bucket, deliveries
            from unnest(shapes)
            cross join lateral afterpush.verified_names(
                verified_dimensions, platform, app_version, campaign_id, variant, category_id, category_version
            )
            where verified_response_bucket is not null
        ),
        summed as (
            select
                app_id, verified, anchor_hour, campaign_id, variant, category_id, platform, app_version, bucket,
                sum(deliveries)::integer
            from modes
            group by 1, 2, 3, 4, 5, 6, 7, 8, 9
            having sum(deliveries) <> 0
        )
        select row(s.*)::afterpush.rollup_responses
        from summed as s
    );
end
$$;

ALTER FUNCTION afterpush.response_deltas(shapes afterpush.delivery_shape[]) OWNER TO afterpush_owner;

--
-- Name: FUNCTION response_deltas(shapes afterpush.delivery_shape[]); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.response_deltas(shapes afterpush.delivery_shape[]) IS 'How a change of deliveries changes rollup_responses.';

--
-- Name: restore_suppression(text, bytea, bytea); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.restore_suppression(app_name text, hash bytea, key_bytes bytea) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    app integer;
    hash_key integer;
begin
    select app_id into app from afterpush.apps where name = app_name;
    if app is null then
        return null;
    end if;
    -- See request_erasure.
    perform from afterpush.retention_state for update;
    insert into afterpush.suppression_keys (key) values (key_bytes) on conflict (key) do nothing;
    select key_id into hash_key from afterpush.suppression_keys where key = key_bytes;
    insert into afterpush.suppressed_devices (app_id, device_hash, key_id)
    values (app, hash, hash_key)
    on conflict do nothing;
    if not found then
        return false;
    end if;
    update afterpush.retention_state set announced_at = clock_timestamp();
    insert into afterpush.erasures (app_id, device_hash, phase) values (app, hash, 'announced');
    return true;
end
$$;

ALTER FUNCTION afterpush.restore_suppression(app_name text, hash bytea, key_bytes bytea) OWNER TO afterpush_owner;

--
-- Name: FUNCTION restore_suppression(app_name text, hash bytea, key_bytes bytea); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.restore_suppression(app_name text, hash bytea, key_bytes bytea) IS 'Puts a device that is known only by its hash on the suppression list and requests its erasure.';

--
-- Name: erasures; Type: TABLE; Schema: afterpush; Owner: afterpush_owner
--

CREATE TABLE afterpush.erasures (
    app_id integer NOT NULL,
    device_hash bytea NOT NULL,
    device_id text COLLATE pg_catalog."C",
    phase text NOT NULL,
    requested_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    barrier_batch bigint,
    rejected_checked bigint DEFAULT 0 NOT NULL,
    events bigint DEFAULT 0 NOT NULL,
    replies bigint DEFAULT 0 NOT NULL,
    deliveries bigint DEFAULT 0 NOT NULL,
    rejected bigint DEFAULT 0 NOT NULL,
    finished_at timestamp with time zone,
    CONSTRAINT erasures_device_forgotten_when_done CHECK (((phase <> 'done'::text) OR (device_id IS NULL))),
    CONSTRAINT erasures_finished_when_done CHECK (((phase = 'done'::text) = (finished_at IS NOT NULL))),
    CONSTRAINT erasures_phase_check CHECK ((phase = ANY (ARRAY['announced'::text, 'merging'::text, 'searching'::text, 'erasing'::text, 'checking_rejected'::text, 'done'::text])))
);

ALTER TABLE afterpush.erasures OWNER TO afterpush_owner;

--
-- Name: TABLE erasures; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TABLE afterpush.erasures IS 'One row per erased device: the erasure job and its progress.';

--
-- Name: COLUMN erasures.app_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.erasures.app_id IS 'App from which the device is erased.';

--
-- Name: COLUMN erasures.device_hash; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.erasures.device_hash IS 'Hash of the device id, as in suppressed_devices.';

--
-- Name: COLUMN erasures.device_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.erasures.device_id IS 'Device id; null once the job is done, and until the device of a restored hash is found.';

--
-- Name: COLUMN erasures.phase; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.erasures.phase IS 'announced, merging (waits for batches), searching (for the device of a hash), erasing, checking_rejected or done.';

--
-- Name: COLUMN erasures.requested_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.erasures.requested_at IS 'When the erasure was last requested.';

--
-- Name: COLUMN erasures.barrier_batch; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.erasures.barrier_batch IS 'Last batch that may hold events of the device; null until the ingest barrier was passed.';

--
-- Name: COLUMN erasures.rejected_checked; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.erasures.rejected_checked IS 'Rejected events up to this rejection_id have been checked for the device.';

--
-- Name: COLUMN erasures.events; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.erasures.events IS 'Number of events deleted.';

--
-- Name: COLUMN erasures.replies; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.erasures.replies IS 'Number of replies deleted.';

--
-- Name: COLUMN erasures.deliveries; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.erasures.deliveries IS 'Number of deliveries made anonymous.';

--
-- Name: COLUMN erasures.rejected; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.erasures.rejected IS 'Number of rejected events deleted.';

--
-- Name: COLUMN erasures.finished_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.erasures.finished_at IS 'When the job was done; null until then.';

--
-- Name: retention_blocker(); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.retention_blocker() RETURNS text
    LANGUAGE sql STABLE
    RETURN CASE WHEN pg_is_in_recovery() THEN 'the server is a standby'::text WHEN (EXISTS (SELECT FROM afterpush.erasures WHERE ((erasures.finished_at IS NULL) AND (erasures.device_id IS NULL)))) THEN 'after the restore of a backup, devices on the suppression list are being erased again'::text WHEN (EXISTS (SELECT FROM afterpush.batches WHERE ((batches.rolled_up_at IS NULL) AND (batches.started_at < (now() - '00:10:00'::interval))))) THEN 'the rollups are more than ten minutes behind'::text ELSE NULL::text END;

ALTER FUNCTION afterpush.retention_blocker() OWNER TO afterpush_owner;

--
-- Name: FUNCTION retention_blocker(); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.retention_blocker() IS 'Returns why retention may not run at the moment; null if it may.';

--
-- Name: retention_cutoff(interval); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.retention_cutoff(period interval) RETURNS timestamp with time zone
    LANGUAGE sql STABLE
    RETURN COALESCE((date_trunc('month'::text, ((now() - period) AT TIME ZONE 'UTC'::text)) AT TIME ZONE 'UTC'::text), '-infinity'::timestamp with time zone);

ALTER FUNCTION afterpush.retention_cutoff(period interval) OWNER TO afterpush_owner;

--
-- Name: FUNCTION retention_cutoff(period interval); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.retention_cutoff(period interval) IS 'Returns the start of the oldest month within a retention period; -infinity if the period is null.';

--
-- Name: retention_plan(interval, interval, interval); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.retention_plan(events_period interval, deliveries_period interval, rejected_period interval) RETURNS TABLE(what text, item text, affected bigint)
    LANGUAGE sql STABLE
    AS $$
    select
        'events',
        p.partition,
        greatest(
            (select c.reltuples from pg_class as c where c.oid = ('afterpush.' || p.partition)::regclass), 0
        )::bigint
    from afterpush.expired_partitions(afterpush.retention_cutoff(events_period)) as p (partition)
    union all
    select 'events', 'in the default partition', count(*)
    from afterpush.events_default as e
    where e.occurred_at < afterpush.retention_cutoff(events_period)
      and not exists (
          select
          from afterpush.deliveries as d
          where d.delivery_id = e.delivery_id
            and afterpush.anchor_hour(d.verified_sent_at, d.receipt_issued_at, d.first_event_at)
                >= afterpush.retention_cutoff(events_period)
      )
    having count(*) > 0
    union all
    select
        'deliveries',
        'anchored before ' || afterpush.rfc3339(afterpush.retention_cutoff(deliveries_period)),
        count(*)
    from afterpush.deliveries as d
    where deliveries_period is not null
      and afterpush.anchor_hour(d.verified_sent_at, d.receipt_issued_at, d.first_event_at)
          < afterpush.retention_cutoff(deliveries_period)
    having count(*) > 0
    union all
    select 'replies', 'past the text retention of their category or app', count(*)
    from (
        select from afterpush.expired_replies
        union all
        select from afterpush.expired_waiting_replies
    ) as expired
    having count(*) > 0
    union all
    select 'rejected', 'arrived before ' || afterpush.rfc3339(now() - rejected_period), count(*)
    from afterpush.rejected_events
    where received_at < now() - rejected_period
    having count(*) > 0
$$;

ALTER FUNCTION afterpush.retention_plan(events_period interval, deliveries_period interval, rejected_period interval) OWNER TO afterpush_owner;

--
-- Name: FUNCTION retention_plan(events_period interval, deliveries_period interval, rejected_period interval); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.retention_plan(events_period interval, deliveries_period interval, rejected_period interval) IS 'Returns what retention would delete at the moment, a row per item.';

--
-- Name: rfc3339(timestamp with time zone); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.rfc3339(at timestamp with time zone) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN to_char((at AT TIME ZONE 'UTC'::text), 'YYYY-MM-DD"T"HH24:MI:SS"Z"'::text);

ALTER FUNCTION afterpush.rfc3339(at timestamp with time zone) OWNER TO afterpush_owner;

--
-- Name: FUNCTION rfc3339(at timestamp with time zone); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.rfc3339(at timestamp with time zone) IS 'A time as RFC 3339, UTC, in seconds.';

--
-- Name: roll_up(integer); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.roll_up(max_events integer) RETURNS integer
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET plan_cache_mode TO 'force_custom_plan'
    SET jit TO 'off'
    SET work_mem TO '64MB'
    SET hash_mem_multiplier TO '32'
    AS $$
declare
    sealed timestamptz;
    waiting record;
    merged afterpush.merge_result;
    counts afterpush.event_count[];
    -- About as many as a merge of the usual size notes ten times over; settling them takes about as long as that merge.
    max_device_changes constant integer := 20000;
begin
    select sealed_before into sealed from afterpush.rollup_worker for update skip locked;
    if not found then
        return null;
    end if;

    select * into waiting from afterpush.waiting_batches(max_events);
    if waiting.batch_ids is null then
        perform afterpush.settle_device_changes(max_device_changes)
        where exists (select from afterpush.rollup_device_changes);
        return 0;
    end if;
    if waiting.upgrades > 0 then
        perform afterpush.apply_upgrades(waiting.batch_ids, sealed);
    end if;

    merged := afterpush.merge_batches(waiting.batch_ids, sealed);
    perform afterpush.add_deliveries(merged.shapes);
    perform afterpush.add_actions(merged.shapes);
    perform afterpush.add_responses(merged.shapes);
    perform afterpush.add_device_changes(merged.shapes);

    counts := afterpush.event_counts(merged.event_shapes, waiting.batch_ids);
    if cardinality(merged.regrouped) > 0 then
        counts := counts || afterpush.moved_event_counts(merged.regrouped);
    end if;
    if sealed > '-infinity' then
        counts := array(select c from unnest(counts) as c where c.event_hour >= sealed);
    end if;
    perform afterpush.add_event_counts(counts);
    -- Batches have been waiting for long. Reports would become slow.
    if pg_relation_size('afterpush.rollup_device_changes') > 64 * 1024 * 1024 then
        perform afterpush.settle_device_changes(max_device_changes);
    end if;

    perform afterpush.release_waiting_replies(waiting.batch_ids) where exists (select from afterpush.waiting_replies);

    update afterpush.batches set rolled_up_at = clock_timestamp() where batch_id = any (waiting.batch_ids);
    return waiting.events + waiting.upgrades;
end
$$;

ALTER FUNCTION afterpush.roll_up(max_events integer) OWNER TO afterpush_owner;

--
-- Name: FUNCTION roll_up(max_events integer); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.roll_up(max_events integer) IS 'Merges waiting batches into deliveries and rollups; returns how many events, or null if another worker runs.';

--
-- Name: rollup_rebuild(); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.rollup_rebuild() RETURNS void
    LANGUAGE plpgsql
    SET jit TO 'off'
    SET parallel_tuple_cost TO '0.01'
    AS $$
declare
    sealed timestamptz;
begin
    -- A rebuild runs rarely and alone, so it may use the memory of maintenance.
    perform set_config('work_mem', current_setting('maintenance_work_mem'), true);
    select sealed_before into sealed from afterpush.rollup_worker for update;

    perform afterpush.rebuild_deliveries(sealed);

    create temporary table delivery_shapes on commit drop as
    select
        app_id, anchor_hour, app_version, campaign_id, variant, category_id, category_version, platform,
        verified_dimensions, kinds, verified_kinds,
        afterpush.response_bucket(responded_at, reached_at) as response_bucket,
        afterpush.response_bucket(verified_responded_at, verified_reached_at) as verified_response_bucket,
        afterpush.timed_actions(actions, reached_at, verified_reached_at) as actions,
        count(*)::integer as deliveries
    from afterpush.keyed_deliveries
    where anchor_hour >= sealed
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14;
    analyze pg_temp.delivery_shapes;

    perform afterpush.rebuild_rollup_deliveries(sealed);
    perform afterpush.rebuild_rollup_actions(sealed);
    perform afterpush.rebuild_rollup_responses(sealed);
    perform afterpush.rebuild_rollup_events(sealed);
    perform afterpush.rebuild_rollup_days(sealed);
    perform afterpush.rebuild_device_buckets(sealed);
end
$$;

ALTER FUNCTION afterpush.rollup_rebuild() OWNER TO afterpush_owner;

--
-- Name: FUNCTION rollup_rebuild(); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.rollup_rebuild() IS 'Recomputes deliveries from events and rollups from deliveries, for hours that are not sealed.';

--
-- Name: rollup_verify(); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.rollup_verify() RETURNS TABLE(layer text, difference text)
    LANGUAGE sql STABLE
    AS $$
    with sealed as (
        select sealed_before as hour from afterpush.rollup_worker
    ),
    waiting as (
        select coalesce(array_agg(batch_id), '{}') as ids from afterpush.batches where rolled_up_at is null
    ),
    stored_device_buckets as (
        select
            app_id, modes, anchor_day, campaign_id, variant, category_id, category_version, platform, kinds, actions,
            sum(device_buckets) as device_buckets
        from afterpush.device_bucket_counts
        group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
        having sum(device_buckets) <> 0
    ),
    merged as (
        select m.*
        from waiting
        cross join lateral afterpush.merged_deliveries(null, waiting.ids) as m
    )
    select 'deliveries', coalesce(merged.delivery_id, d.delivery_id)::text
    from merged
    full join afterpush.deliveries as d using (delivery_id)
    cross join sealed
    where merged is distinct from d
      and case
          when d.delivery_id is not null
          then afterpush.anchor_hour(d.verified_sent_at, d.receipt_issued_at, d.first_event_at)
          else afterpush.anchor_hour(merged.verified_sent_at, merged.receipt_issued_at, merged.first_event_at)
      end >= sealed.hour
      and (d.delivery_id is null or d.device_id is not null)
    union all
    select 'rollup_app_versions', difference::text
    from (
        (select * from afterpush.rollup_app_versions except all select * from afterpush.expected_app_versions)
        union all
        (select * from afterpush.expected_app_versions except all select * from afterpush.rollup_app_versions)
    ) as difference
    cross join sealed
    where anchor_hour >= sealed.hour
    union all
    select 'rollup_deliveries', difference::text
    from (
        (select * from afterpush.rollup_deliveries except all select * from afterpush.expected_deliveries)
        union all
        (select * from afterpush.expected_deliveries except all select * from afterpush.rollup_deliveries)
    ) as difference
    cross join sealed
    where anchor_hour >= sealed.hour
    union all
    select 'rollup_actions', difference::text
    from (
        (select * from afterpush.rollup_actions except all select * from afterpush.expected_actions)
        union all
        (select * from afterpush.expected_actions except all select * from afterpush.rollup_actions)
    ) as difference
    cross join sealed
    where anchor_hour >= sealed.hour
    union all
    select 'rollup_events', difference::text
    from (
        (select * from afterpush.rollup_events except all select * from afterpush.expected_events)
        union all
        (select * from afterpush.expected_events except all select * from afterpush.rollup_events)
    ) as difference
    cross join sealed
    where event_hour >= sealed.hour
    union all
    select 'rollup_event_hours', difference::text
    from (
        (select * from afterpush.rollup_event_hours except all select * from afterpush.summed_event_hours)
        union all
        (select * from afterpush.summed_event_hours except all select * from afterpush.rollup_event_hours)
    ) as difference
    cross join sealed
    where event_hour >= sealed.hour
    union all
    select 'rollup_responses', difference::text
    from (
        (select * from afterpush.rollup_responses except all select * from afterpush.expected_responses)
        union all
        (select * from afterpush.expected_responses except all select * from afterpush.rollup_responses)
    ) as difference
    cross join sealed
    where anchor_hour >= sealed.hour
    union all
    select 'rollup_goal_days', difference::text
    from (
        (select * from afterpush.rollup_goal_days except all select * from afterpush.summed_goal_days)
        union all
        (select * from afterpush.summed_goal_days except all select * from afterpush.rollup_goal_days)
    ) as difference
    cross join sealed
    where anchor_day >= afterpush.day_of(sealed.hour)
    union all
    select 'rollup_action_days', difference::text
    from (
        (select * from afterpush.rollup_action_days except all select * from afterpush.summed_action_days)
        union all
        (select * from afterpush.summed_action_days except all select * from afterpush.rollup_action_days)
    ) as difference
    cross join sealed
    where anchor_day >= afterpush.day_of(sealed.hour)
    union all
    select 'rollup_delivery_days', difference::text
    from (
        (select * from afterpush.rollup_delivery_days except all select * from afterpush.summed_delivery_days)
        union all
        (select * from afterpush.summed_delivery_days except all select * from afterpush.rollup_delivery_days)
    ) as difference
    cross join sealed
    where anchor_day >= afterpush.day_of(sealed.hour)
    union all
    select 'rollup_response_days', difference::text
    from (
        (select * from afterpush.rollup_response_days except all select * from afterpush.summed_response_days)
        union all
        (select * from afterpush.summed_response_days except all select * from afterpush.rollup_response_days)
    ) as difference
    cross join sealed
    where anchor_day >= afterpush.day_of(sealed.hour)
    union all
    -- Days that are sealed in part are left out: some of their deliveries may be gone, and there are no sums by hour.
    select 'rollup_device_buckets', difference::text
    from (
        (select * from stored_device_buckets except all select * from afterpush.expected_device_buckets)
        union all
        (select * from afterpush.expected_device_buckets except all select * from stored_device_buckets)
    ) as difference
    cross join sealed
    where anchor_day >= sealed.hour
    union all
    select 'rollup_device_bucket_totals', difference::text
    from (
        (select * from afterpush.rollup_device_bucket_totals except all select * from afterpush.summed_device_buckets)
        union all
        (select * from afterpush.summed_device_buckets except all select * from afterpush.rollup_device_bucket_totals)
    ) as difference
    cross join sealed
    where anchor_day >= sealed.hour
$$;

ALTER FUNCTION afterpush.rollup_verify() OWNER TO afterpush_owner;

--
-- Name: FUNCTION rollup_verify(); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.rollup_verify() IS 'Each difference between a layer and its recomputation from the layer before it; no rows if all is well.';

--
-- Name: run_erasure_step(integer); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.run_erasure_step(max integer) RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    job afterpush.erasures;
    erased record;
    announced_apps integer[];
    announced_hashes bytea[];
    last_batch bigint;
    checked bigint;
    next_checked bigint;
begin
    if not exists (select from afterpush.erasures where finished_at is null) then
        return 'idle';
    end if;
    perform from afterpush.rollup_worker for update skip locked;
    if not found then
        return 'busy';
    end if;

    -- Later batches are checked for suppressed events when they are stored; earlier ones are merged first.
    select array_agg(app_id), array_agg(device_hash)
    into announced_apps, announced_hashes
    from afterpush.erasures
    where phase = 'announced';
    if announced_apps is not null then
        -- Jobs that are announced while it waits have their turn in the next step.
        last_batch := afterpush.last_batch_before_barrier();
        update afterpush.erasures as e
        set phase = 'merging', barrier_batch = last_batch
        from unnest(announced_apps, announced_hashes) as a (app_id, device_hash)
        where e.app_id = a.app_id and e.device_hash = a.device_hash and e.phase = 'announced';
        return 'working';
    end if;
    update afterpush.erasures as e
    set phase = case when e.device_id is null then 'searching' else 'erasing' end
    where (e.phase = 'merging' or e.phase = 'searching' and e.device_id is not null)
      and not exists (
          select from afterpush.batches as b where b.rolled_up_at is null and b.batch_id <= e.barrier_batch
      );
    if found then
        return 'working';
    end if;

    select *
    into job
    from afterpush.erasures as e
    where e.phase = 'erasing'
    order by e.requested_at, e.app_id, e.device_hash
    limit 1;
    if found then
        select * into erased from afterpush.erase_device_chunk(job.app_id, job.device_id, max);
        update afterpush.erasures as e
        set phase = case
                when erased.events + erased.replies + erased.deliveries > 0 then 'erasing'
                else 'checking_rejected'
            end,
            events = e.events + erased.events,
            replies = e.replies + erased.replies,
            deliveries = e.deliveries + erased.deliveries
        where (e.app_id, e.device_hash) = (job.app_id, job.device_hash);
        return 'working';
    end if;
    if exists (select from afterpush.erasures where phase = 'searching') then
        return 'search';
    end if;

    -- For two seconds, collectors that don't know of the erasure yet may still store rejected events of the device.
    update afterpush.erasures as e
    set phase = 'done', device_id = null, finished_at = clock_timestamp()
    where e.phase = 'checking_rejected'
      and e.requested_at < clock_timestamp() - interval '2 seconds'
      and not exists (select from afterpush.rejected_events as r where r.rejection_id > e.rejected_checked);
    if found then
        return 'working';
    end if;
    select e.rejected_checked
    into checked
    from afterpush.erasures as e
    where e.phase = 'checking_rejected'
    order by e.requested_at, e.app_id, e.device_hash
    limit 1;
    if not found then
        return 'waiting';
    end if;
    select max(rejection_id)
    into next_checked
    from (
        select
            rejection_id,
            sum(octet_length(event)) over (order by rejection_id) - octet_length(event) as bytes_before
        from (
            select rejection_id, event
            from afterpush.rejected_events
            where rejection_id > checked
            order by rejection_id
            limit max * 10
        ) as r
    ) as page
    where coalesce(bytes_before, 0) < 1048576;
    if next_checked is null then
        return 'waiting';
    end if;
    with page as materialized (
        select r.rejection_id, r.app_id, afterpush.rejected_event_content(r.event) as content
        from afterpush.rejected_events as r
        where r.rejection_id > checked
          and r.rejection_id <= next_checked
    ),
    naming_events as materialized (
        select p.rejection_id, e.app_id, e.device_hash
        from page as p
        join afterpush.erasures as e
            on e.phase = 'checking_rejected'
            and e.app_id = p.app_id
            and afterpush.contains_id(p.content, e.device_id)
    ),
    deleted as (
        delete from afterpush.rejected_events as r
        using naming_events as n
        where r.rejection_id = n.rejection_id
    )
    update afterpush.erasures as e
    set rejected_checked = greatest(
            e.rejected_checked, case when e.rejected_checked >= checked then next_checked else 0 end
        ),
        rejected = e.rejected + (
            select count(*) from naming_events as n where (n.app_id, n.device_hash) = (e.app_id, e.device_hash)
        )
    where e.phase = 'checking_rejected';
    return 'working';
end
$$;

ALTER FUNCTION afterpush.run_erasure_step(max integer) OWNER TO afterpush_owner;

--
-- Name: FUNCTION run_erasure_step(max integer); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.run_erasure_step(max integer) IS 'Does the next step of erasure; returns idle, busy, waiting, search or working.';

--
-- Name: run_report(text, integer, bigint, bigint); Type: FUNCTION; Schema: afterpush; Owner: afterpush_confined
--

CREATE FUNCTION afterpush.run_report(statement text, columns integer, row_limit bigint, byte_limit bigint) RETURNS SETOF text[]
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    AS $_$
begin
    -- A function that was restored without its owner would run any statement as the role that restored it.
    if current_user <> 'afterpush_confined' then
        raise exception 'afterpush.run_report is owned by %, not by afterpush_confined', current_user
            using errcode = 'object_not_in_prerequisite_state';
    end if;
    return query execute format(
        $text$
        select
            case
                when coalesce(sum(pg_column_size(found) + 16 * %s) over (rows unbounded preceding) <= %L, true)
                then found
            end
        from (
            select array[%s]::text[] as found
            from (%s
            ) as report%s
            limit %L
        ) as rows
        $text$,
        columns,
        byte_limit,
        (select string_agg(format('c%s::text', n), ', ' order by n) from generate_series(1, columns) as n),
        statement,
        (select '(' || string_agg(format('c%s', n), ', ' order by n) || ')' from generate_series(1, columns) as n),
        row_limit
    );
end
$_$;

ALTER FUNCTION afterpush.run_report(statement text, columns integer, row_limit bigint, byte_limit bigint) OWNER TO afterpush_confined;

--
-- Name: FUNCTION run_report(statement text, columns integer, row_limit bigint, byte_limit bigint); Type: COMMENT; Schema: afterpush; Owner: afterpush_confined
--

COMMENT ON FUNCTION afterpush.run_report(statement text, columns integer, row_limit bigint, byte_limit bigint) IS 'Runs a report''s statement as afterpush_confined, which the statement cannot change; rows as text.';

--
-- Name: running_total_at(integer[], integer); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.running_total_at(times integer[], bucket integer) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN (bucket >= (times)[1]) THEN (times)[LEAST(((bucket - (times)[1]) + 2), cardinality(times))] ELSE 0 END;

ALTER FUNCTION afterpush.running_total_at(times integer[], bucket integer) OWNER TO afterpush_owner;

--
-- Name: FUNCTION running_total_at(times integer[], bucket integer); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.running_total_at(times integer[], bucket integer) IS 'The running total up to a bucket.';

--
-- Name: running_totals_of(smallint[], bigint[]); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.running_totals_of(buckets smallint[], counts bigint[]) RETURNS integer[]
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    AS $$
declare
    result integer[] := '{}';
    reached integer := 0;
begin
    for i in 1..coalesce(cardinality(buckets), 0) loop
        continue when buckets[i] < -1 or counts[i] = 0;
        if cardinality(result) = 0 then
            result := array[buckets[i]];
        end if;
        while result[1] + cardinality(result) <= buckets[i] loop
            result := result || reached;
        end loop;
        reached := reached + counts[i];
        result := result || reached;
    end loop;
    return result;
end
$$;

ALTER FUNCTION afterpush.running_totals_of(buckets smallint[], counts bigint[]) OWNER TO afterpush_owner;

--
-- Name: FUNCTION running_totals_of(buckets smallint[], counts bigint[]); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.running_totals_of(buckets smallint[], counts bigint[]) IS 'The running totals of counts by bucket; buckets must be in ascending order.';

--
-- Name: running_totals_quantile(integer[], integer); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.running_totals_quantile(times integer[], percent integer) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ((times)[1] + GREATEST((width_bucket((((((((times)[cardinality(times)])::bigint * percent) + 99) / 100) - 1))::integer, times) - 1), 0));

ALTER FUNCTION afterpush.running_totals_quantile(times integer[], percent integer) OWNER TO afterpush_owner;

--
-- Name: FUNCTION running_totals_quantile(times integer[], percent integer); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.running_totals_quantile(times integer[], percent integer) IS 'The bucket in which a quantile of running totals lies.';

--
-- Name: sample_ratio_design_effect(bigint, double precision[], double precision[]); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.sample_ratio_design_effect(total bigint, variances double precision[], weights double precision[]) RETURNS double precision
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN (SELECT CASE WHEN (count(*) > 1) THEN GREATEST((1)::double precision, (((sample_ratio_design_effect.total)::double precision / ((count(*) - 1))::double precision) * sum((shares.variance / (shares.weight / shares.weights))))) ELSE NULL::double precision END AS "case" FROM (SELECT u.variance, u.weight, sum(u.weight) OVER () AS weights FROM UNNEST(sample_ratio_design_effect.variances, sample_ratio_design_effect.weights) u(variance, weight) WHERE (u.weight > (0)::double precision)) shares);

ALTER FUNCTION afterpush.sample_ratio_design_effect(total bigint, variances double precision[], weights double precision[]) OWNER TO afterpush_owner;

--
-- Name: FUNCTION sample_ratio_design_effect(total bigint, variances double precision[], weights double precision[]); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.sample_ratio_design_effect(total bigint, variances double precision[], weights double precision[]) IS 'Returns the design effect of the numbers of deliveries of variants, at least 1; null for fewer than two variants.';

--
-- Name: sample_ratio_p(bigint[], double precision[], double precision); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.sample_ratio_p(counts bigint[], weights double precision[], design_effect double precision DEFAULT 1) RETURNS double precision
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
    select case
        when bool_or(n is null or w is null or n < 0 or w < 0 or w = 'nan' or w = 'infinity') then null
        when count(*) < 2 or sum(n) = 0 or max(share) is null then null
        when bool_or(share = 0 and n > 0) then 0
        else afterpush.chi_square_p(
            sum(
                case
                    when share > 0 and total > 0
                    then power(n - total * share / all_shares, 2) / (total * share / all_shares) / design_effect
                end
            ),
            (count(*) filter (where share > 0) - 1)::integer
        )
    end
    from (
        select *, sum(share) over () as all_shares, sum(n) over ()::double precision as total
        from (
            select
                n,
                w,
                case
                    when max(w) over () > 0 and w > max(w) over () * 1e-100 then w / max(w) over ()
                    when max(w) over () > 0 then 0
                end as share
            from unnest(counts, weights) as u (n, w)
        ) as weighted
    ) as totals
$$;

ALTER FUNCTION afterpush.sample_ratio_p(counts bigint[], weights double precision[], design_effect double precision) OWNER TO afterpush_owner;

--
-- Name: FUNCTION sample_ratio_p(counts bigint[], weights double precision[], design_effect double precision); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.sample_ratio_p(counts bigint[], weights double precision[], design_effect double precision) IS 'Returns the p-value of the chi-square test of counts against the weights that they should follow.';

--
-- Name: sample_ratio_p_anytime(bigint[], double precision[], double precision); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.sample_ratio_p_anytime(counts bigint[], weights double precision[], design_effect double precision DEFAULT 1) RETURNS double precision
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
declare
    largest constant double precision := (select max(w) from unnest(weights) as w);
    variants integer := 0;
    all_shares double precision := 0;
    total double precision := 0;
    shares double precision[];
    share double precision;
    expected double precision;
    e double precision;
    exponent double precision;
begin
    if cardinality(counts) < 2 or cardinality(counts) <> cardinality(weights)
        or exists (
            select
            from unnest(counts, weights) as u (n, w)
            where n is null or w is null or n < 0 or w < 0 or w = 'nan' or w = 'infinity'
        )
        or not largest > 0 or not design_effect >= 1 or design_effect = 'infinity'
        or (select sum(n) = 0 from unnest(counts) as n)
    then
        return null;
    end if;
    for i in 1..cardinality(counts) loop
        shares[i] := case when weights[i] > largest * 1e-100 then weights[i] / largest else 0 end;
        if shares[i] = 0 and counts[i] > 0 then
            return 0;
        end if;
        all_shares := all_shares + shares[i];
        variants := variants + (shares[i] > 0)::integer;
        total := total + counts[i] / design_effect;
    end loop;
    if variants < 2 then
        return null;
    end if;
    -- exponent: the logarithm of the Bayes factor
    exponent := ln(variants + total) / 2 + (variants - 1) * 0.918938533204672741780329736406::double precision
        - afterpush.stirling_error(variants + total) + afterpush.ln_gamma(variants);
    for i in 1..cardinality(counts) loop
        share := shares[i] / all_shares;
        continue when share = 0;
        expected := (variants + total) * share;
        e := (counts[i] / design_effect - total * share) / expected;
        exponent := exponent + expected * afterpush.entropy_term(e) - ln(expected * (1 + e)) / 2
            + afterpush.stirling_error(expected * (1 + e))
            -- ln Gamma(a) - a ln w, where Gamma(a) is Gamma(a + 1) / a because a may be close to 0
            - (afterpush.ln_gamma(variants * share + 1) - ln(variants * share)) + variants * share * ln(share);
    end loop;
    return case when exponent < 745 then exp(-greatest(exponent, 0)) else 0 end;
end
$$;

ALTER FUNCTION afterpush.sample_ratio_p_anytime(counts bigint[], weights double precision[], design_effect double precision) OWNER TO afterpush_owner;

--
-- Name: FUNCTION sample_ratio_p_anytime(counts bigint[], weights double precision[], design_effect double precision); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.sample_ratio_p_anytime(counts bigint[], weights double precision[], design_effect double precision) IS 'Returns the p-value, valid at every look, of counts against the weights that they should follow.';

--
-- Name: settle_device_changes(integer); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.settle_device_changes(max_rows integer) RETURNS void
    LANGUAGE plpgsql
    SET enable_hashjoin TO 'on'
    AS $$
declare
    deltas afterpush.rollup_device_buckets[];
    emptied tid[];
begin
    with taken as (
        delete from afterpush.rollup_device_changes
        where ctid = any (array(select ctid from afterpush.rollup_device_changes limit max_rows))
        returning *
    ),
    grouped as materialized (
        select
            row_number() over () as place, app_id, modes, anchor_day, campaign_id, variant, category_id,
            category_version, platform, kinds, actions,
            string_agg(come, '') as come,
            string_agg(gone, '') as gone
        from taken
        group by app_id, modes, anchor_day, campaign_id, variant, category_id, category_version, platform, kinds,
            actions
    ),
    counted as (
        select place, get_byte(come, i) & 127 as bucket, 1 as change
        from grouped
        cross join lateral generate_series(0, octet_length(come) - 1) as i
        union all
        select place, get_byte(gone, i) & 127, -1
        from grouped
        cross join lateral generate_series(0, octet_length(gone) - 1) as i
    ),
    packed as (
        select place, sum((change || 'e' || bucket * 8)::numeric) as device_buckets
        from (
            select place, bucket, sum(change) as change
            from counted
            group by 1, 2
            having sum(change) <> 0
        ) as changed
        group by place
    )
    select array_agg(
        row(
            app_id, modes, anchor_day, campaign_id, variant, category_id, category_version, platform, kinds, actions,
            device_buckets
        )::afterpush.rollup_device_buckets
    )
    into deltas
    from grouped
    join packed using (place);

    with added as (
        insert into afterpush.rollup_device_buckets as r
        select *
        from unnest(deltas)
        order by
            app_id, campaign_id, anchor_day, variant, category_id, category_version, platform, kinds, modes, actions
        on conflict (
            app_id, campaign_id, anchor_day, variant, category_id, category_version, platform, kinds, modes,
            afterpush.actions_key(actions)
        ) do update set device_buckets = r.device_buckets + excluded.device_buckets
        returning r.ctid as stored_row, r.device_buckets
    )
    select array_agg(stored_row) into emptied from added where device_buckets = 0;
    if emptied is not null then
        delete from afterpush.rollup_device_buckets where ctid = any (emptied);
    end if;

    with added as (
        insert into afterpush.rollup_device_bucket_totals as r
        select
            app_id, modes, anchor_day,
            case when actions = '{}' then '' else campaign_id end,
            case when actions = '{}' then '' else category_id end,
            case when actions = '{}' then 0 else category_version end,
            kinds, actions, sum(device_buckets)
        from unnest(deltas)
        group by 1, 2, 3, 4, 5, 6, 7, 8
        having sum(device_buckets) <> 0
        order by 1, 3, 4, 5, 6, 7, 2, 8
        on conflict (
            app_id, anchor_day, campaign_id, category_id, category_version, kinds, modes,
            afterpush.actions_key(actions)
        ) do update set device_buckets = r.device_buckets + excluded.device_buckets
        returning r.ctid as stored_row, r.device_buckets
    )
    select array_agg(stored_row) into emptied from added where device_buckets = 0;
    if emptied is not null then
        delete from afterpush.rollup_device_bucket_totals where ctid = any (emptied);
    end if;
end
$$;

ALTER FUNCTION afterpush.settle_device_changes(max_rows integer) OWNER TO afterpush_owner;

--
-- Name: FUNCTION settle_device_changes(max_rows integer); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.settle_device_changes(max_rows integer) IS 'Adds noted changes of deliveries by device bucket to the rollups of device buckets.';

--
-- Name: shapes_of(uuid[], timestamp with time zone, integer); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.shapes_of(delivery_ids uuid[], sealed timestamp with time zone, sign integer) RETURNS afterpush.delivery_shape[]
    LANGUAGE sql STABLE
    AS $$
    select array_agg(
        row(
            app_id, anchor_hour, app_version, campaign_id, variant, category_id, category_version, platform,
            verified_dimensions, kinds, verified_kinds,
            afterpush.response_bucket(responded_at, reached_at),
            afterpush.response_bucket(verified_responded_at, verified_reached_at),
            afterpush.timed_actions(actions, reached_at, verified_reached_at),
            sign,
            case when sign > 0 then afterpush.device_byte(delivery_id) end,
            case when sign < 0 then afterpush.device_byte(delivery_id) end
        )::afterpush.delivery_shape
    )
    from afterpush.keyed_deliveries
    where delivery_id = any (delivery_ids)
      and anchor_hour >= sealed
$$;

ALTER FUNCTION afterpush.shapes_of(delivery_ids uuid[], sealed timestamp with time zone, sign integer) OWNER TO afterpush_owner;

--
-- Name: FUNCTION shapes_of(delivery_ids uuid[], sealed timestamp with time zone, sign integer); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.shapes_of(delivery_ids uuid[], sealed timestamp with time zone, sign integer) IS 'The shapes of some stored deliveries that the rollups count, with a sign.';

--
-- Name: snapshot_sealed_goals(); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.snapshot_sealed_goals() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    sealed timestamptz := (select sealed_before from afterpush.rollup_worker);
    saved_before timestamptz := (
        select coalesce(max(g.sealed_before), '-infinity')
        from afterpush.sealed_goals as g
        where g.app_id = new.app_id
          and g.campaign_id = new.campaign_id
    );
    old_goals text[] := '{}';
begin
    if tg_op = 'UPDATE' then
        old_goals := old.goal_actions;
    end if;
    if sealed > saved_before and old_goals <> new.goal_actions then
        insert into afterpush.sealed_goals (app_id, campaign_id, sealed_from, sealed_before, goal_actions)
        values (new.app_id, new.campaign_id, saved_before, sealed, old_goals);
    end if;
    return null;
end
$$;

ALTER FUNCTION afterpush.snapshot_sealed_goals() OWNER TO afterpush_owner;

--
-- Name: FUNCTION snapshot_sealed_goals(); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.snapshot_sealed_goals() IS 'Trigger: saves the former goals of a campaign for the hours that are sealed when its goals change.';

--
-- Name: stated_fallbacks(uuid, bigint[], bigint[], boolean); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.stated_fallbacks(delivery uuid, only_batches bigint[], except_batches bigint[], has_stored boolean) RETURNS text[]
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
    select array[min(platform), min(app_version), min(campaign), min(category)]
    from (
        select
            (source_rank || platform) collate "C" as platform,
            (source_rank || app_version) collate "C" as app_version,
            afterpush.attribution_key(source_rank, campaign_id, variant) collate "C" as campaign,
            afterpush.attribution_key(
                source_rank, category_id, lpad(category_version::text, 10, '0')
            ) collate "C" as category
        from (
            select *, case kind when 'sent' then '4' else '5' end as source_rank
            from afterpush.events
            where delivery_id = delivery
              and not verified
              and kind in ('sent', 'delivered')
              and (only_batches is null or batch_id = any (only_batches))
              and (except_batches is null or batch_id <> all (except_batches))
        ) as e
        union all
        select
            case when platform_source_rank in (4, 5) then platform_source_rank || platform else fallbacks[1] end,
            case
                when app_version_source_rank in (4, 5) then app_version_source_rank || app_version
                else fallbacks[2]
            end,
            case
                when campaign_source_rank in (4, 5)
                then afterpush.attribution_key(campaign_source_rank::text, campaign_id, variant)
                else fallbacks[3]
            end,
            case
                when category_source_rank in (4, 5)
                then afterpush.attribution_key(
                    category_source_rank::text, category_id, lpad(category_version::text, 10, '0')
                )
                else fallbacks[4]
            end
        from afterpush.deliveries
        where has_stored
          and delivery_id = delivery
    ) as keys
$$;

ALTER FUNCTION afterpush.stated_fallbacks(delivery uuid, only_batches bigint[], except_batches bigint[], has_stored boolean) OWNER TO afterpush_owner;

--
-- Name: FUNCTION stated_fallbacks(delivery uuid, only_batches bigint[], except_batches bigint[], has_stored boolean); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.stated_fallbacks(delivery uuid, only_batches bigint[], except_batches bigint[], has_stored boolean) IS 'What unverified sends and confirmations state of a delivery, as attribution keys.';

--
-- Name: states(integer); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.states(kinds integer) RETURNS TABLE(is_sent boolean, is_confirmed boolean, failed integer, delivered integer, displayed integer, opened integer, replied integer, dismissed integer, read integer, responded integer, converted_events integer, replaced integer, refused integer)
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
    select
        afterpush.is_sent(kinds),
        afterpush.is_confirmed(kinds),
        afterpush.has_failed(kinds)::integer,
        afterpush.is_delivered(kinds)::integer,
        afterpush.is_displayed(kinds)::integer,
        afterpush.is_opened(kinds)::integer,
        afterpush.has_replied(kinds)::integer,
        afterpush.is_dismissed(kinds)::integer,
        afterpush.is_read(kinds)::integer,
        afterpush.has_responded(kinds)::integer,
        afterpush.has_converted_event(kinds)::integer,
        afterpush.is_replaced(kinds)::integer,
        (afterpush.has_failed(kinds) and not afterpush.is_replaced(kinds))::integer
$$;

ALTER FUNCTION afterpush.states(kinds integer) OWNER TO afterpush_owner;

--
-- Name: FUNCTION states(kinds integer); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.states(kinds integer) IS 'The states that a delivery''s kinds of events stand for.';

--
-- Name: stirling_error(double precision); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.stirling_error(x double precision) RETURNS double precision
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN CASE WHEN (x > (15)::double precision) THEN ((((1)::double precision / (12.0)::double precision) - (((((1)::double precision / (360.0)::double precision) - (((((1)::double precision / (1260.0)::double precision) - ((((1)::double precision / (1680.0)::double precision) / x) / x)) / x) / x)) / x) / x)) / x) ELSE ((afterpush.ln_gamma((x + (1)::double precision)) - ln(x)) - ((((x - (0.5)::double precision) * ln(x)) - x) + (0.918938533204672741780329736406)::double precision)) END;

ALTER FUNCTION afterpush.stirling_error(x double precision) OWNER TO afterpush_owner;

--
-- Name: FUNCTION stirling_error(x double precision); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.stirling_error(x double precision) IS 'Returns the error of Stirling''s formula for ln Gamma(x), x > 0.';

--
-- Name: stored_actions(uuid[]); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.stored_actions(delivery_ids uuid[]) RETURNS TABLE(delivery_id uuid, action_identifiers text[])
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    select e.delivery_id, array_agg(distinct e.action_identifier)
    from afterpush.events as e
    where e.delivery_id = any (delivery_ids)
      and e.kind in ('action', 'text_input')
      and e.verified
    group by e.delivery_id
$$;

ALTER FUNCTION afterpush.stored_actions(delivery_ids uuid[]) OWNER TO afterpush_owner;

--
-- Name: FUNCTION stored_actions(delivery_ids uuid[]); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.stored_actions(delivery_ids uuid[]) IS 'Returns the distinct actions of the verified events of each of the given deliveries.';

--
-- Name: student_t_p(double precision, double precision); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.student_t_p(t double precision, df double precision) RETURNS double precision
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
declare
    a double precision := df / 2;
    b double precision := 0.5;
    x double precision;
    y double precision;
    swapped boolean;
    exponent double precision;
    numerator double precision;
    c double precision := 1;
    d double precision;
    fraction double precision;
    step double precision;
    result double precision;
begin
    if not (df > 0 and df <= 1e4) or t = 'nan' then
        return null;
    elsif abs(t) < 1e-150 then
        return 1;
    elsif abs(t) > 1e100 then
        return 0;
    end if;
    x := df / (df + t * t);
    y := t * t / (df + t * t);
    exponent := afterpush.ln_gamma(a + b) - afterpush.ln_gamma(a) - afterpush.ln_gamma(b) + a * ln(x) + b * ln(y);
    swapped := x > (a + 1) / (a + b + 2);
    if swapped then
        x := y;
        b := a;
        a := 0.5;
    end if;
    d := 1 / (1 - (a + b) * x / (a + 1));
    fraction := d;
    for m in 1..20000 loop
        numerator := m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        d := 1 / (1 + numerator * d);
        c := 1 + numerator / c;
        fraction := fraction * c * d;
        numerator := -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        d := 1 / (1 + numerator * d);
        c := 1 + numerator / c;
        step := c * d;
        fraction := fraction * step;
        exit when abs(step - 1) < 1e-16;
    end loop;
    exponent := exponent + ln(fraction / a);
    result := case when exponent > -745 then least(exp(exponent), 1) else 0 end;
    return case when swapped then 1 - result else result end;
end
$$;

ALTER FUNCTION afterpush.student_t_p(t double precision, df double precision) OWNER TO afterpush_owner;

--
-- Name: FUNCTION student_t_p(t double precision, df double precision); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.student_t_p(t double precision, df double precision) IS 'Returns the two-sided p-value of Student''s t; null outside 0 < df <= 10^4.';

--
-- Name: student_t_quantile(double precision); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.student_t_quantile(df double precision) RETURNS double precision
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
declare
    z constant double precision := 1.959963984540054;
    t double precision;
    density double precision;
    step double precision;
begin
    if not (df >= 1) or df = 'nan' then
        return null;
    elsif df >= 300 then
        return z
            + (power(z, 3) + z) / 4 / df
            + (5 * power(z, 5) + 16 * power(z, 3) + 3 * z) / 96 / df / df
            + (3 * power(z, 7) + 19 * power(z, 5) + 17 * power(z, 3) - 15 * z) / 384 / df / df / df
            + (79 * power(z, 9) + 776 * power(z, 7) + 1482 * power(z, 5) - 1920 * power(z, 3) - 945 * z) / 92160
                / df / df / df / df;
    end if;
    t := z;
    for i in 1..200 loop
        density := exp(
            afterpush.ln_gamma((df + 1) / 2) - afterpush.ln_gamma(df / 2) - ln(df * pi()) / 2
            - (df + 1) / 2 * ln(1 + t * t / df)
        );
        step := (afterpush.student_t_p(t, df) - 0.05) / (2 * density);
        t := t + step;
        exit when abs(step) < 1e-13 * t;
    end loop;
    return t;
end
$$;

ALTER FUNCTION afterpush.student_t_quantile(df double precision) OWNER TO afterpush_owner;

--
-- Name: FUNCTION student_t_quantile(df double precision); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.student_t_quantile(df double precision) IS 'Returns the quantile of 0.975 of Student''s t distribution; null below 1 degree of freedom.';

--
-- Name: suppressed_events(integer[], text[], timestamp with time zone[]); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.suppressed_events(app_ids integer[], device_ids text[], times timestamp with time zone[]) RETURNS TABLE(place integer, is_late boolean)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    select e.place::integer, e.occurred_at < r.rejected_before
    from unnest(app_ids, device_ids, times) with ordinality as e (app_id, device_id, occurred_at, place)
    cross join afterpush.retention_state as r
    where e.occurred_at < r.rejected_before
       or exists (
           select
           from afterpush.suppression_keys as k
           join afterpush.suppressed_devices as s using (key_id)
           where s.app_id = e.app_id
             and s.device_hash = afterpush.device_hash(e.device_id, k.inner_block, k.outer_block)
       )
$$;

ALTER FUNCTION afterpush.suppressed_events(app_ids integer[], device_ids text[], times timestamp with time zone[]) OWNER TO afterpush_owner;

--
-- Name: FUNCTION suppressed_events(app_ids integer[], device_ids text[], times timestamp with time zone[]); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.suppressed_events(app_ids integer[], device_ids text[], times timestamp with time zone[]) IS 'Returns the positions of the given events that are from before the announced seal or of erased devices.';

--
-- Name: timed_action_list(afterpush.delivery_action[], timestamp with time zone, timestamp with time zone); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.timed_action_list(actions afterpush.delivery_action[], reached_at timestamp with time zone, verified_reached_at timestamp with time zone) RETURNS afterpush.timed_actions
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (SELECT ROW(array_agg(a.action_id), array_agg(afterpush.time_bucket((LEAST(a.unverified_first_at, a.verified_first_at) - timed_action_list.reached_at))), array_agg((a.unverified_events + a.verified_events)), array_agg(afterpush.time_bucket((a.verified_first_at - timed_action_list.verified_reached_at))), array_agg(a.verified_events))::afterpush.timed_actions AS "row" FROM unnest(timed_action_list.actions) a(action_id, unverified_first_at, unverified_events, verified_first_at, verified_events));

ALTER FUNCTION afterpush.timed_action_list(actions afterpush.delivery_action[], reached_at timestamp with time zone, verified_reached_at timestamp with time zone) OWNER TO afterpush_owner;

--
-- Name: FUNCTION timed_action_list(actions afterpush.delivery_action[], reached_at timestamp with time zone, verified_reached_at timestamp with time zone); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.timed_action_list(actions afterpush.delivery_action[], reached_at timestamp with time zone, verified_reached_at timestamp with time zone) IS 'The actions of a delivery with their time buckets, for several actions.';

--
-- Name: timed_actions(afterpush.delivery_action[], timestamp with time zone, timestamp with time zone); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.timed_actions(actions afterpush.delivery_action[], reached_at timestamp with time zone, verified_reached_at timestamp with time zone) RETURNS afterpush.timed_actions
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN (cardinality(actions) = 1) THEN ROW(ARRAY[(actions)[1].action_id], ARRAY[afterpush.time_bucket((LEAST((actions)[1].unverified_first_at, (actions)[1].verified_first_at) - reached_at))], ARRAY[((actions)[1].unverified_events + (actions)[1].verified_events)], ARRAY[afterpush.time_bucket(((actions)[1].verified_first_at - verified_reached_at))], ARRAY[(actions)[1].verified_events])::afterpush.timed_actions WHEN (actions IS NOT NULL) THEN afterpush.timed_action_list(actions, reached_at, verified_reached_at) ELSE NULL::afterpush.timed_actions END;

ALTER FUNCTION afterpush.timed_actions(actions afterpush.delivery_action[], reached_at timestamp with time zone, verified_reached_at timestamp with time zone) OWNER TO afterpush_owner;

--
-- Name: FUNCTION timed_actions(actions afterpush.delivery_action[], reached_at timestamp with time zone, verified_reached_at timestamp with time zone); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.timed_actions(actions afterpush.delivery_action[], reached_at timestamp with time zone, verified_reached_at timestamp with time zone) IS 'The actions of a delivery with their time buckets; null for none.';

--
-- Name: touched_deliveries(bigint[], timestamp with time zone); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.touched_deliveries(batches bigint[], sealed timestamp with time zone) RETURNS SETOF afterpush.touched_delivery
    LANGUAGE sql STABLE
    AS $$
    select
        stored_row, is_frozen, delivery_id, app_id, kinds, verified_kinds,
        afterpush.attribution_source_rank(platform_key),
        afterpush.attribution_source_rank(app_version_key),
        afterpush.attribution_source_rank(campaign_key),
        afterpush.attribution_source_rank(category_key),
        afterpush.attribution_detail(category_key)::integer,
        first_event_at, sent_at, receipt_issued_at, confirmed_at, responded_at,
        verified_sent_at, verified_confirmed_at, verified_responded_at, notification_id, device_id,
        substr(platform_key, 2),
        substr(app_version_key, 2),
        afterpush.attribution_value(campaign_key),
        afterpush.attribution_detail(campaign_key),
        afterpush.attribution_value(category_key),
        case
            when may_have_fallbacks
                and afterpush.has_rank_3(platform_key, app_version_key, campaign_key, category_key)
            then afterpush.kept_fallbacks(
                afterpush.stated_fallbacks(delivery_id, batches, null, true),
                platform_key, app_version_key, campaign_key, category_key
            )
        end,
        actions,
        afterpush.anchor_hour(verified_sent_at, receipt_issued_at, first_event_at),
        event_hours, event_codes,
        old_kinds, old_verified_kinds, old_category_version, old_responded_at, old_reached_at,
        old_verified_responded_at, old_verified_reached_at, old_platform, old_app_version, old_campaign_id,
        old_variant, old_category_id, old_verified_dimensions, old_actions, old_anchor_hour
    from (
        select
            *,
            afterpush.effective_attribution(
                first_platform_key,
                case when may_have_fallbacks then afterpush.stated_fallbacks(delivery_id, batches, null, true) end,
                1, kinds, verified_kinds
            ) as platform_key,
            afterpush.effective_attribution(
                first_app_version_key,
                case when may_have_fallbacks then afterpush.stated_fallbacks(delivery_id, batches, null, true) end,
                2, kinds, verified_kinds
            ) as app_version_key,
            afterpush.effective_attribution(
                first_campaign_key,
                case when may_have_fallbacks then afterpush.stated_fallbacks(delivery_id, batches, null, true) end,
                3, kinds, verified_kinds
            ) as campaign_key,
            afterpush.effective_attribution(
                first_category_key,
                case when may_have_fallbacks then afterpush.stated_fallbacks(delivery_id, batches, null, true) end,
                4, kinds, verified_kinds
            ) as category_key
        from (
            select
                d.ctid as stored_row,
                d.delivery_id is not null and sealed > '-infinity'
                    and afterpush.anchor_hour(d.verified_sent_at, d.receipt_issued_at, d.first_event_at) < sealed
                    and not exists (select from afterpush.late_deliveries as l where l.delivery_id = d.delivery_id)
                as is_frozen,
                t.delivery_id,
                t.app_id,
                t.kinds | coalesce(d.kinds, 0) as kinds,
                t.verified_kinds | coalesce(d.verified_kinds, 0) as verified_kinds,
                least(t.platform, d.platform_source_rank || d.platform) as first_platform_key,
                least(t.app_version, d.app_version_source_rank || d.app_version) as first_app_version_key,
                least(
                    t.campaign, afterpush.attribution_key(d.campaign_source_rank::text, d.campaign_id, d.variant)
                ) as first_campaign_key,
                least(
                    t.category,
                    afterpush.attribution_key(
                        d.category_source_rank::text, d.category_id, lpad(d.category_version::text, 10, '0')
                    )
                ) as first_category_key,
                d.fallbacks is not null
                    or d.platform_source_rank in (4, 5) or d.app_version_source_rank in (4, 5)
                    or d.campaign_source_rank in (4, 5) or d.category_source_rank in (4, 5)
                    or afterpush.has_unverified_evidence(t.event_codes)
                as may_have_fallbacks,
                case
                    when t.verified_kinds = 0 and d.verified_kinds <> 0 then d.first_event_at
                    when t.verified_kinds <> 0 and d.verified_kinds = 0 then t.first_event_at
                    else least(t.first_event_at, d.first_event_at)
                end as first_event_at,
                least(t.sent_at, d.sent_at) as sent_at,
                case
                    when t.verified_kinds = 0 and d.verified_kinds <> 0 then d.receipt_issued_at
                    when t.verified_kinds <> 0 and d.verified_kinds = 0 then t.receipt_issued_at
                    else least(t.receipt_issued_at, d.receipt_issued_at)
                end as receipt_issued_at,
                least(t.confirmed_at, d.confirmed_at) as confirmed_at,
                least(t.responded_at, d.responded_at) as responded_at,
                least(t.verified_sent_at, d.verified_sent_at) as verified_sent_at,
                least(t.verified_confirmed_at, d.verified_confirmed_at) as verified_confirmed_at,
                least(t.verified_responded_at, d.verified_responded_at) as verified_responded_at,
                t.notification_id,
                t.device_id,
                case
                    when t.actions is null then d.actions
                    when d.actions is null and cardinality(t.actions) = 1 then t.actions
                    else afterpush.merged_actions(t.actions || d.actions)
                end as actions,
                t.event_hours,
                t.event_codes,
                d.kinds as old_kinds,
                d.verified_kinds as old_verified_kinds,
                d.category_version as old_category_version,
                d.responded_at as old_responded_at,
                coalesce(d.confirmed_at, d.sent_at) as old_reached_at,
                d.verified_responded_at as old_verified_responded_at,
                coalesce(d.verified_confirmed_at, d.verified_sent_at) as old_verified_reached_at,
                d.platform as old_platform,
                d.app_version as old_app_version,
                d.campaign_id as old_campaign_id,
                d.variant as old_variant,
                d.category_id as old_category_id,
                afterpush.verified_dimensions(
                    d.platform_source_rank, d.app_version_source_rank, d.campaign_source_rank, d.category_source_rank
                ) as old_verified_dimensions,
                d.actions as old_actions,
                afterpush.anchor_hour(d.verified_sent_at, d.receipt_issued_at, d.first_event_at) as old_anchor_hour
            from afterpush.delivery_deltas(batches, null) as t
            left join afterpush.deliveries as d on d.delivery_id = t.delivery_id
            offset 0
        ) as combined
        offset 0
    ) as keyed
$$;

ALTER FUNCTION afterpush.touched_deliveries(batches bigint[], sealed timestamp with time zone) OWNER TO afterpush_owner;

--
-- Name: FUNCTION touched_deliveries(batches bigint[], sealed timestamp with time zone); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.touched_deliveries(batches bigint[], sealed timestamp with time zone) IS 'The deliveries that some batches touch: their new state, and what the rollups counted of their old one.';

--
-- Name: two_proportion_p(bigint, bigint, bigint, bigint, double precision, double precision); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.two_proportion_p(k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision DEFAULT 1, design_effect0 double precision DEFAULT 1) RETURNS double precision
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN CASE WHEN ((n1 > 0) AND (n0 > 0) AND ((k1 >= 0) AND (k1 <= n1)) AND ((k0 >= 0) AND (k0 <= n0))) THEN CASE WHEN (((k1 + k0) = 0) OR ((k1 + k0) = (n1 + n0))) THEN (1.0)::double precision WHEN ((design_effect1 = (1)::double precision) AND (design_effect0 = (1)::double precision)) THEN afterpush.gamma_q((0.5)::double precision, ((((power((((k1)::numeric * (n0)::numeric) - ((k0)::numeric * (n1)::numeric)), (2)::numeric) * ((n1 + n0))::numeric) / ((((n1)::numeric * (n0)::numeric) * ((k1 + k0))::numeric) * ((((n1 + n0) - k1) - k0))::numeric)))::double precision / (2)::double precision)) ELSE (SELECT afterpush.gamma_q((0.5)::double precision, ((power(afterpush.difference(two_proportion_p.k1, two_proportion_p.n1, two_proportion_p.k0, two_proportion_p.n0), (2)::double precision) / ((pooled.p * pooled.q) * ((two_proportion_p.design_effect1 / (two_proportion_p.n1)::double precision) + (two_proportion_p.design_effect0 / (two_proportion_p.n0)::double precision)))) / (2)::double precision)) AS gamma_q FROM (SELECT ((((two_proportion_p.k1)::double precision / two_proportion_p.design_effect1) + ((two_proportion_p.k0)::double precision / two_proportion_p.design_effect0)) / (((two_proportion_p.n1)::double precision / two_proportion_p.design_effect1) + ((two_proportion_p.n0)::double precision / two_proportion_p.design_effect0))) AS "?column?", (((((two_proportion_p.n1 - two_proportion_p.k1))::double precision / two_proportion_p.design_effect1) + (((two_proportion_p.n0 - two_proportion_p.k0))::double precision / two_proportion_p.design_effect0)) / (((two_proportion_p.n1)::double precision / two_proportion_p.design_effect1) + ((two_proportion_p.n0)::double precision / two_proportion_p.design_effect0))) AS "?column?") pooled(p, q)) END ELSE NULL::double precision END;

ALTER FUNCTION afterpush.two_proportion_p(k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision) OWNER TO afterpush_owner;

--
-- Name: FUNCTION two_proportion_p(k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.two_proportion_p(k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision) IS 'Returns the two-sided p-value of the pooled two-proportion test; null unless both are proportions.';

--
-- Name: unpacked_buckets(numeric); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.unpacked_buckets(packed numeric) RETURNS bigint[]
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
declare
    -- to_char puts a comma after each bucket, faster than a loop that takes the digits apart.
    pattern constant text := 'FM' || repeat('00000000,', 127) || '00000000';
    last_first bigint[];
begin
    if packed not between 0 and 1e1024::numeric - 1 then
        return null;
    end if;
    last_first := '{' || to_char(packed, pattern) || '}';
    return array(select last_first[i] from generate_series(128, 1, -1) as i);
end
$$;

ALTER FUNCTION afterpush.unpacked_buckets(packed numeric) OWNER TO afterpush_owner;

--
-- Name: FUNCTION unpacked_buckets(packed numeric); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.unpacked_buckets(packed numeric) IS 'The numbers of deliveries in each device bucket, from packed ones.';

--
-- Name: verified_dimensions(smallint, smallint, smallint, smallint); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.verified_dimensions(platform_source_rank smallint, app_version_source_rank smallint, campaign_source_rank smallint, category_source_rank smallint) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (((((platform_source_rank <= 3))::integer + (((app_version_source_rank <= 3))::integer * 2)) + (((campaign_source_rank <= 3))::integer * 4)) + (((category_source_rank <= 3))::integer * 8));

ALTER FUNCTION afterpush.verified_dimensions(platform_source_rank smallint, app_version_source_rank smallint, campaign_source_rank smallint, category_source_rank smallint) OWNER TO afterpush_owner;

--
-- Name: FUNCTION verified_dimensions(platform_source_rank smallint, app_version_source_rank smallint, campaign_source_rank smallint, category_source_rank smallint); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.verified_dimensions(platform_source_rank smallint, app_version_source_rank smallint, campaign_source_rank smallint, category_source_rank smallint) IS 'The dimensions that verified events state, a bit each.';

--
-- Name: verified_names(integer, text, text, text, text, text, integer); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.verified_names(verified_dimensions integer, platform text, app_version text, campaign_id text, variant text, category_id text, category_version integer) RETURNS TABLE(verified_platform text, verified_app_version text, verified_campaign_id text, verified_variant text, verified_category_id text, verified_category_version integer)
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
    select
        case when verified_dimensions & 1 <> 0 then platform else '' end,
        case when verified_dimensions & 2 <> 0 then app_version else '' end,
        case when verified_dimensions & 4 <> 0 then campaign_id else '' end,
        case when verified_dimensions & 4 <> 0 then variant else '' end,
        case when verified_dimensions & 8 <> 0 then category_id else '' end,
        case when verified_dimensions & 8 <> 0 then category_version else 0 end
$$;

ALTER FUNCTION afterpush.verified_names(verified_dimensions integer, platform text, app_version text, campaign_id text, variant text, category_id text, category_version integer) OWNER TO afterpush_owner;

--
-- Name: FUNCTION verified_names(verified_dimensions integer, platform text, app_version text, campaign_id text, variant text, category_id text, category_version integer); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.verified_names(verified_dimensions integer, platform text, app_version text, campaign_id text, variant text, category_id text, category_version integer) IS 'The dimensions of a delivery as far as verified events state them; empty and 0 where they don''t.';

--
-- Name: waiting_batches(integer); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.waiting_batches(max_events integer, OUT batch_ids bigint[], OUT events bigint, OUT upgrades bigint) RETURNS record
    LANGUAGE sql STABLE
    AS $$
    select array_agg(batch_id order by batch_id), sum(events)::bigint, sum(upgrades)::bigint
    from (
        select batch_id, events, upgrades, sum(events) over (order by batch_id) - events as events_before
        from (
            select batch_id, events, upgrades
            from afterpush.batches
            where rolled_up_at is null
            order by batch_id
            limit 1000
        ) as oldest
    ) as waiting
    where events_before < max_events
$$;

ALTER FUNCTION afterpush.waiting_batches(max_events integer, OUT batch_ids bigint[], OUT events bigint, OUT upgrades bigint) OWNER TO afterpush_owner;

--
-- Name: FUNCTION waiting_batches(max_events integer, OUT batch_ids bigint[], OUT events bigint, OUT upgrades bigint); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.waiting_batches(max_events integer, OUT batch_ids bigint[], OUT events bigint, OUT upgrades bigint) IS 'The oldest batches that are not merged yet, up to about a number of events.';

--
-- Name: was_attempted(integer); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.was_attempted(kinds integer) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ((kinds & (1 | 2)) <> 0);

ALTER FUNCTION afterpush.was_attempted(kinds integer) OWNER TO afterpush_owner;

--
-- Name: FUNCTION was_attempted(kinds integer); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.was_attempted(kinds integer) IS 'Whether a set of kinds includes sent or failed.';

--
-- Name: welch_margin(double precision, double precision, double precision, double precision); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.welch_margin(variance1 double precision, n1 double precision, variance0 double precision, n0 double precision) RETURNS double precision
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN CASE WHEN (NOT ((n1 > (1)::double precision) AND (n0 > (1)::double precision) AND (variance1 >= (0)::double precision) AND (variance0 >= (0)::double precision))) THEN NULL::double precision WHEN ((variance1 = (0)::double precision) AND (variance0 = (0)::double precision)) THEN (0.0)::double precision ELSE (afterpush.student_t_quantile(((1)::double precision / ((power(((variance1 / n1) / ((variance1 / n1) + (variance0 / n0))), (2)::double precision) / (n1 - (1)::double precision)) + (power(((variance0 / n0) / ((variance1 / n1) + (variance0 / n0))), (2)::double precision) / (n0 - (1)::double precision))))) * sqrt(((variance1 / n1) + (variance0 / n0)))) END;

ALTER FUNCTION afterpush.welch_margin(variance1 double precision, n1 double precision, variance0 double precision, n0 double precision) OWNER TO afterpush_owner;

--
-- Name: FUNCTION welch_margin(variance1 double precision, n1 double precision, variance0 double precision, n0 double precision); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.welch_margin(variance1 double precision, n1 double precision, variance0 double precision, n0 double precision) IS 'Returns half the width of Welch''s interval of a difference of means at 95 %; null unless both n are over 1.';

--
-- Name: welch_high(double precision, double precision, double precision, double precision, double precision, double precision); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.welch_high(mean1 double precision, variance1 double precision, n1 double precision, mean0 double precision, variance0 double precision, n0 double precision) RETURNS double precision
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN ((mean1 - mean0) + afterpush.welch_margin(variance1, n1, variance0, n0));

ALTER FUNCTION afterpush.welch_high(mean1 double precision, variance1 double precision, n1 double precision, mean0 double precision, variance0 double precision, n0 double precision) OWNER TO afterpush_owner;

--
-- Name: FUNCTION welch_high(mean1 double precision, variance1 double precision, n1 double precision, mean0 double precision, variance0 double precision, n0 double precision); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.welch_high(mean1 double precision, variance1 double precision, n1 double precision, mean0 double precision, variance0 double precision, n0 double precision) IS 'Returns the upper bound of Welch''s interval of the difference mean1 - mean0 at 95 %.';

--
-- Name: welch_low(double precision, double precision, double precision, double precision, double precision, double precision); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.welch_low(mean1 double precision, variance1 double precision, n1 double precision, mean0 double precision, variance0 double precision, n0 double precision) RETURNS double precision
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN ((mean1 - mean0) - afterpush.welch_margin(variance1, n1, variance0, n0));

ALTER FUNCTION afterpush.welch_low(mean1 double precision, variance1 double precision, n1 double precision, mean0 double precision, variance0 double precision, n0 double precision) OWNER TO afterpush_owner;

--
-- Name: FUNCTION welch_low(mean1 double precision, variance1 double precision, n1 double precision, mean0 double precision, variance0 double precision, n0 double precision); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.welch_low(mean1 double precision, variance1 double precision, n1 double precision, mean0 double precision, variance0 double precision, n0 double precision) IS 'Returns the lower bound of Welch''s interval of the difference mean1 - mean0 at 95 %.';

--
-- Name: without_json_escapes(text); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.without_json_escapes(escaped text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
    select string_agg(
        case
            when piece !~ '^\\.' then piece
            when piece !~ '^\\u.' then translate(substr(piece, 2), 'bfnrt', E'\b\f\n\r\t')
            when length(piece) = 12 then chr(65536 + ((unit & 1023) << 10) + (second_unit & 1023))
            when unit = 0 or unit between 55296 and 57343 then E'\uFFFD'
            else chr(unit)
        end, '' order by place
    )
    from (
        select
            pieces[1] as piece,
            place,
            case when pieces[1] ~ '^\\u.' then ('x0000' || substr(pieces[1], 3, 4))::bit(32)::integer end as unit,
            case when pieces[1] ~ '^\\u.{10}' then ('x0000' || substr(pieces[1], 9, 4))::bit(32)::integer end
                as second_unit
        from regexp_matches(
            escaped,
            '\\u[Dd][89ABab][0-9A-Fa-f]{2}\\u[Dd][C-Fc-f][0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4}|\\.|\\|[^\\]+', 'g'
        ) with ordinality as found (pieces, place)
    ) as code_units
$$;

ALTER FUNCTION afterpush.without_json_escapes(escaped text) OWNER TO afterpush_owner;

--
-- Name: FUNCTION without_json_escapes(escaped text); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.without_json_escapes(escaped text) IS 'Returns a text with the escapes of JSON resolved.';

--
-- Name: without_percent_encoding(text); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.without_percent_encoding(encoded text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
    select string_agg(
        case
            when pieces[1] ~ '^%.' then convert_from(decode(replace(pieces[1], '%', ''), 'hex'), 'UTF8')
            else pieces[1]
        end, '' order by place
    )
    from regexp_matches(
        encoded,
        '%(?!00)[0-7][0-9a-f]|%[cd][0-9a-f]%[89ab][0-9a-f]|%e[0-9a-f](?:%[89ab][0-9a-f]){2}'
            || '|%f[0-4](?:%[89ab][0-9a-f]){3}|%|[^%]+',
        'gi'
    ) with ordinality as found (pieces, place)
$$;

ALTER FUNCTION afterpush.without_percent_encoding(encoded text) OWNER TO afterpush_owner;

--
-- Name: FUNCTION without_percent_encoding(encoded text); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.without_percent_encoding(encoded text) IS 'Returns a text with the percent-encoding of URLs resolved.';

--
-- Name: actions; Type: TABLE; Schema: afterpush; Owner: afterpush_owner
--

CREATE TABLE afterpush.actions (
    app_id integer NOT NULL,
    category_id text NOT NULL COLLATE pg_catalog."C",
    version integer NOT NULL,
    action_id text NOT NULL COLLATE pg_catalog."C",
    "position" integer NOT NULL,
    title text NOT NULL,
    options text[] DEFAULT '{}'::text[] NOT NULL COLLATE pg_catalog."C",
    text_input boolean DEFAULT false NOT NULL,
    button_title text,
    placeholder text,
    goal boolean DEFAULT false NOT NULL,
    min_app_version text COLLATE pg_catalog."C",
    CONSTRAINT actions_action_id_check CHECK (((octet_length(action_id) >= 1) AND (octet_length(action_id) <= 256)))
);

ALTER TABLE afterpush.actions OWNER TO afterpush_owner;

--
-- Name: TABLE actions; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TABLE afterpush.actions IS 'One row per action that a category version offers.';

--
-- Name: COLUMN actions.app_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.actions.app_id IS 'App that declared the action.';

--
-- Name: COLUMN actions.category_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.actions.category_id IS 'Category that offers the action.';

--
-- Name: COLUMN actions.version; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.actions.version IS 'Version of the category.';

--
-- Name: COLUMN actions.action_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.actions.action_id IS 'Identifier that responses carry as action_identifier, 1 to 256 bytes.';

--
-- Name: COLUMN actions."position"; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.actions."position" IS 'Place of the action among the buttons, from 1.';

--
-- Name: COLUMN actions.title; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.actions.title IS 'Text of the button.';

--
-- Name: COLUMN actions.options; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.actions.options IS 'Names of UNNotificationActionOptions, sorted.';

--
-- Name: COLUMN actions.text_input; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.actions.text_input IS 'Whether the action asks for text.';

--
-- Name: COLUMN actions.button_title; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.actions.button_title IS 'Text of the send button; null if not declared or not a text input action.';

--
-- Name: COLUMN actions.placeholder; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.actions.placeholder IS 'Placeholder of the text field; null if not declared or not a text input action.';

--
-- Name: COLUMN actions.goal; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.actions.goal IS 'Whether a response with this action is a conversion.';

--
-- Name: COLUMN actions.min_app_version; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.actions.min_app_version IS 'First app version that can handle the action; null if every version can.';

--
-- Name: alert_history; Type: TABLE; Schema: afterpush; Owner: afterpush_owner
--

CREATE TABLE afterpush.alert_history (
    transition_id uuid DEFAULT gen_random_uuid() NOT NULL,
    app_id integer NOT NULL,
    alert_name text NOT NULL COLLATE pg_catalog."C",
    series text NOT NULL COLLATE pg_catalog."C",
    from_state text NOT NULL,
    to_state text NOT NULL,
    changed_at timestamp with time zone NOT NULL,
    value double precision,
    value_low double precision,
    value_high double precision,
    description text NOT NULL
);

ALTER TABLE afterpush.alert_history OWNER TO afterpush_owner;

--
-- Name: TABLE alert_history; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TABLE afterpush.alert_history IS 'One row per change of an alert''s state; kept for 400 days.';

--
-- Name: COLUMN alert_history.transition_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.alert_history.transition_id IS 'Identifies the change; its messages carry it, so that receivers can drop repetitions.';

--
-- Name: COLUMN alert_history.app_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.alert_history.app_id IS 'App of the rule.';

--
-- Name: COLUMN alert_history.alert_name; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.alert_history.alert_name IS 'Name of the rule.';

--
-- Name: COLUMN alert_history.series; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.alert_history.series IS 'As in alert_states.';

--
-- Name: COLUMN alert_history.from_state; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.alert_history.from_state IS 'State before.';

--
-- Name: COLUMN alert_history.to_state; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.alert_history.to_state IS 'State after.';

--
-- Name: COLUMN alert_history.changed_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.alert_history.changed_at IS 'When the state changed.';

--
-- Name: COLUMN alert_history.value; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.alert_history.value IS 'Value that changed it; null if it was missing or a text.';

--
-- Name: COLUMN alert_history.value_low; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.alert_history.value_low IS 'Lower bound of its interval; null if it has none.';

--
-- Name: COLUMN alert_history.value_high; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.alert_history.value_high IS 'Upper bound of its interval; null if it has none.';

--
-- Name: COLUMN alert_history.description; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.alert_history.description IS 'The value and what is expected, as a sentence.';

--
-- Name: alert_messages; Type: TABLE; Schema: afterpush; Owner: afterpush_owner
--

CREATE TABLE afterpush.alert_messages (
    app_id integer NOT NULL,
    message_id uuid NOT NULL,
    kind text NOT NULL,
    target text NOT NULL COLLATE pg_catalog."C",
    subject text NOT NULL,
    body text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    next_attempt_at timestamp with time zone DEFAULT now(),
    claim uuid,
    claimed_until timestamp with time zone,
    ended_at timestamp with time zone,
    outcome text,
    problem text,
    CONSTRAINT alert_messages_ended CHECK (((outcome IS NULL) = (ended_at IS NULL))),
    CONSTRAINT alert_messages_kind_check CHECK ((kind = ANY (ARRAY['webhook'::text, 'slack'::text, 'email'::text]))),
    CONSTRAINT alert_messages_outcome_check CHECK ((outcome = ANY (ARRAY['delivered'::text, 'gave_up'::text, 'destination_disabled'::text]))),
    CONSTRAINT alert_messages_target_check CHECK (((octet_length(target) >= 1) AND (octet_length(target) <= 2048)))
);

ALTER TABLE afterpush.alert_messages OWNER TO afterpush_owner;

--
-- Name: TABLE alert_messages; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TABLE afterpush.alert_messages IS 'The outbox: one row per message and destination; kept for 30 days after its end.';

--
-- Name: COLUMN alert_messages.app_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.alert_messages.app_id IS 'App of the rule.';

--
-- Name: COLUMN alert_messages.message_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.alert_messages.message_id IS 'The transition_id of the change, or an identifier of its own for a summary; the same at each attempt.';

--
-- Name: COLUMN alert_messages.kind; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.alert_messages.kind IS 'webhook, slack or email.';

--
-- Name: COLUMN alert_messages.target; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.alert_messages.target IS 'URL or mail address.';

--
-- Name: COLUMN alert_messages.subject; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.alert_messages.subject IS 'Subject of a mail.';

--
-- Name: COLUMN alert_messages.body; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.alert_messages.body IS 'Body as it is sent, the same at each attempt.';

--
-- Name: COLUMN alert_messages.created_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.alert_messages.created_at IS 'When the message was put into the outbox.';

--
-- Name: COLUMN alert_messages.attempts; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.alert_messages.attempts IS 'Number of attempts begun.';

--
-- Name: COLUMN alert_messages.next_attempt_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.alert_messages.next_attempt_at IS 'When the next attempt is due.';

--
-- Name: COLUMN alert_messages.claim; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.alert_messages.claim IS 'Identifies the attempt that is under way; null between two.';

--
-- Name: COLUMN alert_messages.claimed_until; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.alert_messages.claimed_until IS 'Until then no other collector attempts a delivery to the destination.';

--
-- Name: COLUMN alert_messages.ended_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.alert_messages.ended_at IS 'When the last attempt ended; null while the message waits.';

--
-- Name: COLUMN alert_messages.outcome; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.alert_messages.outcome IS 'delivered, gave_up (after three days) or destination_disabled (it answered 410); null while the message waits.';

--
-- Name: COLUMN alert_messages.problem; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.alert_messages.problem IS 'Why the last attempt failed; null if it did not.';

--
-- Name: alert_rules; Type: TABLE; Schema: afterpush; Owner: afterpush_owner
--

CREATE TABLE afterpush.alert_rules (
    app_id integer NOT NULL,
    alert_name text NOT NULL COLLATE pg_catalog."C",
    built_in boolean DEFAULT false NOT NULL,
    enabled boolean DEFAULT true NOT NULL,
    definition jsonb NOT NULL,
    destinations jsonb,
    next_evaluation_at timestamp with time zone DEFAULT now() NOT NULL,
    claim uuid,
    claimed_until timestamp with time zone,
    evaluated_at timestamp with time zone,
    problem text,
    CONSTRAINT alert_rules_alert_name_check CHECK (((octet_length(alert_name) >= 1) AND (octet_length(alert_name) <= 256)))
);

ALTER TABLE afterpush.alert_rules OWNER TO afterpush_owner;

--
-- Name: TABLE alert_rules; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TABLE afterpush.alert_rules IS 'One row per alert rule.';

--
-- Name: COLUMN alert_rules.app_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.alert_rules.app_id IS 'App whose reports the rule watches.';

--
-- Name: COLUMN alert_rules.alert_name; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.alert_rules.alert_name IS 'Name of the rule, 1 to 256 bytes.';

--
-- Name: COLUMN alert_rules.built_in; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.alert_rules.built_in IS 'Whether the definition comes with the program, so that a newer program changes it.';

--
-- Name: COLUMN alert_rules.enabled; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.alert_rules.enabled IS 'Whether the rule is evaluated.';

--
-- Name: COLUMN alert_rules.definition; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.alert_rules.definition IS 'Report, parameters, column, bound or band, and durations, as in PUT /v1/alerts/{name}.';

--
-- Name: COLUMN alert_rules.destinations; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.alert_rules.destinations IS 'Where its alerts go: array of {"kind", "target"}; null for the destinations of the app.';

--
-- Name: COLUMN alert_rules.next_evaluation_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.alert_rules.next_evaluation_at IS 'When the next evaluation is due.';

--
-- Name: COLUMN alert_rules.claim; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.alert_rules.claim IS 'Identifies the evaluation that is under way; null between two.';

--
-- Name: COLUMN alert_rules.claimed_until; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.alert_rules.claimed_until IS 'Until then no other collector evaluates the rule; a collector that was killed holds it up no longer.';

--
-- Name: COLUMN alert_rules.evaluated_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.alert_rules.evaluated_at IS 'When the rule was last evaluated; null if never.';

--
-- Name: COLUMN alert_rules.problem; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.alert_rules.problem IS 'Why the last evaluation failed; null if it did not. A failed evaluation changes no state.';

--
-- Name: alert_settings; Type: TABLE; Schema: afterpush; Owner: afterpush_owner
--

CREATE TABLE afterpush.alert_settings (
    app_id integer NOT NULL,
    secret bytea DEFAULT sha256(((uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())) || uuid_send(gen_random_uuid()))) NOT NULL,
    destinations jsonb DEFAULT '[]'::jsonb NOT NULL,
    summary text,
    next_summary_at timestamp with time zone,
    CONSTRAINT alert_settings_secret_check CHECK ((octet_length(secret) = 32)),
    CONSTRAINT alert_settings_summary_check CHECK ((summary = ANY (ARRAY['daily'::text, 'weekly'::text])))
);

ALTER TABLE afterpush.alert_settings OWNER TO afterpush_owner;

--
-- Name: TABLE alert_settings; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TABLE afterpush.alert_settings IS 'One row per app: where its alerts go, and how often it gets a summary.';

--
-- Name: COLUMN alert_settings.app_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.alert_settings.app_id IS 'App whose alerts these are.';

--
-- Name: COLUMN alert_settings.secret; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.alert_settings.secret IS '32 random bytes; webhooks are signed with them (HMAC-SHA-256).';

--
-- Name: COLUMN alert_settings.destinations; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.alert_settings.destinations IS 'Destinations of rules that name none, and of the summary: array of {"kind", "target"}.';

--
-- Name: COLUMN alert_settings.summary; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.alert_settings.summary IS 'daily or weekly; null for no summary.';

--
-- Name: COLUMN alert_settings.next_summary_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.alert_settings.next_summary_at IS 'When the next summary is due, which is where its period ends; null without one.';

--
-- Name: alert_states; Type: TABLE; Schema: afterpush; Owner: afterpush_owner
--

CREATE TABLE afterpush.alert_states (
    app_id integer NOT NULL,
    alert_name text NOT NULL COLLATE pg_catalog."C",
    series text NOT NULL COLLATE pg_catalog."C",
    state text NOT NULL,
    since timestamp with time zone NOT NULL,
    changing_since timestamp with time zone,
    seen_at timestamp with time zone NOT NULL,
    value double precision,
    value_low double precision,
    value_high double precision,
    description text NOT NULL,
    CONSTRAINT alert_states_state_check CHECK ((state = ANY (ARRAY['ok'::text, 'pending'::text, 'firing'::text])))
);

ALTER TABLE afterpush.alert_states OWNER TO afterpush_owner;

--
-- Name: TABLE alert_states; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TABLE afterpush.alert_states IS 'One row per row of the report that a rule watches: its present state.';

--
-- Name: COLUMN alert_states.app_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.alert_states.app_id IS 'App of the rule.';

--
-- Name: COLUMN alert_states.alert_name; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.alert_states.alert_name IS 'Name of the rule.';

--
-- Name: COLUMN alert_states.series; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.alert_states.series IS 'Values of the columns that identify the row, as a JSON object; {} if the rule watches all rows together.';

--
-- Name: COLUMN alert_states.state; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.alert_states.state IS 'ok, pending (outside, but not for long enough) or firing.';

--
-- Name: COLUMN alert_states.since; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.alert_states.since IS 'When the state began.';

--
-- Name: COLUMN alert_states.changing_since; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.alert_states.changing_since IS 'Since when the value has been on the other side: outside while pending, inside while firing; else null.';

--
-- Name: COLUMN alert_states.seen_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.alert_states.seen_at IS 'When the report last had the row.';

--
-- Name: COLUMN alert_states.value; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.alert_states.value IS 'Value at the last evaluation; null if it was missing or a text.';

--
-- Name: COLUMN alert_states.value_low; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.alert_states.value_low IS 'Lower bound of its interval; null if it has none.';

--
-- Name: COLUMN alert_states.value_high; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.alert_states.value_high IS 'Upper bound of its interval; null if it has none.';

--
-- Name: COLUMN alert_states.description; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.alert_states.description IS 'The value and what is expected, as a sentence.';

--
-- Name: api_keys; Type: TABLE; Schema: afterpush; Owner: afterpush_owner
--

CREATE TABLE afterpush.api_keys (
    key_id integer NOT NULL,
    app_id integer NOT NULL,
    key_hash bytea NOT NULL,
    scope text NOT NULL,
    hint text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    revoked_at timestamp with time zone,
    CONSTRAINT api_keys_key_hash_check CHECK ((octet_length(key_hash) = 32)),
    CONSTRAINT api_keys_scope_check CHECK ((scope = ANY (ARRAY['ingest'::text, 'send'::text, 'read'::text, 'manage'::text])))
);

ALTER TABLE afterpush.api_keys OWNER TO afterpush_owner;

--
-- Name: TABLE api_keys; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TABLE afterpush.api_keys IS 'One row per API key, revoked ones included; the key itself is never stored.';

--
-- Name: COLUMN api_keys.key_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.api_keys.key_id IS 'Number that `afterpush keys revoke` takes.';

--
-- Name: COLUMN api_keys.app_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.api_keys.app_id IS 'App that the key belongs to.';

--
-- Name: COLUMN api_keys.key_hash; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.api_keys.key_hash IS 'SHA-256 of the key.';

--
-- Name: COLUMN api_keys.scope; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.api_keys.scope IS 'ingest, send, read, or manage, which implies the other three.';

--
-- Name: COLUMN api_keys.hint; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.api_keys.hint IS 'Last four characters of the key, so that people can tell keys apart.';

--
-- Name: COLUMN api_keys.created_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.api_keys.created_at IS 'When the key was created.';

--
-- Name: COLUMN api_keys.revoked_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.api_keys.revoked_at IS 'When the key was revoked; null while it is valid.';

--
-- Name: api_keys_key_id_seq; Type: SEQUENCE; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE afterpush.api_keys ALTER COLUMN key_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME afterpush.api_keys_key_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

--
-- Name: apps_app_id_seq; Type: SEQUENCE; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE afterpush.apps ALTER COLUMN app_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME afterpush.apps_app_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

--
-- Name: batch_ids; Type: SEQUENCE; Schema: afterpush; Owner: afterpush_owner
--

CREATE SEQUENCE afterpush.batch_ids
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER TABLE afterpush.batch_ids OWNER TO afterpush_owner;

--
-- Name: SEQUENCE batch_ids; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON SEQUENCE afterpush.batch_ids IS 'Numbers of batches, in the order in which their transactions took them.';

--
-- Name: campaign_variants; Type: TABLE; Schema: afterpush; Owner: afterpush_owner
--

CREATE TABLE afterpush.campaign_variants (
    app_id integer NOT NULL,
    campaign_id text NOT NULL COLLATE pg_catalog."C",
    variant text NOT NULL COLLATE pg_catalog."C",
    weight double precision NOT NULL,
    control boolean DEFAULT false NOT NULL,
    CONSTRAINT campaign_variants_variant_check CHECK (((octet_length(variant) >= 1) AND (octet_length(variant) <= 256))),
    CONSTRAINT campaign_variants_weight_check CHECK ((weight > (0)::double precision))
);

ALTER TABLE afterpush.campaign_variants OWNER TO afterpush_owner;

--
-- Name: TABLE campaign_variants; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TABLE afterpush.campaign_variants IS 'One row per variant of a campaign.';

--
-- Name: COLUMN campaign_variants.app_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.campaign_variants.app_id IS 'App that declared the campaign.';

--
-- Name: COLUMN campaign_variants.campaign_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.campaign_variants.campaign_id IS 'Campaign of the variant.';

--
-- Name: COLUMN campaign_variants.variant; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.campaign_variants.variant IS 'Identifier that sends and payloads carry, 1 to 256 bytes.';

--
-- Name: COLUMN campaign_variants.weight; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.campaign_variants.weight IS 'Planned share of the deliveries, relative to the weights of the other variants.';

--
-- Name: COLUMN campaign_variants.control; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.campaign_variants.control IS 'Whether this is the variant that the others are compared with.';

--
-- Name: campaigns; Type: TABLE; Schema: afterpush; Owner: afterpush_owner
--

CREATE TABLE afterpush.campaigns (
    app_id integer NOT NULL,
    campaign_id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    category_id text COLLATE pg_catalog."C",
    goal_actions text[] DEFAULT '{}'::text[] NOT NULL COLLATE pg_catalog."C",
    response_window interval DEFAULT '72:00:00'::interval NOT NULL,
    starts_at timestamp with time zone,
    planned_deliveries bigint,
    minimum_effect double precision,
    holdout double precision,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    archived_at timestamp with time zone,
    CONSTRAINT campaigns_campaign_id_check CHECK (((octet_length(campaign_id) >= 1) AND (octet_length(campaign_id) <= 256))),
    CONSTRAINT campaigns_holdout_check CHECK (((holdout > (0)::double precision) AND (holdout < (1)::double precision))),
    CONSTRAINT campaigns_minimum_effect_check CHECK (((minimum_effect > (0)::double precision) AND (minimum_effect < (1)::double precision))),
    CONSTRAINT campaigns_planned_deliveries_check CHECK ((planned_deliveries > 0)),
    CONSTRAINT campaigns_response_window_check CHECK ((response_window > '00:00:00'::interval))
);

ALTER TABLE afterpush.campaigns OWNER TO afterpush_owner;

--
-- Name: TABLE campaigns; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TABLE afterpush.campaigns IS 'One row per declared campaign; campaigns are archived, never deleted.';

--
-- Name: COLUMN campaigns.app_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.campaigns.app_id IS 'App that declared the campaign.';

--
-- Name: COLUMN campaigns.campaign_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.campaigns.campaign_id IS 'Identifier that sends and payloads carry, 1 to 256 bytes.';

--
-- Name: COLUMN campaigns.name; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.campaigns.name IS 'Name for people.';

--
-- Name: COLUMN campaigns.category_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.campaigns.category_id IS 'Category of the campaign''s notifications; null if they have none.';

--
-- Name: COLUMN campaigns.goal_actions; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.campaigns.goal_actions IS 'Actions that count as conversions, in addition to the goals of the category version.';

--
-- Name: COLUMN campaigns.response_window; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.campaigns.response_window IS 'An unanswered delivery is closed this long after the end of its anchor hour.';

--
-- Name: COLUMN campaigns.starts_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.campaigns.starts_at IS 'Planned start; null if not declared.';

--
-- Name: COLUMN campaigns.planned_deliveries; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.campaigns.planned_deliveries IS 'Deliveries of a variant and the control together at which anytime intervals are narrowest; null if not declared.';

--
-- Name: COLUMN campaigns.minimum_effect; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.campaigns.minimum_effect IS 'The smallest difference of conversion rates that matters; null if not declared.';

--
-- Name: COLUMN campaigns.holdout; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.campaigns.holdout IS 'The share of the devices that are held out, by a random choice; null if not declared.';

--
-- Name: COLUMN campaigns.created_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.campaigns.created_at IS 'When the campaign was first declared.';

--
-- Name: COLUMN campaigns.archived_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.campaigns.archived_at IS 'When the campaign was archived; null while it is current.';

--
-- Name: category_versions; Type: VIEW; Schema: afterpush; Owner: afterpush_owner
--

CREATE VIEW afterpush.category_versions WITH (security_invoker='true') AS
 SELECT c.app_id,
    c.category_id,
    c.version,
    c.in_force_from,
    lead(c.in_force_from, 1, 'infinity'::timestamp with time zone) OVER (PARTITION BY c.app_id, c.category_id ORDER BY c.in_force_from, c.version) AS in_force_to,
    c.dismiss_observable,
    c.retired_at,
    COALESCE(a.offered, '{}'::text[]) AS offered,
    COALESCE(a.goals, '{}'::text[]) AS goals,
    COALESCE(a.destructive, '{}'::text[]) AS destructive,
    COALESCE(a.offers_text, false) AS offers_text
   FROM (( SELECT categories.app_id,
            categories.category_id,
            categories.version,
                CASE
                    WHEN (categories.version = 1) THEN '-infinity'::timestamp with time zone
                    ELSE (date_trunc('hour'::text, (categories.effective_from AT TIME ZONE 'UTC'::text)) AT TIME ZONE 'UTC'::text)
                END AS in_force_from,
            ('customDismissAction'::text = ANY (categories.options)) AS dismiss_observable,
            categories.retired_at
           FROM afterpush.categories) c
     LEFT JOIN LATERAL ( SELECT array_agg(actions.action_id) AS offered,
            array_agg(actions.action_id) FILTER (WHERE actions.goal) AS goals,
            array_agg(actions.action_id) FILTER (WHERE ('destructive'::text = ANY (actions.options))) AS destructive,
            bool_or(actions.text_input) AS offers_text
           FROM afterpush.actions
          WHERE ((actions.app_id = c.app_id) AND (actions.category_id = c.category_id) AND (actions.version = c.version))) a ON (true));

ALTER TABLE afterpush.category_versions OWNER TO afterpush_owner;

--
-- Name: VIEW category_versions; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON VIEW afterpush.category_versions IS 'Category versions with the hours at which they are in force and the actions that they offer.';

--
-- Name: sends; Type: TABLE; Schema: afterpush; Owner: afterpush_owner
--

CREATE TABLE afterpush.sends (
    app_id integer NOT NULL,
    send_id uuid NOT NULL,
    campaign_id text NOT NULL COLLATE pg_catalog."C",
    category_id text COLLATE pg_catalog."C",
    category_version integer,
    variant text COLLATE pg_catalog."C",
    platform text COLLATE pg_catalog."C",
    count bigint NOT NULL,
    failed bigint DEFAULT 0 NOT NULL,
    sent_at timestamp with time zone NOT NULL,
    received_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT sends_count_check CHECK ((count >= 0)),
    CONSTRAINT sends_failed_check CHECK ((failed >= 0))
);

ALTER TABLE afterpush.sends OWNER TO afterpush_owner;

--
-- Name: TABLE sends; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TABLE afterpush.sends IS 'Declared sends: totals from senders that don''t post a sent event per device.';

--
-- Name: COLUMN sends.app_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.sends.app_id IS 'App that declared the sends.';

--
-- Name: COLUMN sends.send_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.sends.send_id IS 'Idempotency key: a second declaration with the same key is ignored.';

--
-- Name: COLUMN sends.campaign_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.sends.campaign_id IS 'Campaign; once it has declared sends, its sent events no longer count as its sends.';

--
-- Name: COLUMN sends.category_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.sends.category_id IS 'Category of all these sends; null if unknown or mixed.';

--
-- Name: COLUMN sends.category_version; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.sends.category_version IS 'Version of the category; null means the one in force at sent_at.';

--
-- Name: COLUMN sends.variant; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.sends.variant IS 'Variant of all these sends; null if unknown or mixed.';

--
-- Name: COLUMN sends.platform; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.sends.platform IS 'Platform of all these sends; null if unknown or mixed.';

--
-- Name: COLUMN sends.count; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.sends.count IS 'Notifications that the provider accepted.';

--
-- Name: COLUMN sends.failed; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.sends.failed IS 'Notifications that the provider refused.';

--
-- Name: COLUMN sends.sent_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.sends.sent_at IS 'When they were sent; its hour is their anchor hour.';

--
-- Name: COLUMN sends.received_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.sends.received_at IS 'When the declaration arrived.';

--
-- Name: declared_sends; Type: VIEW; Schema: afterpush; Owner: afterpush_owner
--

CREATE VIEW afterpush.declared_sends WITH (security_invoker='true') AS
 SELECT 'declared_sends'::text AS source,
    sends.app_id,
    true AS verified,
    afterpush.hour_of(sends.sent_at) AS hour,
    sends.campaign_id,
    COALESCE(sends.variant, ''::text) AS variant,
    COALESCE(sends.category_id, ''::text) AS category_id,
    COALESCE(sends.category_version, 0) AS category_version,
    COALESCE(sends.platform, ''::text) AS platform,
    (''::text COLLATE "C") AS app_version,
    ('{}'::text[] COLLATE "C") AS actions,
    0 AS deliveries,
    0 AS deliveries_sent,
    0 AS deliveries_confirmed,
    0 AS deliveries_both,
    sends.failed,
    0 AS delivered,
    0 AS delivered_sent,
    0 AS displayed,
    0 AS opened,
    0 AS opened_sent,
    0 AS opened_confirmed,
    0 AS acted,
    0 AS acted_sent,
    0 AS acted_confirmed,
    0 AS replied,
    0 AS replied_sent,
    0 AS replied_confirmed,
    0 AS dismissed,
    0 AS dismissed_sent,
    0 AS dismissed_confirmed,
    0 AS read,
    0 AS read_sent,
    0 AS read_confirmed,
    0 AS responded,
    0 AS responded_sent,
    0 AS responded_confirmed,
    0 AS replaced,
    0 AS replaced_sent,
    0 AS replaced_confirmed,
    0 AS refused,
    0 AS refused_sent,
    0 AS converted_events,
    0 AS converted_events_sent,
    0 AS converted_events_confirmed,
    0 AS unconverted,
    0 AS unconverted_sent,
    0 AS unconverted_confirmed,
    sends.count AS declared_sends
   FROM afterpush.sends;

ALTER TABLE afterpush.declared_sends OWNER TO afterpush_owner;

--
-- Name: VIEW declared_sends; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON VIEW afterpush.declared_sends IS 'Declared sends, by hour.';

--
-- Name: rollup_goal_days; Type: TABLE; Schema: afterpush; Owner: afterpush_owner
--

CREATE TABLE afterpush.rollup_goal_days (
    app_id integer NOT NULL,
    verified boolean NOT NULL,
    anchor_day timestamp with time zone NOT NULL,
    campaign_id text NOT NULL COLLATE pg_catalog."C",
    variant text NOT NULL COLLATE pg_catalog."C",
    category_id text NOT NULL COLLATE pg_catalog."C",
    category_version integer NOT NULL,
    platform text NOT NULL COLLATE pg_catalog."C",
    actions text[] NOT NULL COLLATE pg_catalog."C",
    deliveries integer NOT NULL,
    deliveries_sent integer NOT NULL,
    deliveries_confirmed integer NOT NULL
)
WITH (fillfactor='80');

ALTER TABLE afterpush.rollup_goal_days OWNER TO afterpush_owner;

--
-- Name: TABLE rollup_goal_days; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TABLE afterpush.rollup_goal_days IS 'Deliveries with an action and without a converted event, by their set of actions: converted if one is a goal.';

--
-- Name: COLUMN rollup_goal_days.app_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_goal_days.app_id IS 'As in rollup_deliveries.';

--
-- Name: COLUMN rollup_goal_days.verified; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_goal_days.verified IS 'As in rollup_deliveries.';

--
-- Name: COLUMN rollup_goal_days.anchor_day; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_goal_days.anchor_day IS 'As in rollup_deliveries.';

--
-- Name: COLUMN rollup_goal_days.campaign_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_goal_days.campaign_id IS 'As in rollup_deliveries.';

--
-- Name: COLUMN rollup_goal_days.variant; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_goal_days.variant IS 'As in rollup_deliveries.';

--
-- Name: COLUMN rollup_goal_days.category_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_goal_days.category_id IS 'As in rollup_deliveries.';

--
-- Name: COLUMN rollup_goal_days.category_version; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_goal_days.category_version IS 'As in rollup_deliveries.';

--
-- Name: COLUMN rollup_goal_days.platform; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_goal_days.platform IS 'As in rollup_deliveries.';

--
-- Name: COLUMN rollup_goal_days.actions; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_goal_days.actions IS 'As in rollup_deliveries.';

--
-- Name: COLUMN rollup_goal_days.deliveries; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_goal_days.deliveries IS 'Number of deliveries.';

--
-- Name: COLUMN rollup_goal_days.deliveries_sent; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_goal_days.deliveries_sent IS 'Number of deliveries in state sent.';

--
-- Name: COLUMN rollup_goal_days.deliveries_confirmed; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_goal_days.deliveries_confirmed IS 'Number of deliveries in state confirmed.';

--
-- Name: delivery_action_days; Type: VIEW; Schema: afterpush; Owner: afterpush_owner
--

CREATE VIEW afterpush.delivery_action_days WITH (security_invoker='true') AS
 SELECT 'delivery_action_days'::text AS source,
    rollup_goal_days.app_id,
    rollup_goal_days.verified,
    rollup_goal_days.anchor_day AS hour,
    rollup_goal_days.campaign_id,
    rollup_goal_days.variant,
    rollup_goal_days.category_id,
    rollup_goal_days.category_version,
    rollup_goal_days.platform,
    (''::text COLLATE "C") AS app_version,
    rollup_goal_days.actions,
    0 AS deliveries,
    0 AS deliveries_sent,
    0 AS deliveries_confirmed,
    0 AS deliveries_both,
    0 AS failed,
    0 AS delivered,
    0 AS delivered_sent,
    0 AS displayed,
    0 AS opened,
    0 AS opened_sent,
    0 AS opened_confirmed,
    0 AS acted,
    0 AS acted_sent,
    0 AS acted_confirmed,
    0 AS replied,
    0 AS replied_sent,
    0 AS replied_confirmed,
    0 AS dismissed,
    0 AS dismissed_sent,
    0 AS dismissed_confirmed,
    0 AS read,
    0 AS read_sent,
    0 AS read_confirmed,
    0 AS responded,
    0 AS responded_sent,
    0 AS responded_confirmed,
    0 AS replaced,
    0 AS replaced_sent,
    0 AS replaced_confirmed,
    0 AS refused,
    0 AS refused_sent,
    0 AS converted_events,
    0 AS converted_events_sent,
    0 AS converted_events_confirmed,
    rollup_goal_days.deliveries AS unconverted,
    rollup_goal_days.deliveries_sent AS unconverted_sent,
    rollup_goal_days.deliveries_confirmed AS unconverted_confirmed,
    0 AS declared_sends
   FROM afterpush.rollup_goal_days;

ALTER TABLE afterpush.delivery_action_days OWNER TO afterpush_owner;

--
-- Name: VIEW delivery_action_days; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON VIEW afterpush.delivery_action_days IS 'Deliveries that were acted on without a converted event, by day and set of actions.';

--
-- Name: delivery_app_versions; Type: VIEW; Schema: afterpush; Owner: afterpush_owner
--

CREATE VIEW afterpush.delivery_app_versions WITH (security_invoker='true') AS
 SELECT 'delivery_app_versions'::text AS source,
    rollup_app_versions.app_id,
    rollup_app_versions.verified,
    rollup_app_versions.anchor_hour AS hour,
    rollup_app_versions.campaign_id,
    rollup_app_versions.variant,
    rollup_app_versions.category_id,
    rollup_app_versions.category_version,
    rollup_app_versions.platform,
    rollup_app_versions.app_version,
    rollup_app_versions.actions,
    (rollup_app_versions.deliveries)::integer AS deliveries,
    (
        CASE
            WHEN rollup_app_versions.is_sent THEN rollup_app_versions.deliveries
            ELSE (0)::bigint
        END)::integer AS deliveries_sent,
    (
        CASE
            WHEN rollup_app_versions.is_confirmed THEN rollup_app_versions.deliveries
            ELSE (0)::bigint
        END)::integer AS deliveries_confirmed,
    (
        CASE
            WHEN (rollup_app_versions.is_sent AND rollup_app_versions.is_confirmed) THEN rollup_app_versions.deliveries
            ELSE (0)::bigint
        END)::integer AS deliveries_both,
    (rollup_app_versions.failed)::integer AS failed,
    (rollup_app_versions.delivered)::integer AS delivered,
    (
        CASE
            WHEN rollup_app_versions.is_sent THEN rollup_app_versions.delivered
            ELSE (0)::bigint
        END)::integer AS delivered_sent,
    (rollup_app_versions.displayed)::integer AS displayed,
    (rollup_app_versions.opened)::integer AS opened,
    (
        CASE
            WHEN rollup_app_versions.is_sent THEN rollup_app_versions.opened
            ELSE (0)::bigint
        END)::integer AS opened_sent,
    (
        CASE
            WHEN rollup_app_versions.is_confirmed THEN rollup_app_versions.opened
            ELSE (0)::bigint
        END)::integer AS opened_confirmed,
    (
        CASE
            WHEN (cardinality(rollup_app_versions.actions) > 0) THEN rollup_app_versions.deliveries
            ELSE (0)::bigint
        END)::integer AS acted,
    (
        CASE
            WHEN ((cardinality(rollup_app_versions.actions) > 0) AND rollup_app_versions.is_sent) THEN rollup_app_versions.deliveries
            ELSE (0)::bigint
        END)::integer AS acted_sent,
    (
        CASE
            WHEN ((cardinality(rollup_app_versions.actions) > 0) AND rollup_app_versions.is_confirmed) THEN rollup_app_versions.deliveries
            ELSE (0)::bigint
        END)::integer AS acted_confirmed,
    (rollup_app_versions.replied)::integer AS replied,
    (
        CASE
            WHEN rollup_app_versions.is_sent THEN rollup_app_versions.replied
            ELSE (0)::bigint
        END)::integer AS replied_sent,
    (
        CASE
            WHEN rollup_app_versions.is_confirmed THEN rollup_app_versions.replied
            ELSE (0)::bigint
        END)::integer AS replied_confirmed,
    (rollup_app_versions.dismissed)::integer AS dismissed,
    (
        CASE
            WHEN rollup_app_versions.is_sent THEN rollup_app_versions.dismissed
            ELSE (0)::bigint
        END)::integer AS dismissed_sent,
    (
        CASE
            WHEN rollup_app_versions.is_confirmed THEN rollup_app_versions.dismissed
            ELSE (0)::bigint
        END)::integer AS dismissed_confirmed,
    (rollup_app_versions.read)::integer AS read,
    (
        CASE
            WHEN rollup_app_versions.is_sent THEN rollup_app_versions.read
            ELSE (0)::bigint
        END)::integer AS read_sent,
    (
        CASE
            WHEN rollup_app_versions.is_confirmed THEN rollup_app_versions.read
            ELSE (0)::bigint
        END)::integer AS read_confirmed,
    (rollup_app_versions.responded)::integer AS responded,
    (
        CASE
            WHEN rollup_app_versions.is_sent THEN rollup_app_versions.responded
            ELSE (0)::bigint
        END)::integer AS responded_sent,
    (
        CASE
            WHEN rollup_app_versions.is_confirmed THEN rollup_app_versions.responded
            ELSE (0)::bigint
        END)::integer AS responded_confirmed,
    (rollup_app_versions.replaced)::integer AS replaced,
    (
        CASE
            WHEN rollup_app_versions.is_sent THEN rollup_app_versions.replaced
            ELSE (0)::bigint
        END)::integer AS replaced_sent,
    (
        CASE
            WHEN rollup_app_versions.is_confirmed THEN rollup_app_versions.replaced
            ELSE (0)::bigint
        END)::integer AS replaced_confirmed,
    (rollup_app_versions.refused)::integer AS refused,
    (
        CASE
            WHEN rollup_app_versions.is_sent THEN rollup_app_versions.refused
            ELSE (0)::bigint
        END)::integer AS refused_sent,
    (rollup_app_versions.converted_events)::integer AS converted_events,
    (
        CASE
            WHEN rollup_app_versions.is_sent THEN rollup_app_versions.converted_events
            ELSE (0)::bigint
        END)::integer AS converted_events_sent,
    (
        CASE
            WHEN rollup_app_versions.is_confirmed THEN rollup_app_versions.converted_events
            ELSE (0)::bigint
        END)::integer AS converted_events_confirmed,
    ((rollup_app_versions.deliveries - rollup_app_versions.converted_events))::integer AS unconverted,
    (
        CASE
            WHEN rollup_app_versions.is_sent THEN (rollup_app_versions.deliveries - rollup_app_versions.converted_events)
            ELSE (0)::bigint
        END)::integer AS unconverted_sent,
    (
        CASE
            WHEN rollup_app_versions.is_confirmed THEN (rollup_app_versions.deliveries - rollup_app_versions.converted_events)
            ELSE (0)::bigint
        END)::integer AS unconverted_confirmed,
    0 AS declared_sends
   FROM afterpush.rollup_app_versions;

ALTER TABLE afterpush.delivery_app_versions OWNER TO afterpush_owner;

--
-- Name: VIEW delivery_app_versions; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON VIEW afterpush.delivery_app_versions IS 'Deliveries by hour and version of the app, with their actions.';

--
-- Name: rollup_delivery_days; Type: TABLE; Schema: afterpush; Owner: afterpush_owner
--

CREATE TABLE afterpush.rollup_delivery_days (
    app_id integer NOT NULL,
    verified boolean NOT NULL,
    anchor_day timestamp with time zone NOT NULL,
    campaign_id text NOT NULL COLLATE pg_catalog."C",
    variant text NOT NULL COLLATE pg_catalog."C",
    category_id text NOT NULL COLLATE pg_catalog."C",
    category_version integer NOT NULL,
    platform text NOT NULL COLLATE pg_catalog."C",
    deliveries integer NOT NULL,
    deliveries_sent integer NOT NULL,
    deliveries_confirmed integer NOT NULL,
    deliveries_both integer NOT NULL,
    failed integer NOT NULL,
    delivered integer NOT NULL,
    delivered_sent integer NOT NULL,
    displayed integer NOT NULL,
    opened integer NOT NULL,
    opened_sent integer NOT NULL,
    opened_confirmed integer NOT NULL,
    acted integer NOT NULL,
    acted_sent integer NOT NULL,
    acted_confirmed integer NOT NULL,
    replied integer NOT NULL,
    replied_sent integer NOT NULL,
    replied_confirmed integer NOT NULL,
    dismissed integer NOT NULL,
    dismissed_sent integer NOT NULL,
    dismissed_confirmed integer NOT NULL,
    read integer NOT NULL,
    read_sent integer NOT NULL,
    read_confirmed integer NOT NULL,
    responded integer NOT NULL,
    responded_sent integer NOT NULL,
    responded_confirmed integer NOT NULL,
    converted_events integer NOT NULL,
    converted_events_sent integer NOT NULL,
    converted_events_confirmed integer NOT NULL,
    replaced integer NOT NULL,
    replaced_sent integer NOT NULL,
    replaced_confirmed integer NOT NULL,
    refused integer NOT NULL,
    refused_sent integer NOT NULL,
    locally_sent integer NOT NULL
)
WITH (fillfactor='80');

ALTER TABLE afterpush.rollup_delivery_days OWNER TO afterpush_owner;

--
-- Name: TABLE rollup_delivery_days; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TABLE afterpush.rollup_delivery_days IS 'rollup_deliveries summed over the hours of a day, and over states and actions.';

--
-- Name: COLUMN rollup_delivery_days.app_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_delivery_days.app_id IS 'As in rollup_deliveries.';

--
-- Name: COLUMN rollup_delivery_days.verified; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_delivery_days.verified IS 'As in rollup_deliveries.';

--
-- Name: COLUMN rollup_delivery_days.anchor_day; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_delivery_days.anchor_day IS 'Day of the deliveries'' anchor, UTC.';

--
-- Name: COLUMN rollup_delivery_days.campaign_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_delivery_days.campaign_id IS 'As in rollup_deliveries.';

--
-- Name: COLUMN rollup_delivery_days.variant; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_delivery_days.variant IS 'As in rollup_deliveries.';

--
-- Name: COLUMN rollup_delivery_days.category_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_delivery_days.category_id IS 'As in rollup_deliveries.';

--
-- Name: COLUMN rollup_delivery_days.category_version; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_delivery_days.category_version IS 'As in rollup_deliveries.';

--
-- Name: COLUMN rollup_delivery_days.platform; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_delivery_days.platform IS 'As in rollup_deliveries.';

--
-- Name: COLUMN rollup_delivery_days.deliveries; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_delivery_days.deliveries IS 'As in rollup_deliveries.';

--
-- Name: COLUMN rollup_delivery_days.deliveries_sent; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_delivery_days.deliveries_sent IS 'Number of deliveries in state sent.';

--
-- Name: COLUMN rollup_delivery_days.deliveries_confirmed; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_delivery_days.deliveries_confirmed IS 'Number of deliveries in state confirmed.';

--
-- Name: COLUMN rollup_delivery_days.deliveries_both; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_delivery_days.deliveries_both IS 'Number of deliveries in states sent and confirmed.';

--
-- Name: COLUMN rollup_delivery_days.failed; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_delivery_days.failed IS 'As in rollup_deliveries.';

--
-- Name: COLUMN rollup_delivery_days.delivered; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_delivery_days.delivered IS 'As in rollup_deliveries.';

--
-- Name: COLUMN rollup_delivery_days.delivered_sent; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_delivery_days.delivered_sent IS 'Number of deliveries in states delivered and sent.';

--
-- Name: COLUMN rollup_delivery_days.displayed; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_delivery_days.displayed IS 'As in rollup_deliveries.';

--
-- Name: COLUMN rollup_delivery_days.opened; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_delivery_days.opened IS 'As in rollup_deliveries.';

--
-- Name: COLUMN rollup_delivery_days.opened_sent; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_delivery_days.opened_sent IS 'Number of deliveries in states opened and sent.';

--
-- Name: COLUMN rollup_delivery_days.opened_confirmed; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_delivery_days.opened_confirmed IS 'Number of deliveries in states opened and confirmed.';

--
-- Name: COLUMN rollup_delivery_days.acted; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_delivery_days.acted IS 'Number of deliveries in state acted.';

--
-- Name: COLUMN rollup_delivery_days.acted_sent; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_delivery_days.acted_sent IS 'Number of deliveries in states acted and sent.';

--
-- Name: COLUMN rollup_delivery_days.acted_confirmed; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_delivery_days.acted_confirmed IS 'Number of deliveries in states acted and confirmed.';

--
-- Name: COLUMN rollup_delivery_days.replied; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_delivery_days.replied IS 'As in rollup_deliveries.';

--
-- Name: COLUMN rollup_delivery_days.replied_sent; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_delivery_days.replied_sent IS 'Number of deliveries in states replied and sent.';

--
-- Name: COLUMN rollup_delivery_days.replied_confirmed; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_delivery_days.replied_confirmed IS 'Number of deliveries in states replied and confirmed.';

--
-- Name: COLUMN rollup_delivery_days.dismissed; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_delivery_days.dismissed IS 'As in rollup_deliveries.';

--
-- Name: COLUMN rollup_delivery_days.dismissed_sent; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_delivery_days.dismissed_sent IS 'Number of deliveries in states dismissed and sent.';

--
-- Name: COLUMN rollup_delivery_days.dismissed_confirmed; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_delivery_days.dismissed_confirmed IS 'Number of deliveries in states dismissed and confirmed.';

--
-- Name: COLUMN rollup_delivery_days.read; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_delivery_days.read IS 'As in rollup_deliveries.';

--
-- Name: COLUMN rollup_delivery_days.read_sent; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_delivery_days.read_sent IS 'Number of deliveries in states read and sent.';

--
-- Name: COLUMN rollup_delivery_days.read_confirmed; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_delivery_days.read_confirmed IS 'Number of deliveries in states read and confirmed.';

--
-- Name: COLUMN rollup_delivery_days.responded; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_delivery_days.responded IS 'As in rollup_deliveries.';

--
-- Name: COLUMN rollup_delivery_days.responded_sent; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_delivery_days.responded_sent IS 'Number of deliveries in states responded and sent.';

--
-- Name: COLUMN rollup_delivery_days.responded_confirmed; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_delivery_days.responded_confirmed IS 'Number of deliveries in states responded and confirmed.';

--
-- Name: COLUMN rollup_delivery_days.converted_events; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_delivery_days.converted_events IS 'As in rollup_deliveries.';

--
-- Name: COLUMN rollup_delivery_days.converted_events_sent; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_delivery_days.converted_events_sent IS 'Number of deliveries with a converted event, in state sent.';

--
-- Name: COLUMN rollup_delivery_days.converted_events_confirmed; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_delivery_days.converted_events_confirmed IS 'Number of deliveries with a converted event, in state confirmed.';

--
-- Name: COLUMN rollup_delivery_days.replaced; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_delivery_days.replaced IS 'As in rollup_deliveries.';

--
-- Name: COLUMN rollup_delivery_days.replaced_sent; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_delivery_days.replaced_sent IS 'Number of deliveries in states replaced and sent.';

--
-- Name: COLUMN rollup_delivery_days.replaced_confirmed; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_delivery_days.replaced_confirmed IS 'Number of deliveries in states replaced and confirmed.';

--
-- Name: COLUMN rollup_delivery_days.refused; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_delivery_days.refused IS 'As in rollup_deliveries.';

--
-- Name: COLUMN rollup_delivery_days.refused_sent; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_delivery_days.refused_sent IS 'Number of deliveries in states failed and sent, and not in state replaced.';

--
-- Name: COLUMN rollup_delivery_days.locally_sent; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_delivery_days.locally_sent IS 'As in rollup_deliveries.';

--
-- Name: delivery_days; Type: VIEW; Schema: afterpush; Owner: afterpush_owner
--

CREATE VIEW afterpush.delivery_days WITH (security_invoker='true') AS
 SELECT 'delivery_days'::text AS source,
    rollup_delivery_days.app_id,
    rollup_delivery_days.verified,
    rollup_delivery_days.anchor_day AS hour,
    rollup_delivery_days.campaign_id,
    rollup_delivery_days.variant,
    rollup_delivery_days.category_id,
    rollup_delivery_days.category_version,
    rollup_delivery_days.platform,
    (''::text COLLATE "C") AS app_version,
    ('{}'::text[] COLLATE "C") AS actions,
    rollup_delivery_days.deliveries,
    rollup_delivery_days.deliveries_sent,
    rollup_delivery_days.deliveries_confirmed,
    rollup_delivery_days.deliveries_both,
    rollup_delivery_days.failed,
    rollup_delivery_days.delivered,
    rollup_delivery_days.delivered_sent,
    rollup_delivery_days.displayed,
    rollup_delivery_days.opened,
    rollup_delivery_days.opened_sent,
    rollup_delivery_days.opened_confirmed,
    rollup_delivery_days.acted,
    rollup_delivery_days.acted_sent,
    rollup_delivery_days.acted_confirmed,
    rollup_delivery_days.replied,
    rollup_delivery_days.replied_sent,
    rollup_delivery_days.replied_confirmed,
    rollup_delivery_days.dismissed,
    rollup_delivery_days.dismissed_sent,
    rollup_delivery_days.dismissed_confirmed,
    rollup_delivery_days.read,
    rollup_delivery_days.read_sent,
    rollup_delivery_days.read_confirmed,
    rollup_delivery_days.responded,
    rollup_delivery_days.responded_sent,
    rollup_delivery_days.responded_confirmed,
    rollup_delivery_days.replaced,
    rollup_delivery_days.replaced_sent,
    rollup_delivery_days.replaced_confirmed,
    rollup_delivery_days.refused,
    rollup_delivery_days.refused_sent,
    rollup_delivery_days.converted_events,
    rollup_delivery_days.converted_events_sent,
    rollup_delivery_days.converted_events_confirmed,
    0 AS unconverted,
    0 AS unconverted_sent,
    0 AS unconverted_confirmed,
    0 AS declared_sends
   FROM afterpush.rollup_delivery_days;

ALTER TABLE afterpush.delivery_days OWNER TO afterpush_owner;

--
-- Name: VIEW delivery_days; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON VIEW afterpush.delivery_days IS 'Deliveries by day, without their actions.';

--
-- Name: rollup_deliveries; Type: TABLE; Schema: afterpush; Owner: afterpush_owner
--

CREATE TABLE afterpush.rollup_deliveries (
    app_id integer NOT NULL,
    verified boolean NOT NULL,
    anchor_hour timestamp with time zone NOT NULL,
    campaign_id text NOT NULL COLLATE pg_catalog."C",
    variant text NOT NULL COLLATE pg_catalog."C",
    category_id text NOT NULL COLLATE pg_catalog."C",
    category_version integer NOT NULL,
    platform text NOT NULL COLLATE pg_catalog."C",
    is_sent boolean NOT NULL,
    is_confirmed boolean NOT NULL,
    actions text[] NOT NULL COLLATE pg_catalog."C",
    deliveries bigint NOT NULL,
    failed bigint NOT NULL,
    delivered bigint NOT NULL,
    displayed bigint NOT NULL,
    opened bigint NOT NULL,
    replied bigint NOT NULL,
    dismissed bigint NOT NULL,
    read bigint NOT NULL,
    responded bigint NOT NULL,
    converted_events bigint NOT NULL,
    replaced bigint NOT NULL,
    refused bigint NOT NULL,
    locally_sent bigint NOT NULL
)
WITH (fillfactor='80');

ALTER TABLE afterpush.rollup_deliveries OWNER TO afterpush_owner;

--
-- Name: TABLE rollup_deliveries; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TABLE afterpush.rollup_deliveries IS 'Deliveries in each state, by dimension and anchor hour.';

--
-- Name: COLUMN rollup_deliveries.app_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_deliveries.app_id IS 'The app.';

--
-- Name: COLUMN rollup_deliveries.verified; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_deliveries.verified IS 'Whether only verified events count; each delivery is in false, and in true if it has a verified event. In true, dimensions are known only if verified events state them.';

--
-- Name: COLUMN rollup_deliveries.anchor_hour; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_deliveries.anchor_hour IS 'Hour of the deliveries'' anchor, UTC.';

--
-- Name: COLUMN rollup_deliveries.campaign_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_deliveries.campaign_id IS 'Campaign; empty when unknown.';

--
-- Name: COLUMN rollup_deliveries.variant; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_deliveries.variant IS 'Variant; empty when unknown.';

--
-- Name: COLUMN rollup_deliveries.category_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_deliveries.category_id IS 'Category; empty when unknown.';

--
-- Name: COLUMN rollup_deliveries.category_version; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_deliveries.category_version IS 'Stated version of the category; 0 when unstated.';

--
-- Name: COLUMN rollup_deliveries.platform; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_deliveries.platform IS 'Platform; empty when unknown.';

--
-- Name: COLUMN rollup_deliveries.is_sent; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_deliveries.is_sent IS 'Whether the deliveries are in state sent.';

--
-- Name: COLUMN rollup_deliveries.is_confirmed; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_deliveries.is_confirmed IS 'Whether the deliveries are in state confirmed.';

--
-- Name: COLUMN rollup_deliveries.actions; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_deliveries.actions IS 'The set of actions taken on the deliveries, in byte order; empty when none.';

--
-- Name: COLUMN rollup_deliveries.deliveries; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_deliveries.deliveries IS 'Number of deliveries.';

--
-- Name: COLUMN rollup_deliveries.failed; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_deliveries.failed IS 'Number of deliveries in state failed.';

--
-- Name: COLUMN rollup_deliveries.delivered; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_deliveries.delivered IS 'Number of deliveries in state delivered.';

--
-- Name: COLUMN rollup_deliveries.displayed; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_deliveries.displayed IS 'Number of deliveries in state displayed.';

--
-- Name: COLUMN rollup_deliveries.opened; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_deliveries.opened IS 'Number of deliveries in state opened.';

--
-- Name: COLUMN rollup_deliveries.replied; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_deliveries.replied IS 'Number of deliveries in state replied.';

--
-- Name: COLUMN rollup_deliveries.dismissed; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_deliveries.dismissed IS 'Number of deliveries in state dismissed.';

--
-- Name: COLUMN rollup_deliveries.read; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_deliveries.read IS 'Number of deliveries in state read.';

--
-- Name: COLUMN rollup_deliveries.responded; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_deliveries.responded IS 'Number of deliveries in state responded.';

--
-- Name: COLUMN rollup_deliveries.converted_events; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_deliveries.converted_events IS 'Number of deliveries with a converted event.';

--
-- Name: COLUMN rollup_deliveries.replaced; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_deliveries.replaced IS 'Number of deliveries in state replaced.';

--
-- Name: COLUMN rollup_deliveries.refused; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_deliveries.refused IS 'Number of deliveries in state failed and not in state replaced.';

--
-- Name: COLUMN rollup_deliveries.locally_sent; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_deliveries.locally_sent IS 'Number of deliveries in state sent of which only unverified events say so: local triggers.';

--
-- Name: delivery_hours; Type: VIEW; Schema: afterpush; Owner: afterpush_owner
--

CREATE VIEW afterpush.delivery_hours WITH (security_invoker='true') AS
 SELECT 'delivery_hours'::text AS source,
    rollup_deliveries.app_id,
    rollup_deliveries.verified,
    rollup_deliveries.anchor_hour AS hour,
    rollup_deliveries.campaign_id,
    rollup_deliveries.variant,
    rollup_deliveries.category_id,
    rollup_deliveries.category_version,
    rollup_deliveries.platform,
    (''::text COLLATE "C") AS app_version,
    rollup_deliveries.actions,
    (rollup_deliveries.deliveries)::integer AS deliveries,
    (
        CASE
            WHEN rollup_deliveries.is_sent THEN rollup_deliveries.deliveries
            ELSE (0)::bigint
        END)::integer AS deliveries_sent,
    (
        CASE
            WHEN rollup_deliveries.is_confirmed THEN rollup_deliveries.deliveries
            ELSE (0)::bigint
        END)::integer AS deliveries_confirmed,
    (
        CASE
            WHEN (rollup_deliveries.is_sent AND rollup_deliveries.is_confirmed) THEN rollup_deliveries.deliveries
            ELSE (0)::bigint
        END)::integer AS deliveries_both,
    (rollup_deliveries.failed)::integer AS failed,
    (rollup_deliveries.delivered)::integer AS delivered,
    (
        CASE
            WHEN rollup_deliveries.is_sent THEN rollup_deliveries.delivered
            ELSE (0)::bigint
        END)::integer AS delivered_sent,
    (rollup_deliveries.displayed)::integer AS displayed,
    (rollup_deliveries.opened)::integer AS opened,
    (
        CASE
            WHEN rollup_deliveries.is_sent THEN rollup_deliveries.opened
            ELSE (0)::bigint
        END)::integer AS opened_sent,
    (
        CASE
            WHEN rollup_deliveries.is_confirmed THEN rollup_deliveries.opened
            ELSE (0)::bigint
        END)::integer AS opened_confirmed,
    (
        CASE
            WHEN (cardinality(rollup_deliveries.actions) > 0) THEN rollup_deliveries.deliveries
            ELSE (0)::bigint
        END)::integer AS acted,
    (
        CASE
            WHEN ((cardinality(rollup_deliveries.actions) > 0) AND rollup_deliveries.is_sent) THEN rollup_deliveries.deliveries
            ELSE (0)::bigint
        END)::integer AS acted_sent,
    (
        CASE
            WHEN ((cardinality(rollup_deliveries.actions) > 0) AND rollup_deliveries.is_confirmed) THEN rollup_deliveries.deliveries
            ELSE (0)::bigint
        END)::integer AS acted_confirmed,
    (rollup_deliveries.replied)::integer AS replied,
    (
        CASE
            WHEN rollup_deliveries.is_sent THEN rollup_deliveries.replied
            ELSE (0)::bigint
        END)::integer AS replied_sent,
    (
        CASE
            WHEN rollup_deliveries.is_confirmed THEN rollup_deliveries.replied
            ELSE (0)::bigint
        END)::integer AS replied_confirmed,
    (rollup_deliveries.dismissed)::integer AS dismissed,
    (
        CASE
            WHEN rollup_deliveries.is_sent THEN rollup_deliveries.dismissed
            ELSE (0)::bigint
        END)::integer AS dismissed_sent,
    (
        CASE
            WHEN rollup_deliveries.is_confirmed THEN rollup_deliveries.dismissed
            ELSE (0)::bigint
        END)::integer AS dismissed_confirmed,
    (rollup_deliveries.read)::integer AS read,
    (
        CASE
            WHEN rollup_deliveries.is_sent THEN rollup_deliveries.read
            ELSE (0)::bigint
        END)::integer AS read_sent,
    (
        CASE
            WHEN rollup_deliveries.is_confirmed THEN rollup_deliveries.read
            ELSE (0)::bigint
        END)::integer AS read_confirmed,
    (rollup_deliveries.responded)::integer AS responded,
    (
        CASE
            WHEN rollup_deliveries.is_sent THEN rollup_deliveries.responded
            ELSE (0)::bigint
        END)::integer AS responded_sent,
    (
        CASE
            WHEN rollup_deliveries.is_confirmed THEN rollup_deliveries.responded
            ELSE (0)::bigint
        END)::integer AS responded_confirmed,
    (rollup_deliveries.replaced)::integer AS replaced,
    (
        CASE
            WHEN rollup_deliveries.is_sent THEN rollup_deliveries.replaced
            ELSE (0)::bigint
        END)::integer AS replaced_sent,
    (
        CASE
            WHEN rollup_deliveries.is_confirmed THEN rollup_deliveries.replaced
            ELSE (0)::bigint
        END)::integer AS replaced_confirmed,
    (rollup_deliveries.refused)::integer AS refused,
    (
        CASE
            WHEN rollup_deliveries.is_sent THEN rollup_deliveries.refused
            ELSE (0)::bigint
        END)::integer AS refused_sent,
    (rollup_deliveries.converted_events)::integer AS converted_events,
    (
        CASE
            WHEN rollup_deliveries.is_sent THEN rollup_deliveries.converted_events
            ELSE (0)::bigint
        END)::integer AS converted_events_sent,
    (
        CASE
            WHEN rollup_deliveries.is_confirmed THEN rollup_deliveries.converted_events
            ELSE (0)::bigint
        END)::integer AS converted_events_confirmed,
    ((rollup_deliveries.deliveries - rollup_deliveries.converted_events))::integer AS unconverted,
    (
        CASE
            WHEN rollup_deliveries.is_sent THEN (rollup_deliveries.deliveries - rollup_deliveries.converted_events)
            ELSE (0)::bigint
        END)::integer AS unconverted_sent,
    (
        CASE
            WHEN rollup_deliveries.is_confirmed THEN (rollup_deliveries.deliveries - rollup_deliveries.converted_events)
            ELSE (0)::bigint
        END)::integer AS unconverted_confirmed,
    0 AS declared_sends
   FROM afterpush.rollup_deliveries;

ALTER TABLE afterpush.delivery_hours OWNER TO afterpush_owner;

--
-- Name: VIEW delivery_hours; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON VIEW afterpush.delivery_hours IS 'Deliveries by hour, with their actions.';

--
-- Name: keyed_deliveries; Type: VIEW; Schema: afterpush; Owner: afterpush_owner
--

CREATE VIEW afterpush.keyed_deliveries AS
 SELECT deliveries.app_id,
    afterpush.anchor_hour(deliveries.verified_sent_at, deliveries.receipt_issued_at, deliveries.first_event_at) AS anchor_hour,
    COALESCE(deliveries.app_version, ''::text) AS app_version,
    COALESCE(deliveries.campaign_id, ''::text) AS campaign_id,
    COALESCE(deliveries.variant, ''::text) AS variant,
    COALESCE(deliveries.category_id, ''::text) AS category_id,
    COALESCE(deliveries.category_version, 0) AS category_version,
    COALESCE(deliveries.platform, ''::text) AS platform,
    afterpush.verified_dimensions(deliveries.platform_source_rank, deliveries.app_version_source_rank, deliveries.campaign_source_rank, deliveries.category_source_rank) AS verified_dimensions,
    deliveries.kinds,
    deliveries.verified_kinds,
    deliveries.actions,
    COALESCE(deliveries.confirmed_at, deliveries.sent_at) AS reached_at,
    COALESCE(deliveries.verified_confirmed_at, deliveries.verified_sent_at) AS verified_reached_at,
    deliveries.responded_at,
    deliveries.verified_responded_at,
    deliveries.delivery_id
   FROM afterpush.deliveries
  WHERE (NOT afterpush.is_held_out(deliveries.kinds));

ALTER TABLE afterpush.keyed_deliveries OWNER TO afterpush_owner;

--
-- Name: VIEW keyed_deliveries; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON VIEW afterpush.keyed_deliveries IS 'Deliveries with the keys under which rollups count them.';

--
-- Name: delivery_modes; Type: VIEW; Schema: afterpush; Owner: afterpush_owner
--

CREATE VIEW afterpush.delivery_modes AS
 SELECT keyed_deliveries.app_id,
    false AS verified,
    keyed_deliveries.anchor_hour,
    keyed_deliveries.app_version,
    keyed_deliveries.campaign_id,
    keyed_deliveries.variant,
    keyed_deliveries.category_id,
    keyed_deliveries.category_version,
    keyed_deliveries.platform,
    keyed_deliveries.kinds,
    ARRAY( SELECT a.action_id
           FROM unnest(keyed_deliveries.actions) a(action_id, unverified_first_at, unverified_events, verified_first_at, verified_events)) AS action_ids,
    ARRAY( SELECT LEAST(a.unverified_first_at, a.verified_first_at) AS "least"
           FROM unnest(keyed_deliveries.actions) a(action_id, unverified_first_at, unverified_events, verified_first_at, verified_events)) AS action_times,
    ARRAY( SELECT (a.unverified_events + a.verified_events)
           FROM unnest(keyed_deliveries.actions) a(action_id, unverified_first_at, unverified_events, verified_first_at, verified_events)) AS action_events,
    keyed_deliveries.reached_at,
    ((afterpush.is_sent(keyed_deliveries.kinds) AND (NOT afterpush.is_sent(keyed_deliveries.verified_kinds))))::integer AS locally_sent
   FROM afterpush.keyed_deliveries
UNION ALL
 SELECT keyed_deliveries.app_id,
    true AS verified,
    keyed_deliveries.anchor_hour,
    verified_names.verified_app_version AS app_version,
    verified_names.verified_campaign_id AS campaign_id,
    verified_names.verified_variant AS variant,
    verified_names.verified_category_id AS category_id,
    verified_names.verified_category_version AS category_version,
    verified_names.verified_platform AS platform,
    keyed_deliveries.verified_kinds AS kinds,
    ARRAY( SELECT a.action_id
           FROM unnest(keyed_deliveries.actions) a(action_id, unverified_first_at, unverified_events, verified_first_at, verified_events)
          WHERE (a.verified_events > 0)) AS action_ids,
    ARRAY( SELECT a.verified_first_at
           FROM unnest(keyed_deliveries.actions) a(action_id, unverified_first_at, unverified_events, verified_first_at, verified_events)
          WHERE (a.verified_events > 0)) AS action_times,
    ARRAY( SELECT a.verified_events
           FROM unnest(keyed_deliveries.actions) a(action_id, unverified_first_at, unverified_events, verified_first_at, verified_events)
          WHERE (a.verified_events > 0)) AS action_events,
    keyed_deliveries.verified_reached_at AS reached_at,
    0 AS locally_sent
   FROM (afterpush.keyed_deliveries
     CROSS JOIN LATERAL afterpush.verified_names(keyed_deliveries.verified_dimensions, keyed_deliveries.platform, keyed_deliveries.app_version, keyed_deliveries.campaign_id, keyed_deliveries.variant, keyed_deliveries.category_id, keyed_deliveries.category_version) verified_names(verified_platform, verified_app_version, verified_campaign_id, verified_variant, verified_category_id, verified_category_version))
  WHERE (keyed_deliveries.verified_kinds <> 0);

ALTER TABLE afterpush.delivery_modes OWNER TO afterpush_owner;

--
-- Name: VIEW delivery_modes; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON VIEW afterpush.delivery_modes IS 'Each delivery by all its events, and by its verified events if it has any.';

--
-- Name: rollup_device_buckets; Type: TABLE; Schema: afterpush; Owner: afterpush_owner
--

CREATE TABLE afterpush.rollup_device_buckets (
    app_id integer NOT NULL,
    modes smallint NOT NULL,
    anchor_day timestamp with time zone NOT NULL,
    campaign_id text NOT NULL COLLATE pg_catalog."C",
    variant text NOT NULL COLLATE pg_catalog."C",
    category_id text NOT NULL COLLATE pg_catalog."C",
    category_version integer NOT NULL,
    platform text NOT NULL COLLATE pg_catalog."C",
    kinds integer NOT NULL,
    actions text[] NOT NULL COLLATE pg_catalog."C",
    device_buckets numeric NOT NULL
)
WITH (fillfactor='80');

ALTER TABLE afterpush.rollup_device_buckets OWNER TO afterpush_owner;

--
-- Name: TABLE rollup_device_buckets; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TABLE afterpush.rollup_device_buckets IS 'Deliveries by 128 device buckets, by dimension, UTC day and the kinds of events that rates depend on.';

--
-- Name: COLUMN rollup_device_buckets.app_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_device_buckets.app_id IS 'As in rollup_deliveries.';

--
-- Name: COLUMN rollup_device_buckets.modes; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_device_buckets.modes IS '1: by all events; 2: by verified events only; 3: both, for deliveries that both describe alike.';

--
-- Name: COLUMN rollup_device_buckets.anchor_day; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_device_buckets.anchor_day IS 'Day of the deliveries'' anchor, UTC.';

--
-- Name: COLUMN rollup_device_buckets.campaign_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_device_buckets.campaign_id IS 'As in rollup_deliveries.';

--
-- Name: COLUMN rollup_device_buckets.variant; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_device_buckets.variant IS 'As in rollup_deliveries.';

--
-- Name: COLUMN rollup_device_buckets.category_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_device_buckets.category_id IS 'As in rollup_deliveries.';

--
-- Name: COLUMN rollup_device_buckets.category_version; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_device_buckets.category_version IS 'As in rollup_deliveries.';

--
-- Name: COLUMN rollup_device_buckets.platform; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_device_buckets.platform IS 'As in rollup_deliveries.';

--
-- Name: COLUMN rollup_device_buckets.kinds; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_device_buckets.kinds IS 'The kinds of the deliveries'' events that rates depend on, a bit each (function rate_kinds).';

--
-- Name: COLUMN rollup_device_buckets.actions; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_device_buckets.actions IS 'As in rollup_deliveries.';

--
-- Name: COLUMN rollup_device_buckets.device_buckets; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_device_buckets.device_buckets IS 'Number of deliveries in each bucket: that of bucket b times 10^(8 b), summed (function packed_buckets).';

--
-- Name: rollup_device_changes; Type: TABLE; Schema: afterpush; Owner: afterpush_owner
--

CREATE TABLE afterpush.rollup_device_changes (
    app_id integer NOT NULL,
    modes smallint NOT NULL,
    anchor_day timestamp with time zone NOT NULL,
    campaign_id text NOT NULL COLLATE pg_catalog."C",
    variant text NOT NULL COLLATE pg_catalog."C",
    category_id text NOT NULL COLLATE pg_catalog."C",
    category_version integer NOT NULL,
    platform text NOT NULL COLLATE pg_catalog."C",
    kinds integer NOT NULL,
    actions text[] NOT NULL COLLATE pg_catalog."C",
    come bytea NOT NULL,
    gone bytea NOT NULL
);

ALTER TABLE afterpush.rollup_device_changes OWNER TO afterpush_owner;

--
-- Name: TABLE rollup_device_changes; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TABLE afterpush.rollup_device_changes IS 'Changes of deliveries by device bucket that rollup_device_buckets does not contain yet.';

--
-- Name: COLUMN rollup_device_changes.app_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_device_changes.app_id IS 'As in rollup_device_buckets.';

--
-- Name: COLUMN rollup_device_changes.modes; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_device_changes.modes IS 'As in rollup_device_buckets.';

--
-- Name: COLUMN rollup_device_changes.anchor_day; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_device_changes.anchor_day IS 'As in rollup_device_buckets.';

--
-- Name: COLUMN rollup_device_changes.campaign_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_device_changes.campaign_id IS 'As in rollup_device_buckets.';

--
-- Name: COLUMN rollup_device_changes.variant; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_device_changes.variant IS 'As in rollup_device_buckets.';

--
-- Name: COLUMN rollup_device_changes.category_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_device_changes.category_id IS 'As in rollup_device_buckets.';

--
-- Name: COLUMN rollup_device_changes.category_version; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_device_changes.category_version IS 'As in rollup_device_buckets.';

--
-- Name: COLUMN rollup_device_changes.platform; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_device_changes.platform IS 'As in rollup_device_buckets.';

--
-- Name: COLUMN rollup_device_changes.kinds; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_device_changes.kinds IS 'As in rollup_device_buckets.';

--
-- Name: COLUMN rollup_device_changes.actions; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_device_changes.actions IS 'As in rollup_device_buckets.';

--
-- Name: COLUMN rollup_device_changes.come; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_device_changes.come IS 'A byte for each delivery that came to be in the group, whose low seven bits are its device bucket.';

--
-- Name: COLUMN rollup_device_changes.gone; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_device_changes.gone IS 'The same for each delivery that left the group.';

--
-- Name: device_bucket_counts; Type: VIEW; Schema: afterpush; Owner: afterpush_owner
--

CREATE VIEW afterpush.device_bucket_counts WITH (security_invoker='true') AS
 SELECT rollup_device_buckets.app_id,
    rollup_device_buckets.modes,
    rollup_device_buckets.anchor_day,
    rollup_device_buckets.campaign_id,
    rollup_device_buckets.variant,
    rollup_device_buckets.category_id,
    rollup_device_buckets.category_version,
    rollup_device_buckets.platform,
    rollup_device_buckets.kinds,
    rollup_device_buckets.actions,
    rollup_device_buckets.device_buckets
   FROM afterpush.rollup_device_buckets
UNION ALL
 SELECT rollup_device_changes.app_id,
    rollup_device_changes.modes,
    rollup_device_changes.anchor_day,
    rollup_device_changes.campaign_id,
    rollup_device_changes.variant,
    rollup_device_changes.category_id,
    rollup_device_changes.category_version,
    rollup_device_changes.platform,
    rollup_device_changes.kinds,
    rollup_device_changes.actions,
    (afterpush.packed_buckets(rollup_device_changes.come) - afterpush.packed_buckets(rollup_device_changes.gone)) AS device_buckets
   FROM afterpush.rollup_device_changes;

ALTER TABLE afterpush.device_bucket_counts OWNER TO afterpush_owner;

--
-- Name: VIEW device_bucket_counts; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON VIEW afterpush.device_bucket_counts IS 'Deliveries by device bucket: rollup_device_buckets, and changes that it does not contain yet.';

--
-- Name: rollup_device_bucket_totals; Type: TABLE; Schema: afterpush; Owner: afterpush_owner
--

CREATE TABLE afterpush.rollup_device_bucket_totals (
    app_id integer NOT NULL,
    modes smallint NOT NULL,
    anchor_day timestamp with time zone NOT NULL,
    campaign_id text NOT NULL COLLATE pg_catalog."C",
    category_id text NOT NULL COLLATE pg_catalog."C",
    category_version integer NOT NULL,
    kinds integer NOT NULL,
    actions text[] NOT NULL COLLATE pg_catalog."C",
    device_buckets numeric NOT NULL
)
WITH (fillfactor='80');

ALTER TABLE afterpush.rollup_device_bucket_totals OWNER TO afterpush_owner;

--
-- Name: TABLE rollup_device_bucket_totals; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TABLE afterpush.rollup_device_bucket_totals IS 'rollup_device_buckets, summed over variants and platforms; without actions also over campaigns and categories.';

--
-- Name: COLUMN rollup_device_bucket_totals.app_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_device_bucket_totals.app_id IS 'As in rollup_device_buckets.';

--
-- Name: COLUMN rollup_device_bucket_totals.modes; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_device_bucket_totals.modes IS 'As in rollup_device_buckets.';

--
-- Name: COLUMN rollup_device_bucket_totals.anchor_day; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_device_bucket_totals.anchor_day IS 'As in rollup_device_buckets.';

--
-- Name: COLUMN rollup_device_bucket_totals.campaign_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_device_bucket_totals.campaign_id IS 'Campaign; empty when unknown or without actions.';

--
-- Name: COLUMN rollup_device_bucket_totals.category_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_device_bucket_totals.category_id IS 'Category; empty when unknown or without actions.';

--
-- Name: COLUMN rollup_device_bucket_totals.category_version; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_device_bucket_totals.category_version IS 'Stated version of the category; 0 when unstated or without actions.';

--
-- Name: COLUMN rollup_device_bucket_totals.kinds; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_device_bucket_totals.kinds IS 'As in rollup_device_buckets.';

--
-- Name: COLUMN rollup_device_bucket_totals.actions; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_device_bucket_totals.actions IS 'As in rollup_device_buckets.';

--
-- Name: COLUMN rollup_device_bucket_totals.device_buckets; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_device_bucket_totals.device_buckets IS 'As in rollup_device_buckets.';

--
-- Name: device_bucket_totals; Type: VIEW; Schema: afterpush; Owner: afterpush_owner
--

CREATE VIEW afterpush.device_bucket_totals WITH (security_invoker='true') AS
 SELECT rollup_device_bucket_totals.app_id,
    rollup_device_bucket_totals.modes,
    rollup_device_bucket_totals.anchor_day,
    rollup_device_bucket_totals.campaign_id,
    (''::text COLLATE "C") AS variant,
    rollup_device_bucket_totals.category_id,
    rollup_device_bucket_totals.category_version,
    (''::text COLLATE "C") AS platform,
    rollup_device_bucket_totals.kinds,
    rollup_device_bucket_totals.actions,
    rollup_device_bucket_totals.device_buckets
   FROM afterpush.rollup_device_bucket_totals
UNION ALL
 SELECT rollup_device_changes.app_id,
    rollup_device_changes.modes,
    rollup_device_changes.anchor_day,
    rollup_device_changes.campaign_id,
    ''::text AS variant,
    rollup_device_changes.category_id,
    rollup_device_changes.category_version,
    ''::text AS platform,
    rollup_device_changes.kinds,
    rollup_device_changes.actions,
    (afterpush.packed_buckets(rollup_device_changes.come) - afterpush.packed_buckets(rollup_device_changes.gone)) AS device_buckets
   FROM afterpush.rollup_device_changes;

ALTER TABLE afterpush.device_bucket_totals OWNER TO afterpush_owner;

--
-- Name: VIEW device_bucket_totals; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON VIEW afterpush.device_bucket_totals IS 'Deliveries by device bucket, of all variants and platforms: rollup_device_bucket_totals, and changes since.';

--
-- Name: disabled_destinations; Type: TABLE; Schema: afterpush; Owner: afterpush_owner
--

CREATE TABLE afterpush.disabled_destinations (
    app_id integer NOT NULL,
    kind text NOT NULL,
    target text NOT NULL COLLATE pg_catalog."C",
    disabled_at timestamp with time zone DEFAULT now() NOT NULL
);

ALTER TABLE afterpush.disabled_destinations OWNER TO afterpush_owner;

--
-- Name: TABLE disabled_destinations; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TABLE afterpush.disabled_destinations IS 'Destinations that answered 410 Gone; they get no messages until they are put again.';

--
-- Name: COLUMN disabled_destinations.app_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.disabled_destinations.app_id IS 'App of the destination.';

--
-- Name: COLUMN disabled_destinations.kind; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.disabled_destinations.kind IS 'webhook, slack or email.';

--
-- Name: COLUMN disabled_destinations.target; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.disabled_destinations.target IS 'URL or mail address.';

--
-- Name: COLUMN disabled_destinations.disabled_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.disabled_destinations.disabled_at IS 'When it answered 410.';

--
-- Name: event_upgrades; Type: TABLE; Schema: afterpush; Owner: afterpush_owner
--

CREATE TABLE afterpush.event_upgrades (
    delivery_id uuid NOT NULL,
    event_id uuid NOT NULL,
    device_time timestamp with time zone NOT NULL,
    occurred_at timestamp with time zone NOT NULL,
    batch_id bigint NOT NULL,
    app_id integer NOT NULL,
    kind afterpush.event_kind NOT NULL,
    verified boolean NOT NULL,
    category_version integer,
    utc_offset_minutes integer,
    text_length integer,
    skew_milliseconds bigint,
    receipt_issued_at timestamp with time zone,
    names_past_limit text[] COLLATE pg_catalog."C",
    device_id text NOT NULL COLLATE pg_catalog."C",
    notification_id text COLLATE pg_catalog."C",
    action_identifier text COLLATE pg_catalog."C",
    campaign_id text COLLATE pg_catalog."C",
    variant text COLLATE pg_catalog."C",
    category_id text COLLATE pg_catalog."C",
    platform text COLLATE pg_catalog."C",
    app_version text COLLATE pg_catalog."C",
    os_version text COLLATE pg_catalog."C",
    locale text COLLATE pg_catalog."C",
    surface text COLLATE pg_catalog."C",
    trigger text COLLATE pg_catalog."C",
    app_state text COLLATE pg_catalog."C",
    dismiss_cause text COLLATE pg_catalog."C",
    handling text COLLATE pg_catalog."C",
    reason text COLLATE pg_catalog."C",
    name text COLLATE pg_catalog."C",
    value numeric,
    currency text COLLATE pg_catalog."C",
    properties jsonb
);

ALTER TABLE afterpush.event_upgrades OWNER TO afterpush_owner;

--
-- Name: TABLE event_upgrades; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TABLE afterpush.event_upgrades IS 'Verified copies of stored unverified events, until their batch is merged and they replace these.';

--
-- Name: COLUMN event_upgrades.delivery_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.event_upgrades.delivery_id IS 'Derived from app, notification and device; for events about the device alone, from app and device.';

--
-- Name: COLUMN event_upgrades.event_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.event_upgrades.event_id IS 'Idempotency key that the sender chose.';

--
-- Name: COLUMN event_upgrades.device_time; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.event_upgrades.device_time IS 'occurred_at as the device sent it.';

--
-- Name: COLUMN event_upgrades.occurred_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.event_upgrades.occurred_at IS 'device_time corrected by the clock skew, if the request stated sent_at and the skew is 60 s or more.';

--
-- Name: COLUMN event_upgrades.batch_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.event_upgrades.batch_id IS 'Batch that holds the copy.';

--
-- Name: COLUMN event_upgrades.app_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.event_upgrades.app_id IS 'App of the key that posted the event.';

--
-- Name: COLUMN event_upgrades.kind; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.event_upgrades.kind IS 'What happened.';

--
-- Name: COLUMN event_upgrades.verified; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.event_upgrades.verified IS 'Whether the event came with a valid receipt bound to its device, or was posted with a send key.';

--
-- Name: COLUMN event_upgrades.category_version; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.event_upgrades.category_version IS 'Version of the category; null if not stated.';

--
-- Name: COLUMN event_upgrades.utc_offset_minutes; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.event_upgrades.utc_offset_minutes IS 'Offset of the device''s local time from UTC, in minutes.';

--
-- Name: COLUMN event_upgrades.text_length; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.event_upgrades.text_length IS 'Length of the reply text in UTF-8 bytes; the text itself is stored only in replies.';

--
-- Name: COLUMN event_upgrades.skew_milliseconds; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.event_upgrades.skew_milliseconds IS 'Clock of the collector minus sent_at, in milliseconds; null if the request stated no sent_at.';

--
-- Name: COLUMN event_upgrades.receipt_issued_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.event_upgrades.receipt_issued_at IS 'Issue time of the receipt that came with the event; null without a valid receipt.';

--
-- Name: COLUMN event_upgrades.names_past_limit; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.event_upgrades.names_past_limit IS 'Kinds of the names that the event stated past their limit, so that they are null, or (other); null without any.';

--
-- Name: COLUMN event_upgrades.device_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.event_upgrades.device_id IS 'Device that the event is about.';

--
-- Name: COLUMN event_upgrades.notification_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.event_upgrades.notification_id IS 'Notification; null for kinds about the device alone, and for outcomes (converted without a notification).';

--
-- Name: COLUMN event_upgrades.action_identifier; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.event_upgrades.action_identifier IS 'Identifier of the action, as the platform reported it; never null for kinds action and text_input.';

--
-- Name: COLUMN event_upgrades.campaign_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.event_upgrades.campaign_id IS 'Campaign; null if not stated.';

--
-- Name: COLUMN event_upgrades.variant; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.event_upgrades.variant IS 'Variant of the campaign; null if not stated.';

--
-- Name: COLUMN event_upgrades.category_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.event_upgrades.category_id IS 'Category; null if not stated.';

--
-- Name: COLUMN event_upgrades.platform; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.event_upgrades.platform IS 'ios, macos, watchos, visionos, android or web; null if not stated.';

--
-- Name: COLUMN event_upgrades.app_version; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.event_upgrades.app_version IS 'Version of the app; null if not stated.';

--
-- Name: COLUMN event_upgrades.os_version; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.event_upgrades.os_version IS 'Version of the operating system; null if not stated.';

--
-- Name: COLUMN event_upgrades.locale; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.event_upgrades.locale IS 'Locale of the device; null if not stated.';

--
-- Name: COLUMN event_upgrades.surface; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.event_upgrades.surface IS 'Where it happened: banner, list, watch and so on; null if not stated.';

--
-- Name: COLUMN event_upgrades.trigger; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.event_upgrades.trigger IS 'push, time_interval, calendar or location; null if not stated.';

--
-- Name: COLUMN event_upgrades.app_state; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.event_upgrades.app_state IS 'State of the app when it happened; null if not stated.';

--
-- Name: COLUMN event_upgrades.dismiss_cause; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.event_upgrades.dismiss_cause IS 'Why the notification was dismissed; null where the platform doesn''t report it.';

--
-- Name: COLUMN event_upgrades.handling; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.event_upgrades.handling IS 'Who handled the response: app, extension or forwarded; null if not stated.';

--
-- Name: COLUMN event_upgrades.reason; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.event_upgrades.reason IS 'Reason of a failure; null if not stated.';

--
-- Name: COLUMN event_upgrades.name; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.event_upgrades.name IS 'Name of a conversion; null if not stated.';

--
-- Name: COLUMN event_upgrades.value; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.event_upgrades.value IS 'Value of a conversion, in units of currency; null if not stated.';

--
-- Name: COLUMN event_upgrades.currency; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.event_upgrades.currency IS 'ISO 4217 code of the currency of value; null if not stated.';

--
-- Name: COLUMN event_upgrades.properties; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.event_upgrades.properties IS 'Other members of the event''s JSON object; null if there are none.';

--
-- Name: events_default; Type: TABLE; Schema: afterpush; Owner: afterpush_owner
--

CREATE TABLE afterpush.events_default (
    delivery_id uuid NOT NULL,
    event_id uuid NOT NULL,
    device_time timestamp with time zone NOT NULL,
    occurred_at timestamp with time zone NOT NULL,
    batch_id bigint NOT NULL,
    app_id integer NOT NULL,
    kind afterpush.event_kind NOT NULL,
    verified boolean NOT NULL,
    category_version integer,
    utc_offset_minutes integer,
    text_length integer,
    skew_milliseconds bigint,
    receipt_issued_at timestamp with time zone,
    names_past_limit text[] COLLATE pg_catalog."C",
    device_id text NOT NULL COLLATE pg_catalog."C",
    notification_id text COLLATE pg_catalog."C",
    action_identifier text COLLATE pg_catalog."C",
    campaign_id text COLLATE pg_catalog."C",
    variant text COLLATE pg_catalog."C",
    category_id text COLLATE pg_catalog."C",
    platform text COLLATE pg_catalog."C",
    app_version text COLLATE pg_catalog."C",
    os_version text COLLATE pg_catalog."C",
    locale text COLLATE pg_catalog."C",
    surface text COLLATE pg_catalog."C",
    trigger text COLLATE pg_catalog."C",
    app_state text COLLATE pg_catalog."C",
    dismiss_cause text COLLATE pg_catalog."C",
    handling text COLLATE pg_catalog."C",
    reason text COLLATE pg_catalog."C",
    name text COLLATE pg_catalog."C",
    value numeric,
    currency text COLLATE pg_catalog."C",
    properties jsonb,
    CONSTRAINT action_is_named CHECK (((kind <> ALL (ARRAY['action'::afterpush.event_kind, 'text_input'::afterpush.event_kind])) OR (action_identifier IS NOT NULL))),
    CONSTRAINT version_is_positive CHECK ((category_version > 0))
);

ALTER TABLE afterpush.events_default OWNER TO afterpush_owner;

--
-- Name: TABLE events_default; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TABLE afterpush.events_default IS 'Events whose device_time lies in a month without a partition.';

--
-- Name: COLUMN events_default.delivery_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events_default.delivery_id IS 'Derived from app, notification and device; for events about the device alone, from app and device.';

--
-- Name: COLUMN events_default.event_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events_default.event_id IS 'Idempotency key that the sender chose.';

--
-- Name: COLUMN events_default.device_time; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events_default.device_time IS 'occurred_at as the device sent it.';

--
-- Name: COLUMN events_default.occurred_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events_default.occurred_at IS 'device_time corrected by the clock skew, if the request stated sent_at and the skew is 60 s or more.';

--
-- Name: COLUMN events_default.batch_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events_default.batch_id IS 'Batch that stored the event.';

--
-- Name: COLUMN events_default.app_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events_default.app_id IS 'App of the key that posted the event.';

--
-- Name: COLUMN events_default.kind; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events_default.kind IS 'What happened.';

--
-- Name: COLUMN events_default.verified; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events_default.verified IS 'Whether the event came with a valid receipt bound to its device, or was posted with a send key.';

--
-- Name: COLUMN events_default.category_version; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events_default.category_version IS 'Version of the category; null if not stated.';

--
-- Name: COLUMN events_default.utc_offset_minutes; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events_default.utc_offset_minutes IS 'Offset of the device''s local time from UTC, in minutes.';

--
-- Name: COLUMN events_default.text_length; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events_default.text_length IS 'Length of the reply text in UTF-8 bytes; the text itself is stored only in replies.';

--
-- Name: COLUMN events_default.skew_milliseconds; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events_default.skew_milliseconds IS 'Clock of the collector minus sent_at, in milliseconds; null if the request stated no sent_at.';

--
-- Name: COLUMN events_default.receipt_issued_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events_default.receipt_issued_at IS 'Issue time of the receipt that came with the event; null without a valid receipt.';

--
-- Name: COLUMN events_default.names_past_limit; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events_default.names_past_limit IS 'Kinds of the names that the event stated past their limit, so that they are null, or (other); null without any.';

--
-- Name: COLUMN events_default.device_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events_default.device_id IS 'Device that the event is about.';

--
-- Name: COLUMN events_default.notification_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events_default.notification_id IS 'Notification; null for kinds about the device alone, and for outcomes (converted without a notification).';

--
-- Name: COLUMN events_default.action_identifier; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events_default.action_identifier IS 'Identifier of the action, as the platform reported it; never null for kinds action and text_input.';

--
-- Name: COLUMN events_default.campaign_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events_default.campaign_id IS 'Campaign; null if not stated.';

--
-- Name: COLUMN events_default.variant; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events_default.variant IS 'Variant of the campaign; null if not stated.';

--
-- Name: COLUMN events_default.category_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events_default.category_id IS 'Category; null if not stated.';

--
-- Name: COLUMN events_default.platform; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events_default.platform IS 'ios, macos, watchos, visionos, android or web; null if not stated.';

--
-- Name: COLUMN events_default.app_version; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events_default.app_version IS 'Version of the app; null if not stated.';

--
-- Name: COLUMN events_default.os_version; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events_default.os_version IS 'Version of the operating system; null if not stated.';

--
-- Name: COLUMN events_default.locale; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events_default.locale IS 'Locale of the device; null if not stated.';

--
-- Name: COLUMN events_default.surface; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events_default.surface IS 'Where it happened: banner, list, watch and so on; null if not stated.';

--
-- Name: COLUMN events_default.trigger; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events_default.trigger IS 'push, time_interval, calendar or location; null if not stated.';

--
-- Name: COLUMN events_default.app_state; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events_default.app_state IS 'State of the app when it happened; null if not stated.';

--
-- Name: COLUMN events_default.dismiss_cause; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events_default.dismiss_cause IS 'Why the notification was dismissed; null where the platform doesn''t report it.';

--
-- Name: COLUMN events_default.handling; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events_default.handling IS 'Who handled the response: app, extension or forwarded; null if not stated.';

--
-- Name: COLUMN events_default.reason; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events_default.reason IS 'Reason of a failure; null if not stated.';

--
-- Name: COLUMN events_default.name; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events_default.name IS 'Name of a conversion; null if not stated.';

--
-- Name: COLUMN events_default.value; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events_default.value IS 'Value of a conversion, in units of currency; null if not stated.';

--
-- Name: COLUMN events_default.currency; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events_default.currency IS 'ISO 4217 code of the currency of value; null if not stated.';

--
-- Name: COLUMN events_default.properties; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events_default.properties IS 'Other members of the event''s JSON object; null if there are none.';

--
-- Name: expected_actions; Type: VIEW; Schema: afterpush; Owner: afterpush_owner
--

CREATE VIEW afterpush.expected_actions AS
 SELECT acted.app_id,
    acted.verified,
    acted.anchor_hour,
    acted.campaign_id,
    acted.variant,
    acted.category_id,
    acted.category_version,
    acted.platform,
    acted.is_sent,
    acted.is_confirmed,
    acted.action_id,
    acted.bucket,
    count(*) AS deliveries,
    sum(acted.events) AS events
   FROM ( SELECT m.app_id,
            m.verified,
            m.anchor_hour,
            m.campaign_id,
            m.variant,
            m.category_id,
            m.category_version,
            m.platform,
            s.is_sent,
            s.is_confirmed,
            (a.action_id COLLATE "default") AS action_id,
            afterpush.time_bucket((a.first_at - m.reached_at)) AS bucket,
            a.events
           FROM ((afterpush.delivery_modes m
             CROSS JOIN LATERAL afterpush.states(m.kinds) s(is_sent, is_confirmed, failed, delivered, displayed, opened, replied, dismissed, read, responded, converted_events, replaced, refused))
             CROSS JOIN LATERAL UNNEST(m.action_ids, m.action_times, m.action_events) a(action_id, first_at, events))) acted
  GROUP BY acted.app_id, acted.verified, acted.anchor_hour, acted.campaign_id, acted.variant, acted.category_id, acted.category_version, acted.platform, acted.is_sent, acted.is_confirmed, acted.action_id, acted.bucket;

ALTER TABLE afterpush.expected_actions OWNER TO afterpush_owner;

--
-- Name: VIEW expected_actions; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON VIEW afterpush.expected_actions IS 'What rollup_actions must hold, computed from all deliveries.';

--
-- Name: expected_app_versions; Type: VIEW; Schema: afterpush; Owner: afterpush_owner
--

CREATE VIEW afterpush.expected_app_versions AS
 SELECT delivery_modes.app_id,
    delivery_modes.verified,
    delivery_modes.anchor_hour,
    delivery_modes.campaign_id,
    delivery_modes.variant,
    delivery_modes.category_id,
    delivery_modes.category_version,
    delivery_modes.platform,
    states.is_sent,
    states.is_confirmed,
    ARRAY( SELECT (action_id.action_id COLLATE "default") AS action_id
           FROM unnest(delivery_modes.action_ids) action_id(action_id)) AS actions,
    count(*) AS deliveries,
    sum(states.failed) AS failed,
    sum(states.delivered) AS delivered,
    sum(states.displayed) AS displayed,
    sum(states.opened) AS opened,
    sum(states.replied) AS replied,
    sum(states.dismissed) AS dismissed,
    sum(states.read) AS read,
    sum(states.responded) AS responded,
    sum(states.converted_events) AS converted_events,
    sum(states.replaced) AS replaced,
    sum(states.refused) AS refused,
    sum(delivery_modes.locally_sent) AS locally_sent,
    delivery_modes.app_version
   FROM (afterpush.delivery_modes
     CROSS JOIN LATERAL afterpush.states(delivery_modes.kinds) states(is_sent, is_confirmed, failed, delivered, displayed, opened, replied, dismissed, read, responded, converted_events, replaced, refused))
  GROUP BY delivery_modes.app_id, delivery_modes.verified, delivery_modes.anchor_hour, delivery_modes.app_version, delivery_modes.campaign_id, delivery_modes.variant, delivery_modes.category_id, delivery_modes.category_version, delivery_modes.platform, states.is_sent, states.is_confirmed, ARRAY( SELECT (action_id.action_id COLLATE "default") AS action_id
           FROM unnest(delivery_modes.action_ids) action_id(action_id));

ALTER TABLE afterpush.expected_app_versions OWNER TO afterpush_owner;

--
-- Name: VIEW expected_app_versions; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON VIEW afterpush.expected_app_versions IS 'What rollup_app_versions must hold, computed from all deliveries.';

--
-- Name: expected_deliveries; Type: VIEW; Schema: afterpush; Owner: afterpush_owner
--

CREATE VIEW afterpush.expected_deliveries AS
 SELECT expected_app_versions.app_id,
    expected_app_versions.verified,
    expected_app_versions.anchor_hour,
    expected_app_versions.campaign_id,
    expected_app_versions.variant,
    expected_app_versions.category_id,
    expected_app_versions.category_version,
    expected_app_versions.platform,
    expected_app_versions.is_sent,
    expected_app_versions.is_confirmed,
    expected_app_versions.actions,
    (sum(expected_app_versions.deliveries))::bigint AS deliveries,
    (sum(expected_app_versions.failed))::bigint AS failed,
    (sum(expected_app_versions.delivered))::bigint AS delivered,
    (sum(expected_app_versions.displayed))::bigint AS displayed,
    (sum(expected_app_versions.opened))::bigint AS opened,
    (sum(expected_app_versions.replied))::bigint AS replied,
    (sum(expected_app_versions.dismissed))::bigint AS dismissed,
    (sum(expected_app_versions.read))::bigint AS read,
    (sum(expected_app_versions.responded))::bigint AS responded,
    (sum(expected_app_versions.converted_events))::bigint AS converted_events,
    (sum(expected_app_versions.replaced))::bigint AS replaced,
    (sum(expected_app_versions.refused))::bigint AS refused,
    (sum(expected_app_versions.locally_sent))::bigint AS locally_sent
   FROM afterpush.expected_app_versions
  GROUP BY expected_app_versions.app_id, expected_app_versions.verified, expected_app_versions.anchor_hour, expected_app_versions.campaign_id, expected_app_versions.variant, expected_app_versions.category_id, expected_app_versions.category_version, expected_app_versions.platform, expected_app_versions.is_sent, expected_app_versions.is_confirmed, expected_app_versions.actions;

ALTER TABLE afterpush.expected_deliveries OWNER TO afterpush_owner;

--
-- Name: VIEW expected_deliveries; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON VIEW afterpush.expected_deliveries IS 'What rollup_deliveries must hold, computed from all deliveries.';

--
-- Name: expected_device_buckets; Type: VIEW; Schema: afterpush; Owner: afterpush_owner
--

CREATE VIEW afterpush.expected_device_buckets AS
 SELECT d.app_id,
    mode.mode AS modes,
    d.anchor_day,
        CASE
            WHEN (mode.mode = 2) THEN d.verified_campaign_id
            ELSE d.campaign_id
        END AS campaign_id,
        CASE
            WHEN (mode.mode = 2) THEN d.verified_variant
            ELSE d.variant
        END AS variant,
        CASE
            WHEN (mode.mode = 2) THEN d.verified_category_id
            ELSE d.category_id
        END AS category_id,
        CASE
            WHEN (mode.mode = 2) THEN d.verified_category_version
            ELSE d.category_version
        END AS category_version,
        CASE
            WHEN (mode.mode = 2) THEN d.verified_platform
            ELSE d.platform
        END AS platform,
        CASE
            WHEN (mode.mode = 2) THEN d.verified_kinds
            ELSE d.kinds
        END AS kinds,
        CASE
            WHEN (mode.mode = 2) THEN d.verified_actions
            ELSE d.actions
        END AS actions,
    afterpush.packed_buckets(string_agg(d.device, '\x'::bytea)) AS device_buckets
   FROM (( SELECT keyed_deliveries.app_id,
            afterpush.day_of(keyed_deliveries.anchor_hour) AS anchor_day,
            keyed_deliveries.campaign_id,
            keyed_deliveries.variant,
            keyed_deliveries.category_id,
            keyed_deliveries.category_version,
            keyed_deliveries.platform,
            v.verified_campaign_id,
            v.verified_variant,
            v.verified_category_id,
            v.verified_category_version,
            v.verified_platform,
            ((keyed_deliveries.campaign_id = v.verified_campaign_id) AND (keyed_deliveries.variant = v.verified_variant) AND (keyed_deliveries.category_id = v.verified_category_id) AND (keyed_deliveries.category_version = v.verified_category_version) AND (keyed_deliveries.platform = v.verified_platform)) AS has_verified_names,
            afterpush.rate_kinds(keyed_deliveries.kinds) AS kinds,
            afterpush.rate_kinds(keyed_deliveries.verified_kinds) AS verified_kinds,
            (keyed_deliveries.verified_kinds <> 0) AS is_verified,
            ARRAY( SELECT a.action_id
                   FROM unnest(keyed_deliveries.actions) a(action_id, unverified_first_at, unverified_events, verified_first_at, verified_events)) AS actions,
            ARRAY( SELECT a.action_id
                   FROM unnest(keyed_deliveries.actions) a(action_id, unverified_first_at, unverified_events, verified_first_at, verified_events)
                  WHERE (a.verified_events > 0)) AS verified_actions,
            afterpush.device_byte(keyed_deliveries.delivery_id) AS device
           FROM (afterpush.keyed_deliveries
             CROSS JOIN LATERAL afterpush.verified_names(keyed_deliveries.verified_dimensions, keyed_deliveries.platform, keyed_deliveries.app_version, keyed_deliveries.campaign_id, keyed_deliveries.variant, keyed_deliveries.category_id, keyed_deliveries.category_version) v(verified_platform, verified_app_version, verified_campaign_id, verified_variant, verified_category_id, verified_category_version))
         OFFSET 0) d
     CROSS JOIN LATERAL unnest(
        CASE
            WHEN (NOT d.is_verified) THEN '{1}'::smallint[]
            WHEN ((d.kinds = d.verified_kinds) AND (d.actions = d.verified_actions) AND d.has_verified_names) THEN '{3}'::smallint[]
            ELSE '{1,2}'::smallint[]
        END) mode(mode))
  GROUP BY d.app_id, mode.mode, d.anchor_day,
        CASE
            WHEN (mode.mode = 2) THEN d.verified_campaign_id
            ELSE d.campaign_id
        END,
        CASE
            WHEN (mode.mode = 2) THEN d.verified_variant
            ELSE d.variant
        END,
        CASE
            WHEN (mode.mode = 2) THEN d.verified_category_id
            ELSE d.category_id
        END,
        CASE
            WHEN (mode.mode = 2) THEN d.verified_category_version
            ELSE d.category_version
        END,
        CASE
            WHEN (mode.mode = 2) THEN d.verified_platform
            ELSE d.platform
        END,
        CASE
            WHEN (mode.mode = 2) THEN d.verified_kinds
            ELSE d.kinds
        END,
        CASE
            WHEN (mode.mode = 2) THEN d.verified_actions
            ELSE d.actions
        END;

ALTER TABLE afterpush.expected_device_buckets OWNER TO afterpush_owner;

--
-- Name: VIEW expected_device_buckets; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON VIEW afterpush.expected_device_buckets IS 'What rollup_device_buckets must hold, computed from all deliveries.';

--
-- Name: expected_events; Type: VIEW; Schema: afterpush; Owner: afterpush_owner
--

CREATE VIEW afterpush.expected_events AS
 WITH counts AS (
         SELECT merged_events.app_id,
            merged_events.verified,
            merged_events.event_hour,
            merged_events.campaign_id,
            merged_events.variant,
            merged_events.category_id,
            merged_events.platform,
            merged_events.kind,
            count(*) AS events
           FROM afterpush.merged_events
          GROUP BY merged_events.app_id, merged_events.verified, merged_events.event_hour, merged_events.campaign_id, merged_events.variant, merged_events.category_id, merged_events.platform, merged_events.kind
        UNION ALL
         SELECT erased_event_counts.app_id,
            erased_event_counts.verified,
            erased_event_counts.event_hour,
            erased_event_counts.campaign_id,
            erased_event_counts.variant,
            erased_event_counts.category_id,
            erased_event_counts.platform,
            erased_event_counts.kind,
            erased_event_counts.events
           FROM afterpush.erased_event_counts
        )
 SELECT counts.app_id,
    counts.verified,
    counts.event_hour,
    counts.campaign_id,
    counts.variant,
    counts.category_id,
    counts.platform,
    (COALESCE(sum(counts.events) FILTER (WHERE (counts.kind = 'sent'::afterpush.event_kind)), (0)::numeric))::integer AS sent,
    (COALESCE(sum(counts.events) FILTER (WHERE (counts.kind = 'failed'::afterpush.event_kind)), (0)::numeric))::integer AS failed,
    (COALESCE(sum(counts.events) FILTER (WHERE (counts.kind = 'delivered'::afterpush.event_kind)), (0)::numeric))::integer AS delivered,
    (COALESCE(sum(counts.events) FILTER (WHERE (counts.kind = 'displayed'::afterpush.event_kind)), (0)::numeric))::integer AS displayed,
    (COALESCE(sum(counts.events) FILTER (WHERE (counts.kind = 'read'::afterpush.event_kind)), (0)::numeric))::integer AS read,
    (COALESCE(sum(counts.events) FILTER (WHERE (counts.kind = 'opened'::afterpush.event_kind)), (0)::numeric))::integer AS opened,
    (COALESCE(sum(counts.events) FILTER (WHERE (counts.kind = 'action'::afterpush.event_kind)), (0)::numeric))::integer AS action,
    (COALESCE(sum(counts.events) FILTER (WHERE (counts.kind = 'text_input'::afterpush.event_kind)), (0)::numeric))::integer AS text_input,
    (COALESCE(sum(counts.events) FILTER (WHERE (counts.kind = 'dismissed'::afterpush.event_kind)), (0)::numeric))::integer AS dismissed,
    (COALESCE(sum(counts.events) FILTER (WHERE (counts.kind = 'converted'::afterpush.event_kind)), (0)::numeric))::integer AS converted,
    (COALESCE(sum(counts.events) FILTER (WHERE (counts.kind = 'replaced'::afterpush.event_kind)), (0)::numeric))::integer AS replaced,
    (COALESCE(sum(counts.events) FILTER (WHERE (counts.kind = 'media_played'::afterpush.event_kind)), (0)::numeric))::integer AS media_played,
    (COALESCE(sum(counts.events) FILTER (WHERE (counts.kind = 'media_paused'::afterpush.event_kind)), (0)::numeric))::integer AS media_paused,
    (COALESCE(sum(counts.events) FILTER (WHERE (counts.kind = 'attachment_failed'::afterpush.event_kind)), (0)::numeric))::integer AS attachment_failed,
    (COALESCE(sum(counts.events) FILTER (WHERE (counts.kind = 'extension_expired'::afterpush.event_kind)), (0)::numeric))::integer AS extension_expired,
    (COALESCE(sum(counts.events) FILTER (WHERE (counts.kind = 'token_registered'::afterpush.event_kind)), (0)::numeric))::integer AS token_registered,
    (COALESCE(sum(counts.events) FILTER (WHERE (counts.kind = 'token_failed'::afterpush.event_kind)), (0)::numeric))::integer AS token_failed,
    (COALESCE(sum(counts.events) FILTER (WHERE (counts.kind = 'permission_granted'::afterpush.event_kind)), (0)::numeric))::integer AS permission_granted,
    (COALESCE(sum(counts.events) FILTER (WHERE (counts.kind = 'permission_revoked'::afterpush.event_kind)), (0)::numeric))::integer AS permission_revoked,
    (COALESCE(sum(counts.events) FILTER (WHERE (counts.kind = 'app_opened'::afterpush.event_kind)), (0)::numeric))::integer AS app_opened,
    (COALESCE(sum(counts.events) FILTER (WHERE (counts.kind = 'held_out'::afterpush.event_kind)), (0)::numeric))::integer AS held_out,
    (sum(counts.events))::integer AS events
   FROM counts
  GROUP BY counts.app_id, counts.verified, counts.event_hour, counts.campaign_id, counts.variant, counts.category_id, counts.platform;

ALTER TABLE afterpush.expected_events OWNER TO afterpush_owner;

--
-- Name: VIEW expected_events; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON VIEW afterpush.expected_events IS 'What rollup_events must hold, computed from all merged events and the numbers kept of erased ones.';

--
-- Name: expected_responses; Type: VIEW; Schema: afterpush; Owner: afterpush_owner
--

CREATE VIEW afterpush.expected_responses AS
 SELECT modes.app_id,
    modes.verified,
    modes.anchor_hour,
    modes.campaign_id,
    modes.variant,
    modes.category_id,
    modes.platform,
    modes.app_version,
    modes.bucket,
    (count(*))::integer AS deliveries
   FROM ( SELECT keyed_deliveries.app_id,
            false AS verified,
            keyed_deliveries.anchor_hour,
            keyed_deliveries.campaign_id,
            keyed_deliveries.variant,
            keyed_deliveries.category_id,
            keyed_deliveries.platform,
            keyed_deliveries.app_version,
            afterpush.response_bucket(keyed_deliveries.responded_at, keyed_deliveries.reached_at) AS bucket
           FROM afterpush.keyed_deliveries
          WHERE (keyed_deliveries.responded_at IS NOT NULL)
        UNION ALL
         SELECT keyed_deliveries.app_id,
            true,
            keyed_deliveries.anchor_hour,
            verified_names.verified_campaign_id,
            verified_names.verified_variant,
            verified_names.verified_category_id,
            verified_names.verified_platform,
            verified_names.verified_app_version,
            afterpush.response_bucket(keyed_deliveries.verified_responded_at, keyed_deliveries.verified_reached_at) AS response_bucket
           FROM (afterpush.keyed_deliveries
             CROSS JOIN LATERAL afterpush.verified_names(keyed_deliveries.verified_dimensions, keyed_deliveries.platform, keyed_deliveries.app_version, keyed_deliveries.campaign_id, keyed_deliveries.variant, keyed_deliveries.category_id, keyed_deliveries.category_version) verified_names(verified_platform, verified_app_version, verified_campaign_id, verified_variant, verified_category_id, verified_category_version))
          WHERE (keyed_deliveries.verified_responded_at IS NOT NULL)) modes
  GROUP BY modes.app_id, modes.verified, modes.anchor_hour, modes.campaign_id, modes.variant, modes.category_id, modes.platform, modes.app_version, modes.bucket;

ALTER TABLE afterpush.expected_responses OWNER TO afterpush_owner;

--
-- Name: VIEW expected_responses; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON VIEW afterpush.expected_responses IS 'What rollup_responses must hold, computed from all deliveries.';

--
-- Name: replies; Type: TABLE; Schema: afterpush; Owner: afterpush_owner
--

CREATE TABLE afterpush.replies (
    app_id integer NOT NULL,
    delivery_id uuid NOT NULL,
    event_id uuid NOT NULL,
    device_time timestamp with time zone NOT NULL,
    user_text text NOT NULL,
    stored_at timestamp with time zone NOT NULL
);

ALTER TABLE afterpush.replies OWNER TO afterpush_owner;

--
-- Name: TABLE replies; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TABLE afterpush.replies IS 'Reply texts that people typed, while their retention period lasts.';

--
-- Name: COLUMN replies.app_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.replies.app_id IS 'App of the reply.';

--
-- Name: COLUMN replies.delivery_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.replies.delivery_id IS 'Delivery that the person replied to.';

--
-- Name: COLUMN replies.event_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.replies.event_id IS 'event_id of the text_input event that carried the text.';

--
-- Name: COLUMN replies.device_time; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.replies.device_time IS 'device_time of that event.';

--
-- Name: COLUMN replies.user_text; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.replies.user_text IS 'The text as typed.';

--
-- Name: COLUMN replies.stored_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.replies.stored_at IS 'When the text was stored; the retention period starts here.';

--
-- Name: expired_replies; Type: VIEW; Schema: afterpush; Owner: afterpush_owner
--

CREATE VIEW afterpush.expired_replies AS
 SELECT r.ctid AS stored_row
   FROM (afterpush.replies r
     CROSS JOIN LATERAL ( SELECT COALESCE(( SELECT d.category_id
                   FROM afterpush.deliveries d
                  WHERE (d.delivery_id = r.delivery_id)), ( SELECT e.category_id
                   FROM afterpush.events e
                  WHERE ((e.delivery_id = r.delivery_id) AND (e.event_id = r.event_id) AND (e.device_time = r.device_time)))) AS category_id) stated)
  WHERE (r.stored_at < (now() - afterpush.text_retention(r.app_id, stated.category_id)));

ALTER TABLE afterpush.expired_replies OWNER TO afterpush_owner;

--
-- Name: VIEW expired_replies; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON VIEW afterpush.expired_replies IS 'The locations of replies whose retention has ended.';

--
-- Name: waiting_replies; Type: TABLE; Schema: afterpush; Owner: afterpush_owner
--

CREATE TABLE afterpush.waiting_replies (
    app_id integer NOT NULL,
    delivery_id uuid NOT NULL,
    event_id uuid NOT NULL,
    device_time timestamp with time zone NOT NULL,
    user_text text NOT NULL,
    stored_at timestamp with time zone NOT NULL
);

ALTER TABLE afterpush.waiting_replies OWNER TO afterpush_owner;

--
-- Name: TABLE waiting_replies; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TABLE afterpush.waiting_replies IS 'Reply texts of deliveries of unknown category, if a category of the app keeps no text (function reply_place).';

--
-- Name: COLUMN waiting_replies.app_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.waiting_replies.app_id IS 'App of the reply.';

--
-- Name: COLUMN waiting_replies.delivery_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.waiting_replies.delivery_id IS 'Delivery that the person replied to.';

--
-- Name: COLUMN waiting_replies.event_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.waiting_replies.event_id IS 'event_id of the text_input event that carried the text.';

--
-- Name: COLUMN waiting_replies.device_time; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.waiting_replies.device_time IS 'device_time of that event.';

--
-- Name: COLUMN waiting_replies.user_text; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.waiting_replies.user_text IS 'The text as typed.';

--
-- Name: COLUMN waiting_replies.stored_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.waiting_replies.stored_at IS 'When the text was stored; the retention period starts here.';

--
-- Name: expired_waiting_replies; Type: VIEW; Schema: afterpush; Owner: afterpush_owner
--

CREATE VIEW afterpush.expired_waiting_replies AS
 SELECT r.ctid AS stored_row
   FROM afterpush.waiting_replies r
  WHERE (r.stored_at < (now() - afterpush.text_retention(r.app_id, NULL::text)));

ALTER TABLE afterpush.expired_waiting_replies OWNER TO afterpush_owner;

--
-- Name: VIEW expired_waiting_replies; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON VIEW afterpush.expired_waiting_replies IS 'The locations of waiting replies whose retention has ended.';

--
-- Name: ingest_barrier; Type: TABLE; Schema: afterpush; Owner: afterpush_owner
--

CREATE TABLE afterpush.ingest_barrier (
    nothing boolean
);

ALTER TABLE afterpush.ingest_barrier OWNER TO afterpush_owner;

--
-- Name: TABLE ingest_barrier; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TABLE afterpush.ingest_barrier IS 'Empty table whose lock separates transactions that store batches from erasure and sealing.';

--
-- Name: COLUMN ingest_barrier.nothing; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.ingest_barrier.nothing IS 'Never used; the table has no rows.';

--
-- Name: installed_definitions; Type: TABLE; Schema: afterpush; Owner: migrating_login
--

CREATE TABLE afterpush.installed_definitions (
    name text NOT NULL,
    checksum bytea NOT NULL
);

ALTER TABLE afterpush.installed_definitions OWNER TO migrating_login;

--
-- Name: TABLE installed_definitions; Type: COMMENT; Schema: afterpush; Owner: migrating_login
--

COMMENT ON TABLE afterpush.installed_definitions IS 'Files of functions, views, data and grants that are installed; a file that differs is installed again.';

--
-- Name: COLUMN installed_definitions.name; Type: COMMENT; Schema: afterpush; Owner: migrating_login
--

COMMENT ON COLUMN afterpush.installed_definitions.name IS 'Name of the file without .sql.';

--
-- Name: COLUMN installed_definitions.checksum; Type: COMMENT; Schema: afterpush; Owner: migrating_login
--

COMMENT ON COLUMN afterpush.installed_definitions.checksum IS 'SHA-256 of the installed text.';

--
-- Name: late_deliveries; Type: TABLE; Schema: afterpush; Owner: afterpush_owner
--

CREATE TABLE afterpush.late_deliveries (
    delivery_id uuid NOT NULL,
    app_id integer NOT NULL
);

ALTER TABLE afterpush.late_deliveries OWNER TO afterpush_owner;

--
-- Name: TABLE late_deliveries; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TABLE afterpush.late_deliveries IS 'Deliveries whose anchor moved into an hour that was already sealed, so that no rollup counts them.';

--
-- Name: COLUMN late_deliveries.delivery_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.late_deliveries.delivery_id IS 'The delivery.';

--
-- Name: COLUMN late_deliveries.app_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.late_deliveries.app_id IS 'The app.';

--
-- Name: metric_definitions; Type: TABLE; Schema: afterpush; Owner: afterpush_owner
--

CREATE TABLE afterpush.metric_definitions (
    name text NOT NULL COLLATE pg_catalog."C",
    version integer NOT NULL,
    unit text NOT NULL,
    definition text NOT NULL,
    numerator text,
    denominator text,
    selection_window text,
    CONSTRAINT metric_definitions_version_check CHECK ((version > 0))
);

ALTER TABLE afterpush.metric_definitions OWNER TO afterpush_owner;

--
-- Name: TABLE metric_definitions; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TABLE afterpush.metric_definitions IS 'What the columns of reports mean, a row per name and version.';

--
-- Name: COLUMN metric_definitions.name; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.metric_definitions.name IS 'Name of the column, or REPORT.COLUMN if it means something else in that report.';

--
-- Name: COLUMN metric_definitions.version; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.metric_definitions.version IS 'Version of the definition, from 1; the highest version applies.';

--
-- Name: COLUMN metric_definitions.unit; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.metric_definitions.unit IS 'Unit of the value, such as deliveries, events, ratio or seconds; its type if it has no unit.';

--
-- Name: COLUMN metric_definitions.definition; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.metric_definitions.definition IS 'Meaning of the column.';

--
-- Name: COLUMN metric_definitions.numerator; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.metric_definitions.numerator IS 'Numerator of a rate; null for other columns.';

--
-- Name: COLUMN metric_definitions.denominator; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.metric_definitions.denominator IS 'Denominator of a rate; null for other columns.';

--
-- Name: COLUMN metric_definitions.selection_window; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.metric_definitions.selection_window IS 'How the deliveries that the column counts are selected; null if it counts none.';

--
-- Name: receipt_secrets; Type: TABLE; Schema: afterpush; Owner: afterpush_owner
--

CREATE TABLE afterpush.receipt_secrets (
    secret_id integer NOT NULL,
    app_id integer NOT NULL,
    secret bytea DEFAULT sha256(((uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())) || uuid_send(gen_random_uuid()))) NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    retired_at timestamp with time zone,
    CONSTRAINT receipt_secrets_secret_check CHECK ((octet_length(secret) = 32))
);

ALTER TABLE afterpush.receipt_secrets OWNER TO afterpush_owner;

--
-- Name: TABLE receipt_secrets; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TABLE afterpush.receipt_secrets IS 'Secrets that sign and verify the receipts of an app (HMAC-SHA-256).';

--
-- Name: COLUMN receipt_secrets.secret_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.receipt_secrets.secret_id IS 'Number of the secret; later secrets have higher numbers.';

--
-- Name: COLUMN receipt_secrets.app_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.receipt_secrets.app_id IS 'App whose receipts the secret signs.';

--
-- Name: COLUMN receipt_secrets.secret; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.receipt_secrets.secret IS '32 random bytes; whoever has them can forge receipts of the app.';

--
-- Name: COLUMN receipt_secrets.created_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.receipt_secrets.created_at IS 'When the secret was created.';

--
-- Name: COLUMN receipt_secrets.retired_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.receipt_secrets.retired_at IS 'When the secret stops verifying receipts; null for the app''s current secret.';

--
-- Name: receipt_secrets_secret_id_seq; Type: SEQUENCE; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE afterpush.receipt_secrets ALTER COLUMN secret_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME afterpush.receipt_secrets_secret_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

--
-- Name: rejected_events; Type: TABLE; Schema: afterpush; Owner: afterpush_owner
--

CREATE TABLE afterpush.rejected_events (
    rejection_id bigint NOT NULL,
    app_id integer NOT NULL,
    received_at timestamp with time zone NOT NULL,
    code text NOT NULL,
    detail text NOT NULL,
    event_id text,
    event text,
    fingerprint uuid GENERATED ALWAYS AS ((md5((code || event)))::uuid) STORED
);

ALTER TABLE afterpush.rejected_events OWNER TO afterpush_owner;

--
-- Name: TABLE rejected_events; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TABLE afterpush.rejected_events IS 'Events that validation rejected, as they were received, with the reason.';

--
-- Name: COLUMN rejected_events.rejection_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rejected_events.rejection_id IS 'Number of the rejection, in order of storage.';

--
-- Name: COLUMN rejected_events.app_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rejected_events.app_id IS 'App of the key that posted the event.';

--
-- Name: COLUMN rejected_events.received_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rejected_events.received_at IS 'When the request arrived.';

--
-- Name: COLUMN rejected_events.code; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rejected_events.code IS 'Rejection code, as the response to the sender stated it.';

--
-- Name: COLUMN rejected_events.detail; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rejected_events.detail IS 'What is wrong, with the name of the field.';

--
-- Name: COLUMN rejected_events.event_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rejected_events.event_id IS 'event_id as sent; null if it could not be read, or if the device was erased and it is not a UUID.';

--
-- Name: COLUMN rejected_events.event; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rejected_events.event IS 'The event as received, with user_text replaced by its length and invalid UTF-8 by U+FFFD; null if unreadable.';

--
-- Name: COLUMN rejected_events.fingerprint; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rejected_events.fingerprint IS 'Digest of code and event: an event that a retry sends again is stored once.';

--
-- Name: rejected_events_rejection_id_seq; Type: SEQUENCE; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE afterpush.rejected_events ALTER COLUMN rejection_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME afterpush.rejected_events_rejection_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

--
-- Name: report_logins; Type: TABLE; Schema: afterpush; Owner: afterpush_owner
--

CREATE TABLE afterpush.report_logins (
    login name NOT NULL,
    role_id oid NOT NULL,
    app_id integer NOT NULL
);

ALTER TABLE afterpush.report_logins OWNER TO afterpush_owner;

--
-- Name: TABLE report_logins; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TABLE afterpush.report_logins IS 'Logins of dashboards, each with the app whose rows it can read (dashboards/grafana/role.sql).';

--
-- Name: COLUMN report_logins.login; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.report_logins.login IS 'Name of the login.';

--
-- Name: COLUMN report_logins.role_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.report_logins.role_id IS 'Number of the login in pg_roles.';

--
-- Name: COLUMN report_logins.app_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.report_logins.app_id IS 'App whose rows the login can read.';

--
-- Name: report_secret; Type: TABLE; Schema: afterpush; Owner: afterpush_owner
--

CREATE TABLE afterpush.report_secret (
    secret bytea DEFAULT sha256(((uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())) || uuid_send(gen_random_uuid()))) NOT NULL,
    CONSTRAINT report_secret_secret_check CHECK ((octet_length(secret) = 32))
);

ALTER TABLE afterpush.report_secret OWNER TO afterpush_owner;

--
-- Name: TABLE report_secret; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TABLE afterpush.report_secret IS 'The one secret that signs which app a transaction of the collector reads; see report_claim.';

--
-- Name: COLUMN report_secret.secret; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.report_secret.secret IS '32 random bytes.';

--
-- Name: rollup_action_days; Type: TABLE; Schema: afterpush; Owner: afterpush_owner
--

CREATE TABLE afterpush.rollup_action_days (
    app_id integer NOT NULL,
    verified boolean NOT NULL,
    anchor_day timestamp with time zone NOT NULL,
    campaign_id text NOT NULL COLLATE pg_catalog."C",
    variant text NOT NULL COLLATE pg_catalog."C",
    category_id text NOT NULL COLLATE pg_catalog."C",
    category_version integer NOT NULL,
    action_id text NOT NULL COLLATE pg_catalog."C",
    deliveries integer NOT NULL,
    deliveries_sent integer NOT NULL,
    deliveries_confirmed integer NOT NULL,
    events integer NOT NULL,
    times integer[] NOT NULL
)
WITH (fillfactor='80');

ALTER TABLE afterpush.rollup_action_days OWNER TO afterpush_owner;

--
-- Name: TABLE rollup_action_days; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TABLE afterpush.rollup_action_days IS 'rollup_actions summed over the hours of a day, platforms and states.';

--
-- Name: COLUMN rollup_action_days.app_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_action_days.app_id IS 'As in rollup_actions.';

--
-- Name: COLUMN rollup_action_days.verified; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_action_days.verified IS 'As in rollup_actions.';

--
-- Name: COLUMN rollup_action_days.anchor_day; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_action_days.anchor_day IS 'As in rollup_actions.';

--
-- Name: COLUMN rollup_action_days.campaign_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_action_days.campaign_id IS 'As in rollup_actions.';

--
-- Name: COLUMN rollup_action_days.variant; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_action_days.variant IS 'As in rollup_actions.';

--
-- Name: COLUMN rollup_action_days.category_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_action_days.category_id IS 'As in rollup_actions.';

--
-- Name: COLUMN rollup_action_days.category_version; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_action_days.category_version IS 'As in rollup_actions.';

--
-- Name: COLUMN rollup_action_days.action_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_action_days.action_id IS 'As in rollup_actions.';

--
-- Name: COLUMN rollup_action_days.deliveries; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_action_days.deliveries IS 'Number of deliveries.';

--
-- Name: COLUMN rollup_action_days.deliveries_sent; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_action_days.deliveries_sent IS 'Number of deliveries in state sent.';

--
-- Name: COLUMN rollup_action_days.deliveries_confirmed; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_action_days.deliveries_confirmed IS 'Number of deliveries in state confirmed.';

--
-- Name: COLUMN rollup_action_days.events; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_action_days.events IS 'As in rollup_actions.';

--
-- Name: COLUMN rollup_action_days.times; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_action_days.times IS 'Running totals of deliveries by the time to the action (function running_totals_of).';

--
-- Name: rollup_response_days; Type: TABLE; Schema: afterpush; Owner: afterpush_owner
--

CREATE TABLE afterpush.rollup_response_days (
    app_id integer NOT NULL,
    verified boolean NOT NULL,
    anchor_day timestamp with time zone NOT NULL,
    campaign_id text NOT NULL COLLATE pg_catalog."C",
    variant text NOT NULL COLLATE pg_catalog."C",
    category_id text NOT NULL COLLATE pg_catalog."C",
    platform text NOT NULL COLLATE pg_catalog."C",
    deliveries integer NOT NULL,
    times integer[] NOT NULL
)
WITH (fillfactor='80');

ALTER TABLE afterpush.rollup_response_days OWNER TO afterpush_owner;

--
-- Name: TABLE rollup_response_days; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TABLE afterpush.rollup_response_days IS 'rollup_responses summed over the hours of a day and versions of the app.';

--
-- Name: COLUMN rollup_response_days.app_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_response_days.app_id IS 'As in rollup_responses.';

--
-- Name: COLUMN rollup_response_days.verified; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_response_days.verified IS 'As in rollup_responses.';

--
-- Name: COLUMN rollup_response_days.anchor_day; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_response_days.anchor_day IS 'As in rollup_responses.';

--
-- Name: COLUMN rollup_response_days.campaign_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_response_days.campaign_id IS 'As in rollup_responses.';

--
-- Name: COLUMN rollup_response_days.variant; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_response_days.variant IS 'As in rollup_responses.';

--
-- Name: COLUMN rollup_response_days.category_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_response_days.category_id IS 'As in rollup_responses.';

--
-- Name: COLUMN rollup_response_days.platform; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_response_days.platform IS 'As in rollup_responses.';

--
-- Name: COLUMN rollup_response_days.deliveries; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_response_days.deliveries IS 'As in rollup_responses.';

--
-- Name: COLUMN rollup_response_days.times; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_response_days.times IS 'Running totals of deliveries by the time to the first response (function running_totals_of).';

--
-- Name: rollup_worker; Type: TABLE; Schema: afterpush; Owner: afterpush_owner
--

CREATE TABLE afterpush.rollup_worker (
    singleton boolean DEFAULT true NOT NULL,
    sealed_before timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    CONSTRAINT rollup_worker_singleton_check CHECK (singleton)
);

ALTER TABLE afterpush.rollup_worker OWNER TO afterpush_owner;

--
-- Name: TABLE rollup_worker; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TABLE afterpush.rollup_worker IS 'One row; the transaction that holds its lock may write deliveries and rollups.';

--
-- Name: COLUMN rollup_worker.singleton; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_worker.singleton IS 'Always true.';

--
-- Name: COLUMN rollup_worker.sealed_before; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_worker.sealed_before IS 'Anchor hours before this are sealed: their events may be gone, and their rollups no longer change.';

--
-- Name: schema_migrations; Type: TABLE; Schema: afterpush; Owner: migrating_login
--

CREATE TABLE afterpush.schema_migrations (
    name text NOT NULL,
    checksum bytea NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL
);

ALTER TABLE afterpush.schema_migrations OWNER TO migrating_login;

--
-- Name: TABLE schema_migrations; Type: COMMENT; Schema: afterpush; Owner: migrating_login
--

COMMENT ON TABLE afterpush.schema_migrations IS 'Schema files that were applied to this database.';

--
-- Name: COLUMN schema_migrations.name; Type: COMMENT; Schema: afterpush; Owner: migrating_login
--

COMMENT ON COLUMN afterpush.schema_migrations.name IS 'Name of the file without .sql.';

--
-- Name: COLUMN schema_migrations.checksum; Type: COMMENT; Schema: afterpush; Owner: migrating_login
--

COMMENT ON COLUMN afterpush.schema_migrations.checksum IS 'SHA-256 of the file''s text when it was applied.';

--
-- Name: COLUMN schema_migrations.applied_at; Type: COMMENT; Schema: afterpush; Owner: migrating_login
--

COMMENT ON COLUMN afterpush.schema_migrations.applied_at IS 'When the file was applied.';

--
-- Name: sealed_goals; Type: TABLE; Schema: afterpush; Owner: afterpush_owner
--

CREATE TABLE afterpush.sealed_goals (
    app_id integer NOT NULL,
    campaign_id text NOT NULL COLLATE pg_catalog."C",
    sealed_from timestamp with time zone NOT NULL,
    sealed_before timestamp with time zone NOT NULL,
    goal_actions text[] NOT NULL COLLATE pg_catalog."C"
);

ALTER TABLE afterpush.sealed_goals OWNER TO afterpush_owner;

--
-- Name: TABLE sealed_goals; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TABLE afterpush.sealed_goals IS 'Former goals of campaigns, which still apply to hours that were sealed before the goals changed.';

--
-- Name: COLUMN sealed_goals.app_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.sealed_goals.app_id IS 'App of the campaign.';

--
-- Name: COLUMN sealed_goals.campaign_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.sealed_goals.campaign_id IS 'Campaign that had these goals.';

--
-- Name: COLUMN sealed_goals.sealed_from; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.sealed_goals.sealed_from IS 'First anchor hour that the goals apply to.';

--
-- Name: COLUMN sealed_goals.sealed_before; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.sealed_goals.sealed_before IS 'First anchor hour that they no longer apply to.';

--
-- Name: COLUMN sealed_goals.goal_actions; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.sealed_goals.goal_actions IS 'Goals of the campaign at the time; empty if it was not declared yet.';

--
-- Name: sessions; Type: TABLE; Schema: afterpush; Owner: afterpush_owner
--

CREATE TABLE afterpush.sessions (
    session_hash bytea NOT NULL,
    key_id integer NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT sessions_session_hash_check CHECK ((octet_length(session_hash) = 32))
);

ALTER TABLE afterpush.sessions OWNER TO afterpush_owner;

--
-- Name: TABLE sessions; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TABLE afterpush.sessions IS 'One row per browser that is signed in to the dashboard, with the rights of the key it signed in with.';

--
-- Name: COLUMN sessions.session_hash; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.sessions.session_hash IS 'SHA-256 of the session cookie; the cookie itself is never stored.';

--
-- Name: COLUMN sessions.key_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.sessions.key_id IS 'API key used to sign in; revoking the key ends the session.';

--
-- Name: COLUMN sessions.created_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.sessions.created_at IS 'When the browser signed in.';

--
-- Name: COLUMN sessions.expires_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.sessions.expires_at IS 'When the session expires.';

--
-- Name: spools; Type: TABLE; Schema: afterpush; Owner: afterpush_owner
--

CREATE TABLE afterpush.spools (
    collector uuid NOT NULL,
    events bigint NOT NULL,
    oldest_at timestamp with time zone,
    reported_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT spools_events_check CHECK ((events >= 0))
);

ALTER TABLE afterpush.spools OWNER TO afterpush_owner;

--
-- Name: TABLE spools; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TABLE afterpush.spools IS 'One row per spool: how many events, of all apps, are acknowledged with 202 and not in the database yet.';

--
-- Name: COLUMN spools.collector; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.spools.collector IS 'Identifies the spool by host and path, so a collector that restarts keeps its row.';

--
-- Name: COLUMN spools.events; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.spools.events IS 'Number of events in the spool.';

--
-- Name: COLUMN spools.oldest_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.spools.oldest_at IS 'When the request with the oldest event in the spool arrived; null if the spool is empty.';

--
-- Name: COLUMN spools.reported_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.spools.reported_at IS 'When the collector last reported, at least every 30 s while the database is up.';

--
-- Name: summed_action_days; Type: VIEW; Schema: afterpush; Owner: afterpush_owner
--

CREATE VIEW afterpush.summed_action_days AS
 SELECT timed.app_id,
    timed.verified,
    timed.anchor_day,
    timed.campaign_id,
    timed.variant,
    timed.category_id,
    timed.category_version,
    timed.action_id,
    (sum(timed.deliveries))::integer AS deliveries,
    (sum(timed.deliveries_sent))::integer AS deliveries_sent,
    (sum(timed.deliveries_confirmed))::integer AS deliveries_confirmed,
    (sum(timed.events))::integer AS events,
    afterpush.running_totals_of(array_agg(timed.bucket ORDER BY timed.bucket), array_agg(timed.deliveries ORDER BY timed.bucket)) AS times
   FROM ( SELECT rollup_actions.app_id,
            rollup_actions.verified,
            afterpush.day_of(rollup_actions.anchor_hour) AS anchor_day,
            rollup_actions.campaign_id,
            rollup_actions.variant,
            rollup_actions.category_id,
            rollup_actions.category_version,
            rollup_actions.action_id,
            rollup_actions.bucket,
            (sum(rollup_actions.deliveries))::bigint AS deliveries,
            COALESCE(sum(rollup_actions.deliveries) FILTER (WHERE rollup_actions.is_sent), (0)::numeric) AS deliveries_sent,
            COALESCE(sum(rollup_actions.deliveries) FILTER (WHERE rollup_actions.is_confirmed), (0)::numeric) AS deliveries_confirmed,
            sum(rollup_actions.events) AS events
           FROM afterpush.rollup_actions
          GROUP BY rollup_actions.app_id, rollup_actions.verified, (afterpush.day_of(rollup_actions.anchor_hour)), rollup_actions.campaign_id, rollup_actions.variant, rollup_actions.category_id, rollup_actions.category_version, rollup_actions.action_id, rollup_actions.bucket) timed
  GROUP BY timed.app_id, timed.verified, timed.anchor_day, timed.campaign_id, timed.variant, timed.category_id, timed.category_version, timed.action_id;

ALTER TABLE afterpush.summed_action_days OWNER TO afterpush_owner;

--
-- Name: VIEW summed_action_days; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON VIEW afterpush.summed_action_days IS 'What rollup_action_days must hold, summed from rollup_actions.';

--
-- Name: summed_delivery_days; Type: VIEW; Schema: afterpush; Owner: afterpush_owner
--

CREATE VIEW afterpush.summed_delivery_days AS
 SELECT rollup_deliveries.app_id,
    rollup_deliveries.verified,
    afterpush.day_of(rollup_deliveries.anchor_hour) AS anchor_day,
    rollup_deliveries.campaign_id,
    rollup_deliveries.variant,
    rollup_deliveries.category_id,
    rollup_deliveries.category_version,
    rollup_deliveries.platform,
    (sum(rollup_deliveries.deliveries))::integer AS deliveries,
    (COALESCE(sum(rollup_deliveries.deliveries) FILTER (WHERE rollup_deliveries.is_sent), (0)::numeric))::integer AS deliveries_sent,
    (COALESCE(sum(rollup_deliveries.deliveries) FILTER (WHERE rollup_deliveries.is_confirmed), (0)::numeric))::integer AS deliveries_confirmed,
    (COALESCE(sum(rollup_deliveries.deliveries) FILTER (WHERE (rollup_deliveries.is_sent AND rollup_deliveries.is_confirmed)), (0)::numeric))::integer AS deliveries_both,
    (sum(rollup_deliveries.failed))::integer AS failed,
    (sum(rollup_deliveries.delivered))::integer AS delivered,
    (COALESCE(sum(rollup_deliveries.delivered) FILTER (WHERE rollup_deliveries.is_sent), (0)::numeric))::integer AS delivered_sent,
    (sum(rollup_deliveries.displayed))::integer AS displayed,
    (sum(rollup_deliveries.opened))::integer AS opened,
    (COALESCE(sum(rollup_deliveries.opened) FILTER (WHERE rollup_deliveries.is_sent), (0)::numeric))::integer AS opened_sent,
    (COALESCE(sum(rollup_deliveries.opened) FILTER (WHERE rollup_deliveries.is_confirmed), (0)::numeric))::integer AS opened_confirmed,
    (COALESCE(sum(rollup_deliveries.deliveries) FILTER (WHERE (cardinality(rollup_deliveries.actions) > 0)), (0)::numeric))::integer AS acted,
    (COALESCE(sum(rollup_deliveries.deliveries) FILTER (WHERE (rollup_deliveries.is_sent AND (cardinality(rollup_deliveries.actions) > 0))), (0)::numeric))::integer AS acted_sent,
    (COALESCE(sum(rollup_deliveries.deliveries) FILTER (WHERE (rollup_deliveries.is_confirmed AND (cardinality(rollup_deliveries.actions) > 0))), (0)::numeric))::integer AS acted_confirmed,
    (sum(rollup_deliveries.replied))::integer AS replied,
    (COALESCE(sum(rollup_deliveries.replied) FILTER (WHERE rollup_deliveries.is_sent), (0)::numeric))::integer AS replied_sent,
    (COALESCE(sum(rollup_deliveries.replied) FILTER (WHERE rollup_deliveries.is_confirmed), (0)::numeric))::integer AS replied_confirmed,
    (sum(rollup_deliveries.dismissed))::integer AS dismissed,
    (COALESCE(sum(rollup_deliveries.dismissed) FILTER (WHERE rollup_deliveries.is_sent), (0)::numeric))::integer AS dismissed_sent,
    (COALESCE(sum(rollup_deliveries.dismissed) FILTER (WHERE rollup_deliveries.is_confirmed), (0)::numeric))::integer AS dismissed_confirmed,
    (sum(rollup_deliveries.read))::integer AS read,
    (COALESCE(sum(rollup_deliveries.read) FILTER (WHERE rollup_deliveries.is_sent), (0)::numeric))::integer AS read_sent,
    (COALESCE(sum(rollup_deliveries.read) FILTER (WHERE rollup_deliveries.is_confirmed), (0)::numeric))::integer AS read_confirmed,
    (sum(rollup_deliveries.responded))::integer AS responded,
    (COALESCE(sum(rollup_deliveries.responded) FILTER (WHERE rollup_deliveries.is_sent), (0)::numeric))::integer AS responded_sent,
    (COALESCE(sum(rollup_deliveries.responded) FILTER (WHERE rollup_deliveries.is_confirmed), (0)::numeric))::integer AS responded_confirmed,
    (sum(rollup_deliveries.converted_events))::integer AS converted_events,
    (COALESCE(sum(rollup_deliveries.converted_events) FILTER (WHERE rollup_deliveries.is_sent), (0)::numeric))::integer AS converted_events_sent,
    (COALESCE(sum(rollup_deliveries.converted_events) FILTER (WHERE rollup_deliveries.is_confirmed), (0)::numeric))::integer AS converted_events_confirmed,
    (sum(rollup_deliveries.replaced))::integer AS replaced,
    (COALESCE(sum(rollup_deliveries.replaced) FILTER (WHERE rollup_deliveries.is_sent), (0)::numeric))::integer AS replaced_sent,
    (COALESCE(sum(rollup_deliveries.replaced) FILTER (WHERE rollup_deliveries.is_confirmed), (0)::numeric))::integer AS replaced_confirmed,
    (sum(rollup_deliveries.refused))::integer AS refused,
    (COALESCE(sum(rollup_deliveries.refused) FILTER (WHERE rollup_deliveries.is_sent), (0)::numeric))::integer AS refused_sent,
    (sum(rollup_deliveries.locally_sent))::integer AS locally_sent
   FROM afterpush.rollup_deliveries
  GROUP BY rollup_deliveries.app_id, rollup_deliveries.verified, (afterpush.day_of(rollup_deliveries.anchor_hour)), rollup_deliveries.campaign_id, rollup_deliveries.variant, rollup_deliveries.category_id, rollup_deliveries.category_version, rollup_deliveries.platform;

ALTER TABLE afterpush.summed_delivery_days OWNER TO afterpush_owner;

--
-- Name: VIEW summed_delivery_days; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON VIEW afterpush.summed_delivery_days IS 'What rollup_delivery_days must hold, summed from rollup_deliveries.';

--
-- Name: summed_device_buckets; Type: VIEW; Schema: afterpush; Owner: afterpush_owner
--

CREATE VIEW afterpush.summed_device_buckets AS
 SELECT rollup_device_buckets.app_id,
    rollup_device_buckets.modes,
    rollup_device_buckets.anchor_day,
        CASE
            WHEN (rollup_device_buckets.actions = '{}'::text[]) THEN ''::text
            ELSE rollup_device_buckets.campaign_id
        END AS campaign_id,
        CASE
            WHEN (rollup_device_buckets.actions = '{}'::text[]) THEN ''::text
            ELSE rollup_device_buckets.category_id
        END AS category_id,
        CASE
            WHEN (rollup_device_buckets.actions = '{}'::text[]) THEN 0
            ELSE rollup_device_buckets.category_version
        END AS category_version,
    rollup_device_buckets.kinds,
    rollup_device_buckets.actions,
    sum(rollup_device_buckets.device_buckets) AS device_buckets
   FROM afterpush.rollup_device_buckets
  GROUP BY rollup_device_buckets.app_id, rollup_device_buckets.modes, rollup_device_buckets.anchor_day,
        CASE
            WHEN (rollup_device_buckets.actions = '{}'::text[]) THEN ''::text
            ELSE rollup_device_buckets.campaign_id
        END,
        CASE
            WHEN (rollup_device_buckets.actions = '{}'::text[]) THEN ''::text
            ELSE rollup_device_buckets.category_id
        END,
        CASE
            WHEN (rollup_device_buckets.actions = '{}'::text[]) THEN 0
            ELSE rollup_device_buckets.category_version
        END, rollup_device_buckets.kinds, rollup_device_buckets.actions;

ALTER TABLE afterpush.summed_device_buckets OWNER TO afterpush_owner;

--
-- Name: VIEW summed_device_buckets; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON VIEW afterpush.summed_device_buckets IS 'What rollup_device_bucket_totals must hold, summed from rollup_device_buckets.';

--
-- Name: summed_event_hours; Type: VIEW; Schema: afterpush; Owner: afterpush_owner
--

CREATE VIEW afterpush.summed_event_hours AS
 SELECT rollup_events.app_id,
    rollup_events.verified,
    rollup_events.event_hour,
    rollup_events.platform,
    (sum(rollup_events.sent))::integer AS sent,
    (sum(rollup_events.failed))::integer AS failed,
    (sum(rollup_events.delivered))::integer AS delivered,
    (sum(rollup_events.displayed))::integer AS displayed,
    (sum(rollup_events.read))::integer AS read,
    (sum(rollup_events.opened))::integer AS opened,
    (sum(rollup_events.action))::integer AS action,
    (sum(rollup_events.text_input))::integer AS text_input,
    (sum(rollup_events.dismissed))::integer AS dismissed,
    (sum(rollup_events.converted))::integer AS converted,
    (sum(rollup_events.replaced))::integer AS replaced,
    (sum(rollup_events.media_played))::integer AS media_played,
    (sum(rollup_events.media_paused))::integer AS media_paused,
    (sum(rollup_events.attachment_failed))::integer AS attachment_failed,
    (sum(rollup_events.extension_expired))::integer AS extension_expired,
    (sum(rollup_events.token_registered))::integer AS token_registered,
    (sum(rollup_events.token_failed))::integer AS token_failed,
    (sum(rollup_events.permission_granted))::integer AS permission_granted,
    (sum(rollup_events.permission_revoked))::integer AS permission_revoked,
    (sum(rollup_events.app_opened))::integer AS app_opened,
    (sum(rollup_events.held_out))::integer AS held_out,
    (sum(rollup_events.events))::integer AS events
   FROM afterpush.rollup_events
  GROUP BY rollup_events.app_id, rollup_events.verified, rollup_events.event_hour, rollup_events.platform;

ALTER TABLE afterpush.summed_event_hours OWNER TO afterpush_owner;

--
-- Name: VIEW summed_event_hours; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON VIEW afterpush.summed_event_hours IS 'What rollup_event_hours must hold, summed from rollup_events.';

--
-- Name: summed_goal_days; Type: VIEW; Schema: afterpush; Owner: afterpush_owner
--

CREATE VIEW afterpush.summed_goal_days AS
 SELECT rollup_deliveries.app_id,
    rollup_deliveries.verified,
    afterpush.day_of(rollup_deliveries.anchor_hour) AS anchor_day,
    rollup_deliveries.campaign_id,
    rollup_deliveries.variant,
    rollup_deliveries.category_id,
    rollup_deliveries.category_version,
    rollup_deliveries.platform,
    rollup_deliveries.actions,
    (sum((rollup_deliveries.deliveries - rollup_deliveries.converted_events)))::integer AS deliveries,
    (COALESCE(sum((rollup_deliveries.deliveries - rollup_deliveries.converted_events)) FILTER (WHERE rollup_deliveries.is_sent), (0)::numeric))::integer AS deliveries_sent,
    (COALESCE(sum((rollup_deliveries.deliveries - rollup_deliveries.converted_events)) FILTER (WHERE rollup_deliveries.is_confirmed), (0)::numeric))::integer AS deliveries_confirmed
   FROM afterpush.rollup_deliveries
  WHERE (cardinality(rollup_deliveries.actions) > 0)
  GROUP BY rollup_deliveries.app_id, rollup_deliveries.verified, (afterpush.day_of(rollup_deliveries.anchor_hour)), rollup_deliveries.campaign_id, rollup_deliveries.variant, rollup_deliveries.category_id, rollup_deliveries.category_version, rollup_deliveries.platform, rollup_deliveries.actions
 HAVING (sum((rollup_deliveries.deliveries - rollup_deliveries.converted_events)) > (0)::numeric);

ALTER TABLE afterpush.summed_goal_days OWNER TO afterpush_owner;

--
-- Name: VIEW summed_goal_days; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON VIEW afterpush.summed_goal_days IS 'What rollup_goal_days must hold, summed from rollup_deliveries.';

--
-- Name: summed_response_days; Type: VIEW; Schema: afterpush; Owner: afterpush_owner
--

CREATE VIEW afterpush.summed_response_days AS
 SELECT timed.app_id,
    timed.verified,
    timed.anchor_day,
    timed.campaign_id,
    timed.variant,
    timed.category_id,
    timed.platform,
    (sum(timed.deliveries))::integer AS deliveries,
    afterpush.running_totals_of(array_agg(timed.bucket ORDER BY timed.bucket), array_agg(timed.deliveries ORDER BY timed.bucket)) AS times
   FROM ( SELECT rollup_responses.app_id,
            rollup_responses.verified,
            afterpush.day_of(rollup_responses.anchor_hour) AS anchor_day,
            rollup_responses.campaign_id,
            rollup_responses.variant,
            rollup_responses.category_id,
            rollup_responses.platform,
            rollup_responses.bucket,
            sum(rollup_responses.deliveries) AS deliveries
           FROM afterpush.rollup_responses
          GROUP BY rollup_responses.app_id, rollup_responses.verified, (afterpush.day_of(rollup_responses.anchor_hour)), rollup_responses.campaign_id, rollup_responses.variant, rollup_responses.category_id, rollup_responses.platform, rollup_responses.bucket) timed
  GROUP BY timed.app_id, timed.verified, timed.anchor_day, timed.campaign_id, timed.variant, timed.category_id, timed.platform;

ALTER TABLE afterpush.summed_response_days OWNER TO afterpush_owner;

--
-- Name: VIEW summed_response_days; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON VIEW afterpush.summed_response_days IS 'What rollup_response_days must hold, summed from rollup_responses.';

--
-- Name: suppressed_devices; Type: TABLE; Schema: afterpush; Owner: afterpush_owner
--

CREATE TABLE afterpush.suppressed_devices (
    app_id integer NOT NULL,
    device_hash bytea NOT NULL,
    suppressed_at timestamp with time zone DEFAULT now() NOT NULL,
    suppression_id bigint NOT NULL,
    key_id integer NOT NULL
);

ALTER TABLE afterpush.suppressed_devices OWNER TO afterpush_owner;

--
-- Name: TABLE suppressed_devices; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TABLE afterpush.suppressed_devices IS 'The suppression list: erased devices, whose events are rejected from then on.';

--
-- Name: COLUMN suppressed_devices.app_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.suppressed_devices.app_id IS 'App from which the device was erased.';

--
-- Name: COLUMN suppressed_devices.device_hash; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.suppressed_devices.device_hash IS 'HMAC-SHA-256 of the device id with the key key_id.';

--
-- Name: COLUMN suppressed_devices.suppressed_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.suppressed_devices.suppressed_at IS 'When the device was put on the list.';

--
-- Name: COLUMN suppressed_devices.suppression_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.suppressed_devices.suppression_id IS 'Position in the list; rows commit in this order, so a collector that has read up to one has missed none.';

--
-- Name: COLUMN suppressed_devices.key_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.suppressed_devices.key_id IS 'Key of the hash.';

--
-- Name: suppressed_devices_suppression_id_seq; Type: SEQUENCE; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE afterpush.suppressed_devices ALTER COLUMN suppression_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME afterpush.suppressed_devices_suppression_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

--
-- Name: suppression_keys; Type: TABLE; Schema: afterpush; Owner: afterpush_owner
--

CREATE TABLE afterpush.suppression_keys (
    key_id integer NOT NULL,
    key bytea DEFAULT sha256(((uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())) || uuid_send(gen_random_uuid()))) NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    inner_block bytea GENERATED ALWAYS AS (afterpush.key_block(key, 54)) STORED,
    outer_block bytea GENERATED ALWAYS AS (afterpush.key_block(key, 92)) STORED,
    CONSTRAINT suppression_keys_key_check CHECK ((octet_length(key) = 32))
);

ALTER TABLE afterpush.suppression_keys OWNER TO afterpush_owner;

--
-- Name: TABLE suppression_keys; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TABLE afterpush.suppression_keys IS 'Keys for the hashes of erased devices: that of this database, and those of restored suppression files.';

--
-- Name: COLUMN suppression_keys.key_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.suppression_keys.key_id IS 'Number of the key; the lowest one hashes newly erased devices.';

--
-- Name: COLUMN suppression_keys.key; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.suppression_keys.key IS '32 random bytes; backups include them, because a restored database needs them to recognise erased devices.';

--
-- Name: COLUMN suppression_keys.created_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.suppression_keys.created_at IS 'When the key was generated or read from a file.';

--
-- Name: COLUMN suppression_keys.inner_block; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.suppression_keys.inner_block IS 'Key block of the inner hash of HMAC.';

--
-- Name: COLUMN suppression_keys.outer_block; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.suppression_keys.outer_block IS 'Key block of the outer hash of HMAC.';

--
-- Name: suppression_keys_key_id_seq; Type: SEQUENCE; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE afterpush.suppression_keys ALTER COLUMN key_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME afterpush.suppression_keys_key_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

--
-- Name: undeclared_names; Type: TABLE; Schema: afterpush; Owner: afterpush_owner
--

CREATE TABLE afterpush.undeclared_names (
    app_id integer NOT NULL,
    kind text NOT NULL COLLATE pg_catalog."C",
    parent text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    source afterpush.name_source NOT NULL,
    seen_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT undeclared_names_kind_check CHECK ((kind = ANY (ARRAY['campaign'::text, 'variant'::text, 'category'::text, 'category_version'::text, 'action'::text, 'app_version'::text])))
);

ALTER TABLE afterpush.undeclared_names OWNER TO afterpush_owner;

--
-- Name: TABLE undeclared_names; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TABLE afterpush.undeclared_names IS 'Names that stored events use without a declaration, up to a quota per app; deleted rows make room for others.';

--
-- Name: COLUMN undeclared_names.app_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.undeclared_names.app_id IS 'App whose events use the name.';

--
-- Name: COLUMN undeclared_names.kind; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.undeclared_names.kind IS 'campaign, variant, category, category_version, action or app_version.';

--
-- Name: COLUMN undeclared_names.parent; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.undeclared_names.parent IS 'Campaign of a variant, category of a category version; otherwise empty.';

--
-- Name: COLUMN undeclared_names.name; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.undeclared_names.name IS 'The name; of a category version, its number.';

--
-- Name: COLUMN undeclared_names.source; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.undeclared_names.source IS 'The most trustworthy source of the name so far; the names of each source have a quota of their own.';

--
-- Name: COLUMN undeclared_names.seen_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.undeclared_names.seen_at IS 'When an event with this name was first stored.';

--
-- Name: events_default; Type: TABLE ATTACH; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE ONLY afterpush.events ATTACH PARTITION afterpush.events_default DEFAULT;

--
-- Name: actions actions_pkey; Type: CONSTRAINT; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE ONLY afterpush.actions
    ADD CONSTRAINT actions_pkey PRIMARY KEY (app_id, category_id, version, action_id);

--
-- Name: alert_history alert_history_pkey; Type: CONSTRAINT; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE ONLY afterpush.alert_history
    ADD CONSTRAINT alert_history_pkey PRIMARY KEY (transition_id);

--
-- Name: alert_messages alert_messages_pkey; Type: CONSTRAINT; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE ONLY afterpush.alert_messages
    ADD CONSTRAINT alert_messages_pkey PRIMARY KEY (message_id, kind, target);

--
-- Name: alert_rules alert_rules_pkey; Type: CONSTRAINT; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE ONLY afterpush.alert_rules
    ADD CONSTRAINT alert_rules_pkey PRIMARY KEY (app_id, alert_name);

--
-- Name: alert_settings alert_settings_pkey; Type: CONSTRAINT; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE ONLY afterpush.alert_settings
    ADD CONSTRAINT alert_settings_pkey PRIMARY KEY (app_id);

--
-- Name: alert_states alert_states_pkey; Type: CONSTRAINT; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE ONLY afterpush.alert_states
    ADD CONSTRAINT alert_states_pkey PRIMARY KEY (app_id, alert_name, series);

--
-- Name: api_keys api_keys_key_hash_key; Type: CONSTRAINT; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE ONLY afterpush.api_keys
    ADD CONSTRAINT api_keys_key_hash_key UNIQUE (key_hash);

--
-- Name: api_keys api_keys_pkey; Type: CONSTRAINT; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE ONLY afterpush.api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (key_id);

--
-- Name: apps apps_name_key; Type: CONSTRAINT; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE ONLY afterpush.apps
    ADD CONSTRAINT apps_name_key UNIQUE (name);

--
-- Name: apps apps_pkey; Type: CONSTRAINT; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE ONLY afterpush.apps
    ADD CONSTRAINT apps_pkey PRIMARY KEY (app_id);

--
-- Name: batches batches_pkey; Type: CONSTRAINT; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE ONLY afterpush.batches
    ADD CONSTRAINT batches_pkey PRIMARY KEY (batch_id);

--
-- Name: campaign_variants campaign_variants_pkey; Type: CONSTRAINT; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE ONLY afterpush.campaign_variants
    ADD CONSTRAINT campaign_variants_pkey PRIMARY KEY (app_id, campaign_id, variant);

--
-- Name: campaigns campaigns_pkey; Type: CONSTRAINT; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE ONLY afterpush.campaigns
    ADD CONSTRAINT campaigns_pkey PRIMARY KEY (app_id, campaign_id);

--
-- Name: categories categories_pkey; Type: CONSTRAINT; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE ONLY afterpush.categories
    ADD CONSTRAINT categories_pkey PRIMARY KEY (app_id, category_id, version);

--
-- Name: deliveries deliveries_pkey; Type: CONSTRAINT; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE ONLY afterpush.deliveries
    ADD CONSTRAINT deliveries_pkey PRIMARY KEY (delivery_id);

--
-- Name: disabled_destinations disabled_destinations_pkey; Type: CONSTRAINT; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE ONLY afterpush.disabled_destinations
    ADD CONSTRAINT disabled_destinations_pkey PRIMARY KEY (app_id, kind, target);

--
-- Name: erased_event_counts erased_event_counts_pkey; Type: CONSTRAINT; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE ONLY afterpush.erased_event_counts
    ADD CONSTRAINT erased_event_counts_pkey PRIMARY KEY (app_id, verified, event_hour, campaign_id, variant, category_id, platform, kind);

--
-- Name: erasures erasures_pkey; Type: CONSTRAINT; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE ONLY afterpush.erasures
    ADD CONSTRAINT erasures_pkey PRIMARY KEY (app_id, device_hash);

--
-- Name: event_upgrades event_upgrades_pkey; Type: CONSTRAINT; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE ONLY afterpush.event_upgrades
    ADD CONSTRAINT event_upgrades_pkey PRIMARY KEY (delivery_id, event_id, device_time);

--
-- Name: events events_pkey; Type: CONSTRAINT; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE ONLY afterpush.events
    ADD CONSTRAINT events_pkey PRIMARY KEY (delivery_id, event_id, device_time);

--
-- Name: events_default events_default_pkey; Type: CONSTRAINT; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE ONLY afterpush.events_default
    ADD CONSTRAINT events_default_pkey PRIMARY KEY (delivery_id, event_id, device_time);

--
-- Name: installed_definitions installed_definitions_pkey; Type: CONSTRAINT; Schema: afterpush; Owner: migrating_login
--

ALTER TABLE ONLY afterpush.installed_definitions
    ADD CONSTRAINT installed_definitions_pkey PRIMARY KEY (name);

--
-- Name: late_deliveries late_deliveries_pkey; Type: CONSTRAINT; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE ONLY afterpush.late_deliveries
    ADD CONSTRAINT late_deliveries_pkey PRIMARY KEY (delivery_id);

--
-- Name: metric_definitions metric_definitions_pkey; Type: CONSTRAINT; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE ONLY afterpush.metric_definitions
    ADD CONSTRAINT metric_definitions_pkey PRIMARY KEY (name, version);

--
-- Name: receipt_secrets receipt_secrets_pkey; Type: CONSTRAINT; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE ONLY afterpush.receipt_secrets
    ADD CONSTRAINT receipt_secrets_pkey PRIMARY KEY (secret_id);

--
-- Name: rejected_events rejected_events_app_id_fingerprint_key; Type: CONSTRAINT; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE ONLY afterpush.rejected_events
    ADD CONSTRAINT rejected_events_app_id_fingerprint_key UNIQUE (app_id, fingerprint);

--
-- Name: rejected_events rejected_events_pkey; Type: CONSTRAINT; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE ONLY afterpush.rejected_events
    ADD CONSTRAINT rejected_events_pkey PRIMARY KEY (rejection_id);

--
-- Name: replies replies_pkey; Type: CONSTRAINT; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE ONLY afterpush.replies
    ADD CONSTRAINT replies_pkey PRIMARY KEY (delivery_id, event_id, device_time);

--
-- Name: report_logins report_logins_pkey; Type: CONSTRAINT; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE ONLY afterpush.report_logins
    ADD CONSTRAINT report_logins_pkey PRIMARY KEY (login);

--
-- Name: retention_state retention_state_pkey; Type: CONSTRAINT; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE ONLY afterpush.retention_state
    ADD CONSTRAINT retention_state_pkey PRIMARY KEY (singleton);

--
-- Name: rollup_action_days rollup_action_days_pkey; Type: CONSTRAINT; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE ONLY afterpush.rollup_action_days
    ADD CONSTRAINT rollup_action_days_pkey PRIMARY KEY (app_id, verified, campaign_id, anchor_day, variant, category_id, category_version, action_id);

--
-- Name: rollup_actions rollup_actions_pkey; Type: CONSTRAINT; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE ONLY afterpush.rollup_actions
    ADD CONSTRAINT rollup_actions_pkey PRIMARY KEY (app_id, verified, anchor_hour, campaign_id, variant, category_id, category_version, platform, is_sent, is_confirmed, action_id, bucket);

--
-- Name: rollup_delivery_days rollup_delivery_days_pkey; Type: CONSTRAINT; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE ONLY afterpush.rollup_delivery_days
    ADD CONSTRAINT rollup_delivery_days_pkey PRIMARY KEY (app_id, verified, campaign_id, anchor_day, variant, category_id, category_version, platform);

--
-- Name: rollup_event_hours rollup_event_hours_pkey; Type: CONSTRAINT; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE ONLY afterpush.rollup_event_hours
    ADD CONSTRAINT rollup_event_hours_pkey PRIMARY KEY (app_id, verified, event_hour, platform);

--
-- Name: rollup_events rollup_events_pkey; Type: CONSTRAINT; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE ONLY afterpush.rollup_events
    ADD CONSTRAINT rollup_events_pkey PRIMARY KEY (app_id, verified, campaign_id, event_hour, variant, category_id, platform);

--
-- Name: rollup_response_days rollup_response_days_pkey; Type: CONSTRAINT; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE ONLY afterpush.rollup_response_days
    ADD CONSTRAINT rollup_response_days_pkey PRIMARY KEY (app_id, verified, campaign_id, anchor_day, variant, category_id, platform);

--
-- Name: rollup_responses rollup_responses_pkey; Type: CONSTRAINT; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE ONLY afterpush.rollup_responses
    ADD CONSTRAINT rollup_responses_pkey PRIMARY KEY (app_id, verified, anchor_hour, campaign_id, variant, category_id, platform, app_version, bucket);

--
-- Name: rollup_worker rollup_worker_pkey; Type: CONSTRAINT; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE ONLY afterpush.rollup_worker
    ADD CONSTRAINT rollup_worker_pkey PRIMARY KEY (singleton);

--
-- Name: schema_migrations schema_migrations_pkey; Type: CONSTRAINT; Schema: afterpush; Owner: migrating_login
--

ALTER TABLE ONLY afterpush.schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (name);

--
-- Name: sealed_goals sealed_goals_pkey; Type: CONSTRAINT; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE ONLY afterpush.sealed_goals
    ADD CONSTRAINT sealed_goals_pkey PRIMARY KEY (app_id, campaign_id, sealed_before);

--
-- Name: sends sends_pkey; Type: CONSTRAINT; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE ONLY afterpush.sends
    ADD CONSTRAINT sends_pkey PRIMARY KEY (app_id, send_id);

--
-- Name: sessions sessions_pkey; Type: CONSTRAINT; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE ONLY afterpush.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (session_hash);

--
-- Name: spools spools_pkey; Type: CONSTRAINT; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE ONLY afterpush.spools
    ADD CONSTRAINT spools_pkey PRIMARY KEY (collector);

--
-- Name: suppressed_devices suppressed_devices_pkey; Type: CONSTRAINT; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE ONLY afterpush.suppressed_devices
    ADD CONSTRAINT suppressed_devices_pkey PRIMARY KEY (app_id, device_hash);

--
-- Name: suppression_keys suppression_keys_key_key; Type: CONSTRAINT; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE ONLY afterpush.suppression_keys
    ADD CONSTRAINT suppression_keys_key_key UNIQUE (key);

--
-- Name: suppression_keys suppression_keys_pkey; Type: CONSTRAINT; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE ONLY afterpush.suppression_keys
    ADD CONSTRAINT suppression_keys_pkey PRIMARY KEY (key_id);

--
-- Name: undeclared_names undeclared_names_pkey; Type: CONSTRAINT; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE ONLY afterpush.undeclared_names
    ADD CONSTRAINT undeclared_names_pkey PRIMARY KEY (app_id, kind, parent, name);

--
-- Name: waiting_replies waiting_replies_pkey; Type: CONSTRAINT; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE ONLY afterpush.waiting_replies
    ADD CONSTRAINT waiting_replies_pkey PRIMARY KEY (delivery_id, event_id, device_time);

--
-- Name: actions_by_name; Type: INDEX; Schema: afterpush; Owner: afterpush_owner
--

CREATE INDEX actions_by_name ON afterpush.actions USING btree (app_id, action_id);

--
-- Name: alert_history_app_id_changed_at_idx; Type: INDEX; Schema: afterpush; Owner: afterpush_owner
--

CREATE INDEX alert_history_app_id_changed_at_idx ON afterpush.alert_history USING btree (app_id, changed_at);

--
-- Name: alert_history_changed_at_idx; Type: INDEX; Schema: afterpush; Owner: afterpush_owner
--

CREATE INDEX alert_history_changed_at_idx ON afterpush.alert_history USING btree (changed_at);

--
-- Name: alert_messages_app_id_created_at_idx; Type: INDEX; Schema: afterpush; Owner: afterpush_owner
--

CREATE INDEX alert_messages_app_id_created_at_idx ON afterpush.alert_messages USING btree (app_id, created_at);

--
-- Name: alert_messages_ended_at_idx; Type: INDEX; Schema: afterpush; Owner: afterpush_owner
--

CREATE INDEX alert_messages_ended_at_idx ON afterpush.alert_messages USING btree (ended_at) WHERE (ended_at IS NOT NULL);

--
-- Name: alert_messages_next_attempt_at_idx; Type: INDEX; Schema: afterpush; Owner: afterpush_owner
--

CREATE INDEX alert_messages_next_attempt_at_idx ON afterpush.alert_messages USING btree (next_attempt_at) WHERE (ended_at IS NULL);

--
-- Name: alert_rules_next_evaluation_at_idx; Type: INDEX; Schema: afterpush; Owner: afterpush_owner
--

CREATE INDEX alert_rules_next_evaluation_at_idx ON afterpush.alert_rules USING btree (next_evaluation_at) WHERE enabled;

--
-- Name: batches_waiting; Type: INDEX; Schema: afterpush; Owner: afterpush_owner
--

CREATE INDEX batches_waiting ON afterpush.batches USING btree (batch_id) WHERE (rolled_up_at IS NULL);

--
-- Name: deliveries_anchor; Type: INDEX; Schema: afterpush; Owner: afterpush_owner
--

CREATE INDEX deliveries_anchor ON afterpush.deliveries USING brin (afterpush.anchor_at(verified_sent_at, receipt_issued_at, first_event_at) timestamptz_minmax_multi_ops) WITH (pages_per_range='32');

--
-- Name: deliveries_confirmed; Type: INDEX; Schema: afterpush; Owner: afterpush_owner
--

CREATE INDEX deliveries_confirmed ON afterpush.deliveries USING brin (confirmed_at timestamptz_minmax_multi_ops) WITH (pages_per_range='32');

--
-- Name: deliveries_device; Type: INDEX; Schema: afterpush; Owner: afterpush_owner
--

CREATE INDEX deliveries_device ON afterpush.deliveries USING btree (app_id, device_id);

--
-- Name: deliveries_sampled_devices; Type: INDEX; Schema: afterpush; Owner: afterpush_owner
--

CREATE INDEX deliveries_sampled_devices ON afterpush.deliveries USING btree (app_id, campaign_id, variant, device_id) WHERE ((get_byte(uuid_send(delivery_id), 15) & 127) < 8);

--
-- Name: INDEX deliveries_sampled_devices; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON INDEX afterpush.deliveries_sampled_devices IS 'Deliveries of a sixteenth of the devices, from which reports estimate how many devices a campaign reached.';

--
-- Name: erasures_requested_at_idx; Type: INDEX; Schema: afterpush; Owner: afterpush_owner
--

CREATE INDEX erasures_requested_at_idx ON afterpush.erasures USING btree (requested_at) WHERE (finished_at IS NULL);

--
-- Name: event_upgrades_batch_id_idx; Type: INDEX; Schema: afterpush; Owner: afterpush_owner
--

CREATE INDEX event_upgrades_batch_id_idx ON afterpush.event_upgrades USING btree (batch_id);

--
-- Name: events_batch_id_idx; Type: INDEX; Schema: afterpush; Owner: afterpush_owner
--

CREATE INDEX events_batch_id_idx ON ONLY afterpush.events USING btree (batch_id);

--
-- Name: events_of_holdouts; Type: INDEX; Schema: afterpush; Owner: afterpush_owner
--

CREATE INDEX events_of_holdouts ON ONLY afterpush.events USING btree (app_id, occurred_at) INCLUDE (delivery_id, batch_id) WHERE (kind = 'held_out'::afterpush.event_kind);

--
-- Name: INDEX events_of_holdouts; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON INDEX afterpush.events_of_holdouts IS 'Deliveries that were held out, by time, for report lift.';

--
-- Name: events_default_app_id_occurred_at_delivery_id_batch_id_idx; Type: INDEX; Schema: afterpush; Owner: afterpush_owner
--

CREATE INDEX events_default_app_id_occurred_at_delivery_id_batch_id_idx ON afterpush.events_default USING btree (app_id, occurred_at) INCLUDE (delivery_id, batch_id) WHERE (kind = 'held_out'::afterpush.event_kind);

--
-- Name: events_of_responses; Type: INDEX; Schema: afterpush; Owner: afterpush_owner
--

CREATE INDEX events_of_responses ON ONLY afterpush.events USING btree (app_id, occurred_at) INCLUDE (device_id, batch_id, verified, delivery_id) WHERE (kind = ANY (ARRAY['opened'::afterpush.event_kind, 'action'::afterpush.event_kind, 'text_input'::afterpush.event_kind]));

--
-- Name: INDEX events_of_responses; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON INDEX afterpush.events_of_responses IS 'Openings of notifications and actions by time, with the columns that report influence reads.';

--
-- Name: events_default_app_id_occurred_at_device_id_batch_id_verif_idx1; Type: INDEX; Schema: afterpush; Owner: afterpush_owner
--

CREATE INDEX events_default_app_id_occurred_at_device_id_batch_id_verif_idx1 ON afterpush.events_default USING btree (app_id, occurred_at) INCLUDE (device_id, batch_id, verified, delivery_id) WHERE (kind = ANY (ARRAY['opened'::afterpush.event_kind, 'action'::afterpush.event_kind, 'text_input'::afterpush.event_kind]));

--
-- Name: events_of_outcomes; Type: INDEX; Schema: afterpush; Owner: afterpush_owner
--

CREATE INDEX events_of_outcomes ON ONLY afterpush.events USING btree (app_id, occurred_at) INCLUDE (device_id, batch_id, verified, name) WHERE ((kind = 'converted'::afterpush.event_kind) AND (notification_id IS NULL));

--
-- Name: INDEX events_of_outcomes; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON INDEX afterpush.events_of_outcomes IS 'Outcomes of devices by time, with the columns that report lift reads.';

--
-- Name: events_default_app_id_occurred_at_device_id_batch_id_verif_idx2; Type: INDEX; Schema: afterpush; Owner: afterpush_owner
--

CREATE INDEX events_default_app_id_occurred_at_device_id_batch_id_verif_idx2 ON afterpush.events_default USING btree (app_id, occurred_at) INCLUDE (device_id, batch_id, verified, name) WHERE ((kind = 'converted'::afterpush.event_kind) AND (notification_id IS NULL));

--
-- Name: events_of_openings; Type: INDEX; Schema: afterpush; Owner: afterpush_owner
--

CREATE INDEX events_of_openings ON ONLY afterpush.events USING btree (app_id, occurred_at) INCLUDE (device_id, batch_id, verified, platform, app_version) WHERE (kind = 'app_opened'::afterpush.event_kind);

--
-- Name: INDEX events_of_openings; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON INDEX afterpush.events_of_openings IS 'App openings by time, with the columns that report influence reads.';

--
-- Name: events_default_app_id_occurred_at_device_id_batch_id_verifi_idx; Type: INDEX; Schema: afterpush; Owner: afterpush_owner
--

CREATE INDEX events_default_app_id_occurred_at_device_id_batch_id_verifi_idx ON afterpush.events_default USING btree (app_id, occurred_at) INCLUDE (device_id, batch_id, verified, platform, app_version) WHERE (kind = 'app_opened'::afterpush.event_kind);

--
-- Name: events_default_batch_id_idx; Type: INDEX; Schema: afterpush; Owner: afterpush_owner
--

CREATE INDEX events_default_batch_id_idx ON afterpush.events_default USING btree (batch_id);

--
-- Name: receipt_secrets_app_id_idx; Type: INDEX; Schema: afterpush; Owner: afterpush_owner
--

CREATE UNIQUE INDEX receipt_secrets_app_id_idx ON afterpush.receipt_secrets USING btree (app_id) WHERE (retired_at IS NULL);

--
-- Name: receipt_secrets_app_id_idx1; Type: INDEX; Schema: afterpush; Owner: afterpush_owner
--

CREATE INDEX receipt_secrets_app_id_idx1 ON afterpush.receipt_secrets USING btree (app_id);

--
-- Name: rejected_events_app_id_received_at_idx; Type: INDEX; Schema: afterpush; Owner: afterpush_owner
--

CREATE INDEX rejected_events_app_id_received_at_idx ON afterpush.rejected_events USING btree (app_id, received_at);

--
-- Name: report_secret_expr_idx; Type: INDEX; Schema: afterpush; Owner: afterpush_owner
--

CREATE UNIQUE INDEX report_secret_expr_idx ON afterpush.report_secret USING btree ((true));

--
-- Name: rollup_app_versions_key; Type: INDEX; Schema: afterpush; Owner: afterpush_owner
--

CREATE UNIQUE INDEX rollup_app_versions_key ON afterpush.rollup_app_versions USING btree (app_id, verified, anchor_hour, app_version, campaign_id, variant, category_id, category_version, platform, is_sent, is_confirmed, afterpush.actions_key(actions));

--
-- Name: rollup_deliveries_key; Type: INDEX; Schema: afterpush; Owner: afterpush_owner
--

CREATE UNIQUE INDEX rollup_deliveries_key ON afterpush.rollup_deliveries USING btree (app_id, verified, anchor_hour, campaign_id, variant, category_id, category_version, platform, is_sent, is_confirmed, afterpush.actions_key(actions));

--
-- Name: rollup_device_bucket_totals_key; Type: INDEX; Schema: afterpush; Owner: afterpush_owner
--

CREATE UNIQUE INDEX rollup_device_bucket_totals_key ON afterpush.rollup_device_bucket_totals USING btree (app_id, anchor_day, campaign_id, category_id, category_version, kinds, modes, afterpush.actions_key(actions));

--
-- Name: rollup_device_buckets_key; Type: INDEX; Schema: afterpush; Owner: afterpush_owner
--

CREATE UNIQUE INDEX rollup_device_buckets_key ON afterpush.rollup_device_buckets USING btree (app_id, campaign_id, anchor_day, variant, category_id, category_version, platform, kinds, modes, afterpush.actions_key(actions));

--
-- Name: rollup_goal_days_key; Type: INDEX; Schema: afterpush; Owner: afterpush_owner
--

CREATE UNIQUE INDEX rollup_goal_days_key ON afterpush.rollup_goal_days USING btree (app_id, verified, campaign_id, anchor_day, variant, category_id, category_version, platform, afterpush.actions_key(actions));

--
-- Name: sends_app_id_campaign_id_idx; Type: INDEX; Schema: afterpush; Owner: afterpush_owner
--

CREATE INDEX sends_app_id_campaign_id_idx ON afterpush.sends USING btree (app_id, campaign_id);

--
-- Name: sessions_expires_at_idx; Type: INDEX; Schema: afterpush; Owner: afterpush_owner
--

CREATE INDEX sessions_expires_at_idx ON afterpush.sessions USING btree (expires_at);

--
-- Name: sessions_key_id_created_at_idx; Type: INDEX; Schema: afterpush; Owner: afterpush_owner
--

CREATE INDEX sessions_key_id_created_at_idx ON afterpush.sessions USING btree (key_id, created_at);

--
-- Name: suppressed_devices_suppressed_at_idx; Type: INDEX; Schema: afterpush; Owner: afterpush_owner
--

CREATE INDEX suppressed_devices_suppressed_at_idx ON afterpush.suppressed_devices USING btree (suppressed_at);

--
-- Name: suppressed_devices_suppression_id_idx; Type: INDEX; Schema: afterpush; Owner: afterpush_owner
--

CREATE UNIQUE INDEX suppressed_devices_suppression_id_idx ON afterpush.suppressed_devices USING btree (suppression_id);

--
-- Name: undeclared_names_source_app_id_kind_parent_idx; Type: INDEX; Schema: afterpush; Owner: afterpush_owner
--

CREATE INDEX undeclared_names_source_app_id_kind_parent_idx ON afterpush.undeclared_names USING btree (source, app_id, kind, parent);

--
-- Name: events_default_app_id_occurred_at_delivery_id_batch_id_idx; Type: INDEX ATTACH; Schema: afterpush; Owner: afterpush_owner
--

ALTER INDEX afterpush.events_of_holdouts ATTACH PARTITION afterpush.events_default_app_id_occurred_at_delivery_id_batch_id_idx;

--
-- Name: events_default_app_id_occurred_at_device_id_batch_id_verif_idx1; Type: INDEX ATTACH; Schema: afterpush; Owner: afterpush_owner
--

ALTER INDEX afterpush.events_of_responses ATTACH PARTITION afterpush.events_default_app_id_occurred_at_device_id_batch_id_verif_idx1;

--
-- Name: events_default_app_id_occurred_at_device_id_batch_id_verif_idx2; Type: INDEX ATTACH; Schema: afterpush; Owner: afterpush_owner
--

ALTER INDEX afterpush.events_of_outcomes ATTACH PARTITION afterpush.events_default_app_id_occurred_at_device_id_batch_id_verif_idx2;

--
-- Name: events_default_app_id_occurred_at_device_id_batch_id_verifi_idx; Type: INDEX ATTACH; Schema: afterpush; Owner: afterpush_owner
--

ALTER INDEX afterpush.events_of_openings ATTACH PARTITION afterpush.events_default_app_id_occurred_at_device_id_batch_id_verifi_idx;

--
-- Name: events_default_batch_id_idx; Type: INDEX ATTACH; Schema: afterpush; Owner: afterpush_owner
--

ALTER INDEX afterpush.events_batch_id_idx ATTACH PARTITION afterpush.events_default_batch_id_idx;

--
-- Name: events_default_pkey; Type: INDEX ATTACH; Schema: afterpush; Owner: afterpush_owner
--

ALTER INDEX afterpush.events_pkey ATTACH PARTITION afterpush.events_default_pkey;

--
-- Name: batches enforce_suppression; Type: TRIGGER; Schema: afterpush; Owner: afterpush_owner
--

CREATE TRIGGER enforce_suppression AFTER INSERT ON afterpush.batches FOR EACH ROW WHEN (((new.events > 0) OR (new.upgrades > 0))) EXECUTE FUNCTION afterpush.enforce_suppression();

--
-- Name: campaign_variants keep_declared_variant; Type: TRIGGER; Schema: afterpush; Owner: afterpush_owner
--

CREATE TRIGGER keep_declared_variant AFTER DELETE ON afterpush.campaign_variants FOR EACH ROW EXECUTE FUNCTION afterpush.keep_declared_variant();

--
-- Name: categories protect_sealed_hours; Type: TRIGGER; Schema: afterpush; Owner: afterpush_owner
--

CREATE TRIGGER protect_sealed_hours BEFORE INSERT ON afterpush.categories FOR EACH ROW WHEN ((new.version > 1)) EXECUTE FUNCTION afterpush.protect_sealed_hours();

--
-- Name: rejected_events redact_rejected_event; Type: TRIGGER; Schema: afterpush; Owner: afterpush_owner
--

CREATE TRIGGER redact_rejected_event BEFORE INSERT ON afterpush.rejected_events FOR EACH ROW EXECUTE FUNCTION afterpush.redact_rejected_event();

--
-- Name: actions remove_undeclared_name; Type: TRIGGER; Schema: afterpush; Owner: afterpush_owner
--

CREATE TRIGGER remove_undeclared_name AFTER INSERT ON afterpush.actions FOR EACH ROW EXECUTE FUNCTION afterpush.remove_undeclared_name('action', 'action_id');

--
-- Name: campaign_variants remove_undeclared_name; Type: TRIGGER; Schema: afterpush; Owner: afterpush_owner
--

CREATE TRIGGER remove_undeclared_name AFTER INSERT ON afterpush.campaign_variants FOR EACH ROW EXECUTE FUNCTION afterpush.remove_undeclared_name('variant', 'variant', 'campaign_id');

--
-- Name: campaigns remove_undeclared_name; Type: TRIGGER; Schema: afterpush; Owner: afterpush_owner
--

CREATE TRIGGER remove_undeclared_name AFTER INSERT ON afterpush.campaigns FOR EACH ROW EXECUTE FUNCTION afterpush.remove_undeclared_name('campaign', 'campaign_id');

--
-- Name: categories remove_undeclared_name; Type: TRIGGER; Schema: afterpush; Owner: afterpush_owner
--

CREATE TRIGGER remove_undeclared_name AFTER INSERT ON afterpush.categories FOR EACH ROW EXECUTE FUNCTION afterpush.remove_undeclared_name('category', 'category_id');

--
-- Name: campaigns snapshot_sealed_goals; Type: TRIGGER; Schema: afterpush; Owner: afterpush_owner
--

CREATE TRIGGER snapshot_sealed_goals AFTER INSERT OR UPDATE ON afterpush.campaigns FOR EACH ROW EXECUTE FUNCTION afterpush.snapshot_sealed_goals();

--
-- Name: actions actions_app_id_category_id_version_fkey; Type: FK CONSTRAINT; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE ONLY afterpush.actions
    ADD CONSTRAINT actions_app_id_category_id_version_fkey FOREIGN KEY (app_id, category_id, version) REFERENCES afterpush.categories(app_id, category_id, version);

--
-- Name: alert_history alert_history_app_id_fkey; Type: FK CONSTRAINT; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE ONLY afterpush.alert_history
    ADD CONSTRAINT alert_history_app_id_fkey FOREIGN KEY (app_id) REFERENCES afterpush.apps(app_id);

--
-- Name: alert_messages alert_messages_app_id_fkey; Type: FK CONSTRAINT; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE ONLY afterpush.alert_messages
    ADD CONSTRAINT alert_messages_app_id_fkey FOREIGN KEY (app_id) REFERENCES afterpush.apps(app_id);

--
-- Name: alert_rules alert_rules_app_id_fkey; Type: FK CONSTRAINT; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE ONLY afterpush.alert_rules
    ADD CONSTRAINT alert_rules_app_id_fkey FOREIGN KEY (app_id) REFERENCES afterpush.apps(app_id);

--
-- Name: alert_settings alert_settings_app_id_fkey; Type: FK CONSTRAINT; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE ONLY afterpush.alert_settings
    ADD CONSTRAINT alert_settings_app_id_fkey FOREIGN KEY (app_id) REFERENCES afterpush.apps(app_id);

--
-- Name: alert_states alert_states_app_id_alert_name_fkey; Type: FK CONSTRAINT; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE ONLY afterpush.alert_states
    ADD CONSTRAINT alert_states_app_id_alert_name_fkey FOREIGN KEY (app_id, alert_name) REFERENCES afterpush.alert_rules(app_id, alert_name) ON DELETE CASCADE;

--
-- Name: api_keys api_keys_app_id_fkey; Type: FK CONSTRAINT; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE ONLY afterpush.api_keys
    ADD CONSTRAINT api_keys_app_id_fkey FOREIGN KEY (app_id) REFERENCES afterpush.apps(app_id);

--
-- Name: batches batches_app_id_fkey; Type: FK CONSTRAINT; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE ONLY afterpush.batches
    ADD CONSTRAINT batches_app_id_fkey FOREIGN KEY (app_id) REFERENCES afterpush.apps(app_id);

--
-- Name: campaign_variants campaign_variants_app_id_campaign_id_fkey; Type: FK CONSTRAINT; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE ONLY afterpush.campaign_variants
    ADD CONSTRAINT campaign_variants_app_id_campaign_id_fkey FOREIGN KEY (app_id, campaign_id) REFERENCES afterpush.campaigns(app_id, campaign_id);

--
-- Name: campaigns campaigns_app_id_fkey; Type: FK CONSTRAINT; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE ONLY afterpush.campaigns
    ADD CONSTRAINT campaigns_app_id_fkey FOREIGN KEY (app_id) REFERENCES afterpush.apps(app_id);

--
-- Name: categories categories_app_id_fkey; Type: FK CONSTRAINT; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE ONLY afterpush.categories
    ADD CONSTRAINT categories_app_id_fkey FOREIGN KEY (app_id) REFERENCES afterpush.apps(app_id);

--
-- Name: disabled_destinations disabled_destinations_app_id_fkey; Type: FK CONSTRAINT; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE ONLY afterpush.disabled_destinations
    ADD CONSTRAINT disabled_destinations_app_id_fkey FOREIGN KEY (app_id) REFERENCES afterpush.apps(app_id);

--
-- Name: erasures erasures_app_id_device_hash_fkey; Type: FK CONSTRAINT; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE ONLY afterpush.erasures
    ADD CONSTRAINT erasures_app_id_device_hash_fkey FOREIGN KEY (app_id, device_hash) REFERENCES afterpush.suppressed_devices(app_id, device_hash);

--
-- Name: receipt_secrets receipt_secrets_app_id_fkey; Type: FK CONSTRAINT; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE ONLY afterpush.receipt_secrets
    ADD CONSTRAINT receipt_secrets_app_id_fkey FOREIGN KEY (app_id) REFERENCES afterpush.apps(app_id);

--
-- Name: report_logins report_logins_app_id_fkey; Type: FK CONSTRAINT; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE ONLY afterpush.report_logins
    ADD CONSTRAINT report_logins_app_id_fkey FOREIGN KEY (app_id) REFERENCES afterpush.apps(app_id);

--
-- Name: sends sends_app_id_fkey; Type: FK CONSTRAINT; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE ONLY afterpush.sends
    ADD CONSTRAINT sends_app_id_fkey FOREIGN KEY (app_id) REFERENCES afterpush.apps(app_id);

--
-- Name: sessions sessions_key_id_fkey; Type: FK CONSTRAINT; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE ONLY afterpush.sessions
    ADD CONSTRAINT sessions_key_id_fkey FOREIGN KEY (key_id) REFERENCES afterpush.api_keys(key_id);

--
-- Name: suppressed_devices suppressed_devices_app_id_fkey; Type: FK CONSTRAINT; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE ONLY afterpush.suppressed_devices
    ADD CONSTRAINT suppressed_devices_app_id_fkey FOREIGN KEY (app_id) REFERENCES afterpush.apps(app_id);

--
-- Name: suppressed_devices suppressed_devices_key_id_fkey; Type: FK CONSTRAINT; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE ONLY afterpush.suppressed_devices
    ADD CONSTRAINT suppressed_devices_key_id_fkey FOREIGN KEY (key_id) REFERENCES afterpush.suppression_keys(key_id);

--
-- Name: undeclared_names undeclared_names_app_id_fkey; Type: FK CONSTRAINT; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE ONLY afterpush.undeclared_names
    ADD CONSTRAINT undeclared_names_app_id_fkey FOREIGN KEY (app_id) REFERENCES afterpush.apps(app_id);

--
-- Name: actions; Type: ROW SECURITY; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE afterpush.actions ENABLE ROW LEVEL SECURITY;

--
-- Name: alert_history; Type: ROW SECURITY; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE afterpush.alert_history ENABLE ROW LEVEL SECURITY;

--
-- Name: alert_messages; Type: ROW SECURITY; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE afterpush.alert_messages ENABLE ROW LEVEL SECURITY;

--
-- Name: alert_rules; Type: ROW SECURITY; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE afterpush.alert_rules ENABLE ROW LEVEL SECURITY;

--
-- Name: alert_settings; Type: ROW SECURITY; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE afterpush.alert_settings ENABLE ROW LEVEL SECURITY;

--
-- Name: alert_states; Type: ROW SECURITY; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE afterpush.alert_states ENABLE ROW LEVEL SECURITY;

--
-- Name: api_keys; Type: ROW SECURITY; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE afterpush.api_keys ENABLE ROW LEVEL SECURITY;

--
-- Name: apps; Type: ROW SECURITY; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE afterpush.apps ENABLE ROW LEVEL SECURITY;

--
-- Name: batches; Type: ROW SECURITY; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE afterpush.batches ENABLE ROW LEVEL SECURITY;

--
-- Name: campaign_variants; Type: ROW SECURITY; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE afterpush.campaign_variants ENABLE ROW LEVEL SECURITY;

--
-- Name: campaigns; Type: ROW SECURITY; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE afterpush.campaigns ENABLE ROW LEVEL SECURITY;

--
-- Name: categories; Type: ROW SECURITY; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE afterpush.categories ENABLE ROW LEVEL SECURITY;

--
-- Name: deliveries; Type: ROW SECURITY; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE afterpush.deliveries ENABLE ROW LEVEL SECURITY;

--
-- Name: disabled_destinations; Type: ROW SECURITY; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE afterpush.disabled_destinations ENABLE ROW LEVEL SECURITY;

--
-- Name: erased_event_counts; Type: ROW SECURITY; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE afterpush.erased_event_counts ENABLE ROW LEVEL SECURITY;

--
-- Name: erasures; Type: ROW SECURITY; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE afterpush.erasures ENABLE ROW LEVEL SECURITY;

--
-- Name: event_upgrades; Type: ROW SECURITY; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE afterpush.event_upgrades ENABLE ROW LEVEL SECURITY;

--
-- Name: events; Type: ROW SECURITY; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE afterpush.events ENABLE ROW LEVEL SECURITY;

--
-- Name: ingest_barrier; Type: ROW SECURITY; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE afterpush.ingest_barrier ENABLE ROW LEVEL SECURITY;

--
-- Name: late_deliveries; Type: ROW SECURITY; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE afterpush.late_deliveries ENABLE ROW LEVEL SECURITY;

--
-- Name: receipt_secrets; Type: ROW SECURITY; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE afterpush.receipt_secrets ENABLE ROW LEVEL SECURITY;

--
-- Name: rejected_events; Type: ROW SECURITY; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE afterpush.rejected_events ENABLE ROW LEVEL SECURITY;

--
-- Name: replies; Type: ROW SECURITY; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE afterpush.replies ENABLE ROW LEVEL SECURITY;

--
-- Name: actions report; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY report ON afterpush.actions FOR SELECT TO afterpush_report USING ((app_id = ( SELECT afterpush.report_app() AS report_app)));

--
-- Name: api_keys report; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY report ON afterpush.api_keys FOR SELECT TO afterpush_report USING ((app_id = ( SELECT afterpush.report_app() AS report_app)));

--
-- Name: apps report; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY report ON afterpush.apps FOR SELECT TO afterpush_report USING ((app_id = ( SELECT afterpush.report_app() AS report_app)));

--
-- Name: batches report; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY report ON afterpush.batches FOR SELECT TO afterpush_report USING ((app_id = ( SELECT afterpush.report_app() AS report_app)));

--
-- Name: campaign_variants report; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY report ON afterpush.campaign_variants FOR SELECT TO afterpush_report USING ((app_id = ( SELECT afterpush.report_app() AS report_app)));

--
-- Name: campaigns report; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY report ON afterpush.campaigns FOR SELECT TO afterpush_report USING ((app_id = ( SELECT afterpush.report_app() AS report_app)));

--
-- Name: categories report; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY report ON afterpush.categories FOR SELECT TO afterpush_report USING ((app_id = ( SELECT afterpush.report_app() AS report_app)));

--
-- Name: deliveries report; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY report ON afterpush.deliveries FOR SELECT TO afterpush_report USING ((app_id = ( SELECT afterpush.report_app() AS report_app)));

--
-- Name: erased_event_counts report; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY report ON afterpush.erased_event_counts FOR SELECT TO afterpush_report USING ((app_id = ( SELECT afterpush.report_app() AS report_app)));

--
-- Name: events report; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY report ON afterpush.events FOR SELECT TO afterpush_report USING ((app_id = ( SELECT afterpush.report_app() AS report_app)));

--
-- Name: rejected_events report; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY report ON afterpush.rejected_events FOR SELECT TO afterpush_report USING ((app_id = ( SELECT afterpush.report_app() AS report_app)));

--
-- Name: replies report; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY report ON afterpush.replies FOR SELECT TO afterpush_report USING ((app_id = ( SELECT afterpush.report_app() AS report_app)));

--
-- Name: rollup_action_days report; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY report ON afterpush.rollup_action_days FOR SELECT TO afterpush_report USING ((app_id = ( SELECT afterpush.report_app() AS report_app)));

--
-- Name: rollup_actions report; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY report ON afterpush.rollup_actions FOR SELECT TO afterpush_report USING ((app_id = ( SELECT afterpush.report_app() AS report_app)));

--
-- Name: rollup_app_versions report; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY report ON afterpush.rollup_app_versions FOR SELECT TO afterpush_report USING ((app_id = ( SELECT afterpush.report_app() AS report_app)));

--
-- Name: rollup_deliveries report; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY report ON afterpush.rollup_deliveries FOR SELECT TO afterpush_report USING ((app_id = ( SELECT afterpush.report_app() AS report_app)));

--
-- Name: rollup_delivery_days report; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY report ON afterpush.rollup_delivery_days FOR SELECT TO afterpush_report USING ((app_id = ( SELECT afterpush.report_app() AS report_app)));

--
-- Name: rollup_device_bucket_totals report; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY report ON afterpush.rollup_device_bucket_totals FOR SELECT TO afterpush_report USING ((app_id = ( SELECT afterpush.report_app() AS report_app)));

--
-- Name: rollup_device_buckets report; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY report ON afterpush.rollup_device_buckets FOR SELECT TO afterpush_report USING ((app_id = ( SELECT afterpush.report_app() AS report_app)));

--
-- Name: rollup_device_changes report; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY report ON afterpush.rollup_device_changes FOR SELECT TO afterpush_report USING ((app_id = ( SELECT afterpush.report_app() AS report_app)));

--
-- Name: rollup_event_hours report; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY report ON afterpush.rollup_event_hours FOR SELECT TO afterpush_report USING ((app_id = ( SELECT afterpush.report_app() AS report_app)));

--
-- Name: rollup_events report; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY report ON afterpush.rollup_events FOR SELECT TO afterpush_report USING ((app_id = ( SELECT afterpush.report_app() AS report_app)));

--
-- Name: rollup_goal_days report; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY report ON afterpush.rollup_goal_days FOR SELECT TO afterpush_report USING ((app_id = ( SELECT afterpush.report_app() AS report_app)));

--
-- Name: rollup_response_days report; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY report ON afterpush.rollup_response_days FOR SELECT TO afterpush_report USING ((app_id = ( SELECT afterpush.report_app() AS report_app)));

--
-- Name: rollup_responses report; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY report ON afterpush.rollup_responses FOR SELECT TO afterpush_report USING ((app_id = ( SELECT afterpush.report_app() AS report_app)));

--
-- Name: sealed_goals report; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY report ON afterpush.sealed_goals FOR SELECT TO afterpush_report USING ((app_id = ( SELECT afterpush.report_app() AS report_app)));

--
-- Name: sends report; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY report ON afterpush.sends FOR SELECT TO afterpush_report USING ((app_id = ( SELECT afterpush.report_app() AS report_app)));

--
-- Name: spools report; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY report ON afterpush.spools FOR SELECT TO afterpush_report USING ((( SELECT afterpush.report_app() AS report_app) IS NOT NULL));

--
-- Name: suppressed_devices report; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY report ON afterpush.suppressed_devices FOR SELECT TO afterpush_report USING ((app_id = ( SELECT afterpush.report_app() AS report_app)));

--
-- Name: undeclared_names report; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY report ON afterpush.undeclared_names FOR SELECT TO afterpush_report USING ((app_id = ( SELECT afterpush.report_app() AS report_app)));

--
-- Name: report_logins; Type: ROW SECURITY; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE afterpush.report_logins ENABLE ROW LEVEL SECURITY;

--
-- Name: report_secret; Type: ROW SECURITY; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE afterpush.report_secret ENABLE ROW LEVEL SECURITY;

--
-- Name: retention_state; Type: ROW SECURITY; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE afterpush.retention_state ENABLE ROW LEVEL SECURITY;

--
-- Name: rollup_action_days; Type: ROW SECURITY; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE afterpush.rollup_action_days ENABLE ROW LEVEL SECURITY;

--
-- Name: rollup_actions; Type: ROW SECURITY; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE afterpush.rollup_actions ENABLE ROW LEVEL SECURITY;

--
-- Name: rollup_app_versions; Type: ROW SECURITY; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE afterpush.rollup_app_versions ENABLE ROW LEVEL SECURITY;

--
-- Name: rollup_deliveries; Type: ROW SECURITY; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE afterpush.rollup_deliveries ENABLE ROW LEVEL SECURITY;

--
-- Name: rollup_delivery_days; Type: ROW SECURITY; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE afterpush.rollup_delivery_days ENABLE ROW LEVEL SECURITY;

--
-- Name: rollup_device_bucket_totals; Type: ROW SECURITY; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE afterpush.rollup_device_bucket_totals ENABLE ROW LEVEL SECURITY;

--
-- Name: rollup_device_buckets; Type: ROW SECURITY; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE afterpush.rollup_device_buckets ENABLE ROW LEVEL SECURITY;

--
-- Name: rollup_device_changes; Type: ROW SECURITY; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE afterpush.rollup_device_changes ENABLE ROW LEVEL SECURITY;

--
-- Name: rollup_event_hours; Type: ROW SECURITY; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE afterpush.rollup_event_hours ENABLE ROW LEVEL SECURITY;

--
-- Name: rollup_events; Type: ROW SECURITY; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE afterpush.rollup_events ENABLE ROW LEVEL SECURITY;

--
-- Name: rollup_goal_days; Type: ROW SECURITY; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE afterpush.rollup_goal_days ENABLE ROW LEVEL SECURITY;

--
-- Name: rollup_response_days; Type: ROW SECURITY; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE afterpush.rollup_response_days ENABLE ROW LEVEL SECURITY;

--
-- Name: rollup_responses; Type: ROW SECURITY; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE afterpush.rollup_responses ENABLE ROW LEVEL SECURITY;

--
-- Name: sealed_goals; Type: ROW SECURITY; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE afterpush.sealed_goals ENABLE ROW LEVEL SECURITY;

--
-- Name: sends; Type: ROW SECURITY; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE afterpush.sends ENABLE ROW LEVEL SECURITY;

--
-- Name: actions serve; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY serve ON afterpush.actions TO afterpush_ingest, afterpush_worker USING (true) WITH CHECK (true);

--
-- Name: alert_history serve; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY serve ON afterpush.alert_history TO afterpush_worker USING (true) WITH CHECK (true);

--
-- Name: alert_messages serve; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY serve ON afterpush.alert_messages TO afterpush_worker USING (true) WITH CHECK (true);

--
-- Name: alert_rules serve; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY serve ON afterpush.alert_rules TO afterpush_worker USING (true) WITH CHECK (true);

--
-- Name: alert_settings serve; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY serve ON afterpush.alert_settings TO afterpush_worker USING (true) WITH CHECK (true);

--
-- Name: alert_states serve; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY serve ON afterpush.alert_states TO afterpush_worker USING (true) WITH CHECK (true);

--
-- Name: api_keys serve; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY serve ON afterpush.api_keys TO afterpush_ingest, afterpush_worker USING (true) WITH CHECK (true);

--
-- Name: apps serve; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY serve ON afterpush.apps FOR SELECT TO afterpush_ingest, afterpush_worker USING (true);

--
-- Name: batches serve; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY serve ON afterpush.batches TO afterpush_ingest, afterpush_worker USING (true) WITH CHECK (true);

--
-- Name: campaign_variants serve; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY serve ON afterpush.campaign_variants TO afterpush_ingest, afterpush_worker USING (true) WITH CHECK (true);

--
-- Name: campaigns serve; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY serve ON afterpush.campaigns TO afterpush_ingest, afterpush_worker USING (true) WITH CHECK (true);

--
-- Name: categories serve; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY serve ON afterpush.categories TO afterpush_ingest, afterpush_worker USING (true) WITH CHECK (true);

--
-- Name: deliveries serve; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY serve ON afterpush.deliveries TO afterpush_ingest, afterpush_worker USING (true) WITH CHECK (true);

--
-- Name: disabled_destinations serve; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY serve ON afterpush.disabled_destinations TO afterpush_worker USING (true) WITH CHECK (true);

--
-- Name: erased_event_counts serve; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY serve ON afterpush.erased_event_counts TO afterpush_worker USING (true) WITH CHECK (true);

--
-- Name: erasures serve; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY serve ON afterpush.erasures FOR SELECT TO afterpush_worker USING (true);

--
-- Name: event_upgrades serve; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY serve ON afterpush.event_upgrades TO afterpush_ingest USING (true) WITH CHECK (true);

--
-- Name: events serve; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY serve ON afterpush.events TO afterpush_ingest, afterpush_worker USING (true) WITH CHECK (true);

--
-- Name: late_deliveries serve; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY serve ON afterpush.late_deliveries TO afterpush_worker USING (true) WITH CHECK (true);

--
-- Name: receipt_secrets serve; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY serve ON afterpush.receipt_secrets FOR SELECT TO afterpush_ingest USING (true);

--
-- Name: rejected_events serve; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY serve ON afterpush.rejected_events TO afterpush_ingest, afterpush_worker USING (true) WITH CHECK (true);

--
-- Name: replies serve; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY serve ON afterpush.replies TO afterpush_ingest, afterpush_worker USING (true) WITH CHECK (true);

--
-- Name: retention_state serve; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY serve ON afterpush.retention_state FOR SELECT TO afterpush_ingest USING (true);

--
-- Name: rollup_action_days serve; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY serve ON afterpush.rollup_action_days TO afterpush_worker USING (true) WITH CHECK (true);

--
-- Name: rollup_actions serve; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY serve ON afterpush.rollup_actions TO afterpush_ingest, afterpush_worker USING (true) WITH CHECK (true);

--
-- Name: rollup_app_versions serve; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY serve ON afterpush.rollup_app_versions TO afterpush_ingest, afterpush_worker USING (true) WITH CHECK (true);

--
-- Name: rollup_deliveries serve; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY serve ON afterpush.rollup_deliveries TO afterpush_ingest, afterpush_worker USING (true) WITH CHECK (true);

--
-- Name: rollup_delivery_days serve; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY serve ON afterpush.rollup_delivery_days TO afterpush_worker USING (true) WITH CHECK (true);

--
-- Name: rollup_device_bucket_totals serve; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY serve ON afterpush.rollup_device_bucket_totals TO afterpush_worker USING (true) WITH CHECK (true);

--
-- Name: rollup_device_buckets serve; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY serve ON afterpush.rollup_device_buckets TO afterpush_worker USING (true) WITH CHECK (true);

--
-- Name: rollup_device_changes serve; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY serve ON afterpush.rollup_device_changes TO afterpush_worker USING (true) WITH CHECK (true);

--
-- Name: rollup_event_hours serve; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY serve ON afterpush.rollup_event_hours TO afterpush_worker USING (true) WITH CHECK (true);

--
-- Name: rollup_events serve; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY serve ON afterpush.rollup_events TO afterpush_worker USING (true) WITH CHECK (true);

--
-- Name: rollup_goal_days serve; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY serve ON afterpush.rollup_goal_days TO afterpush_worker USING (true) WITH CHECK (true);

--
-- Name: rollup_response_days serve; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY serve ON afterpush.rollup_response_days TO afterpush_worker USING (true) WITH CHECK (true);

--
-- Name: rollup_responses serve; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY serve ON afterpush.rollup_responses TO afterpush_worker USING (true) WITH CHECK (true);

--
-- Name: sends serve; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY serve ON afterpush.sends TO afterpush_ingest, afterpush_worker USING (true) WITH CHECK (true);

--
-- Name: sessions serve; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY serve ON afterpush.sessions TO afterpush_ingest USING (true) WITH CHECK (true);

--
-- Name: spools serve; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY serve ON afterpush.spools TO afterpush_ingest USING (true) WITH CHECK (true);

--
-- Name: suppressed_devices serve; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY serve ON afterpush.suppressed_devices TO afterpush_ingest, afterpush_worker USING (true) WITH CHECK (true);

--
-- Name: suppression_keys serve; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY serve ON afterpush.suppression_keys FOR SELECT TO afterpush_ingest, afterpush_worker USING (true);

--
-- Name: waiting_replies serve; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY serve ON afterpush.waiting_replies TO afterpush_ingest, afterpush_worker USING (true) WITH CHECK (true);

--
-- Name: sessions; Type: ROW SECURITY; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE afterpush.sessions ENABLE ROW LEVEL SECURITY;

--
-- Name: spools; Type: ROW SECURITY; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE afterpush.spools ENABLE ROW LEVEL SECURITY;

--
-- Name: suppressed_devices; Type: ROW SECURITY; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE afterpush.suppressed_devices ENABLE ROW LEVEL SECURITY;

--
-- Name: suppression_keys; Type: ROW SECURITY; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE afterpush.suppression_keys ENABLE ROW LEVEL SECURITY;

--
-- Name: undeclared_names; Type: ROW SECURITY; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE afterpush.undeclared_names ENABLE ROW LEVEL SECURITY;

--
-- Name: waiting_replies; Type: ROW SECURITY; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE afterpush.waiting_replies ENABLE ROW LEVEL SECURITY;

--
-- Name: SCHEMA afterpush; Type: ACL; Schema: -; Owner: migrating_login
--

GRANT ALL ON SCHEMA afterpush TO afterpush_owner;
GRANT USAGE ON SCHEMA afterpush TO afterpush_confined;
GRANT USAGE ON SCHEMA afterpush TO afterpush_ingest;
GRANT USAGE ON SCHEMA afterpush TO afterpush_worker;
GRANT USAGE ON SCHEMA afterpush TO afterpush_report;

--
-- Name: LANGUAGE plpgsql; Type: ACL; Schema: -; Owner: migrating_login
--

REVOKE ALL ON LANGUAGE plpgsql FROM PUBLIC;
GRANT ALL ON LANGUAGE plpgsql TO afterpush_owner;

--
-- Name: TABLE rollup_actions; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE afterpush.rollup_actions TO afterpush_worker;
GRANT SELECT ON TABLE afterpush.rollup_actions TO afterpush_report;

--
-- Name: FUNCTION action_deltas(shapes afterpush.delivery_shape[]); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.action_deltas(shapes afterpush.delivery_shape[]) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.action_deltas(shapes afterpush.delivery_shape[]) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.action_deltas(shapes afterpush.delivery_shape[]) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.action_deltas(shapes afterpush.delivery_shape[]) TO afterpush_report;

--
-- Name: FUNCTION actions_key(actions text[]); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.actions_key(actions text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.actions_key(actions text[]) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.actions_key(actions text[]) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.actions_key(actions text[]) TO afterpush_report;

--
-- Name: FUNCTION add_actions(shapes afterpush.delivery_shape[]); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.add_actions(shapes afterpush.delivery_shape[]) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.add_actions(shapes afterpush.delivery_shape[]) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.add_actions(shapes afterpush.delivery_shape[]) TO afterpush_worker;

--
-- Name: FUNCTION add_deliveries(shapes afterpush.delivery_shape[]); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.add_deliveries(shapes afterpush.delivery_shape[]) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.add_deliveries(shapes afterpush.delivery_shape[]) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.add_deliveries(shapes afterpush.delivery_shape[]) TO afterpush_worker;

--
-- Name: FUNCTION add_device_changes(shapes afterpush.delivery_shape[]); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.add_device_changes(shapes afterpush.delivery_shape[]) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.add_device_changes(shapes afterpush.delivery_shape[]) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.add_device_changes(shapes afterpush.delivery_shape[]) TO afterpush_worker;

--
-- Name: FUNCTION add_event_counts(counts afterpush.event_count[]); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.add_event_counts(counts afterpush.event_count[]) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.add_event_counts(counts afterpush.event_count[]) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.add_event_counts(counts afterpush.event_count[]) TO afterpush_worker;

--
-- Name: FUNCTION add_responses(shapes afterpush.delivery_shape[]); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.add_responses(shapes afterpush.delivery_shape[]) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.add_responses(shapes afterpush.delivery_shape[]) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.add_responses(shapes afterpush.delivery_shape[]) TO afterpush_worker;

--
-- Name: FUNCTION add_running_totals(a integer[], b integer[]); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.add_running_totals(a integer[], b integer[]) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.add_running_totals(a integer[], b integer[]) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.add_running_totals(a integer[], b integer[]) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.add_running_totals(a integer[], b integer[]) TO afterpush_report;

--
-- Name: FUNCTION add_to_rollup_action_days(deltas afterpush.rollup_actions[]); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.add_to_rollup_action_days(deltas afterpush.rollup_actions[]) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.add_to_rollup_action_days(deltas afterpush.rollup_actions[]) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.add_to_rollup_action_days(deltas afterpush.rollup_actions[]) TO afterpush_worker;

--
-- Name: FUNCTION add_to_rollup_actions(deltas afterpush.rollup_actions[]); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.add_to_rollup_actions(deltas afterpush.rollup_actions[]) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.add_to_rollup_actions(deltas afterpush.rollup_actions[]) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.add_to_rollup_actions(deltas afterpush.rollup_actions[]) TO afterpush_worker;

--
-- Name: TABLE rollup_app_versions; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE afterpush.rollup_app_versions TO afterpush_worker;
GRANT SELECT ON TABLE afterpush.rollup_app_versions TO afterpush_report;

--
-- Name: FUNCTION add_to_rollup_app_versions(deltas afterpush.rollup_app_versions[]); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.add_to_rollup_app_versions(deltas afterpush.rollup_app_versions[]) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.add_to_rollup_app_versions(deltas afterpush.rollup_app_versions[]) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.add_to_rollup_app_versions(deltas afterpush.rollup_app_versions[]) TO afterpush_worker;

--
-- Name: FUNCTION add_to_rollup_deliveries(deltas afterpush.rollup_app_versions[]); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.add_to_rollup_deliveries(deltas afterpush.rollup_app_versions[]) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.add_to_rollup_deliveries(deltas afterpush.rollup_app_versions[]) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.add_to_rollup_deliveries(deltas afterpush.rollup_app_versions[]) TO afterpush_worker;

--
-- Name: FUNCTION add_to_rollup_delivery_days(deltas afterpush.rollup_app_versions[]); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.add_to_rollup_delivery_days(deltas afterpush.rollup_app_versions[]) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.add_to_rollup_delivery_days(deltas afterpush.rollup_app_versions[]) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.add_to_rollup_delivery_days(deltas afterpush.rollup_app_versions[]) TO afterpush_worker;

--
-- Name: TABLE rollup_events; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE afterpush.rollup_events TO afterpush_worker;
GRANT SELECT ON TABLE afterpush.rollup_events TO afterpush_report;

--
-- Name: FUNCTION add_to_rollup_event_hours(deltas afterpush.rollup_events[]); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.add_to_rollup_event_hours(deltas afterpush.rollup_events[]) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.add_to_rollup_event_hours(deltas afterpush.rollup_events[]) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.add_to_rollup_event_hours(deltas afterpush.rollup_events[]) TO afterpush_worker;

--
-- Name: FUNCTION add_to_rollup_events(deltas afterpush.rollup_events[]); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.add_to_rollup_events(deltas afterpush.rollup_events[]) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.add_to_rollup_events(deltas afterpush.rollup_events[]) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.add_to_rollup_events(deltas afterpush.rollup_events[]) TO afterpush_worker;

--
-- Name: FUNCTION add_to_rollup_goal_days(deltas afterpush.rollup_app_versions[]); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.add_to_rollup_goal_days(deltas afterpush.rollup_app_versions[]) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.add_to_rollup_goal_days(deltas afterpush.rollup_app_versions[]) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.add_to_rollup_goal_days(deltas afterpush.rollup_app_versions[]) TO afterpush_worker;

--
-- Name: TABLE rollup_responses; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE afterpush.rollup_responses TO afterpush_worker;
GRANT SELECT ON TABLE afterpush.rollup_responses TO afterpush_report;

--
-- Name: FUNCTION add_to_rollup_response_days(deltas afterpush.rollup_responses[]); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.add_to_rollup_response_days(deltas afterpush.rollup_responses[]) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.add_to_rollup_response_days(deltas afterpush.rollup_responses[]) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.add_to_rollup_response_days(deltas afterpush.rollup_responses[]) TO afterpush_worker;

--
-- Name: FUNCTION add_to_rollup_responses(deltas afterpush.rollup_responses[]); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.add_to_rollup_responses(deltas afterpush.rollup_responses[]) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.add_to_rollup_responses(deltas afterpush.rollup_responses[]) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.add_to_rollup_responses(deltas afterpush.rollup_responses[]) TO afterpush_worker;

--
-- Name: FUNCTION advance_seal(); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.advance_seal() FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.advance_seal() TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.advance_seal() TO afterpush_worker;

--
-- Name: FUNCTION anchor_at(verified_sent_at timestamp with time zone, receipt_issued_at timestamp with time zone, first_event_at timestamp with time zone); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.anchor_at(verified_sent_at timestamp with time zone, receipt_issued_at timestamp with time zone, first_event_at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.anchor_at(verified_sent_at timestamp with time zone, receipt_issued_at timestamp with time zone, first_event_at timestamp with time zone) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.anchor_at(verified_sent_at timestamp with time zone, receipt_issued_at timestamp with time zone, first_event_at timestamp with time zone) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.anchor_at(verified_sent_at timestamp with time zone, receipt_issued_at timestamp with time zone, first_event_at timestamp with time zone) TO afterpush_report;

--
-- Name: FUNCTION anchor_hour(verified_sent_at timestamp with time zone, receipt_issued_at timestamp with time zone, first_event_at timestamp with time zone); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.anchor_hour(verified_sent_at timestamp with time zone, receipt_issued_at timestamp with time zone, first_event_at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.anchor_hour(verified_sent_at timestamp with time zone, receipt_issued_at timestamp with time zone, first_event_at timestamp with time zone) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.anchor_hour(verified_sent_at timestamp with time zone, receipt_issued_at timestamp with time zone, first_event_at timestamp with time zone) TO afterpush_report;

--
-- Name: TABLE retention_state; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT ON TABLE afterpush.retention_state TO afterpush_ingest;

--
-- Name: FUNCTION announce_seal(before timestamp with time zone); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.announce_seal(before timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.announce_seal(before timestamp with time zone) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.announce_seal(before timestamp with time zone) TO afterpush_worker;

--
-- Name: FUNCTION device_byte(delivery_id uuid); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.device_byte(delivery_id uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.device_byte(delivery_id uuid) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.device_byte(delivery_id uuid) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.device_byte(delivery_id uuid) TO afterpush_report;

--
-- Name: FUNCTION anonymous_delivery_id(delivery_id uuid); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.anonymous_delivery_id(delivery_id uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.anonymous_delivery_id(delivery_id uuid) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.anonymous_delivery_id(delivery_id uuid) TO afterpush_worker;

--
-- Name: FUNCTION anytime_mixture(planned bigint, comparisons integer); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.anytime_mixture(planned bigint, comparisons integer) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.anytime_mixture(planned bigint, comparisons integer) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.anytime_mixture(planned bigint, comparisons integer) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.anytime_mixture(planned bigint, comparisons integer) TO afterpush_report;

--
-- Name: FUNCTION anytime_variance(k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.anytime_variance(k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.anytime_variance(k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.anytime_variance(k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.anytime_variance(k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision) TO afterpush_report;

--
-- Name: FUNCTION app_version_deltas(shapes afterpush.delivery_shape[]); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.app_version_deltas(shapes afterpush.delivery_shape[]) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.app_version_deltas(shapes afterpush.delivery_shape[]) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.app_version_deltas(shapes afterpush.delivery_shape[]) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.app_version_deltas(shapes afterpush.delivery_shape[]) TO afterpush_report;

--
-- Name: FUNCTION apply_upgrades(batches bigint[], sealed timestamp with time zone); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.apply_upgrades(batches bigint[], sealed timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.apply_upgrades(batches bigint[], sealed timestamp with time zone) TO afterpush_worker;

--
-- Name: FUNCTION as_of(app text); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.as_of(app text) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.as_of(app text) TO afterpush_report;

--
-- Name: FUNCTION attribution_detail(key text); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.attribution_detail(key text) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.attribution_detail(key text) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.attribution_detail(key text) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.attribution_detail(key text) TO afterpush_report;

--
-- Name: FUNCTION attribution_key(source_rank text, value text, detail text); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.attribution_key(source_rank text, value text, detail text) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.attribution_key(source_rank text, value text, detail text) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.attribution_key(source_rank text, value text, detail text) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.attribution_key(source_rank text, value text, detail text) TO afterpush_report;

--
-- Name: FUNCTION attribution_source_rank(key text); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.attribution_source_rank(key text) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.attribution_source_rank(key text) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.attribution_source_rank(key text) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.attribution_source_rank(key text) TO afterpush_report;

--
-- Name: FUNCTION attribution_value(key text); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.attribution_value(key text) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.attribution_value(key text) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.attribution_value(key text) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.attribution_value(key text) TO afterpush_report;

--
-- Name: FUNCTION base_and_response_kinds(kinds integer); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.base_and_response_kinds(kinds integer) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.base_and_response_kinds(kinds integer) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.base_and_response_kinds(kinds integer) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.base_and_response_kinds(kinds integer) TO afterpush_report;

--
-- Name: FUNCTION bucket_seconds(bucket smallint); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.bucket_seconds(bucket smallint) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.bucket_seconds(bucket smallint) TO afterpush_report;

--
-- Name: FUNCTION gamma_tails(a double precision, x double precision, OUT lower double precision, OUT upper double precision); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.gamma_tails(a double precision, x double precision, OUT lower double precision, OUT upper double precision) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.gamma_tails(a double precision, x double precision, OUT lower double precision, OUT upper double precision) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.gamma_tails(a double precision, x double precision, OUT lower double precision, OUT upper double precision) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.gamma_tails(a double precision, x double precision, OUT lower double precision, OUT upper double precision) TO afterpush_report;

--
-- Name: FUNCTION chi_square_cdf(statistic double precision, degrees integer); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.chi_square_cdf(statistic double precision, degrees integer) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.chi_square_cdf(statistic double precision, degrees integer) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.chi_square_cdf(statistic double precision, degrees integer) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.chi_square_cdf(statistic double precision, degrees integer) TO afterpush_report;

--
-- Name: FUNCTION gamma_q(a double precision, x double precision); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.gamma_q(a double precision, x double precision) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.gamma_q(a double precision, x double precision) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.gamma_q(a double precision, x double precision) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.gamma_q(a double precision, x double precision) TO afterpush_report;

--
-- Name: FUNCTION chi_square_p(statistic double precision, degrees integer); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.chi_square_p(statistic double precision, degrees integer) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.chi_square_p(statistic double precision, degrees integer) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.chi_square_p(statistic double precision, degrees integer) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.chi_square_p(statistic double precision, degrees integer) TO afterpush_report;

--
-- Name: FUNCTION combined_quantile(several afterpush.running_totals[], total bigint, percent integer, lowest integer, highest integer); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.combined_quantile(several afterpush.running_totals[], total bigint, percent integer, lowest integer, highest integer) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.combined_quantile(several afterpush.running_totals[], total bigint, percent integer, lowest integer, highest integer) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.combined_quantile(several afterpush.running_totals[], total bigint, percent integer, lowest integer, highest integer) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.combined_quantile(several afterpush.running_totals[], total bigint, percent integer, lowest integer, highest integer) TO afterpush_report;

--
-- Name: FUNCTION compact_batches(after bigint, max integer); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.compact_batches(after bigint, max integer) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.compact_batches(after bigint, max integer) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.compact_batches(after bigint, max integer) TO afterpush_worker;

--
-- Name: FUNCTION compare_duplicates(places bigint[], delivery_ids uuid[], event_ids uuid[], device_times timestamp with time zone[], verified boolean[], contents text[], names jsonb[], user_texts text[], OUT upgrades bigint[], OUT conflicts bigint); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.compare_duplicates(places bigint[], delivery_ids uuid[], event_ids uuid[], device_times timestamp with time zone[], verified boolean[], contents text[], names jsonb[], user_texts text[], OUT upgrades bigint[], OUT conflicts bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.compare_duplicates(places bigint[], delivery_ids uuid[], event_ids uuid[], device_times timestamp with time zone[], verified boolean[], contents text[], names jsonb[], user_texts text[], OUT upgrades bigint[], OUT conflicts bigint) TO afterpush_ingest;

--
-- Name: FUNCTION contains_id(content text, id text); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.contains_id(content text, id text) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.contains_id(content text, id text) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.contains_id(content text, id text) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.contains_id(content text, id text) TO afterpush_report;

--
-- Name: FUNCTION count_names_with_id(app integer, id text); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.count_names_with_id(app integer, id text) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.count_names_with_id(app integer, id text) TO afterpush_worker;

--
-- Name: FUNCTION day_of(at timestamp with time zone); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.day_of(at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.day_of(at timestamp with time zone) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.day_of(at timestamp with time zone) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.day_of(at timestamp with time zone) TO afterpush_report;

--
-- Name: FUNCTION definitions(names text[]); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.definitions(names text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.definitions(names text[]) TO afterpush_report;

--
-- Name: FUNCTION delivery_deltas(only_batches bigint[], except_batches bigint[], from_id uuid, to_id uuid, only_deliveries uuid[]); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.delivery_deltas(only_batches bigint[], except_batches bigint[], from_id uuid, to_id uuid, only_deliveries uuid[]) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.delivery_deltas(only_batches bigint[], except_batches bigint[], from_id uuid, to_id uuid, only_deliveries uuid[]) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.delivery_deltas(only_batches bigint[], except_batches bigint[], from_id uuid, to_id uuid, only_deliveries uuid[]) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.delivery_deltas(only_batches bigint[], except_batches bigint[], from_id uuid, to_id uuid, only_deliveries uuid[]) TO afterpush_report;

--
-- Name: FUNCTION design_effect(variance double precision, in_state bigint, total bigint); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.design_effect(variance double precision, in_state bigint, total bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.design_effect(variance double precision, in_state bigint, total bigint) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.design_effect(variance double precision, in_state bigint, total bigint) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.design_effect(variance double precision, in_state bigint, total bigint) TO afterpush_report;

--
-- Name: FUNCTION detectable_effect(n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.detectable_effect(n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.detectable_effect(n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.detectable_effect(n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.detectable_effect(n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision) TO afterpush_report;

--
-- Name: FUNCTION device_bucket(delivery_id uuid); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.device_bucket(delivery_id uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.device_bucket(delivery_id uuid) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.device_bucket(delivery_id uuid) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.device_bucket(delivery_id uuid) TO afterpush_report;

--
-- Name: FUNCTION device_hash(device text, inner_block bytea, outer_block bytea); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.device_hash(device text, inner_block bytea, outer_block bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.device_hash(device text, inner_block bytea, outer_block bytea) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.device_hash(device text, inner_block bytea, outer_block bytea) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.device_hash(device text, inner_block bytea, outer_block bytea) TO afterpush_report;

--
-- Name: FUNCTION device_identity(app integer, device text); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.device_identity(app integer, device text) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.device_identity(app integer, device text) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.device_identity(app integer, device text) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.device_identity(app integer, device text) TO afterpush_report;

--
-- Name: FUNCTION difference(k1 bigint, n1 bigint, k0 bigint, n0 bigint); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.difference(k1 bigint, n1 bigint, k0 bigint, n0 bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.difference(k1 bigint, n1 bigint, k0 bigint, n0 bigint) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.difference(k1 bigint, n1 bigint, k0 bigint, n0 bigint) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.difference(k1 bigint, n1 bigint, k0 bigint, n0 bigint) TO afterpush_report;

--
-- Name: FUNCTION difference_anytime_margin(k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision, planned bigint, comparisons integer); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.difference_anytime_margin(k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision, planned bigint, comparisons integer) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.difference_anytime_margin(k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision, planned bigint, comparisons integer) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.difference_anytime_margin(k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision, planned bigint, comparisons integer) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.difference_anytime_margin(k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision, planned bigint, comparisons integer) TO afterpush_report;

--
-- Name: FUNCTION wilson_lower_margin(k bigint, n bigint, design_effect double precision); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.wilson_lower_margin(k bigint, n bigint, design_effect double precision) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.wilson_lower_margin(k bigint, n bigint, design_effect double precision) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.wilson_lower_margin(k bigint, n bigint, design_effect double precision) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.wilson_lower_margin(k bigint, n bigint, design_effect double precision) TO afterpush_report;

--
-- Name: FUNCTION difference_low(k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.difference_low(k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.difference_low(k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.difference_low(k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.difference_low(k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision) TO afterpush_report;

--
-- Name: FUNCTION difference_high(k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.difference_high(k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.difference_high(k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.difference_high(k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.difference_high(k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision) TO afterpush_report;

--
-- Name: FUNCTION difference_high_anytime(k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision, planned bigint, comparisons integer); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.difference_high_anytime(k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision, planned bigint, comparisons integer) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.difference_high_anytime(k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision, planned bigint, comparisons integer) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.difference_high_anytime(k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision, planned bigint, comparisons integer) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.difference_high_anytime(k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision, planned bigint, comparisons integer) TO afterpush_report;

--
-- Name: FUNCTION difference_low_anytime(k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision, planned bigint, comparisons integer); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.difference_low_anytime(k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision, planned bigint, comparisons integer) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.difference_low_anytime(k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision, planned bigint, comparisons integer) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.difference_low_anytime(k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision, planned bigint, comparisons integer) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.difference_low_anytime(k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision, planned bigint, comparisons integer) TO afterpush_report;

--
-- Name: TABLE deliveries; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE afterpush.deliveries TO afterpush_worker;
GRANT SELECT ON TABLE afterpush.deliveries TO afterpush_report;

--
-- Name: FUNCTION differing_deliveries(sealed timestamp with time zone, from_id uuid, to_id uuid); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.differing_deliveries(sealed timestamp with time zone, from_id uuid, to_id uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.differing_deliveries(sealed timestamp with time zone, from_id uuid, to_id uuid) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.differing_deliveries(sealed timestamp with time zone, from_id uuid, to_id uuid) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.differing_deliveries(sealed timestamp with time zone, from_id uuid, to_id uuid) TO afterpush_report;

--
-- Name: FUNCTION drop_expired_partition(); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.drop_expired_partition() FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.drop_expired_partition() TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.drop_expired_partition() TO afterpush_worker;

--
-- Name: FUNCTION effective_attribution(key text, fallbacks text[], place integer, kinds integer, verified_kinds integer); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.effective_attribution(key text, fallbacks text[], place integer, kinds integer, verified_kinds integer) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.effective_attribution(key text, fallbacks text[], place integer, kinds integer, verified_kinds integer) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.effective_attribution(key text, fallbacks text[], place integer, kinds integer, verified_kinds integer) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.effective_attribution(key text, fallbacks text[], place integer, kinds integer, verified_kinds integer) TO afterpush_report;

--
-- Name: FUNCTION end_report_sessions(max_age interval); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.end_report_sessions(max_age interval) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.end_report_sessions(max_age interval) TO afterpush_worker;

--
-- Name: FUNCTION enforce_suppression(); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.enforce_suppression() FROM PUBLIC;

--
-- Name: FUNCTION ensure_partitions(at timestamp with time zone, months_back integer, months_ahead integer); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.ensure_partitions(at timestamp with time zone, months_back integer, months_ahead integer) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.ensure_partitions(at timestamp with time zone, months_back integer, months_ahead integer) TO afterpush_worker;

--
-- Name: FUNCTION entropy_term(e double precision); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.entropy_term(e double precision) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.entropy_term(e double precision) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.entropy_term(e double precision) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.entropy_term(e double precision) TO afterpush_report;

--
-- Name: FUNCTION erase_device_chunk(app integer, device text, max integer); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.erase_device_chunk(app integer, device text, max integer) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.erase_device_chunk(app integer, device text, max integer) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.erase_device_chunk(app integer, device text, max integer) TO afterpush_worker;

--
-- Name: FUNCTION event_code(kind_bit integer, is_verified boolean); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.event_code(kind_bit integer, is_verified boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.event_code(kind_bit integer, is_verified boolean) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.event_code(kind_bit integer, is_verified boolean) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.event_code(kind_bit integer, is_verified boolean) TO afterpush_report;

--
-- Name: FUNCTION event_code_bit(code integer); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.event_code_bit(code integer) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.event_code_bit(code integer) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.event_code_bit(code integer) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.event_code_bit(code integer) TO afterpush_report;

--
-- Name: FUNCTION event_code_is_verified(code integer); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.event_code_is_verified(code integer) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.event_code_is_verified(code integer) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.event_code_is_verified(code integer) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.event_code_is_verified(code integer) TO afterpush_report;

--
-- Name: FUNCTION event_content(kind text, text_length integer, platform text, os_version text, locale text, surface text, trigger text, app_state text, dismiss_cause text, handling text, utc_offset_minutes integer, reason text, name text, value numeric, currency text, properties jsonb); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.event_content(kind text, text_length integer, platform text, os_version text, locale text, surface text, trigger text, app_state text, dismiss_cause text, handling text, utc_offset_minutes integer, reason text, name text, value numeric, currency text, properties jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.event_content(kind text, text_length integer, platform text, os_version text, locale text, surface text, trigger text, app_state text, dismiss_cause text, handling text, utc_offset_minutes integer, reason text, name text, value numeric, currency text, properties jsonb) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.event_content(kind text, text_length integer, platform text, os_version text, locale text, surface text, trigger text, app_state text, dismiss_cause text, handling text, utc_offset_minutes integer, reason text, name text, value numeric, currency text, properties jsonb) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.event_content(kind text, text_length integer, platform text, os_version text, locale text, surface text, trigger text, app_state text, dismiss_cause text, handling text, utc_offset_minutes integer, reason text, name text, value numeric, currency text, properties jsonb) TO afterpush_report;

--
-- Name: FUNCTION event_counts(shapes afterpush.event_shape[], batches bigint[]); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.event_counts(shapes afterpush.event_shape[], batches bigint[]) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.event_counts(shapes afterpush.event_shape[], batches bigint[]) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.event_counts(shapes afterpush.event_shape[], batches bigint[]) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.event_counts(shapes afterpush.event_shape[], batches bigint[]) TO afterpush_report;

--
-- Name: FUNCTION event_counts_of(delivery_ids uuid[], sealed timestamp with time zone, sign integer); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.event_counts_of(delivery_ids uuid[], sealed timestamp with time zone, sign integer) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.event_counts_of(delivery_ids uuid[], sealed timestamp with time zone, sign integer) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.event_counts_of(delivery_ids uuid[], sealed timestamp with time zone, sign integer) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.event_counts_of(delivery_ids uuid[], sealed timestamp with time zone, sign integer) TO afterpush_report;

--
-- Name: FUNCTION event_deltas(counts afterpush.event_count[]); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.event_deltas(counts afterpush.event_count[]) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.event_deltas(counts afterpush.event_count[]) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.event_deltas(counts afterpush.event_count[]) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.event_deltas(counts afterpush.event_count[]) TO afterpush_report;

--
-- Name: FUNCTION event_names(action_identifier text, campaign_id text, variant text, category_id text, category_version integer, app_version text, names_past_limit text[]); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.event_names(action_identifier text, campaign_id text, variant text, category_id text, category_version integer, app_version text, names_past_limit text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.event_names(action_identifier text, campaign_id text, variant text, category_id text, category_version integer, app_version text, names_past_limit text[]) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.event_names(action_identifier text, campaign_id text, variant text, category_id text, category_version integer, app_version text, names_past_limit text[]) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.event_names(action_identifier text, campaign_id text, variant text, category_id text, category_version integer, app_version text, names_past_limit text[]) TO afterpush_report;

--
-- Name: FUNCTION experiment_verdict(sample_ratio_p_anytime double precision, low double precision, high double precision, margin double precision, is_waiting boolean); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.experiment_verdict(sample_ratio_p_anytime double precision, low double precision, high double precision, margin double precision, is_waiting boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.experiment_verdict(sample_ratio_p_anytime double precision, low double precision, high double precision, margin double precision, is_waiting boolean) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.experiment_verdict(sample_ratio_p_anytime double precision, low double precision, high double precision, margin double precision, is_waiting boolean) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.experiment_verdict(sample_ratio_p_anytime double precision, low double precision, high double precision, margin double precision, is_waiting boolean) TO afterpush_report;

--
-- Name: FUNCTION expired_partitions(before timestamp with time zone); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.expired_partitions(before timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.expired_partitions(before timestamp with time zone) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.expired_partitions(before timestamp with time zone) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.expired_partitions(before timestamp with time zone) TO afterpush_report;

--
-- Name: FUNCTION find_erased_devices(); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.find_erased_devices() FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.find_erased_devices() TO afterpush_worker;

--
-- Name: FUNCTION first_instant(midnight timestamp without time zone, tz text); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.first_instant(midnight timestamp without time zone, tz text) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.first_instant(midnight timestamp without time zone, tz text) TO afterpush_report;

--
-- Name: FUNCTION has_acted(kinds integer); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.has_acted(kinds integer) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.has_acted(kinds integer) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.has_acted(kinds integer) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.has_acted(kinds integer) TO afterpush_report;

--
-- Name: FUNCTION has_converted_event(kinds integer); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.has_converted_event(kinds integer) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.has_converted_event(kinds integer) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.has_converted_event(kinds integer) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.has_converted_event(kinds integer) TO afterpush_report;

--
-- Name: FUNCTION has_failed(kinds integer); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.has_failed(kinds integer) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.has_failed(kinds integer) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.has_failed(kinds integer) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.has_failed(kinds integer) TO afterpush_report;

--
-- Name: FUNCTION has_failure_event(kinds integer); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.has_failure_event(kinds integer) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.has_failure_event(kinds integer) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.has_failure_event(kinds integer) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.has_failure_event(kinds integer) TO afterpush_report;

--
-- Name: FUNCTION has_rank_3(platform text, app_version text, campaign text, category text); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.has_rank_3(platform text, app_version text, campaign text, category text) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.has_rank_3(platform text, app_version text, campaign text, category text) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.has_rank_3(platform text, app_version text, campaign text, category text) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.has_rank_3(platform text, app_version text, campaign text, category text) TO afterpush_report;

--
-- Name: FUNCTION has_replied(kinds integer); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.has_replied(kinds integer) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.has_replied(kinds integer) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.has_replied(kinds integer) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.has_replied(kinds integer) TO afterpush_report;

--
-- Name: FUNCTION has_responded(kinds integer); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.has_responded(kinds integer) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.has_responded(kinds integer) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.has_responded(kinds integer) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.has_responded(kinds integer) TO afterpush_report;

--
-- Name: FUNCTION has_suppressed_events(batch bigint); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.has_suppressed_events(batch bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.has_suppressed_events(batch bigint) TO afterpush_ingest;

--
-- Name: COLUMN apps.app_id; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT(app_id) ON TABLE afterpush.apps TO afterpush_ingest;
GRANT SELECT(app_id) ON TABLE afterpush.apps TO afterpush_worker;
GRANT SELECT(app_id) ON TABLE afterpush.apps TO afterpush_report;

--
-- Name: COLUMN apps.name; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT(name) ON TABLE afterpush.apps TO afterpush_ingest;
GRANT SELECT(name) ON TABLE afterpush.apps TO afterpush_worker;
GRANT SELECT(name) ON TABLE afterpush.apps TO afterpush_report;

--
-- Name: COLUMN apps.text_retention; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT(text_retention) ON TABLE afterpush.apps TO afterpush_ingest;
GRANT SELECT(text_retention) ON TABLE afterpush.apps TO afterpush_worker;
GRANT SELECT(text_retention) ON TABLE afterpush.apps TO afterpush_report;

--
-- Name: COLUMN apps.created_at; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT(created_at) ON TABLE afterpush.apps TO afterpush_ingest;
GRANT SELECT(created_at) ON TABLE afterpush.apps TO afterpush_worker;
GRANT SELECT(created_at) ON TABLE afterpush.apps TO afterpush_report;

--
-- Name: COLUMN apps.receipt_policy; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT(receipt_policy) ON TABLE afterpush.apps TO afterpush_ingest;

--
-- Name: COLUMN apps.event_id_key; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT(event_id_key) ON TABLE afterpush.apps TO afterpush_ingest;

--
-- Name: TABLE categories; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT ON TABLE afterpush.categories TO afterpush_worker;
GRANT SELECT ON TABLE afterpush.categories TO afterpush_report;

--
-- Name: COLUMN categories.app_id; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT(app_id) ON TABLE afterpush.categories TO afterpush_ingest;

--
-- Name: COLUMN categories.category_id; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT(category_id) ON TABLE afterpush.categories TO afterpush_ingest;

--
-- Name: COLUMN categories.version; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT(version) ON TABLE afterpush.categories TO afterpush_ingest;

--
-- Name: COLUMN categories.text_retention; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT(text_retention) ON TABLE afterpush.categories TO afterpush_ingest;

--
-- Name: FUNCTION text_retention(app_id integer, category_id text); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.text_retention(app_id integer, category_id text) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.text_retention(app_id integer, category_id text) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.text_retention(app_id integer, category_id text) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.text_retention(app_id integer, category_id text) TO afterpush_report;

--
-- Name: FUNCTION has_textless_category(app_id integer); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.has_textless_category(app_id integer) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.has_textless_category(app_id integer) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.has_textless_category(app_id integer) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.has_textless_category(app_id integer) TO afterpush_report;

--
-- Name: FUNCTION has_unverified_evidence(codes integer[]); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.has_unverified_evidence(codes integer[]) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.has_unverified_evidence(codes integer[]) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.has_unverified_evidence(codes integer[]) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.has_unverified_evidence(codes integer[]) TO afterpush_report;

--
-- Name: FUNCTION hold_ingest_barrier(); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.hold_ingest_barrier() FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.hold_ingest_barrier() TO afterpush_ingest;

--
-- Name: FUNCTION holm(p double precision[]); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.holm(p double precision[]) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.holm(p double precision[]) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.holm(p double precision[]) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.holm(p double precision[]) TO afterpush_report;

--
-- Name: FUNCTION hour_of(at timestamp with time zone); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.hour_of(at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.hour_of(at timestamp with time zone) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.hour_of(at timestamp with time zone) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.hour_of(at timestamp with time zone) TO afterpush_report;

--
-- Name: FUNCTION is_confirmed(kinds integer); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.is_confirmed(kinds integer) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.is_confirmed(kinds integer) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.is_confirmed(kinds integer) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.is_confirmed(kinds integer) TO afterpush_report;

--
-- Name: FUNCTION is_delivered(kinds integer); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.is_delivered(kinds integer) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.is_delivered(kinds integer) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.is_delivered(kinds integer) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.is_delivered(kinds integer) TO afterpush_report;

--
-- Name: FUNCTION is_dismissed(kinds integer); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.is_dismissed(kinds integer) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.is_dismissed(kinds integer) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.is_dismissed(kinds integer) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.is_dismissed(kinds integer) TO afterpush_report;

--
-- Name: FUNCTION is_displayed(kinds integer); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.is_displayed(kinds integer) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.is_displayed(kinds integer) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.is_displayed(kinds integer) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.is_displayed(kinds integer) TO afterpush_report;

--
-- Name: FUNCTION is_held_out(kinds integer); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.is_held_out(kinds integer) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.is_held_out(kinds integer) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.is_held_out(kinds integer) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.is_held_out(kinds integer) TO afterpush_report;

--
-- Name: FUNCTION is_opened(kinds integer); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.is_opened(kinds integer) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.is_opened(kinds integer) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.is_opened(kinds integer) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.is_opened(kinds integer) TO afterpush_report;

--
-- Name: FUNCTION is_read(kinds integer); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.is_read(kinds integer) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.is_read(kinds integer) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.is_read(kinds integer) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.is_read(kinds integer) TO afterpush_report;

--
-- Name: FUNCTION is_replaced(kinds integer); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.is_replaced(kinds integer) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.is_replaced(kinds integer) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.is_replaced(kinds integer) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.is_replaced(kinds integer) TO afterpush_report;

--
-- Name: FUNCTION is_sent(kinds integer); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.is_sent(kinds integer) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.is_sent(kinds integer) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.is_sent(kinds integer) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.is_sent(kinds integer) TO afterpush_report;

--
-- Name: FUNCTION is_unopened(kinds integer); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.is_unopened(kinds integer) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.is_unopened(kinds integer) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.is_unopened(kinds integer) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.is_unopened(kinds integer) TO afterpush_report;

--
-- Name: FUNCTION keep_declared_variant(); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.keep_declared_variant() FROM PUBLIC;

--
-- Name: FUNCTION kept_fallbacks(fallbacks text[], platform text, app_version text, campaign text, category text); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.kept_fallbacks(fallbacks text[], platform text, app_version text, campaign text, category text) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.kept_fallbacks(fallbacks text[], platform text, app_version text, campaign text, category text) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.kept_fallbacks(fallbacks text[], platform text, app_version text, campaign text, category text) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.kept_fallbacks(fallbacks text[], platform text, app_version text, campaign text, category text) TO afterpush_report;

--
-- Name: FUNCTION key_block(key bytea, pad integer); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.key_block(key bytea, pad integer) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.key_block(key bytea, pad integer) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.key_block(key bytea, pad integer) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.key_block(key bytea, pad integer) TO afterpush_report;

--
-- Name: FUNCTION kind_bit(kind afterpush.event_kind); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.kind_bit(kind afterpush.event_kind) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.kind_bit(kind afterpush.event_kind) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.kind_bit(kind afterpush.event_kind) TO afterpush_report;

--
-- Name: FUNCTION last_batch_before_barrier(); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.last_batch_before_barrier() FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.last_batch_before_barrier() TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.last_batch_before_barrier() TO afterpush_worker;

--
-- Name: FUNCTION limited_actions(actions afterpush.delivery_action[]); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.limited_actions(actions afterpush.delivery_action[]) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.limited_actions(actions afterpush.delivery_action[]) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.limited_actions(actions afterpush.delivery_action[]) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.limited_actions(actions afterpush.delivery_action[]) TO afterpush_report;

--
-- Name: FUNCTION ln_gamma(a double precision); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.ln_gamma(a double precision) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.ln_gamma(a double precision) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.ln_gamma(a double precision) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.ln_gamma(a double precision) TO afterpush_report;

--
-- Name: FUNCTION merge_batches(batches bigint[], sealed timestamp with time zone); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.merge_batches(batches bigint[], sealed timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.merge_batches(batches bigint[], sealed timestamp with time zone) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.merge_batches(batches bigint[], sealed timestamp with time zone) TO afterpush_worker;

--
-- Name: FUNCTION merged_actions(actions afterpush.delivery_action[]); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.merged_actions(actions afterpush.delivery_action[]) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.merged_actions(actions afterpush.delivery_action[]) TO afterpush_worker;

--
-- Name: FUNCTION merged_deliveries(only_batches bigint[], except_batches bigint[], from_id uuid, to_id uuid, only_deliveries uuid[]); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.merged_deliveries(only_batches bigint[], except_batches bigint[], from_id uuid, to_id uuid, only_deliveries uuid[]) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.merged_deliveries(only_batches bigint[], except_batches bigint[], from_id uuid, to_id uuid, only_deliveries uuid[]) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.merged_deliveries(only_batches bigint[], except_batches bigint[], from_id uuid, to_id uuid, only_deliveries uuid[]) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.merged_deliveries(only_batches bigint[], except_batches bigint[], from_id uuid, to_id uuid, only_deliveries uuid[]) TO afterpush_report;

--
-- Name: FUNCTION suppressed(min_n bigint, VARIADIC denominators bigint[]); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.suppressed(min_n bigint, VARIADIC denominators bigint[]) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.suppressed(min_n bigint, VARIADIC denominators bigint[]) TO afterpush_report;

--
-- Name: FUNCTION missing_rates(min_n bigint, base_n bigint, numerators bigint[], denominators bigint[]); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.missing_rates(min_n bigint, base_n bigint, numerators bigint[], denominators bigint[]) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.missing_rates(min_n bigint, base_n bigint, numerators bigint[], denominators bigint[]) TO afterpush_report;

--
-- Name: FUNCTION moved_event_counts(before afterpush.delivery_dimensions[]); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.moved_event_counts(before afterpush.delivery_dimensions[]) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.moved_event_counts(before afterpush.delivery_dimensions[]) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.moved_event_counts(before afterpush.delivery_dimensions[]) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.moved_event_counts(before afterpush.delivery_dimensions[]) TO afterpush_report;

--
-- Name: FUNCTION n_needed(p1 double precision, p0 double precision); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.n_needed(p1 double precision, p0 double precision) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.n_needed(p1 double precision, p0 double precision) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.n_needed(p1 double precision, p0 double precision) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.n_needed(p1 double precision, p0 double precision) TO afterpush_report;

--
-- Name: FUNCTION normal_cdf(z double precision); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.normal_cdf(z double precision) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.normal_cdf(z double precision) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.normal_cdf(z double precision) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.normal_cdf(z double precision) TO afterpush_report;

--
-- Name: FUNCTION normal_quantile(p double precision); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.normal_quantile(p double precision) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.normal_quantile(p double precision) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.normal_quantile(p double precision) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.normal_quantile(p double precision) TO afterpush_report;

--
-- Name: FUNCTION normalised_answer(answer text); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.normalised_answer(answer text) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.normalised_answer(answer text) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.normalised_answer(answer text) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.normalised_answer(answer text) TO afterpush_report;

--
-- Name: FUNCTION open_report(app integer); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.open_report(app integer) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.open_report(app integer) TO afterpush_ingest;

--
-- Name: FUNCTION p_anytime(k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision, planned bigint, comparisons integer); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.p_anytime(k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision, planned bigint, comparisons integer) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.p_anytime(k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision, planned bigint, comparisons integer) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.p_anytime(k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision, planned bigint, comparisons integer) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.p_anytime(k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision, planned bigint, comparisons integer) TO afterpush_report;

--
-- Name: FUNCTION packed_buckets(devices bytea); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.packed_buckets(devices bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.packed_buckets(devices bytea) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.packed_buckets(devices bytea) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.packed_buckets(devices bytea) TO afterpush_report;

--
-- Name: FUNCTION packed_design_effect(n numeric, y numeric); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.packed_design_effect(n numeric, y numeric) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.packed_design_effect(n numeric, y numeric) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.packed_design_effect(n numeric, y numeric) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.packed_design_effect(n numeric, y numeric) TO afterpush_report;

--
-- Name: FUNCTION stated(value text, source_rank smallint, verified boolean); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.stated(value text, source_rank smallint, verified boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.stated(value text, source_rank smallint, verified boolean) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.stated(value text, source_rank smallint, verified boolean) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.stated(value text, source_rank smallint, verified boolean) TO afterpush_report;

--
-- Name: TABLE batches; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT INSERT ON TABLE afterpush.batches TO afterpush_ingest;
GRANT SELECT ON TABLE afterpush.batches TO afterpush_worker;
GRANT SELECT ON TABLE afterpush.batches TO afterpush_report;

--
-- Name: COLUMN batches.rolled_up_at; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT UPDATE(rolled_up_at) ON TABLE afterpush.batches TO afterpush_worker;

--
-- Name: TABLE erased_event_counts; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE afterpush.erased_event_counts TO afterpush_worker;

--
-- Name: TABLE events; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT INSERT ON TABLE afterpush.events TO afterpush_ingest;
GRANT SELECT ON TABLE afterpush.events TO afterpush_worker;
GRANT SELECT ON TABLE afterpush.events TO afterpush_report;

--
-- Name: COLUMN events.delivery_id; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT(delivery_id) ON TABLE afterpush.events TO afterpush_ingest;

--
-- Name: COLUMN events.event_id; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT(event_id) ON TABLE afterpush.events TO afterpush_ingest;

--
-- Name: COLUMN events.device_time; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT(device_time) ON TABLE afterpush.events TO afterpush_ingest;

--
-- Name: COLUMN events.app_id; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT(app_id) ON TABLE afterpush.events TO afterpush_ingest;

--
-- Name: TABLE merged_events; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT ON TABLE afterpush.merged_events TO afterpush_worker;

--
-- Name: FUNCTION preserve_event_counts(delivery_ids uuid[]); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.preserve_event_counts(delivery_ids uuid[]) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.preserve_event_counts(delivery_ids uuid[]) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.preserve_event_counts(delivery_ids uuid[]) TO afterpush_worker;

--
-- Name: FUNCTION protect_sealed_hours(); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.protect_sealed_hours() FROM PUBLIC;

--
-- Name: FUNCTION purge_default_events(max integer); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.purge_default_events(max integer) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.purge_default_events(max integer) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.purge_default_events(max integer) TO afterpush_worker;

--
-- Name: FUNCTION purge_deliveries(cutoff timestamp with time zone, first_block bigint, block_count integer); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.purge_deliveries(cutoff timestamp with time zone, first_block bigint, block_count integer) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.purge_deliveries(cutoff timestamp with time zone, first_block bigint, block_count integer) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.purge_deliveries(cutoff timestamp with time zone, first_block bigint, block_count integer) TO afterpush_worker;

--
-- Name: FUNCTION purge_rejected(before timestamp with time zone, max integer); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.purge_rejected(before timestamp with time zone, max integer) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.purge_rejected(before timestamp with time zone, max integer) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.purge_rejected(before timestamp with time zone, max integer) TO afterpush_worker;

--
-- Name: FUNCTION purge_replies(max integer); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.purge_replies(max integer) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.purge_replies(max integer) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.purge_replies(max integer) TO afterpush_worker;

--
-- Name: FUNCTION rate(numerator bigint, denominator bigint, min_n bigint); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.rate(numerator bigint, denominator bigint, min_n bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.rate(numerator bigint, denominator bigint, min_n bigint) TO afterpush_report;

--
-- Name: FUNCTION wilson_low(k bigint, n bigint, design_effect double precision); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.wilson_low(k bigint, n bigint, design_effect double precision) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.wilson_low(k bigint, n bigint, design_effect double precision) TO afterpush_report;

--
-- Name: FUNCTION wilson_high(k bigint, n bigint, design_effect double precision); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.wilson_high(k bigint, n bigint, design_effect double precision) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.wilson_high(k bigint, n bigint, design_effect double precision) TO afterpush_report;

--
-- Name: FUNCTION rate_high(numerator bigint, denominator bigint, min_n bigint, design_effect double precision); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.rate_high(numerator bigint, denominator bigint, min_n bigint, design_effect double precision) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.rate_high(numerator bigint, denominator bigint, min_n bigint, design_effect double precision) TO afterpush_report;

--
-- Name: FUNCTION rate_kinds(kinds integer); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.rate_kinds(kinds integer) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.rate_kinds(kinds integer) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.rate_kinds(kinds integer) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.rate_kinds(kinds integer) TO afterpush_report;

--
-- Name: FUNCTION rate_low(numerator bigint, denominator bigint, min_n bigint, design_effect double precision); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.rate_low(numerator bigint, denominator bigint, min_n bigint, design_effect double precision) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.rate_low(numerator bigint, denominator bigint, min_n bigint, design_effect double precision) TO afterpush_report;

--
-- Name: FUNCTION ratio_variance(n bigint[], y bigint[]); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.ratio_variance(n bigint[], y bigint[]) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.ratio_variance(n bigint[], y bigint[]) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.ratio_variance(n bigint[], y bigint[]) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.ratio_variance(n bigint[], y bigint[]) TO afterpush_report;

--
-- Name: FUNCTION rebuild_deliveries(sealed timestamp with time zone, ranges integer); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.rebuild_deliveries(sealed timestamp with time zone, ranges integer) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.rebuild_deliveries(sealed timestamp with time zone, ranges integer) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.rebuild_deliveries(sealed timestamp with time zone, ranges integer) TO afterpush_worker;

--
-- Name: FUNCTION rebuild_device_buckets(sealed timestamp with time zone); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.rebuild_device_buckets(sealed timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.rebuild_device_buckets(sealed timestamp with time zone) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.rebuild_device_buckets(sealed timestamp with time zone) TO afterpush_worker;

--
-- Name: FUNCTION rebuild_rollup_actions(sealed timestamp with time zone); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.rebuild_rollup_actions(sealed timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.rebuild_rollup_actions(sealed timestamp with time zone) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.rebuild_rollup_actions(sealed timestamp with time zone) TO afterpush_worker;

--
-- Name: FUNCTION rebuild_rollup_days(sealed timestamp with time zone); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.rebuild_rollup_days(sealed timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.rebuild_rollup_days(sealed timestamp with time zone) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.rebuild_rollup_days(sealed timestamp with time zone) TO afterpush_worker;

--
-- Name: FUNCTION rebuild_rollup_deliveries(sealed timestamp with time zone); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.rebuild_rollup_deliveries(sealed timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.rebuild_rollup_deliveries(sealed timestamp with time zone) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.rebuild_rollup_deliveries(sealed timestamp with time zone) TO afterpush_worker;

--
-- Name: FUNCTION rebuild_rollup_events(sealed timestamp with time zone); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.rebuild_rollup_events(sealed timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.rebuild_rollup_events(sealed timestamp with time zone) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.rebuild_rollup_events(sealed timestamp with time zone) TO afterpush_worker;

--
-- Name: FUNCTION rebuild_rollup_responses(sealed timestamp with time zone); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.rebuild_rollup_responses(sealed timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.rebuild_rollup_responses(sealed timestamp with time zone) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.rebuild_rollup_responses(sealed timestamp with time zone) TO afterpush_worker;

--
-- Name: FUNCTION receipt_claims(texts text[]); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.receipt_claims(texts text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.receipt_claims(texts text[]) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.receipt_claims(texts text[]) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.receipt_claims(texts text[]) TO afterpush_report;

--
-- Name: FUNCTION receipt_devices(texts text[]); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.receipt_devices(texts text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.receipt_devices(texts text[]) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.receipt_devices(texts text[]) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.receipt_devices(texts text[]) TO afterpush_report;

--
-- Name: FUNCTION redact_rejected_event(); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.redact_rejected_event() FROM PUBLIC;

--
-- Name: FUNCTION rejected_event_content(event text); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.rejected_event_content(event text) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.rejected_event_content(event text) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.rejected_event_content(event text) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.rejected_event_content(event text) TO afterpush_report;

--
-- Name: FUNCTION rejected_event_devices(event text); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.rejected_event_devices(event text) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.rejected_event_devices(event text) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.rejected_event_devices(event text) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.rejected_event_devices(event text) TO afterpush_report;

--
-- Name: FUNCTION rejected_event_texts(event text); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.rejected_event_texts(event text) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.rejected_event_texts(event text) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.rejected_event_texts(event text) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.rejected_event_texts(event text) TO afterpush_report;

--
-- Name: FUNCTION release_waiting_replies(batches bigint[]); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.release_waiting_replies(batches bigint[]) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.release_waiting_replies(batches bigint[]) TO afterpush_worker;

--
-- Name: FUNCTION remove_undeclared_name(); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.remove_undeclared_name() FROM PUBLIC;

--
-- Name: FUNCTION replace_rows(stored regclass, fresh regclass, condition text); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.replace_rows(stored regclass, fresh regclass, condition text) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.replace_rows(stored regclass, fresh regclass, condition text) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.replace_rows(stored regclass, fresh regclass, condition text) TO afterpush_worker;

--
-- Name: FUNCTION reply_place(app_id integer, delivery_id uuid, category_id text); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.reply_place(app_id integer, delivery_id uuid, category_id text) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.reply_place(app_id integer, delivery_id uuid, category_id text) TO afterpush_ingest;

--
-- Name: FUNCTION report_action_effects(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, base text, versions boolean); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.report_action_effects(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, base text, versions boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.report_action_effects(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, base text, versions boolean) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.report_action_effects(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, base text, versions boolean) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.report_action_effects(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, base text, versions boolean) TO afterpush_report;

--
-- Name: FUNCTION report_action_hours(app_id integer, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, base text, split timestamp with time zone[]); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.report_action_hours(app_id integer, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, base text, split timestamp with time zone[]) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.report_action_hours(app_id integer, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, base text, split timestamp with time zone[]) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.report_action_hours(app_id integer, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, base text, split timestamp with time zone[]) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.report_action_hours(app_id integer, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, base text, split timestamp with time zone[]) TO afterpush_report;

--
-- Name: FUNCTION report_actions(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, base_choice text, versions boolean); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.report_actions(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, base_choice text, versions boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.report_actions(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, base_choice text, versions boolean) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.report_actions(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, base_choice text, versions boolean) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.report_actions(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, base_choice text, versions boolean) TO afterpush_report;

--
-- Name: FUNCTION report_app(); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.report_app() FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.report_app() TO afterpush_report;

--
-- Name: FUNCTION report_attribution_problems(app text, from_hour timestamp with time zone, to_hour timestamp with time zone, first_batch bigint); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.report_attribution_problems(app text, from_hour timestamp with time zone, to_hour timestamp with time zone, first_batch bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.report_attribution_problems(app text, from_hour timestamp with time zone, to_hour timestamp with time zone, first_batch bigint) TO afterpush_report;

--
-- Name: FUNCTION report_base(app text, "from" timestamp with time zone, "to" timestamp with time zone, campaign text, category text, variant text, platform text, verified boolean, base_choice text, seam timestamp with time zone, by_time boolean); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.report_base(app text, "from" timestamp with time zone, "to" timestamp with time zone, campaign text, category text, variant text, platform text, verified boolean, base_choice text, seam timestamp with time zone, by_time boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.report_base(app text, "from" timestamp with time zone, "to" timestamp with time zone, campaign text, category text, variant text, platform text, verified boolean, base_choice text, seam timestamp with time zone, by_time boolean) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.report_base(app text, "from" timestamp with time zone, "to" timestamp with time zone, campaign text, category text, variant text, platform text, verified boolean, base_choice text, seam timestamp with time zone, by_time boolean) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.report_base(app text, "from" timestamp with time zone, "to" timestamp with time zone, campaign text, category text, variant text, platform text, verified boolean, base_choice text, seam timestamp with time zone, by_time boolean) TO afterpush_report;

--
-- Name: FUNCTION report_bounds(app text, "from" timestamp with time zone, "to" timestamp with time zone); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.report_bounds(app text, "from" timestamp with time zone, "to" timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.report_bounds(app text, "from" timestamp with time zone, "to" timestamp with time zone) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.report_bounds(app text, "from" timestamp with time zone, "to" timestamp with time zone) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.report_bounds(app text, "from" timestamp with time zone, "to" timestamp with time zone) TO afterpush_report;

--
-- Name: FUNCTION report_by(by text); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.report_by(by text) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.report_by(by text) TO afterpush_report;

--
-- Name: FUNCTION report_claim(secret bytea, app bigint); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.report_claim(secret bytea, app bigint) FROM PUBLIC;

--
-- Name: FUNCTION report_closing_times(app text, from_hour timestamp with time zone, to_hour timestamp with time zone, tz text); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.report_closing_times(app text, from_hour timestamp with time zone, to_hour timestamp with time zone, tz text) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.report_closing_times(app text, from_hour timestamp with time zone, to_hour timestamp with time zone, tz text) TO afterpush_report;

--
-- Name: FUNCTION report_conflict_bit(dimension text); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.report_conflict_bit(dimension text) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.report_conflict_bit(dimension text) TO afterpush_report;

--
-- Name: FUNCTION report_counts(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, base_choice text, by text, tz text, seam timestamp with time zone, closing boolean); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.report_counts(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, base_choice text, by text, tz text, seam timestamp with time zone, closing boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.report_counts(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, base_choice text, by text, tz text, seam timestamp with time zone, closing boolean) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.report_counts(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, base_choice text, by text, tz text, seam timestamp with time zone, closing boolean) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.report_counts(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, base_choice text, by text, tz text, seam timestamp with time zone, closing boolean) TO afterpush_report;

--
-- Name: FUNCTION report_definitions(report text, names text[]); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.report_definitions(report text, names text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.report_definitions(report text, names text[]) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.report_definitions(report text, names text[]) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.report_definitions(report text, names text[]) TO afterpush_report;

--
-- Name: FUNCTION report_deliveries(app text, "from" timestamp with time zone, "to" timestamp with time zone, campaign text, category text, variant text, platform text, verified boolean); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.report_deliveries(app text, "from" timestamp with time zone, "to" timestamp with time zone, campaign text, category text, variant text, platform text, verified boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.report_deliveries(app text, "from" timestamp with time zone, "to" timestamp with time zone, campaign text, category text, variant text, platform text, verified boolean) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.report_deliveries(app text, "from" timestamp with time zone, "to" timestamp with time zone, campaign text, category text, variant text, platform text, verified boolean) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.report_deliveries(app text, "from" timestamp with time zone, "to" timestamp with time zone, campaign text, category text, variant text, platform text, verified boolean) TO afterpush_report;

--
-- Name: FUNCTION report_device_buckets(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, base text, by text, totals boolean); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.report_device_buckets(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, base text, by text, totals boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.report_device_buckets(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, base text, by text, totals boolean) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.report_device_buckets(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, base text, by text, totals boolean) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.report_device_buckets(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, base text, by text, totals boolean) TO afterpush_report;

--
-- Name: FUNCTION report_devices(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_platform text, verified boolean, base text); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.report_devices(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_platform text, verified boolean, base text) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.report_devices(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_platform text, verified boolean, base text) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.report_devices(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_platform text, verified boolean, base text) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.report_devices(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_platform text, verified boolean, base text) TO afterpush_report;

--
-- Name: FUNCTION report_from_responses_bit(dimension text); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.report_from_responses_bit(dimension text) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.report_from_responses_bit(dimension text) TO afterpush_report;

--
-- Name: FUNCTION report_event_problems(dimension text, stated boolean, differs boolean, source_rank integer, deciding_rank smallint, fallback text, failed boolean); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.report_event_problems(dimension text, stated boolean, differs boolean, source_rank integer, deciding_rank smallint, fallback text, failed boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.report_event_problems(dimension text, stated boolean, differs boolean, source_rank integer, deciding_rank smallint, fallback text, failed boolean) TO afterpush_report;

--
-- Name: FUNCTION report_event_statistics(app text, from_hour timestamp with time zone, to_hour timestamp with time zone, first_batch bigint); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.report_event_statistics(app text, from_hour timestamp with time zone, to_hour timestamp with time zone, first_batch bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.report_event_statistics(app text, from_hour timestamp with time zone, to_hour timestamp with time zone, first_batch bigint) TO afterpush_report;

--
-- Name: FUNCTION report_time(at text, tz text); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.report_time(at text, tz text) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.report_time(at text, tz text) TO afterpush_report;

--
-- Name: FUNCTION report_hour(at text, tz text); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.report_hour(at text, tz text) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.report_hour(at text, tz text) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.report_hour(at text, tz text) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.report_hour(at text, tz text) TO afterpush_report;

--
-- Name: TABLE rollup_event_hours; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE afterpush.rollup_event_hours TO afterpush_worker;
GRANT SELECT ON TABLE afterpush.rollup_event_hours TO afterpush_report;

--
-- Name: FUNCTION report_hour_at_share(app text, "from" timestamp with time zone, "to" timestamp with time zone, share double precision); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.report_hour_at_share(app text, "from" timestamp with time zone, "to" timestamp with time zone, share double precision) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.report_hour_at_share(app text, "from" timestamp with time zone, "to" timestamp with time zone, share double precision) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.report_hour_at_share(app text, "from" timestamp with time zone, "to" timestamp with time zone, share double precision) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.report_hour_at_share(app text, "from" timestamp with time zone, "to" timestamp with time zone, share double precision) TO afterpush_report;

--
-- Name: FUNCTION report_hours(app text, campaign text, OUT starts timestamp with time zone, OUT ends timestamp with time zone); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.report_hours(app text, campaign text, OUT starts timestamp with time zone, OUT ends timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.report_hours(app text, campaign text, OUT starts timestamp with time zone, OUT ends timestamp with time zone) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.report_hours(app text, campaign text, OUT starts timestamp with time zone, OUT ends timestamp with time zone) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.report_hours(app text, campaign text, OUT starts timestamp with time zone, OUT ends timestamp with time zone) TO afterpush_report;

--
-- Name: FUNCTION report_intake_checks(app text, from_hour timestamp with time zone, to_hour timestamp with time zone, as_of timestamp with time zone); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.report_intake_checks(app text, from_hour timestamp with time zone, to_hour timestamp with time zone, as_of timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.report_intake_checks(app text, from_hour timestamp with time zone, to_hour timestamp with time zone, as_of timestamp with time zone) TO afterpush_report;

--
-- Name: FUNCTION report_offering_hours(app_id integer, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, base text, split timestamp with time zone[], declared text[]); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.report_offering_hours(app_id integer, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, base text, split timestamp with time zone[], declared text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.report_offering_hours(app_id integer, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, base text, split timestamp with time zone[], declared text[]) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.report_offering_hours(app_id integer, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, base text, split timestamp with time zone[], declared text[]) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.report_offering_hours(app_id integer, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, base text, split timestamp with time zone[], declared text[]) TO afterpush_report;

--
-- Name: FUNCTION report_openings(app text, "from" timestamp with time zone, "to" timestamp with time zone, "window" interval, baseline boolean, credited boolean, only_platform text, verified boolean, by text); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.report_openings(app text, "from" timestamp with time zone, "to" timestamp with time zone, "window" interval, baseline boolean, credited boolean, only_platform text, verified boolean, by text) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.report_openings(app text, "from" timestamp with time zone, "to" timestamp with time zone, "window" interval, baseline boolean, credited boolean, only_platform text, verified boolean, by text) TO afterpush_report;

--
-- Name: FUNCTION report_outcomes(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_outcome text, "window" interval, verified boolean); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.report_outcomes(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_outcome text, "window" interval, verified boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.report_outcomes(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_outcome text, "window" interval, verified boolean) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.report_outcomes(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_outcome text, "window" interval, verified boolean) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.report_outcomes(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_outcome text, "window" interval, verified boolean) TO afterpush_report;

--
-- Name: FUNCTION report_recent_deliveries(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.report_recent_deliveries(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.report_recent_deliveries(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.report_recent_deliveries(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.report_recent_deliveries(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean) TO afterpush_report;

--
-- Name: FUNCTION report_response_hours(app_id integer, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, keys text[], tz text, split timestamp with time zone[]); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.report_response_hours(app_id integer, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, keys text[], tz text, split timestamp with time zone[]) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.report_response_hours(app_id integer, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, keys text[], tz text, split timestamp with time zone[]) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.report_response_hours(app_id integer, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, keys text[], tz text, split timestamp with time zone[]) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.report_response_hours(app_id integer, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, keys text[], tz text, split timestamp with time zone[]) TO afterpush_report;

--
-- Name: FUNCTION report_selected_deliveries(app text, from_hour timestamp with time zone, to_hour timestamp with time zone); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.report_selected_deliveries(app text, from_hour timestamp with time zone, to_hour timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.report_selected_deliveries(app text, from_hour timestamp with time zone, to_hour timestamp with time zone) TO afterpush_report;

--
-- Name: FUNCTION report_span(app_id integer, "from" timestamp with time zone, "to" timestamp with time zone, campaign text, OUT starts timestamp with time zone, OUT ends timestamp with time zone); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.report_span(app_id integer, "from" timestamp with time zone, "to" timestamp with time zone, campaign text, OUT starts timestamp with time zone, OUT ends timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.report_span(app_id integer, "from" timestamp with time zone, "to" timestamp with time zone, campaign text, OUT starts timestamp with time zone, OUT ends timestamp with time zone) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.report_span(app_id integer, "from" timestamp with time zone, "to" timestamp with time zone, campaign text, OUT starts timestamp with time zone, OUT ends timestamp with time zone) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.report_span(app_id integer, "from" timestamp with time zone, "to" timestamp with time zone, campaign text, OUT starts timestamp with time zone, OUT ends timestamp with time zone) TO afterpush_report;

--
-- Name: FUNCTION report_split("from" timestamp with time zone, "to" timestamp with time zone, times timestamp with time zone[]); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.report_split("from" timestamp with time zone, "to" timestamp with time zone, times timestamp with time zone[]) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.report_split("from" timestamp with time zone, "to" timestamp with time zone, times timestamp with time zone[]) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.report_split("from" timestamp with time zone, "to" timestamp with time zone, times timestamp with time zone[]) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.report_split("from" timestamp with time zone, "to" timestamp with time zone, times timestamp with time zone[]) TO afterpush_report;

--
-- Name: FUNCTION report_terms(app_id integer, campaign text, last_closed timestamp with time zone); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.report_terms(app_id integer, campaign text, last_closed timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.report_terms(app_id integer, campaign text, last_closed timestamp with time zone) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.report_terms(app_id integer, campaign text, last_closed timestamp with time zone) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.report_terms(app_id integer, campaign text, last_closed timestamp with time zone) TO afterpush_report;

--
-- Name: FUNCTION report_times(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, by text, tz text); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.report_times(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, by text, tz text) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.report_times(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, by text, tz text) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.report_times(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, by text, tz text) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.report_times(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, by text, tz text) TO afterpush_report;

--
-- Name: FUNCTION report_token_events(app text, from_hour timestamp with time zone, to_hour timestamp with time zone, first_batch bigint); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.report_token_events(app text, from_hour timestamp with time zone, to_hour timestamp with time zone, first_batch bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.report_token_events(app text, from_hour timestamp with time zone, to_hour timestamp with time zone, first_batch bigint) TO afterpush_report;

--
-- Name: FUNCTION report_version_coverage(app text, from_hour timestamp with time zone, to_hour timestamp with time zone, first_statement_batch bigint); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.report_version_coverage(app text, from_hour timestamp with time zone, to_hour timestamp with time zone, first_statement_batch bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.report_version_coverage(app text, from_hour timestamp with time zone, to_hour timestamp with time zone, first_statement_batch bigint) TO afterpush_report;

--
-- Name: FUNCTION request_erasure(app integer, device text); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.request_erasure(app integer, device text) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.request_erasure(app integer, device text) TO afterpush_worker;

--
-- Name: FUNCTION reserve_names(app_ids integer[], kinds text[], parents text[], names text[], sources text[], quotas integer[]); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.reserve_names(app_ids integer[], kinds text[], parents text[], names text[], sources text[], quotas integer[]) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.reserve_names(app_ids integer[], kinds text[], parents text[], names text[], sources text[], quotas integer[]) TO afterpush_ingest;

--
-- Name: FUNCTION time_bucket(duration interval); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.time_bucket(duration interval) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.time_bucket(duration interval) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.time_bucket(duration interval) TO afterpush_report;

--
-- Name: FUNCTION response_bucket(responded_at timestamp with time zone, reached_at timestamp with time zone); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.response_bucket(responded_at timestamp with time zone, reached_at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.response_bucket(responded_at timestamp with time zone, reached_at timestamp with time zone) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.response_bucket(responded_at timestamp with time zone, reached_at timestamp with time zone) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.response_bucket(responded_at timestamp with time zone, reached_at timestamp with time zone) TO afterpush_report;

--
-- Name: FUNCTION response_deltas(shapes afterpush.delivery_shape[]); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.response_deltas(shapes afterpush.delivery_shape[]) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.response_deltas(shapes afterpush.delivery_shape[]) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.response_deltas(shapes afterpush.delivery_shape[]) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.response_deltas(shapes afterpush.delivery_shape[]) TO afterpush_report;

--
-- Name: FUNCTION restore_suppression(app_name text, hash bytea, key_bytes bytea); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.restore_suppression(app_name text, hash bytea, key_bytes bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.restore_suppression(app_name text, hash bytea, key_bytes bytea) TO afterpush_worker;

--
-- Name: COLUMN erasures.app_id; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT(app_id) ON TABLE afterpush.erasures TO afterpush_worker;

--
-- Name: COLUMN erasures.device_hash; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT(device_hash) ON TABLE afterpush.erasures TO afterpush_worker;

--
-- Name: COLUMN erasures.phase; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT(phase) ON TABLE afterpush.erasures TO afterpush_worker;

--
-- Name: COLUMN erasures.requested_at; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT(requested_at) ON TABLE afterpush.erasures TO afterpush_worker;

--
-- Name: COLUMN erasures.events; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT(events) ON TABLE afterpush.erasures TO afterpush_worker;

--
-- Name: COLUMN erasures.replies; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT(replies) ON TABLE afterpush.erasures TO afterpush_worker;

--
-- Name: COLUMN erasures.deliveries; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT(deliveries) ON TABLE afterpush.erasures TO afterpush_worker;

--
-- Name: COLUMN erasures.rejected; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT(rejected) ON TABLE afterpush.erasures TO afterpush_worker;

--
-- Name: COLUMN erasures.finished_at; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT(finished_at) ON TABLE afterpush.erasures TO afterpush_worker;

--
-- Name: FUNCTION retention_blocker(); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.retention_blocker() FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.retention_blocker() TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.retention_blocker() TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.retention_blocker() TO afterpush_report;

--
-- Name: FUNCTION retention_cutoff(period interval); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.retention_cutoff(period interval) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.retention_cutoff(period interval) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.retention_cutoff(period interval) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.retention_cutoff(period interval) TO afterpush_report;

--
-- Name: FUNCTION retention_plan(events_period interval, deliveries_period interval, rejected_period interval); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.retention_plan(events_period interval, deliveries_period interval, rejected_period interval) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.retention_plan(events_period interval, deliveries_period interval, rejected_period interval) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.retention_plan(events_period interval, deliveries_period interval, rejected_period interval) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.retention_plan(events_period interval, deliveries_period interval, rejected_period interval) TO afterpush_report;

--
-- Name: FUNCTION rfc3339(at timestamp with time zone); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.rfc3339(at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.rfc3339(at timestamp with time zone) TO afterpush_report;

--
-- Name: FUNCTION roll_up(max_events integer); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.roll_up(max_events integer) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.roll_up(max_events integer) TO afterpush_worker;

--
-- Name: FUNCTION rollup_rebuild(); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.rollup_rebuild() FROM PUBLIC;

--
-- Name: FUNCTION rollup_verify(); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.rollup_verify() FROM PUBLIC;

--
-- Name: FUNCTION run_erasure_step(max integer); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.run_erasure_step(max integer) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.run_erasure_step(max integer) TO afterpush_worker;

--
-- Name: FUNCTION run_report(statement text, columns integer, row_limit bigint, byte_limit bigint); Type: ACL; Schema: afterpush; Owner: afterpush_confined
--

REVOKE ALL ON FUNCTION afterpush.run_report(statement text, columns integer, row_limit bigint, byte_limit bigint) FROM PUBLIC;
REVOKE ALL ON FUNCTION afterpush.run_report(statement text, columns integer, row_limit bigint, byte_limit bigint) FROM afterpush_confined;
GRANT ALL ON FUNCTION afterpush.run_report(statement text, columns integer, row_limit bigint, byte_limit bigint) TO afterpush_report;

--
-- Name: FUNCTION running_total_at(times integer[], bucket integer); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.running_total_at(times integer[], bucket integer) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.running_total_at(times integer[], bucket integer) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.running_total_at(times integer[], bucket integer) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.running_total_at(times integer[], bucket integer) TO afterpush_report;

--
-- Name: FUNCTION running_totals_of(buckets smallint[], counts bigint[]); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.running_totals_of(buckets smallint[], counts bigint[]) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.running_totals_of(buckets smallint[], counts bigint[]) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.running_totals_of(buckets smallint[], counts bigint[]) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.running_totals_of(buckets smallint[], counts bigint[]) TO afterpush_report;

--
-- Name: FUNCTION running_totals_quantile(times integer[], percent integer); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.running_totals_quantile(times integer[], percent integer) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.running_totals_quantile(times integer[], percent integer) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.running_totals_quantile(times integer[], percent integer) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.running_totals_quantile(times integer[], percent integer) TO afterpush_report;

--
-- Name: FUNCTION sample_ratio_design_effect(total bigint, variances double precision[], weights double precision[]); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.sample_ratio_design_effect(total bigint, variances double precision[], weights double precision[]) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.sample_ratio_design_effect(total bigint, variances double precision[], weights double precision[]) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.sample_ratio_design_effect(total bigint, variances double precision[], weights double precision[]) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.sample_ratio_design_effect(total bigint, variances double precision[], weights double precision[]) TO afterpush_report;

--
-- Name: FUNCTION sample_ratio_p(counts bigint[], weights double precision[], design_effect double precision); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.sample_ratio_p(counts bigint[], weights double precision[], design_effect double precision) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.sample_ratio_p(counts bigint[], weights double precision[], design_effect double precision) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.sample_ratio_p(counts bigint[], weights double precision[], design_effect double precision) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.sample_ratio_p(counts bigint[], weights double precision[], design_effect double precision) TO afterpush_report;

--
-- Name: FUNCTION sample_ratio_p_anytime(counts bigint[], weights double precision[], design_effect double precision); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.sample_ratio_p_anytime(counts bigint[], weights double precision[], design_effect double precision) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.sample_ratio_p_anytime(counts bigint[], weights double precision[], design_effect double precision) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.sample_ratio_p_anytime(counts bigint[], weights double precision[], design_effect double precision) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.sample_ratio_p_anytime(counts bigint[], weights double precision[], design_effect double precision) TO afterpush_report;

--
-- Name: FUNCTION settle_device_changes(max_rows integer); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.settle_device_changes(max_rows integer) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.settle_device_changes(max_rows integer) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.settle_device_changes(max_rows integer) TO afterpush_worker;

--
-- Name: FUNCTION shapes_of(delivery_ids uuid[], sealed timestamp with time zone, sign integer); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.shapes_of(delivery_ids uuid[], sealed timestamp with time zone, sign integer) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.shapes_of(delivery_ids uuid[], sealed timestamp with time zone, sign integer) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.shapes_of(delivery_ids uuid[], sealed timestamp with time zone, sign integer) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.shapes_of(delivery_ids uuid[], sealed timestamp with time zone, sign integer) TO afterpush_report;

--
-- Name: FUNCTION snapshot_sealed_goals(); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.snapshot_sealed_goals() FROM PUBLIC;

--
-- Name: FUNCTION stated_fallbacks(delivery uuid, only_batches bigint[], except_batches bigint[], has_stored boolean); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.stated_fallbacks(delivery uuid, only_batches bigint[], except_batches bigint[], has_stored boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.stated_fallbacks(delivery uuid, only_batches bigint[], except_batches bigint[], has_stored boolean) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.stated_fallbacks(delivery uuid, only_batches bigint[], except_batches bigint[], has_stored boolean) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.stated_fallbacks(delivery uuid, only_batches bigint[], except_batches bigint[], has_stored boolean) TO afterpush_report;

--
-- Name: FUNCTION states(kinds integer); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.states(kinds integer) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.states(kinds integer) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.states(kinds integer) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.states(kinds integer) TO afterpush_report;

--
-- Name: FUNCTION stirling_error(x double precision); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.stirling_error(x double precision) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.stirling_error(x double precision) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.stirling_error(x double precision) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.stirling_error(x double precision) TO afterpush_report;

--
-- Name: FUNCTION stored_actions(delivery_ids uuid[]); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.stored_actions(delivery_ids uuid[]) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.stored_actions(delivery_ids uuid[]) TO afterpush_ingest;

--
-- Name: FUNCTION student_t_p(t double precision, df double precision); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.student_t_p(t double precision, df double precision) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.student_t_p(t double precision, df double precision) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.student_t_p(t double precision, df double precision) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.student_t_p(t double precision, df double precision) TO afterpush_report;

--
-- Name: FUNCTION student_t_quantile(df double precision); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.student_t_quantile(df double precision) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.student_t_quantile(df double precision) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.student_t_quantile(df double precision) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.student_t_quantile(df double precision) TO afterpush_report;

--
-- Name: FUNCTION suppressed_events(app_ids integer[], device_ids text[], times timestamp with time zone[]); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.suppressed_events(app_ids integer[], device_ids text[], times timestamp with time zone[]) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.suppressed_events(app_ids integer[], device_ids text[], times timestamp with time zone[]) TO afterpush_ingest;

--
-- Name: FUNCTION timed_action_list(actions afterpush.delivery_action[], reached_at timestamp with time zone, verified_reached_at timestamp with time zone); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.timed_action_list(actions afterpush.delivery_action[], reached_at timestamp with time zone, verified_reached_at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.timed_action_list(actions afterpush.delivery_action[], reached_at timestamp with time zone, verified_reached_at timestamp with time zone) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.timed_action_list(actions afterpush.delivery_action[], reached_at timestamp with time zone, verified_reached_at timestamp with time zone) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.timed_action_list(actions afterpush.delivery_action[], reached_at timestamp with time zone, verified_reached_at timestamp with time zone) TO afterpush_report;

--
-- Name: FUNCTION timed_actions(actions afterpush.delivery_action[], reached_at timestamp with time zone, verified_reached_at timestamp with time zone); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.timed_actions(actions afterpush.delivery_action[], reached_at timestamp with time zone, verified_reached_at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.timed_actions(actions afterpush.delivery_action[], reached_at timestamp with time zone, verified_reached_at timestamp with time zone) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.timed_actions(actions afterpush.delivery_action[], reached_at timestamp with time zone, verified_reached_at timestamp with time zone) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.timed_actions(actions afterpush.delivery_action[], reached_at timestamp with time zone, verified_reached_at timestamp with time zone) TO afterpush_report;

--
-- Name: FUNCTION touched_deliveries(batches bigint[], sealed timestamp with time zone); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.touched_deliveries(batches bigint[], sealed timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.touched_deliveries(batches bigint[], sealed timestamp with time zone) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.touched_deliveries(batches bigint[], sealed timestamp with time zone) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.touched_deliveries(batches bigint[], sealed timestamp with time zone) TO afterpush_report;

--
-- Name: FUNCTION two_proportion_p(k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.two_proportion_p(k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.two_proportion_p(k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.two_proportion_p(k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.two_proportion_p(k1 bigint, n1 bigint, k0 bigint, n0 bigint, design_effect1 double precision, design_effect0 double precision) TO afterpush_report;

--
-- Name: FUNCTION unpacked_buckets(packed numeric); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.unpacked_buckets(packed numeric) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.unpacked_buckets(packed numeric) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.unpacked_buckets(packed numeric) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.unpacked_buckets(packed numeric) TO afterpush_report;

--
-- Name: FUNCTION verified_dimensions(platform_source_rank smallint, app_version_source_rank smallint, campaign_source_rank smallint, category_source_rank smallint); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.verified_dimensions(platform_source_rank smallint, app_version_source_rank smallint, campaign_source_rank smallint, category_source_rank smallint) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.verified_dimensions(platform_source_rank smallint, app_version_source_rank smallint, campaign_source_rank smallint, category_source_rank smallint) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.verified_dimensions(platform_source_rank smallint, app_version_source_rank smallint, campaign_source_rank smallint, category_source_rank smallint) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.verified_dimensions(platform_source_rank smallint, app_version_source_rank smallint, campaign_source_rank smallint, category_source_rank smallint) TO afterpush_report;

--
-- Name: FUNCTION verified_names(verified_dimensions integer, platform text, app_version text, campaign_id text, variant text, category_id text, category_version integer); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.verified_names(verified_dimensions integer, platform text, app_version text, campaign_id text, variant text, category_id text, category_version integer) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.verified_names(verified_dimensions integer, platform text, app_version text, campaign_id text, variant text, category_id text, category_version integer) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.verified_names(verified_dimensions integer, platform text, app_version text, campaign_id text, variant text, category_id text, category_version integer) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.verified_names(verified_dimensions integer, platform text, app_version text, campaign_id text, variant text, category_id text, category_version integer) TO afterpush_report;

--
-- Name: FUNCTION waiting_batches(max_events integer, OUT batch_ids bigint[], OUT events bigint, OUT upgrades bigint); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.waiting_batches(max_events integer, OUT batch_ids bigint[], OUT events bigint, OUT upgrades bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.waiting_batches(max_events integer, OUT batch_ids bigint[], OUT events bigint, OUT upgrades bigint) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.waiting_batches(max_events integer, OUT batch_ids bigint[], OUT events bigint, OUT upgrades bigint) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.waiting_batches(max_events integer, OUT batch_ids bigint[], OUT events bigint, OUT upgrades bigint) TO afterpush_report;

--
-- Name: FUNCTION was_attempted(kinds integer); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.was_attempted(kinds integer) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.was_attempted(kinds integer) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.was_attempted(kinds integer) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.was_attempted(kinds integer) TO afterpush_report;

--
-- Name: FUNCTION welch_margin(variance1 double precision, n1 double precision, variance0 double precision, n0 double precision); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.welch_margin(variance1 double precision, n1 double precision, variance0 double precision, n0 double precision) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.welch_margin(variance1 double precision, n1 double precision, variance0 double precision, n0 double precision) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.welch_margin(variance1 double precision, n1 double precision, variance0 double precision, n0 double precision) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.welch_margin(variance1 double precision, n1 double precision, variance0 double precision, n0 double precision) TO afterpush_report;

--
-- Name: FUNCTION welch_high(mean1 double precision, variance1 double precision, n1 double precision, mean0 double precision, variance0 double precision, n0 double precision); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.welch_high(mean1 double precision, variance1 double precision, n1 double precision, mean0 double precision, variance0 double precision, n0 double precision) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.welch_high(mean1 double precision, variance1 double precision, n1 double precision, mean0 double precision, variance0 double precision, n0 double precision) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.welch_high(mean1 double precision, variance1 double precision, n1 double precision, mean0 double precision, variance0 double precision, n0 double precision) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.welch_high(mean1 double precision, variance1 double precision, n1 double precision, mean0 double precision, variance0 double precision, n0 double precision) TO afterpush_report;

--
-- Name: FUNCTION welch_low(mean1 double precision, variance1 double precision, n1 double precision, mean0 double precision, variance0 double precision, n0 double precision); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.welch_low(mean1 double precision, variance1 double precision, n1 double precision, mean0 double precision, variance0 double precision, n0 double precision) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.welch_low(mean1 double precision, variance1 double precision, n1 double precision, mean0 double precision, variance0 double precision, n0 double precision) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.welch_low(mean1 double precision, variance1 double precision, n1 double precision, mean0 double precision, variance0 double precision, n0 double precision) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.welch_low(mean1 double precision, variance1 double precision, n1 double precision, mean0 double precision, variance0 double precision, n0 double precision) TO afterpush_report;

--
-- Name: FUNCTION without_json_escapes(escaped text); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.without_json_escapes(escaped text) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.without_json_escapes(escaped text) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.without_json_escapes(escaped text) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.without_json_escapes(escaped text) TO afterpush_report;

--
-- Name: FUNCTION without_percent_encoding(encoded text); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.without_percent_encoding(encoded text) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.without_percent_encoding(encoded text) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.without_percent_encoding(encoded text) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.without_percent_encoding(encoded text) TO afterpush_report;

--
-- Name: TABLE actions; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT ON TABLE afterpush.actions TO afterpush_worker;
GRANT SELECT ON TABLE afterpush.actions TO afterpush_report;

--
-- Name: TABLE alert_history; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE afterpush.alert_history TO afterpush_worker;

--
-- Name: TABLE alert_messages; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE afterpush.alert_messages TO afterpush_worker;

--
-- Name: TABLE alert_rules; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE afterpush.alert_rules TO afterpush_worker;

--
-- Name: TABLE alert_settings; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT,INSERT,UPDATE ON TABLE afterpush.alert_settings TO afterpush_worker;

--
-- Name: TABLE alert_states; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE afterpush.alert_states TO afterpush_worker;

--
-- Name: TABLE api_keys; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT ON TABLE afterpush.api_keys TO afterpush_ingest;

--
-- Name: SEQUENCE batch_ids; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT USAGE ON SEQUENCE afterpush.batch_ids TO afterpush_ingest;

--
-- Name: TABLE campaign_variants; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT ON TABLE afterpush.campaign_variants TO afterpush_report;

--
-- Name: TABLE campaigns; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT ON TABLE afterpush.campaigns TO afterpush_worker;
GRANT SELECT ON TABLE afterpush.campaigns TO afterpush_report;

--
-- Name: TABLE category_versions; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT ON TABLE afterpush.category_versions TO afterpush_worker;
GRANT SELECT ON TABLE afterpush.category_versions TO afterpush_report;

--
-- Name: TABLE sends; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT INSERT ON TABLE afterpush.sends TO afterpush_ingest;
GRANT SELECT ON TABLE afterpush.sends TO afterpush_report;

--
-- Name: COLUMN sends.app_id; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT(app_id) ON TABLE afterpush.sends TO afterpush_ingest;

--
-- Name: COLUMN sends.send_id; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT(send_id) ON TABLE afterpush.sends TO afterpush_ingest;

--
-- Name: TABLE declared_sends; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT ON TABLE afterpush.declared_sends TO afterpush_report;

--
-- Name: TABLE rollup_goal_days; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE afterpush.rollup_goal_days TO afterpush_worker;
GRANT SELECT ON TABLE afterpush.rollup_goal_days TO afterpush_report;

--
-- Name: TABLE delivery_action_days; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT ON TABLE afterpush.delivery_action_days TO afterpush_report;

--
-- Name: TABLE delivery_app_versions; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT ON TABLE afterpush.delivery_app_versions TO afterpush_report;

--
-- Name: TABLE rollup_delivery_days; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE afterpush.rollup_delivery_days TO afterpush_worker;
GRANT SELECT ON TABLE afterpush.rollup_delivery_days TO afterpush_report;

--
-- Name: TABLE delivery_days; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT ON TABLE afterpush.delivery_days TO afterpush_report;

--
-- Name: TABLE rollup_deliveries; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE afterpush.rollup_deliveries TO afterpush_worker;
GRANT SELECT ON TABLE afterpush.rollup_deliveries TO afterpush_report;

--
-- Name: TABLE delivery_hours; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT ON TABLE afterpush.delivery_hours TO afterpush_report;

--
-- Name: TABLE rollup_device_buckets; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE afterpush.rollup_device_buckets TO afterpush_worker;
GRANT SELECT ON TABLE afterpush.rollup_device_buckets TO afterpush_report;

--
-- Name: TABLE rollup_device_changes; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE afterpush.rollup_device_changes TO afterpush_worker;
GRANT SELECT ON TABLE afterpush.rollup_device_changes TO afterpush_report;

--
-- Name: TABLE device_bucket_counts; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT ON TABLE afterpush.device_bucket_counts TO afterpush_report;

--
-- Name: TABLE rollup_device_bucket_totals; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE afterpush.rollup_device_bucket_totals TO afterpush_worker;
GRANT SELECT ON TABLE afterpush.rollup_device_bucket_totals TO afterpush_report;

--
-- Name: TABLE device_bucket_totals; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT ON TABLE afterpush.device_bucket_totals TO afterpush_report;

--
-- Name: TABLE disabled_destinations; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE afterpush.disabled_destinations TO afterpush_worker;

--
-- Name: TABLE event_upgrades; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT INSERT ON TABLE afterpush.event_upgrades TO afterpush_ingest;

--
-- Name: COLUMN event_upgrades.delivery_id; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT(delivery_id) ON TABLE afterpush.event_upgrades TO afterpush_ingest;

--
-- Name: COLUMN event_upgrades.event_id; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT(event_id) ON TABLE afterpush.event_upgrades TO afterpush_ingest;

--
-- Name: COLUMN event_upgrades.device_time; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT(device_time) ON TABLE afterpush.event_upgrades TO afterpush_ingest;

--
-- Name: COLUMN event_upgrades.app_id; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT(app_id) ON TABLE afterpush.event_upgrades TO afterpush_ingest;

--
-- Name: COLUMN events_default.device_time; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT(device_time) ON TABLE afterpush.events_default TO afterpush_worker;

--
-- Name: TABLE replies; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT INSERT ON TABLE afterpush.replies TO afterpush_ingest;
GRANT SELECT ON TABLE afterpush.replies TO afterpush_report;

--
-- Name: COLUMN replies.app_id; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT(app_id) ON TABLE afterpush.replies TO afterpush_ingest;

--
-- Name: COLUMN replies.delivery_id; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT(delivery_id) ON TABLE afterpush.replies TO afterpush_ingest;

--
-- Name: COLUMN replies.event_id; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT(event_id) ON TABLE afterpush.replies TO afterpush_ingest;

--
-- Name: COLUMN replies.device_time; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT(device_time) ON TABLE afterpush.replies TO afterpush_ingest;

--
-- Name: TABLE waiting_replies; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT INSERT ON TABLE afterpush.waiting_replies TO afterpush_ingest;
GRANT SELECT ON TABLE afterpush.waiting_replies TO afterpush_worker;

--
-- Name: COLUMN waiting_replies.app_id; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT(app_id) ON TABLE afterpush.waiting_replies TO afterpush_ingest;

--
-- Name: COLUMN waiting_replies.delivery_id; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT(delivery_id) ON TABLE afterpush.waiting_replies TO afterpush_ingest;

--
-- Name: COLUMN waiting_replies.event_id; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT(event_id) ON TABLE afterpush.waiting_replies TO afterpush_ingest;

--
-- Name: COLUMN waiting_replies.device_time; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT(device_time) ON TABLE afterpush.waiting_replies TO afterpush_ingest;

--
-- Name: TABLE ingest_barrier; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT INSERT ON TABLE afterpush.ingest_barrier TO afterpush_ingest;

--
-- Name: TABLE late_deliveries; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT,INSERT,DELETE ON TABLE afterpush.late_deliveries TO afterpush_worker;

--
-- Name: TABLE metric_definitions; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT ON TABLE afterpush.metric_definitions TO afterpush_report;

--
-- Name: COLUMN receipt_secrets.secret_id; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT(secret_id) ON TABLE afterpush.receipt_secrets TO afterpush_ingest;

--
-- Name: COLUMN receipt_secrets.app_id; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT(app_id) ON TABLE afterpush.receipt_secrets TO afterpush_ingest;

--
-- Name: COLUMN receipt_secrets.secret; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT(secret) ON TABLE afterpush.receipt_secrets TO afterpush_ingest;

--
-- Name: COLUMN receipt_secrets.created_at; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT(created_at) ON TABLE afterpush.receipt_secrets TO afterpush_ingest;

--
-- Name: COLUMN receipt_secrets.retired_at; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT(retired_at) ON TABLE afterpush.receipt_secrets TO afterpush_ingest;

--
-- Name: TABLE rejected_events; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT INSERT ON TABLE afterpush.rejected_events TO afterpush_ingest;
GRANT SELECT ON TABLE afterpush.rejected_events TO afterpush_report;

--
-- Name: COLUMN rejected_events.app_id; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT(app_id) ON TABLE afterpush.rejected_events TO afterpush_ingest;

--
-- Name: COLUMN rejected_events.fingerprint; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT(fingerprint) ON TABLE afterpush.rejected_events TO afterpush_ingest;

--
-- Name: TABLE rollup_action_days; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE afterpush.rollup_action_days TO afterpush_worker;
GRANT SELECT ON TABLE afterpush.rollup_action_days TO afterpush_report;

--
-- Name: TABLE rollup_response_days; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE afterpush.rollup_response_days TO afterpush_worker;
GRANT SELECT ON TABLE afterpush.rollup_response_days TO afterpush_report;

--
-- Name: TABLE rollup_worker; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT,UPDATE ON TABLE afterpush.rollup_worker TO afterpush_worker;

--
-- Name: COLUMN rollup_worker.sealed_before; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT(sealed_before) ON TABLE afterpush.rollup_worker TO afterpush_report;

--
-- Name: TABLE sealed_goals; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT ON TABLE afterpush.sealed_goals TO afterpush_report;

--
-- Name: TABLE sessions; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE afterpush.sessions TO afterpush_ingest;

--
-- Name: TABLE spools; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT,INSERT,UPDATE ON TABLE afterpush.spools TO afterpush_ingest;
GRANT SELECT ON TABLE afterpush.spools TO afterpush_report;

--
-- Name: COLUMN suppressed_devices.app_id; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT(app_id) ON TABLE afterpush.suppressed_devices TO afterpush_ingest;

--
-- Name: COLUMN suppressed_devices.device_hash; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT(device_hash) ON TABLE afterpush.suppressed_devices TO afterpush_ingest;

--
-- Name: COLUMN suppressed_devices.suppression_id; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT(suppression_id) ON TABLE afterpush.suppressed_devices TO afterpush_ingest;

--
-- Name: COLUMN suppressed_devices.key_id; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT(key_id) ON TABLE afterpush.suppressed_devices TO afterpush_ingest;

--
-- Name: TABLE suppression_keys; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT ON TABLE afterpush.suppression_keys TO afterpush_ingest;
GRANT SELECT ON TABLE afterpush.suppression_keys TO afterpush_worker;

--
-- Name: TABLE undeclared_names; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT ON TABLE afterpush.undeclared_names TO afterpush_report;

--
-- PostgreSQL database dump complete
--

