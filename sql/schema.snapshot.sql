--
-- PostgreSQL database dump
--

\restrict EE62yzEJMPY0r0CN843QSzoKusqbYvbsLtFVXFd2c9iOJwmJYaNdiwpvCzIfQA1

-- Dumped from database version 15.18 (Debian 15.18-0+deb12u1)
-- Dumped by pg_dump version 15.18 (Debian 15.18-0+deb12u1)

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
-- Name: afterpush; Type: SCHEMA; Schema: -; Owner: postgres
--

CREATE SCHEMA afterpush;


ALTER SCHEMA afterpush OWNER TO postgres;

--
-- Name: SCHEMA afterpush; Type: COMMENT; Schema: -; Owner: postgres
--

COMMENT ON SCHEMA afterpush IS 'What devices reported about push notifications, and the reports over it.';


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

COMMENT ON TYPE afterpush.campaign_terms IS 'What holds of a campaign''s deliveries: goals, the last closed anchor hour, and its declared sends, of which the last''s hour.';


--
-- Name: delivery_action; Type: TYPE; Schema: afterpush; Owner: afterpush_owner
--

CREATE TYPE afterpush.delivery_action AS (
	action_id text COLLATE pg_catalog."C",
	first_at timestamp with time zone,
	events integer,
	verified_first_at timestamp with time zone,
	verified_events integer
);


ALTER TYPE afterpush.delivery_action OWNER TO afterpush_owner;

--
-- Name: TYPE delivery_action; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TYPE afterpush.delivery_action IS 'One action of one delivery: its earliest time and its number of events.';


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
	event_kinds integer[]
);


ALTER TYPE afterpush.delivery_delta OWNER TO afterpush_owner;

--
-- Name: TYPE delivery_delta; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TYPE afterpush.delivery_delta IS 'What events tell of a delivery: each dimension with its source_rank as one text (function told), and hour and kind of each event (its bit, twice, and one more if it is verified).';


--
-- Name: delivery_dimensions; Type: TYPE; Schema: afterpush; Owner: afterpush_owner
--

CREATE TYPE afterpush.delivery_dimensions AS (
	delivery_id uuid,
	campaign_id text COLLATE pg_catalog."C",
	variant text COLLATE pg_catalog."C",
	category_id text COLLATE pg_catalog."C",
	platform text COLLATE pg_catalog."C"
);


ALTER TYPE afterpush.delivery_dimensions OWNER TO afterpush_owner;

--
-- Name: TYPE delivery_dimensions; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TYPE afterpush.delivery_dimensions IS 'The dimensions of a delivery that the sums of events know.';


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

COMMENT ON TYPE afterpush.event_kind IS 'What happened. From token_registered on, a kind is about the device alone.';


--
-- Name: event_count; Type: TYPE; Schema: afterpush; Owner: afterpush_owner
--

CREATE TYPE afterpush.event_count AS (
	app_id integer,
	event_hour timestamp with time zone,
	campaign_id text COLLATE pg_catalog."C",
	variant text COLLATE pg_catalog."C",
	category_id text COLLATE pg_catalog."C",
	platform text COLLATE pg_catalog."C",
	kind afterpush.event_kind,
	events bigint,
	verified_events bigint
);


ALTER TYPE afterpush.event_count OWNER TO afterpush_owner;

--
-- Name: TYPE event_count; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TYPE afterpush.event_count IS 'How many events of a kind, and how many of them are verified, of an hour and some dimensions.';


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

COMMENT ON TYPE afterpush.running_totals IS 'Running numbers of deliveries by time (function running_totals_of), of which there may be several.';


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

COMMENT ON TYPE afterpush.timed_actions IS 'The actions of a delivery as rollups count them.';


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

COMMENT ON FUNCTION afterpush.actions_key(actions text[]) IS 'What a set of actions is known by in a key: empty for none, else its SHA-256.';


--
-- Name: actions_stored(uuid[]); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.actions_stored(delivery_ids uuid[]) RETURNS TABLE(delivery_id uuid, action_identifiers text[])
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    select e.delivery_id, array_agg(distinct e.action_identifier)
    from afterpush.events as e
    where e.delivery_id = any (delivery_ids)
      and e.kind in ('action', 'text_input')
    group by e.delivery_id
$$;


ALTER FUNCTION afterpush.actions_stored(delivery_ids uuid[]) OWNER TO afterpush_owner;

--
-- Name: FUNCTION actions_stored(delivery_ids uuid[]); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.actions_stored(delivery_ids uuid[]) IS 'The distinct actions that some deliveries were answered with so far.';


--
-- Name: add_event_counts(afterpush.event_count[]); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.add_event_counts(counts afterpush.event_count[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
    emptied tid[];
    emptied_hours tid[];
begin
    with modes as (
        select app_id, false as verified, event_hour, campaign_id, variant, category_id, platform, kind, events
        from unnest(counts)
        union all
        select app_id, true, event_hour, campaign_id, variant, category_id, platform, kind, verified_events
        from unnest(counts)
        where verified_events <> 0
    ),
    change as materialized (
        select
            app_id, verified, event_hour, campaign_id, variant, category_id, platform,
            coalesce(sum(events) filter (where kind = 'sent'), 0)::integer as sent,
            coalesce(sum(events) filter (where kind = 'failed'), 0)::integer as failed,
            coalesce(sum(events) filter (where kind = 'delivered'), 0)::integer as delivered,
            coalesce(sum(events) filter (where kind = 'displayed'), 0)::integer as displayed,
            coalesce(sum(events) filter (where kind = 'read'), 0)::integer as read,
            coalesce(sum(events) filter (where kind = 'opened'), 0)::integer as opened,
            coalesce(sum(events) filter (where kind = 'action'), 0)::integer as action,
            coalesce(sum(events) filter (where kind = 'text_input'), 0)::integer as text_input,
            coalesce(sum(events) filter (where kind = 'dismissed'), 0)::integer as dismissed,
            coalesce(sum(events) filter (where kind = 'converted'), 0)::integer as converted,
            coalesce(sum(events) filter (where kind = 'replaced'), 0)::integer as replaced,
            coalesce(sum(events) filter (where kind = 'media_played'), 0)::integer as media_played,
            coalesce(sum(events) filter (where kind = 'media_paused'), 0)::integer as media_paused,
            coalesce(sum(events) filter (where kind = 'attachment_failed'), 0)::integer as attachment_failed,
            coalesce(sum(events) filter (where kind = 'extension_expired'), 0)::integer as extension_expired,
            coalesce(sum(events) filter (where kind = 'token_registered'), 0)::integer as token_registered,
            coalesce(sum(events) filter (where kind = 'token_failed'), 0)::integer as token_failed,
            coalesce(sum(events) filter (where kind = 'permission_granted'), 0)::integer as permission_granted,
            coalesce(sum(events) filter (where kind = 'permission_revoked'), 0)::integer as permission_revoked,
            coalesce(sum(events) filter (where kind = 'app_opened'), 0)::integer as app_opened,
            sum(events)::integer as events
        from modes
        group by 1, 2, 3, 4, 5, 6, 7
    ),
    by_dimension as (
        insert into afterpush.rollup_events as r (
            app_id, verified, event_hour, campaign_id, variant, category_id, platform,
            sent, failed, delivered, displayed, read, opened, action, text_input, dismissed, converted, replaced,
            media_played, media_paused, attachment_failed, extension_expired, token_registered, token_failed,
            permission_granted, permission_revoked, app_opened, events
        )
        select *
        from change
        order by 1, 2, 4, 3, 5, 6, 7
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
            events = r.events + excluded.events
        returning r.ctid as place, r.events
    ),
    by_hour as (
        insert into afterpush.rollup_event_hours as r (
            app_id, verified, event_hour, platform,
            sent, failed, delivered, displayed, read, opened, action, text_input, dismissed, converted, replaced,
            media_played, media_paused, attachment_failed, extension_expired, token_registered, token_failed,
            permission_granted, permission_revoked, app_opened, events
        )
        select
            app_id, verified, event_hour, platform,
            sum(sent)::integer as sent,
            sum(failed)::integer as failed,
            sum(delivered)::integer as delivered,
            sum(displayed)::integer as displayed,
            sum(read)::integer as read,
            sum(opened)::integer as opened,
            sum(action)::integer as action,
            sum(text_input)::integer as text_input,
            sum(dismissed)::integer as dismissed,
            sum(converted)::integer as converted,
            sum(replaced)::integer as replaced,
            sum(media_played)::integer as media_played,
            sum(media_paused)::integer as media_paused,
            sum(attachment_failed)::integer as attachment_failed,
            sum(extension_expired)::integer as extension_expired,
            sum(token_registered)::integer as token_registered,
            sum(token_failed)::integer as token_failed,
            sum(permission_granted)::integer as permission_granted,
            sum(permission_revoked)::integer as permission_revoked,
            sum(app_opened)::integer as app_opened,
            sum(events)::integer as events
        from change
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
            events = r.events + excluded.events
        returning r.ctid as place, r.events
    )
    select
        (select array_agg(place) from by_dimension where events = 0),
        (select array_agg(place) from by_hour where events = 0)
    into emptied, emptied_hours;

    if emptied is not null then
        delete from afterpush.rollup_events where ctid = any (emptied);
    end if;
    if emptied_hours is not null then
        delete from afterpush.rollup_event_hours where ctid = any (emptied_hours);
    end if;
end
$$;


ALTER FUNCTION afterpush.add_event_counts(counts afterpush.event_count[]) OWNER TO afterpush_owner;

--
-- Name: FUNCTION add_event_counts(counts afterpush.event_count[]); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.add_event_counts(counts afterpush.event_count[]) IS 'Adds to the sums of events.';


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

COMMENT ON FUNCTION afterpush.add_running_totals(a integer[], b integer[]) IS 'The sum of running numbers, of which one may be a difference.';


--
-- Name: advance_seal(); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.advance_seal() RETURNS text
    LANGUAGE plpgsql
    AS $$
declare
    announced afterpush.sealing;
    sealed timestamptz;
begin
    select * into announced from afterpush.sealing for update;
    select sealed_before into sealed from afterpush.rollup_worker;
    if announced.announced_before <= sealed then
        return 'sealed';
    end if;
    if announced.after_batch is null then
        update afterpush.sealing set after_batch = afterpush.last_batch_before_barrier();
        return 'waiting';
    end if;
    perform from afterpush.rollup_worker for update;
    if exists (select from afterpush.batches where rolled_up_at is null and batch_id <= announced.after_batch) then
        return 'waiting';
    end if;
    -- Those that left the sealed hours again are counted, and from now on like any other.
    delete from afterpush.late_deliveries as l
    where not exists (
        select
        from afterpush.deliveries as d
        where d.delivery_id = l.delivery_id
          and afterpush.anchor_hour(d.sent_at, d.receipt_issued_at, d.first_event_at) < sealed
    );
    delete from afterpush.erased_event_counts where event_hour < announced.announced_before;
    update afterpush.rollup_worker set sealed_before = announced.announced_before;
    return 'sealed';
end
$$;


ALTER FUNCTION afterpush.advance_seal() OWNER TO afterpush_owner;

--
-- Name: FUNCTION advance_seal(); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.advance_seal() IS 'Seals what is announced, once all before it is merged.';


--
-- Name: anchor_at(timestamp with time zone, timestamp with time zone, timestamp with time zone); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.anchor_at(sent_at timestamp with time zone, receipt_issued_at timestamp with time zone, first_event_at timestamp with time zone) RETURNS timestamp with time zone
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN (sent_at IS NOT NULL) THEN sent_at WHEN (receipt_issued_at IS NOT NULL) THEN receipt_issued_at ELSE first_event_at END;


ALTER FUNCTION afterpush.anchor_at(sent_at timestamp with time zone, receipt_issued_at timestamp with time zone, first_event_at timestamp with time zone) OWNER TO afterpush_owner;

--
-- Name: FUNCTION anchor_at(sent_at timestamp with time zone, receipt_issued_at timestamp with time zone, first_event_at timestamp with time zone); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.anchor_at(sent_at timestamp with time zone, receipt_issued_at timestamp with time zone, first_event_at timestamp with time zone) IS 'The time that a delivery is anchored at.';


--
-- Name: anchor_hour(timestamp with time zone, timestamp with time zone, timestamp with time zone); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.anchor_hour(sent_at timestamp with time zone, receipt_issued_at timestamp with time zone, first_event_at timestamp with time zone) RETURNS timestamp with time zone
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (date_trunc('hour'::text, (COALESCE(sent_at, receipt_issued_at, first_event_at) AT TIME ZONE 'UTC'::text)) AT TIME ZONE 'UTC'::text);


ALTER FUNCTION afterpush.anchor_hour(sent_at timestamp with time zone, receipt_issued_at timestamp with time zone, first_event_at timestamp with time zone) OWNER TO afterpush_owner;

--
-- Name: FUNCTION anchor_hour(sent_at timestamp with time zone, receipt_issued_at timestamp with time zone, first_event_at timestamp with time zone); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.anchor_hour(sent_at timestamp with time zone, receipt_issued_at timestamp with time zone, first_event_at timestamp with time zone) IS 'The hour that a delivery is selected and grouped by.';


SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: sealing; Type: TABLE; Schema: afterpush; Owner: afterpush_owner
--

CREATE TABLE afterpush.sealing (
    singleton boolean DEFAULT true NOT NULL,
    announced_before timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    announced_at timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    after_batch bigint,
    retained_at timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    CONSTRAINT sealing_singleton_check CHECK (singleton)
);


ALTER TABLE afterpush.sealing OWNER TO afterpush_owner;

--
-- Name: TABLE sealing; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TABLE afterpush.sealing IS 'One row: what retention is about to seal, and when it ran.';


--
-- Name: COLUMN sealing.singleton; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.sealing.singleton IS 'Always true.';


--
-- Name: COLUMN sealing.announced_before; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.sealing.announced_before IS 'Events that occurred before this are refused. Hours are sealed up to here, or about to be.';


--
-- Name: COLUMN sealing.announced_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.sealing.announced_at IS 'When something was announced last, that or a device.';


--
-- Name: COLUMN sealing.after_batch; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.sealing.after_batch IS 'Batches up to this one may hold such events.';


--
-- Name: COLUMN sealing.retained_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.sealing.retained_at IS 'When retention ran to its end, last.';


--
-- Name: announce_seal(timestamp with time zone); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.announce_seal(before timestamp with time zone) RETURNS void
    LANGUAGE sql
    BEGIN ATOMIC
 UPDATE afterpush.sealing SET announced_before = announce_seal.before, announced_at = clock_timestamp(), after_batch = NULL::bigint
   WHERE (sealing.announced_before < announce_seal.before);
END;


ALTER FUNCTION afterpush.announce_seal(before timestamp with time zone) OWNER TO afterpush_owner;

--
-- Name: FUNCTION announce_seal(before timestamp with time zone); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.announce_seal(before timestamp with time zone) IS 'Says that events before a time are refused from now on.';


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

COMMENT ON FUNCTION afterpush.as_of(app text) IS 'The time that reports of this transaction speak of.';


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

COMMENT ON FUNCTION afterpush.attribution_detail(key text) IS 'The second text of a key dimension; null when it was absent.';


--
-- Name: attribution_key(text, text, text); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.attribution_key(source_rank text, value text, rest text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (((source_rank || replace(value, ''::text, ''::text)) || ''::text) || COALESCE(('0'::text || rest), '1'::text));


ALTER FUNCTION afterpush.attribution_key(source_rank text, value text, rest text) OWNER TO afterpush_owner;

--
-- Name: FUNCTION attribution_key(source_rank text, value text, rest text); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.attribution_key(source_rank text, value text, rest text) IS 'A dimension with its source_rank as one text that sorts by bytes as the tuple does; null when its value is.';


--
-- Name: attribution_source_rank(text); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.attribution_source_rank(key text) RETURNS smallint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (COALESCE((ascii(key) - 48), 4))::smallint;


ALTER FUNCTION afterpush.attribution_source_rank(key text) OWNER TO afterpush_owner;

--
-- Name: FUNCTION attribution_source_rank(key text); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.attribution_source_rank(key text) IS 'The source_rank of a key dimension: 4 where nothing states it.';


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

COMMENT ON FUNCTION afterpush.attribution_value(key text) IS 'The first text of a key dimension.';


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

COMMENT ON FUNCTION afterpush.gamma_tails(a double precision, x double precision, OUT lower double precision, OUT upper double precision) IS 'The regularised incomplete gamma functions P and Q; null outside 0 < a <= 10^6, x >= 0.';


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

COMMENT ON FUNCTION afterpush.chi_square_cdf(statistic double precision, degrees integer) IS 'The chi-square distribution function.';


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

COMMENT ON FUNCTION afterpush.gamma_q(a double precision, x double precision) IS 'The upper regularised incomplete gamma function; null outside 0 < a <= 10^6, x >= 0.';


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

COMMENT ON FUNCTION afterpush.chi_square_p(statistic double precision, degrees integer) IS 'The probability of a chi-square statistic that is at least so large.';


--
-- Name: compact_batches(bigint, integer); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.compact_batches(after bigint, max integer) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
declare
    last bigint;
begin
    perform from afterpush.sealing for update;
    select max(batch_id)
    into last
    from (select batch_id from afterpush.batches where batch_id > after order by batch_id limit max) as slice;
    if last is null then
        return null;
    end if;
    with folded as materialized (
        select
            max(b.batch_id) as batch_id,
            min(b.started_at) as started_at,
            sum(b.events)::integer as events,
            sum(b.duplicates)::integer as duplicates,
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
        set started_at = f.started_at,
            events = f.events,
            duplicates = f.duplicates,
            conflicts = f.conflicts,
            rejected = f.rejected
        from folded as f
        where b.batch_id = f.batch_id
    )
    delete from afterpush.batches as b
    using folded as f
    where b.batch_id = any (f.batch_ids)
      and b.batch_id <> f.batch_id;
    return last;
end
$$;


ALTER FUNCTION afterpush.compact_batches(after bigint, max integer) OWNER TO afterpush_owner;

--
-- Name: FUNCTION compact_batches(after bigint, max integer); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.compact_batches(after bigint, max integer) IS 'Makes one row of old batches of an app and hour that hold no events any more.';


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

COMMENT ON TABLE afterpush.events IS 'The log: each stored event once, never changed. Partitioned by month of device_time.';


--
-- Name: COLUMN events.delivery_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events.delivery_id IS 'Derived from app, notification and device; from app and device for kinds about the device alone.';


--
-- Name: COLUMN events.event_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events.event_id IS 'The sender''s idempotency key.';


--
-- Name: COLUMN events.device_time; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events.device_time IS 'occurred_at as the device sent it.';


--
-- Name: COLUMN events.occurred_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events.occurred_at IS 'device_time corrected by the skew of the device''s clock, if that was stated and 60 s or more.';


--
-- Name: COLUMN events.batch_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events.batch_id IS 'The batch that stored it.';


--
-- Name: COLUMN events.app_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events.app_id IS 'The app of the key it was posted with.';


--
-- Name: COLUMN events.kind; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events.kind IS 'What happened.';


--
-- Name: COLUMN events.verified; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events.verified IS 'Shown to be about a notification that was sent: posted with a send key, or with a receipt bound to the device.';


--
-- Name: COLUMN events.category_version; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events.category_version IS 'Version of the category, if stated.';


--
-- Name: COLUMN events.utc_offset_minutes; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events.utc_offset_minutes IS 'The device''s offset from UTC, in minutes.';


--
-- Name: COLUMN events.text_length; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events.text_length IS 'UTF-8 bytes of the typed text; the text itself is in replies alone.';


--
-- Name: COLUMN events.skew_milliseconds; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events.skew_milliseconds IS 'Collector''s clock minus sent_at, in milliseconds; null when the request stated no sent_at.';


--
-- Name: COLUMN events.receipt_issued_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events.receipt_issued_at IS 'When the receipt that came with it was issued.';


--
-- Name: COLUMN events.device_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events.device_id IS 'The device.';


--
-- Name: COLUMN events.notification_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events.notification_id IS 'The notification; null for kinds about the device alone.';


--
-- Name: COLUMN events.action_identifier; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events.action_identifier IS 'As the platform gave it.';


--
-- Name: COLUMN events.campaign_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events.campaign_id IS 'Campaign, if stated.';


--
-- Name: COLUMN events.variant; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events.variant IS 'Variant of the campaign, if stated.';


--
-- Name: COLUMN events.category_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events.category_id IS 'Category, if stated.';


--
-- Name: COLUMN events.platform; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events.platform IS 'ios, macos, watchos, visionos, android or web.';


--
-- Name: COLUMN events.app_version; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events.app_version IS 'Version of the app.';


--
-- Name: COLUMN events.os_version; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events.os_version IS 'Version of the operating system.';


--
-- Name: COLUMN events.locale; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events.locale IS 'Locale of the device.';


--
-- Name: COLUMN events.surface; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events.surface IS 'Where it happened: banner, list, watch and the like.';


--
-- Name: COLUMN events.trigger; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events.trigger IS 'push, time_interval, calendar or location.';


--
-- Name: COLUMN events.app_state; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events.app_state IS 'State of the app when it happened.';


--
-- Name: COLUMN events.dismiss_cause; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events.dismiss_cause IS 'Why it was dismissed, where the platform tells.';


--
-- Name: COLUMN events.handling; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events.handling IS 'Who handled the response: app, extension or forwarded.';


--
-- Name: COLUMN events.reason; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events.reason IS 'Reason of a failure.';


--
-- Name: COLUMN events.name; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events.name IS 'Name of a conversion.';


--
-- Name: COLUMN events.value; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events.value IS 'Value of a conversion, in currency.';


--
-- Name: COLUMN events.currency; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events.currency IS 'ISO 4217 code of value.';


--
-- Name: COLUMN events.properties; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events.properties IS 'Everything else that was sent.';


--
-- Name: conflicting_events(uuid[], uuid[], timestamp with time zone[], text[], text[], integer[], text[], text[], text[], integer[], text[], jsonb[]); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.conflicting_events(delivery_ids uuid[], event_ids uuid[], device_times timestamp with time zone[], kinds text[], action_identifiers text[], text_lengths integer[], campaign_ids text[], variants text[], category_ids text[], category_versions integer[], platforms text[], properties jsonb[]) RETURNS bigint
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    RETURN (SELECT count(*) AS count FROM (UNNEST(conflicting_events.delivery_ids, conflicting_events.event_ids, conflicting_events.device_times, conflicting_events.kinds, conflicting_events.action_identifiers, conflicting_events.text_lengths, conflicting_events.campaign_ids, conflicting_events.variants, conflicting_events.category_ids, conflicting_events.category_versions, conflicting_events.platforms, conflicting_events.properties) i(delivery_id, event_id, device_time, kind, action_identifier, text_length, campaign_id, variant, category_id, category_version, platform, properties) JOIN afterpush.events e USING (delivery_id, event_id, device_time)) WHERE (((((((((i.kind IS DISTINCT FROM (e.kind)::text) OR (i.action_identifier IS DISTINCT FROM e.action_identifier)) OR (i.text_length IS DISTINCT FROM e.text_length)) OR (i.campaign_id IS DISTINCT FROM e.campaign_id)) OR (i.variant IS DISTINCT FROM e.variant)) OR (i.category_id IS DISTINCT FROM e.category_id)) OR (i.category_version IS DISTINCT FROM e.category_version)) OR (i.platform IS DISTINCT FROM e.platform)) OR (i.properties IS DISTINCT FROM e.properties)));


ALTER FUNCTION afterpush.conflicting_events(delivery_ids uuid[], event_ids uuid[], device_times timestamp with time zone[], kinds text[], action_identifiers text[], text_lengths integer[], campaign_ids text[], variants text[], category_ids text[], category_versions integer[], platforms text[], properties jsonb[]) OWNER TO afterpush_owner;

--
-- Name: FUNCTION conflicting_events(delivery_ids uuid[], event_ids uuid[], device_times timestamp with time zone[], kinds text[], action_identifiers text[], text_lengths integer[], campaign_ids text[], variants text[], category_ids text[], category_versions integer[], platforms text[], properties jsonb[]); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.conflicting_events(delivery_ids uuid[], event_ids uuid[], device_times timestamp with time zone[], kinds text[], action_identifiers text[], text_lengths integer[], campaign_ids text[], variants text[], category_ids text[], category_versions integer[], platforms text[], properties jsonb[]) IS 'How many of some events are stored with other content.';


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

COMMENT ON FUNCTION afterpush.definitions(names text[]) IS 'The definitions that hold of some metrics, as JSON objects.';


--
-- Name: delivery_deltas(bigint[], bigint[], uuid, uuid); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.delivery_deltas("only" bigint[], without bigint[], "from" uuid DEFAULT NULL::uuid, "to" uuid DEFAULT NULL::uuid) RETURNS SETOF afterpush.delivery_delta
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
        min(occurred_at),
        min(occurred_at) filter (where bit = 1),
        min(receipt_issued_at),
        min(occurred_at) filter (where bit = 4),
        min(occurred_at) filter (where bit & 480 <> 0),
        min(occurred_at) filter (where verified and bit = 1),
        min(occurred_at) filter (where verified and bit = 4),
        min(occurred_at) filter (where verified and bit & 480 <> 0),
        min(notification_id),
        min(device_id),
        array_agg(row(
            action_identifier, occurred_at, 1, case when verified then occurred_at end, verified::integer
        )::afterpush.delivery_action) filter (where bit & 192 <> 0),
        array_agg(afterpush.hour_of(occurred_at)),
        array_agg(bit * 2 + verified::integer)
    from (
        select
            *,
            afterpush.kind_bit(kind) as bit,
            case kind when 'sent' then '1' when 'delivered' then '2' else '3' end as source_rank
        from afterpush.events
        where ("only" is null or batch_id = any ("only"))
          and (without is null or batch_id <> all (without))
          and kind < 'token_registered'
          and ("from" is null or delivery_id >= "from")
          and ("to" is null or delivery_id < "to")
    ) as taken
    group by delivery_id
$$;


ALTER FUNCTION afterpush.delivery_deltas("only" bigint[], without bigint[], "from" uuid, "to" uuid) OWNER TO afterpush_owner;

--
-- Name: FUNCTION delivery_deltas("only" bigint[], without bigint[], "from" uuid, "to" uuid); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.delivery_deltas("only" bigint[], without bigint[], "from" uuid, "to" uuid) IS 'Deliveries as the events of some batches tell them.';


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

COMMENT ON FUNCTION afterpush.device_hash(device text, inner_block bytea, outer_block bytea) IS 'HMAC-SHA-256 of a device''s id.';


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

COMMENT ON FUNCTION afterpush.device_identity(app integer, device text) IS 'delivery_id of the events that are about a device alone.';


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

COMMENT ON FUNCTION afterpush.difference(k1 bigint, n1 bigint, k0 bigint, n0 bigint) IS 'The difference k1/n1 - k0/n0; null unless both are proportions.';


--
-- Name: wilson_lower_margin(bigint, bigint); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.wilson_lower_margin(k bigint, n bigint) RETURNS double precision
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN CASE WHEN ((k > 0) AND (k <= n)) THEN (((1.959963984540054)::double precision * (sqrt((((k)::double precision * (((n - k))::double precision / (n)::double precision)) + (0.960364705173531)::double precision)) - ((1.959963984540054)::double precision * ((0.5)::double precision - ((k)::double precision / (n)::double precision))))) / ((n)::double precision + (3.841458820694124)::double precision)) WHEN ((k = 0) AND (n > 0)) THEN (0.0)::double precision ELSE NULL::double precision END;


ALTER FUNCTION afterpush.wilson_lower_margin(k bigint, n bigint) OWNER TO afterpush_owner;

--
-- Name: FUNCTION wilson_lower_margin(k bigint, n bigint); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.wilson_lower_margin(k bigint, n bigint) IS 'How far the lower bound of the Wilson score interval lies below k/n.';


--
-- Name: difference_low(bigint, bigint, bigint, bigint); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.difference_low(k1 bigint, n1 bigint, k0 bigint, n0 bigint) RETURNS double precision
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN (afterpush.difference(k1, n1, k0, n0) - sqrt((power(afterpush.wilson_lower_margin(k1, n1), (2)::double precision) + power(afterpush.wilson_lower_margin((n0 - k0), n0), (2)::double precision))));


ALTER FUNCTION afterpush.difference_low(k1 bigint, n1 bigint, k0 bigint, n0 bigint) OWNER TO afterpush_owner;

--
-- Name: FUNCTION difference_low(k1 bigint, n1 bigint, k0 bigint, n0 bigint); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.difference_low(k1 bigint, n1 bigint, k0 bigint, n0 bigint) IS 'Lower bound of Newcombe''s hybrid score interval of k1/n1 - k0/n0 at 95 %.';


--
-- Name: difference_high(bigint, bigint, bigint, bigint); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.difference_high(k1 bigint, n1 bigint, k0 bigint, n0 bigint) RETURNS double precision
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN (- afterpush.difference_low(k0, n0, k1, n1));


ALTER FUNCTION afterpush.difference_high(k1 bigint, n1 bigint, k0 bigint, n0 bigint) OWNER TO afterpush_owner;

--
-- Name: FUNCTION difference_high(k1 bigint, n1 bigint, k0 bigint, n0 bigint); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.difference_high(k1 bigint, n1 bigint, k0 bigint, n0 bigint) IS 'Upper bound of Newcombe''s hybrid score interval of k1/n1 - k0/n0 at 95 %.';


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
    actions afterpush.delivery_action[]
)
WITH (fillfactor='80');


ALTER TABLE afterpush.deliveries OWNER TO afterpush_owner;

--
-- Name: TABLE deliveries; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TABLE afterpush.deliveries IS 'One row per delivery: one notification on one device, as a function of its stored events.';


--
-- Name: COLUMN deliveries.delivery_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.deliveries.delivery_id IS 'As in events.';


--
-- Name: COLUMN deliveries.app_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.deliveries.app_id IS 'The app.';


--
-- Name: COLUMN deliveries.kinds; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.deliveries.kinds IS 'Bits of the kinds of its events (function kind_bit).';


--
-- Name: COLUMN deliveries.verified_kinds; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.deliveries.verified_kinds IS 'Bits of the kinds of its verified events.';


--
-- Name: COLUMN deliveries.platform_source_rank; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.deliveries.platform_source_rank IS 'Who states the platform: 1 a send, 2 a confirmation, 3 another event, 4 nobody.';


--
-- Name: COLUMN deliveries.app_version_source_rank; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.deliveries.app_version_source_rank IS 'Who states the app version; see platform_source_rank.';


--
-- Name: COLUMN deliveries.campaign_source_rank; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.deliveries.campaign_source_rank IS 'Who states campaign and variant; see platform_source_rank.';


--
-- Name: COLUMN deliveries.category_source_rank; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.deliveries.category_source_rank IS 'Who states category and version; see platform_source_rank.';


--
-- Name: COLUMN deliveries.category_version; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.deliveries.category_version IS 'Stated version of the category; null takes the one in force at the anchor''s hour.';


--
-- Name: COLUMN deliveries.first_event_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.deliveries.first_event_at IS 'Earliest occurred_at of all its events.';


--
-- Name: COLUMN deliveries.sent_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.deliveries.sent_at IS 'Earliest occurred_at of its sent events.';


--
-- Name: COLUMN deliveries.receipt_issued_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.deliveries.receipt_issued_at IS 'Earliest issue time of the receipts that came back.';


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
-- Name: COLUMN deliveries.actions; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.deliveries.actions IS 'What was tapped or answered: action, earliest time, number of events.';


--
-- Name: differing_deliveries(timestamp with time zone, uuid, uuid); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.differing_deliveries(sealed timestamp with time zone, "from" uuid, "to" uuid) RETURNS TABLE(rebuilt afterpush.deliveries, stored_id uuid)
    LANGUAGE plpgsql STABLE COST 1e+08 PARALLEL SAFE
    SET plan_cache_mode TO 'force_custom_plan'
    SET enable_hashagg TO 'off'
    AS $$
declare
    -- Asked here, in the snapshot that events are read in: one that is stored in between would be counted twice.
    waiting constant bigint[] :=
        (select coalesce(array_agg(batch_id), '{}') from afterpush.batches where rolled_up_at is null);
begin
    return query
    select r.rebuilt, s.delivery_id
    from (
        select m.delivery_id, row(m.*)::afterpush.deliveries as rebuilt
        from afterpush.merged_deliveries(null, waiting, "from", "to") as m
        where afterpush.anchor_hour(m.sent_at, m.receipt_issued_at, m.first_event_at) >= sealed
        -- So that each value is worked out once.
        offset 0
    ) as r
    full join (
        select
            d.delivery_id, d as stored,
            afterpush.anchor_hour(d.sent_at, d.receipt_issued_at, d.first_event_at) < sealed as is_sealed
        from afterpush.deliveries as d
        where ("from" is null or d.delivery_id >= "from")
          and ("to" is null or d.delivery_id < "to")
    ) as s using (delivery_id)
    where r.rebuilt is distinct from s.stored
      and case
          when s.delivery_id is null then true
          when r.delivery_id is null then not s.is_sealed and (s.stored).device_id is not null
          -- Of a delivery of a sealed hour some events may be gone.
          else not s.is_sealed or s.delivery_id in (select l.delivery_id from afterpush.late_deliveries as l)
      end;
end
$$;


ALTER FUNCTION afterpush.differing_deliveries(sealed timestamp with time zone, "from" uuid, "to" uuid) OWNER TO afterpush_owner;

--
-- Name: FUNCTION differing_deliveries(sealed timestamp with time zone, "from" uuid, "to" uuid); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.differing_deliveries(sealed timestamp with time zone, "from" uuid, "to" uuid) IS 'Deliveries, of a range of delivery_ids, that are not stored as their events tell them.';


--
-- Name: event_content(text, text, integer, text, text, text, integer, text, text, text, text, text, text, text, text, text, integer, text, text, numeric, text, jsonb); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.event_content(kind text, action_identifier text, text_length integer, campaign_id text, variant text, category_id text, category_version integer, platform text, app_version text, os_version text, locale text, surface text, trigger text, app_state text, dismiss_cause text, handling text, utc_offset_minutes integer, reason text, name text, value numeric, currency text, properties jsonb) RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN (ROW(kind, action_identifier, text_length, campaign_id, variant, category_id, category_version, platform, app_version, os_version, locale, surface, trigger, app_state, dismiss_cause, handling, utc_offset_minutes, reason, name, trim_scale(value), currency, properties))::text;


ALTER FUNCTION afterpush.event_content(kind text, action_identifier text, text_length integer, campaign_id text, variant text, category_id text, category_version integer, platform text, app_version text, os_version text, locale text, surface text, trigger text, app_state text, dismiss_cause text, handling text, utc_offset_minutes integer, reason text, name text, value numeric, currency text, properties jsonb) OWNER TO afterpush_owner;

--
-- Name: FUNCTION event_content(kind text, action_identifier text, text_length integer, campaign_id text, variant text, category_id text, category_version integer, platform text, app_version text, os_version text, locale text, surface text, trigger text, app_state text, dismiss_cause text, handling text, utc_offset_minutes integer, reason text, name text, value numeric, currency text, properties jsonb); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.event_content(kind text, action_identifier text, text_length integer, campaign_id text, variant text, category_id text, category_version integer, platform text, app_version text, os_version text, locale text, surface text, trigger text, app_state text, dismiss_cause text, handling text, utc_offset_minutes integer, reason text, name text, value numeric, currency text, properties jsonb) IS 'All that an event says, as one text.';


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

COMMENT ON TABLE afterpush.replies IS 'What people typed: kept apart from events, with a retention of its own.';


--
-- Name: COLUMN replies.app_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.replies.app_id IS 'The app.';


--
-- Name: COLUMN replies.delivery_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.replies.delivery_id IS 'The delivery that was answered.';


--
-- Name: COLUMN replies.event_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.replies.event_id IS 'The event that carried the text.';


--
-- Name: COLUMN replies.device_time; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.replies.device_time IS 'As in events.';


--
-- Name: COLUMN replies.user_text; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.replies.user_text IS 'The text.';


--
-- Name: COLUMN replies.stored_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.replies.stored_at IS 'When it was stored; retention counts from here.';


--
-- Name: differing_events(uuid[], uuid[], timestamp with time zone[], text[], text[]); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.differing_events(delivery_ids uuid[], event_ids uuid[], device_times timestamp with time zone[], contents text[], user_texts text[]) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    RETURN (SELECT count(*) AS count FROM ((UNNEST(differing_events.delivery_ids, differing_events.event_ids, differing_events.device_times, differing_events.contents, differing_events.user_texts) i(delivery_id, event_id, device_time, content, user_text) JOIN afterpush.events e USING (delivery_id, event_id, device_time)) LEFT JOIN afterpush.replies r USING (delivery_id, event_id, device_time)) WHERE ((i.user_text <> r.user_text) OR (i.content <> afterpush.event_content((e.kind)::text, e.action_identifier, e.text_length, e.campaign_id, e.variant, e.category_id, e.category_version, e.platform, e.app_version, e.os_version, e.locale, e.surface, e.trigger, e.app_state, e.dismiss_cause, e.handling, e.utc_offset_minutes, e.reason, e.name, e.value, e.currency, e.properties))));


ALTER FUNCTION afterpush.differing_events(delivery_ids uuid[], event_ids uuid[], device_times timestamp with time zone[], contents text[], user_texts text[]) OWNER TO afterpush_owner;

--
-- Name: FUNCTION differing_events(delivery_ids uuid[], event_ids uuid[], device_times timestamp with time zone[], contents text[], user_texts text[]); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.differing_events(delivery_ids uuid[], event_ids uuid[], device_times timestamp with time zone[], contents text[], user_texts text[]) IS 'How many of some events are stored with other content.';


--
-- Name: drop_expired_partition(); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.drop_expired_partition() RETURNS text
    LANGUAGE plpgsql
    AS $_$
declare
    sealed timestamptz;
    part text;
    waiting bigint[];
begin
    -- Nothing is merged meanwhile, so what is needed now is needed at the end, and what comes in waits.
    select sealed_before into sealed from afterpush.rollup_worker for update;
    select p into part from afterpush.expired_partitions(sealed) as p limit 1;
    if part is null then
        return null;
    end if;
    execute format(
        'create temporary table needed_events on commit drop as
         select e.*
         from afterpush.%I as e
         left join afterpush.deliveries as d using (delivery_id)
         where e.occurred_at >= %L
            or afterpush.anchor_hour(d.sent_at, d.receipt_issued_at, d.first_event_at) >= %L',
        part, sealed, sealed
    );
    lock table afterpush.events in access exclusive mode;
    select coalesce(array_agg(batch_id), '{}') into waiting from afterpush.batches where rolled_up_at is null;
    execute format(
        'insert into pg_temp.needed_events
         select * from afterpush.%I where batch_id = any ($1)
         except select * from pg_temp.needed_events', part
    ) using waiting;
    execute format('drop table afterpush.%I', part);
    insert into afterpush.events select * from pg_temp.needed_events;
    return part;
end
$_$;


ALTER FUNCTION afterpush.drop_expired_partition() OWNER TO afterpush_owner;

--
-- Name: FUNCTION drop_expired_partition(); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.drop_expired_partition() IS 'Drops the oldest month of events that is sealed as a whole, but for events that are still needed.';


--
-- Name: effective_attribution(text, integer); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.effective_attribution(key text, kinds integer) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN (((kinds & 5) = 0) OR (ascii(key) < 51)) THEN key ELSE NULL::text END;


ALTER FUNCTION afterpush.effective_attribution(key text, kinds integer) OWNER TO afterpush_owner;

--
-- Name: FUNCTION effective_attribution(key text, kinds integer); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.effective_attribution(key text, kinds integer) IS 'A key dimension, unless it does not count.';


--
-- Name: enforce_suppression(); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.enforce_suppression() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
    lock table afterpush.ingest_barrier in row exclusive mode;
    if (select announced_at from afterpush.sealing) > clock_timestamp() - interval '10 minutes'
        and afterpush.has_suppressed_events(new.batch_id)
    then
        raise exception 'events are excluded' using errcode = 'AP001';
    end if;
    return null;
end
$$;


ALTER FUNCTION afterpush.enforce_suppression() OWNER TO afterpush_owner;

--
-- Name: FUNCTION enforce_suppression(); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.enforce_suppression() IS 'Refuses a batch with events that were announced not to be stored.';


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
    part text;
    made integer := 0;
begin
    for i in -months_back..months_ahead loop
        month := (date_trunc('month', at at time zone 'UTC') + make_interval(months => i)) at time zone 'UTC';
        next_month := (month at time zone 'UTC' + interval '1 month') at time zone 'UTC';
        part := 'events_' || to_char(month at time zone 'UTC', 'YYYY_MM');
        continue when to_regclass('afterpush.' || part) is not null;
        continue when exists (select from afterpush.rollup_worker where sealed_before >= next_month);
        lock table afterpush.events in access exclusive mode;
        -- Someone else may have made it meanwhile.
        continue when to_regclass('afterpush.' || part) is not null;
        execute format('create table afterpush.%I (like afterpush.events including defaults including constraints including comments)',
            part
        );
        if exists (
            select from afterpush.events_default where device_time >= month and device_time < next_month
        ) then
            execute format(
                'with moved as (delete from afterpush.events_default where device_time >= %L and device_time < %L
                 returning *) insert into afterpush.%I select * from moved',
                month, next_month, part
            );
        end if;
        execute format(
            'alter table afterpush.events attach partition afterpush.%I for values from (%L) to (%L)',
            part, month, next_month
        );
        execute format('comment on table afterpush.%I is %L', part,
                       'Events of one month of device_time, ' || to_char(month at time zone 'UTC', 'YYYY-MM') || ' UTC.');
        made := made + 1;
    end loop;
    return made;
end
$$;


ALTER FUNCTION afterpush.ensure_partitions(at timestamp with time zone, months_back integer, months_ahead integer) OWNER TO afterpush_owner;

--
-- Name: FUNCTION ensure_partitions(at timestamp with time zone, months_back integer, months_ahead integer); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.ensure_partitions(at timestamp with time zone, months_back integer, months_ahead integer) IS 'Makes the monthly partitions of events around a time; returns how many it made.';


--
-- Name: erase_device_chunk(integer, text, integer); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.erase_device_chunk(app integer, device text, max integer) RETURNS TABLE(events bigint, replies bigint, deliveries bigint)
    LANGUAGE plpgsql
    AS $$
declare
    taken uuid[];
    alone uuid := afterpush.device_identity(app, device);
begin
    select array_agg(delivery_id)
    into taken
    from (
        select d.delivery_id, sum(d.events) over (order by d.delivery_id) - d.events as events_before
        from (
            select
                d.delivery_id,
                (select count(*) from (select from afterpush.events as e where e.delivery_id = d.delivery_id limit 5000) as few)
                as events
            from afterpush.deliveries as d
            where d.app_id = app
              and d.device_id = device
            order by d.delivery_id
            limit max
        ) as d
    ) as slice
    where events_before < 5000;
    if taken is null then
        -- Of the device alone: they have no delivery, and no dimension but a platform.
        with gone as (
            delete from afterpush.events as e
            where (e.delivery_id, e.event_id, e.device_time) in (
                select s.delivery_id, s.event_id, s.device_time
                from afterpush.events as s
                where s.delivery_id = alone
                limit 5000
            )
            returning e.occurred_at, e.platform, e.kind, e.verified
        ),
        kept as (
            insert into afterpush.erased_event_counts as k
            select
                app, afterpush.hour_of(g.occurred_at), '', '', '', coalesce(g.platform, ''), g.kind,
                count(*), count(*) filter (where g.verified)
            from gone as g
            group by 1, 2, 3, 4, 5, 6, 7
            on conflict (app_id, event_hour, campaign_id, variant, category_id, platform, kind) do update set
                events = k.events + excluded.events,
                verified_events = k.verified_events + excluded.verified_events
        )
        select count(*), 0, 0 into events, replies, deliveries from gone;
        return next;
        return;
    end if;

    perform afterpush.preserve_event_counts(taken);
    with gone as (
        delete from afterpush.replies where delivery_id = any (taken) returning 1
    )
    select count(*) into replies from gone;
    with gone as (
        delete from afterpush.events as e where e.delivery_id = any (taken) returning 1
    )
    select count(*) into events from gone;
    with changed as (
        update afterpush.deliveries as d
        set delivery_id = gen_random_uuid(),
            device_id = null,
            notification_id = null
        where d.delivery_id = any (taken)
        returning 1
    )
    select count(*) into deliveries from changed;
    delete from afterpush.late_deliveries where delivery_id = any (taken);
    return next;
end
$$;


ALTER FUNCTION afterpush.erase_device_chunk(app integer, device text, max integer) OWNER TO afterpush_owner;

--
-- Name: FUNCTION erase_device_chunk(app integer, device text, max integer); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.erase_device_chunk(app integer, device text, max integer) IS 'Deletes some of what is stored of a device.';


--
-- Name: erase_step(integer); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.erase_step(max integer) RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    job afterpush.erasures;
    swept record;
    read_from bigint;
    read_to bigint;
begin
    if not exists (select from afterpush.erasures where finished_at is null) then
        return 'idle';
    end if;
    perform from afterpush.rollup_worker for update skip locked;
    if not found then
        return 'busy';
    end if;

    -- What is stored from here on is checked, and what was stored before is merged before it is swept.
    if exists (select from afterpush.erasures where phase = 'announced') then
        read_to := afterpush.last_batch_before_barrier();
        update afterpush.erasures set phase = 'merging', after_batch = read_to where phase = 'announced';
        return 'working';
    end if;
    update afterpush.erasures as e
    set phase = case when e.device_id is null then 'searching' else 'sweeping' end
    where (e.phase = 'merging' or e.phase = 'searching' and e.device_id is not null)
      and not exists (
          select from afterpush.batches as b where b.rolled_up_at is null and b.batch_id <= e.after_batch
      );
    if found then
        return 'working';
    end if;

    select *
    into job
    from afterpush.erasures as e
    where e.phase = 'sweeping'
    order by e.requested_at, e.app_id, e.device_hash
    limit 1;
    if found then
        select * into swept from afterpush.erase_device_chunk(job.app_id, job.device_id, max);
        update afterpush.erasures as e
        set phase = case when swept.events + swept.replies + swept.deliveries > 0 then 'sweeping' else 'refusals' end,
            events = e.events + swept.events,
            replies = e.replies + swept.replies,
            deliveries = e.deliveries + swept.deliveries
        where (e.app_id, e.device_hash) = (job.app_id, job.device_hash);
        return 'working';
    end if;
    if exists (select from afterpush.erasures where phase = 'searching') then
        return 'search';
    end if;

    -- For a moment there may be collectors that keep refused events of the device as they came.
    update afterpush.erasures as e
    set phase = 'done', device_id = null, finished_at = clock_timestamp()
    where e.phase = 'refusals'
      and e.requested_at < clock_timestamp() - interval '2 seconds'
      and not exists (select from afterpush.rejected_events as r where r.rejection_id > e.refusals_read);
    if found then
        return 'working';
    end if;
    select e.refusals_read
    into read_from
    from afterpush.erasures as e
    where e.phase = 'refusals'
    order by e.requested_at, e.app_id, e.device_hash
    limit 1;
    if not found then
        return 'waiting';
    end if;
    select max(rejection_id)
    into read_to
    from (
        select rejection_id
        from afterpush.rejected_events
        where rejection_id > read_from
        order by rejection_id
        limit max * 10
    ) as slice;
    if read_to is null then
        return 'waiting';
    end if;
    with named as materialized (
        select r.rejection_id, e.app_id, e.device_hash
        from afterpush.rejected_events as r
        cross join lateral afterpush.named_devices(r.event) as named (devices)
        join afterpush.erasures as e
            on e.phase = 'refusals'
            and e.app_id = r.app_id
            and e.device_id = any (named.devices)
        where r.rejection_id > read_from
          and r.rejection_id <= read_to
    ),
    gone as (
        delete from afterpush.rejected_events as r
        using named
        where r.rejection_id = named.rejection_id
    )
    update afterpush.erasures as e
    set refusals_read = greatest(e.refusals_read, case when e.refusals_read >= read_from then read_to else 0 end),
        rejected = e.rejected + (
            select count(*) from named where (named.app_id, named.device_hash) = (e.app_id, e.device_hash)
        )
    where e.phase = 'refusals';
    return 'working';
end
$$;


ALTER FUNCTION afterpush.erase_step(max integer) OWNER TO afterpush_owner;

--
-- Name: FUNCTION erase_step(max integer); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.erase_step(max integer) IS 'Does the next step of the oldest erasure that is not done.';


--
-- Name: excluded_events(integer[], text[], timestamp with time zone[]); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.excluded_events(app_ids integer[], device_ids text[], times timestamp with time zone[]) RETURNS TABLE(place integer, is_late boolean)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    select e.place::integer, e.occurred_at < z.announced_before
    from unnest(app_ids, device_ids, times) with ordinality as e (app_id, device_id, occurred_at, place)
    cross join afterpush.sealing as z
    where e.occurred_at < z.announced_before
       or exists (
           select
           from afterpush.suppression_keys as k
           join afterpush.suppressed_devices as s using (key_id)
           where s.app_id = e.app_id
             and s.device_hash = afterpush.device_hash(e.device_id, k.inner_block, k.outer_block)
       )
$$;


ALTER FUNCTION afterpush.excluded_events(app_ids integer[], device_ids text[], times timestamp with time zone[]) OWNER TO afterpush_owner;

--
-- Name: FUNCTION excluded_events(app_ids integer[], device_ids text[], times timestamp with time zone[]); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.excluded_events(app_ids integer[], device_ids text[], times timestamp with time zone[]) IS 'Which of some events are before what is sealed, or of a device that was erased.';


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

COMMENT ON FUNCTION afterpush.expired_partitions(before timestamp with time zone) IS 'The monthly partitions of events that end by a time, oldest first.';


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
        select e.app_id, e.device_id from afterpush.events as e where e.kind >= 'token_registered'
        union
        select r.app_id, named.device
        from afterpush.rejected_events as r
        cross join unnest(afterpush.named_devices(r.event)) as named (device)
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
    -- Nothing is stored of the others.
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

COMMENT ON FUNCTION afterpush.find_erased_devices() IS 'Finds the devices of erasures that only know a hash.';


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

COMMENT ON FUNCTION afterpush.first_instant(midnight timestamp without time zone, tz text) IS 'When a local day begins.';


--
-- Name: has_suppressed_events(bigint); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.has_suppressed_events(batch bigint) RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    select exists (
        select
        from afterpush.events as e
        cross join afterpush.sealing as z
        where e.batch_id = batch
          and e.occurred_at < z.announced_before
    ) or exists (
        select
        from afterpush.events as e
        cross join afterpush.suppression_keys as k
        join afterpush.suppressed_devices as s
            on s.app_id = e.app_id
            and s.device_hash = afterpush.device_hash(e.device_id, k.inner_block, k.outer_block)
        where e.batch_id = batch
          and s.suppressed_at > clock_timestamp() - interval '10 minutes'
    )
$$;


ALTER FUNCTION afterpush.has_suppressed_events(batch bigint) OWNER TO afterpush_owner;

--
-- Name: FUNCTION has_suppressed_events(batch bigint); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.has_suppressed_events(batch bigint) IS 'Whether a batch has events that were announced lately not to be stored.';


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

COMMENT ON FUNCTION afterpush.hold_ingest_barrier() IS 'Keeps ingest_barrier until the transaction ends, beside others that store.';


--
-- Name: holm(double precision[]); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.holm(p double precision[]) RETURNS double precision[]
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
    select coalesce(array_agg(adjusted order by place), '{}')
    from (
        select place, case when q is not null then least(1, max(q * (tests - rank + 1)) over (order by rank)) end as adjusted
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

COMMENT ON FUNCTION afterpush.holm(p double precision[]) IS 'p values adjusted by Holm''s method, in the order given; null stays null and counts for nothing.';


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

COMMENT ON FUNCTION afterpush.key_block(key bytea, pad integer) IS 'A key padded and masked to a block, as HMAC (RFC 2104) takes it.';


--
-- Name: kind_bit(afterpush.event_kind); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.kind_bit(kind afterpush.event_kind) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE kind WHEN 'sent'::afterpush.event_kind THEN 1 WHEN 'failed'::afterpush.event_kind THEN 2 WHEN 'delivered'::afterpush.event_kind THEN 4 WHEN 'displayed'::afterpush.event_kind THEN 8 WHEN 'read'::afterpush.event_kind THEN 16 WHEN 'opened'::afterpush.event_kind THEN 32 WHEN 'action'::afterpush.event_kind THEN 64 WHEN 'text_input'::afterpush.event_kind THEN 128 WHEN 'dismissed'::afterpush.event_kind THEN 256 WHEN 'converted'::afterpush.event_kind THEN 512 WHEN 'replaced'::afterpush.event_kind THEN 1024 WHEN 'media_played'::afterpush.event_kind THEN 2048 WHEN 'media_paused'::afterpush.event_kind THEN 4096 WHEN 'attachment_failed'::afterpush.event_kind THEN 8192 WHEN 'extension_expired'::afterpush.event_kind THEN 16384 ELSE 0 END;


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
begin
    lock table afterpush.ingest_barrier in share mode;
    return (select last_value from afterpush.batch_ids);
end
$$;


ALTER FUNCTION afterpush.last_batch_before_barrier() OWNER TO afterpush_owner;

--
-- Name: FUNCTION last_batch_before_barrier(); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.last_batch_before_barrier() IS 'The last batch that may hold what was announced not to be stored.';


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

COMMENT ON FUNCTION afterpush.ln_gamma(a double precision) IS 'The logarithm of the gamma function, for a > 0.';


--
-- Name: merged_actions(afterpush.delivery_action[]); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.merged_actions(told afterpush.delivery_action[]) RETURNS afterpush.delivery_action[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (SELECT array_agg(ROW(merged.action_id, merged.first_at, merged.events, merged.verified_first_at, merged.verified_events)::afterpush.delivery_action ORDER BY merged.action_id) AS array_agg FROM (SELECT t.action_id, min(t.first_at) AS first_at, (sum(t.events))::integer AS events, min(t.verified_first_at) AS verified_first_at, (sum(t.verified_events))::integer AS verified_events FROM unnest(merged_actions.told) t(action_id, first_at, events, verified_first_at, verified_events) GROUP BY t.action_id) merged);


ALTER FUNCTION afterpush.merged_actions(told afterpush.delivery_action[]) OWNER TO afterpush_owner;

--
-- Name: FUNCTION merged_actions(told afterpush.delivery_action[]); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.merged_actions(told afterpush.delivery_action[]) IS 'One set of actions of a delivery: one element per action, in byte order.';


--
-- Name: merged_deliveries(bigint[], bigint[], uuid, uuid); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.merged_deliveries("only" bigint[], without bigint[], "from" uuid DEFAULT NULL::uuid, "to" uuid DEFAULT NULL::uuid) RETURNS SETOF afterpush.deliveries
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
        afterpush.attribution_value(campaign), afterpush.attribution_detail(campaign), afterpush.attribution_value(category),
        case when cardinality(actions) > 1 then afterpush.merged_actions(actions) else actions end
    from (
        select
            delivery_id, app_id, kinds, verified_kinds,
            afterpush.effective_attribution(platform, kinds) as platform,
            afterpush.effective_attribution(app_version, kinds) as app_version,
            afterpush.effective_attribution(campaign, kinds) as campaign,
            afterpush.effective_attribution(category, kinds) as category,
            first_event_at, sent_at, receipt_issued_at, confirmed_at, responded_at,
            verified_sent_at, verified_confirmed_at, verified_responded_at, notification_id, device_id, actions
        from afterpush.delivery_deltas("only", without, "from", "to")
        offset 0
    ) as t
$$;


ALTER FUNCTION afterpush.merged_deliveries("only" bigint[], without bigint[], "from" uuid, "to" uuid) OWNER TO afterpush_owner;

--
-- Name: FUNCTION merged_deliveries("only" bigint[], without bigint[], "from" uuid, "to" uuid); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.merged_deliveries("only" bigint[], without bigint[], "from" uuid, "to" uuid) IS 'Deliveries as the events of some batches tell them.';


--
-- Name: moved_event_counts(afterpush.delivery_dimensions[]); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.moved_event_counts(before afterpush.delivery_dimensions[]) RETURNS afterpush.event_count[]
    LANGUAGE sql STABLE
    AS $$
    select array_agg(row(moving.*)::afterpush.event_count)
    from (
        select
            e.app_id, e.event_hour, side.campaign_id, side.variant, side.category_id, side.platform, e.kind,
            sum(side.sign)::bigint, coalesce(sum(side.sign) filter (where e.verified), 0)::bigint
        from unnest(before) as b
        join afterpush.merged_events as e using (delivery_id)
        -- What is sealed stays.
        join afterpush.rollup_worker as w on e.event_hour >= w.sealed_before
        cross join lateral (
            values
                (1, e.campaign_id, e.variant, e.category_id, e.platform),
                (
                    -1, coalesce(b.campaign_id, ''), coalesce(b.variant, ''), coalesce(b.category_id, ''),
                    coalesce(b.platform, '')
                )
        ) as side (sign, campaign_id, variant, category_id, platform)
        group by 1, 2, 3, 4, 5, 6, 7
        having sum(side.sign) <> 0 or sum(side.sign) filter (where e.verified) <> 0
    ) as moving
$$;


ALTER FUNCTION afterpush.moved_event_counts(before afterpush.delivery_dimensions[]) OWNER TO afterpush_owner;

--
-- Name: FUNCTION moved_event_counts(before afterpush.delivery_dimensions[]); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.moved_event_counts(before afterpush.delivery_dimensions[]) IS 'What changes in the sums of events because deliveries have other names now.';


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

COMMENT ON FUNCTION afterpush.n_needed(p1 double precision, p0 double precision) IS 'Deliveries per variant for 80 % power at 5 % for the difference of p1 and p0; null without one, and from 9e18.';


--
-- Name: named_devices(text); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.named_devices(event text) RETURNS text[]
    LANGUAGE plpgsql IMMUTABLE
    AS $$
declare
    parsed jsonb;
    found text[];
    claims text;
begin
    begin
        parsed := event::jsonb;
        found := array[parsed ->> 'device_id', parsed ->> 'receipt'];
    exception when others then
        found := array[
            substring(event from '"device_id"\s*:\s*"((?:[^"\\]|\\.)*)"'),
            substring(event from '"receipt"\s*:\s*"([^"\\]*)"')
        ];
        begin
            found[1] := ('"' || found[1] || '"')::jsonb #>> '{}';
        exception when others then null;
        end;
    end;
    begin
        claims := translate(split_part(found[2], '.', 2), '-_', '+/');
        found[2] := convert_from(decode(rpad(claims, (length(claims) + 3) / 4 * 4, '='), 'base64'), 'UTF8')::jsonb ->> 'sub';
    exception when others then found[2] := null;
    end;
    return array_remove(found, null);
end
$$;


ALTER FUNCTION afterpush.named_devices(event text) OWNER TO afterpush_owner;

--
-- Name: FUNCTION named_devices(event text); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.named_devices(event text) IS 'The devices that a refused event names.';


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

COMMENT ON FUNCTION afterpush.normal_cdf(z double precision) IS 'The standard normal distribution function.';


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

COMMENT ON FUNCTION afterpush.normal_quantile(p double precision) IS 'The quantile of the standard normal distribution; null outside 0 to 1.';


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
    rolled_up_at timestamp with time zone
)
WITH (fillfactor='90');


ALTER TABLE afterpush.batches OWNER TO afterpush_owner;

--
-- Name: TABLE batches; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TABLE afterpush.batches IS 'One row per app and ingest transaction: what it stored, and whether reports count it yet.';


--
-- Name: COLUMN batches.batch_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.batches.batch_id IS 'Carried by the events of the batch.';


--
-- Name: COLUMN batches.app_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.batches.app_id IS 'The app whose events these are.';


--
-- Name: COLUMN batches.started_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.batches.started_at IS 'The database''s clock before the transaction committed.';


--
-- Name: COLUMN batches.events; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.batches.events IS 'Events stored.';


--
-- Name: COLUMN batches.duplicates; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.batches.duplicates IS 'Events that were stored before.';


--
-- Name: COLUMN batches.conflicts; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.batches.conflicts IS 'Of the duplicates, those whose content differed from the stored one.';


--
-- Name: COLUMN batches.rejected; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.batches.rejected IS 'Events refused and kept in rejected_events.';


--
-- Name: COLUMN batches.rolled_up_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.batches.rolled_up_at IS 'When the batch was merged into deliveries and rollups; null until then.';


--
-- Name: erased_event_counts; Type: TABLE; Schema: afterpush; Owner: afterpush_owner
--

CREATE TABLE afterpush.erased_event_counts OF afterpush.event_count (
    app_id NOT NULL,
    event_hour NOT NULL,
    campaign_id NOT NULL COLLATE pg_catalog."C",
    variant NOT NULL COLLATE pg_catalog."C",
    category_id NOT NULL COLLATE pg_catalog."C",
    platform NOT NULL COLLATE pg_catalog."C",
    kind NOT NULL,
    events NOT NULL,
    verified_events NOT NULL
);


ALTER TABLE afterpush.erased_event_counts OWNER TO afterpush_owner;

--
-- Name: TABLE erased_event_counts; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TABLE afterpush.erased_event_counts IS 'How many events were erased with their device: they stay in the sums.';


--
-- Name: COLUMN erased_event_counts.app_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.erased_event_counts.app_id IS 'The app.';


--
-- Name: COLUMN erased_event_counts.event_hour; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.erased_event_counts.event_hour IS 'As in rollup_events.';


--
-- Name: COLUMN erased_event_counts.campaign_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.erased_event_counts.campaign_id IS 'As in rollup_events.';


--
-- Name: COLUMN erased_event_counts.variant; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.erased_event_counts.variant IS 'As in rollup_events.';


--
-- Name: COLUMN erased_event_counts.category_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.erased_event_counts.category_id IS 'As in rollup_events.';


--
-- Name: COLUMN erased_event_counts.platform; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.erased_event_counts.platform IS 'As in rollup_events.';


--
-- Name: COLUMN erased_event_counts.kind; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.erased_event_counts.kind IS 'Their kind.';


--
-- Name: COLUMN erased_event_counts.events; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.erased_event_counts.events IS 'How many.';


--
-- Name: COLUMN erased_event_counts.verified_events; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.erased_event_counts.verified_events IS 'How many of them were verified.';


--
-- Name: merged_events; Type: VIEW; Schema: afterpush; Owner: afterpush_owner
--

CREATE VIEW afterpush.merged_events AS
 SELECT e.app_id,
    e.delivery_id,
    afterpush.hour_of(e.occurred_at) AS event_hour,
    COALESCE(d.campaign_id, ''::text) AS campaign_id,
    COALESCE(d.variant, ''::text) AS variant,
    COALESCE(d.category_id, ''::text) AS category_id,
    COALESCE(
        CASE
            WHEN (e.kind < 'token_registered'::afterpush.event_kind) THEN d.platform
            ELSE e.platform
        END, ''::text) AS platform,
    e.kind,
    e.verified
   FROM ((afterpush.events e
     JOIN afterpush.batches b USING (batch_id))
     LEFT JOIN afterpush.deliveries d ON ((d.delivery_id = e.delivery_id)))
  WHERE (b.rolled_up_at IS NOT NULL);


ALTER TABLE afterpush.merged_events OWNER TO afterpush_owner;

--
-- Name: VIEW merged_events; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON VIEW afterpush.merged_events IS 'Merged events with the dimensions that rollup_events counts them under.';


--
-- Name: preserve_event_counts(uuid[]); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.preserve_event_counts(delivery_ids uuid[]) RETURNS void
    LANGUAGE sql
    BEGIN ATOMIC
 INSERT INTO afterpush.erased_event_counts AS k (app_id, event_hour, campaign_id, variant, category_id, platform, kind, events, verified_events)  SELECT merged_events.app_id,
             merged_events.event_hour,
             merged_events.campaign_id,
             merged_events.variant,
             merged_events.category_id,
             merged_events.platform,
             merged_events.kind,
             count(*) AS count,
             count(*) FILTER (WHERE merged_events.verified) AS count
            FROM afterpush.merged_events
           WHERE (merged_events.delivery_id = ANY (preserve_event_counts.delivery_ids))
           GROUP BY merged_events.app_id, merged_events.event_hour, merged_events.campaign_id, merged_events.variant, merged_events.category_id, merged_events.platform, merged_events.kind ON CONFLICT(app_id, event_hour, campaign_id, variant, category_id, platform, kind) DO UPDATE SET events = (k.events + excluded.events), verified_events = (k.verified_events + excluded.verified_events);
END;


ALTER FUNCTION afterpush.preserve_event_counts(delivery_ids uuid[]) OWNER TO afterpush_owner;

--
-- Name: FUNCTION preserve_event_counts(delivery_ids uuid[]); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.preserve_event_counts(delivery_ids uuid[]) IS 'Keeps events that are about to be erased in the sums.';


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

COMMENT ON FUNCTION afterpush.protect_sealed_hours() IS 'Lets a further version of a category begin with the hours that are not sealed.';


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
                and afterpush.anchor_hour(d.sent_at, d.receipt_issued_at, d.first_event_at) >= sealed
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

COMMENT ON FUNCTION afterpush.purge_default_events(max integer) IS 'Deletes events of the default partition that no unsealed hour needs.';


--
-- Name: purge_deliveries(timestamp with time zone, bigint, integer); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.purge_deliveries(before timestamp with time zone, first bigint, blocks integer) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
declare
    sealed timestamptz;
    purged bigint;
begin
    if first >= pg_relation_size('afterpush.deliveries') / current_setting('block_size')::integer then
        return null;
    end if;
    select sealed_before into sealed from afterpush.rollup_worker for update;
    with purged_ones as (
        delete from afterpush.deliveries as d
        where d.ctid >= format('(%s,0)', first)::tid
          and d.ctid < format('(%s,0)', first + blocks)::tid
          and afterpush.anchor_hour(d.sent_at, d.receipt_issued_at, d.first_event_at) < least(before, sealed)
          and not exists (select from afterpush.events as e where e.delivery_id = d.delivery_id)
          and not exists (select from afterpush.replies as r where r.delivery_id = d.delivery_id)
        returning d.delivery_id
    ),
    marks as (
        delete from afterpush.late_deliveries using purged_ones where late_deliveries.delivery_id = purged_ones.delivery_id
    )
    select count(*) into purged from purged_ones;
    return purged;
end
$$;


ALTER FUNCTION afterpush.purge_deliveries(before timestamp with time zone, first bigint, blocks integer) OWNER TO afterpush_owner;

--
-- Name: FUNCTION purge_deliveries(before timestamp with time zone, first bigint, blocks integer); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.purge_deliveries(before timestamp with time zone, first bigint, blocks integer) IS 'Deletes old deliveries of sealed hours that have no events any more, in some blocks of the table.';


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

COMMENT ON FUNCTION afterpush.purge_rejected(before timestamp with time zone, max integer) IS 'Deletes refused events that arrived before a time.';


--
-- Name: purge_replies(integer); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.purge_replies(max integer) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
declare
    purged bigint;
begin
    delete from afterpush.replies where ctid = any (array(select place from afterpush.expired_replies limit max));
    get diagnostics purged = row_count;
    return purged;
end
$$;


ALTER FUNCTION afterpush.purge_replies(max integer) OWNER TO afterpush_owner;

--
-- Name: FUNCTION purge_replies(max integer); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.purge_replies(max integer) IS 'Deletes replies whose time has passed.';


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

COMMENT ON FUNCTION afterpush.rate(numerator bigint, denominator bigint, min_n bigint) IS 'numerator / denominator; null when that says nothing or denominator < min_n.';


--
-- Name: wilson_low(bigint, bigint); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.wilson_low(k bigint, n bigint) RETURNS double precision
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN ((n > 0) AND (k = 0)) THEN (0.0)::double precision WHEN ((n > 0) AND ((k >= 1) AND (k <= n))) THEN ((((k)::double precision + (1.920729410347062)::double precision) - ((1.959963984540054)::double precision * sqrt(((((k)::double precision * ((n - k))::double precision) / (n)::double precision) + (0.960364705173531)::double precision)))) / ((n)::double precision + (3.841458820694124)::double precision)) ELSE NULL::double precision END;


ALTER FUNCTION afterpush.wilson_low(k bigint, n bigint) OWNER TO afterpush_owner;

--
-- Name: FUNCTION wilson_low(k bigint, n bigint); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.wilson_low(k bigint, n bigint) IS 'Lower bound of the Wilson score interval of k out of n at 95 %; null unless 0 <= k <= n and n > 0.';


--
-- Name: wilson_high(bigint, bigint); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.wilson_high(k bigint, n bigint) RETURNS double precision
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ((1.0)::double precision - afterpush.wilson_low((n - k), n));


ALTER FUNCTION afterpush.wilson_high(k bigint, n bigint) OWNER TO afterpush_owner;

--
-- Name: FUNCTION wilson_high(k bigint, n bigint); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.wilson_high(k bigint, n bigint) IS 'Upper bound of the Wilson score interval of k out of n at 95 %; null unless 0 <= k <= n and n > 0.';


--
-- Name: rate_high(bigint, bigint, bigint); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.rate_high(numerator bigint, denominator bigint, min_n bigint) RETURNS double precision
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN (denominator >= min_n) THEN afterpush.wilson_high(numerator, denominator) ELSE NULL::double precision END;


ALTER FUNCTION afterpush.rate_high(numerator bigint, denominator bigint, min_n bigint) OWNER TO afterpush_owner;

--
-- Name: FUNCTION rate_high(numerator bigint, denominator bigint, min_n bigint); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.rate_high(numerator bigint, denominator bigint, min_n bigint) IS 'Upper bound of the interval of afterpush.rate.';


--
-- Name: rate_low(bigint, bigint, bigint); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.rate_low(numerator bigint, denominator bigint, min_n bigint) RETURNS double precision
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN (denominator >= min_n) THEN afterpush.wilson_low(numerator, denominator) ELSE NULL::double precision END;


ALTER FUNCTION afterpush.rate_low(numerator bigint, denominator bigint, min_n bigint) OWNER TO afterpush_owner;

--
-- Name: FUNCTION rate_low(numerator bigint, denominator bigint, min_n bigint); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.rate_low(numerator bigint, denominator bigint, min_n bigint) IS 'Lower bound of the interval of afterpush.rate.';


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
        -- A thousand pages tell where they lie.
        from afterpush.events tablesample system (100000.0 / greatest(pages, 1000))
    ) as b
    where bound is not null;
    execute 'create temporary table differing on commit drop as '
        || (
            select string_agg(
                format('select * from afterpush.differing_deliveries(%L, %L, %L)', sealed, "from", "to"),
                ' union all '
            )
            from unnest(array_prepend(null, bounds), array_append(bounds, null)) as r ("from", "to")
        );

    delete from afterpush.deliveries
    where delivery_id in (select stored_id from differing where (rebuilt).delivery_id is null);
    insert into afterpush.deliveries
    select (rebuilt).*
    from differing
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
        actions = excluded.actions;
end
$$;


ALTER FUNCTION afterpush.rebuild_deliveries(sealed timestamp with time zone, ranges integer) OWNER TO afterpush_owner;

--
-- Name: FUNCTION rebuild_deliveries(sealed timestamp with time zone, ranges integer); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.rebuild_deliveries(sealed timestamp with time zone, ranges integer) IS 'Stores deliveries since a time as their events tell them.';


--
-- Name: redact_rejected_event(); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.redact_rejected_event() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
begin
    if exists (select from afterpush.suppressed_devices as s where s.app_id = new.app_id)
        and exists (
            select
            from unnest(afterpush.named_devices(new.event)) as named (device)
            cross join afterpush.suppression_keys as k
            join afterpush.suppressed_devices as s
                on s.app_id = new.app_id
                and s.device_hash = afterpush.device_hash(named.device, k.inner_block, k.outer_block)
        )
    then
        new.code := 'device_suppressed';
        new.detail := 'the device was erased';
        new.event := case
            when new.event_id ~ '^[0-9A-Fa-f-]*$' then '{"event_id":"' || new.event_id || '"}'
            else '{}'
        end;
    end if;
    return new;
end
$_$;


ALTER FUNCTION afterpush.redact_rejected_event() OWNER TO afterpush_owner;

--
-- Name: FUNCTION redact_rejected_event(); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.redact_rejected_event() IS 'Takes out of a refused event what its device sent, if that was erased.';


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
    delete from afterpush.undeclared_names as s
    where s.app_id = new.app_id
      and s.kind = tg_argv[0]
      and s.parent = coalesce(declared ->> tg_argv[2], '')
      and s.name = declared ->> tg_argv[1];
    if tg_argv[0] = 'category' then
        delete from afterpush.undeclared_names as s
        where s.app_id = new.app_id
          and s.kind = 'category_version'
          and s.parent = declared ->> 'category_id'
          and s.name = declared ->> 'version';
    end if;
    return null;
end
$$;


ALTER FUNCTION afterpush.remove_undeclared_name() OWNER TO afterpush_owner;

--
-- Name: FUNCTION remove_undeclared_name(); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.remove_undeclared_name() IS 'Takes a name that was just declared out of those that are not.';


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
    -- Seldom; found out in two thirds of the time that it takes to say which rows they are.
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
        execute format(
            'insert into %s select f.* from %s as f where not exists (select from %s as s where %s and s = f)',
            stored, fresh, stored, condition
        );
    end if;
end
$_$;


ALTER FUNCTION afterpush.replace_rows(stored regclass, fresh regclass, condition text) OWNER TO afterpush_owner;

--
-- Name: FUNCTION replace_rows(stored regclass, fresh regclass, condition text); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.replace_rows(stored regclass, fresh regclass, condition text) IS 'Makes chosen rows of a table those of another, and writes what differs.';


--
-- Name: report_actions(text, timestamp with time zone, timestamp with time zone, text, text, text, text, boolean, text, boolean); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.report_actions(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, base_choice text, versions boolean) RETURNS TABLE(category_id text, category_version integer, campaign_id text, variant text, action_id text, offered boolean, offered_n bigint, acted bigint, acted_base bigint, total bigint, p50_seconds double precision)
    LANGUAGE plpgsql STABLE
    SET max_parallel_workers_per_gather TO '0'
    SET enable_mergejoin TO 'off'
    AS $_$
declare
    this_app constant integer := (select a.app_id from afterpush.apps as a where a.name = report_actions.app);
    declared constant text[] := array(select distinct s.campaign_id from afterpush.sends as s where s.app_id = this_app);
    base constant text := afterpush.report_base(
        report_actions.app, "from", "to", only_campaign, only_category, only_variant, only_platform,
        report_actions.verified, base_choice
    );
    -- Of a campaign with declared sends these are the base, and all of its deliveries are among them.
    by_sends constant boolean := base = 'sent' and cardinality(declared) > 0;
    category_versions afterpush.category_versions[];
    starts timestamptz;
    ends timestamptz;
    split timestamptz[];
    conditions constant text := afterpush.report_conditions(only_campaign, only_category, only_variant, only_platform);
    version text := 'null::integer';
    taps text;
begin
    if report_actions.versions then
        version := 'coalesce(v.version, nullif(s.category_version, 0))';
    end if;
    select array_agg(v) into category_versions from afterpush.category_versions as v where v.app_id = this_app;
    select s.starts, s.ends into starts, ends from afterpush.report_span(this_app, "from", "to", only_campaign) as s;
    split := afterpush.report_split(
        "from", "to",
        array["from", "to"] || (select array_agg(v.in_force_from) from unnest(category_versions) as v where v.version > 1)
    );
    taps := format(
        $text$
        select
            campaign_id, variant, category_id, category_version, action_id, hour,
            sum(deliveries)::integer as deliveries, sum(based)::integer as deliveries_base, sum(events)::integer as events,
            afterpush.running_totals_of(array_agg(bucket order by bucket), array_agg(deliveries order by bucket)) as times
        from (
            select
                campaign_id, variant, category_id, category_version, action_id, bucket,
                case
                    when afterpush.day_of(anchor_hour) = any (%L::timestamptz[]) then anchor_hour
                    else afterpush.day_of(anchor_hour)
                end as hour,
                sum(deliveries)::bigint as deliveries,
                coalesce(sum(deliveries) filter (where %s), 0) as based,
                sum(events) as events
            from afterpush.rollup_actions
            where app_id = %s and verified = %L %s %s
            group by 1, 2, 3, 4, 5, 6, 7
        ) as timed
        group by 1, 2, 3, 4, 5, 6
        $text$,
        split,
        case base when 'sent' then 'is_sent' when 'confirmed' then 'is_confirmed' else 'false' end,
        this_app, report_actions.verified, conditions,
        concat(
            afterpush.report_within('anchor_hour', starts, ends),
            case when only_platform is null then afterpush.report_within_days('anchor_hour', split) end
        )
    );
    if only_platform is null then
        taps := case when cardinality(split) > 0 then taps || ' union all ' else '' end || format(
            $text$
            select
                campaign_id, variant, category_id, category_version, action_id, anchor_day as hour, deliveries,
                %s as deliveries_base, events, times
            from afterpush.rollup_action_days
            where app_id = %s and verified = %L %s %s and anchor_day <> all (%L::timestamptz[])
            $text$,
            case when base in ('sent', 'confirmed') then 'deliveries_' || base else '0' end,
            this_app, report_actions.verified, conditions, afterpush.report_within('anchor_day', starts, ends), split
        );
    end if;
    return query execute format(
        $text$
        select
            category_id, version, campaign_id, variant, action_id, offered, offered_n, acted, acted_base, total,
            afterpush.bucket_seconds(bucket)
        from (
            select
                *,
                case
                    when several is null then least_p50
                    else afterpush.running_totals_quantile(several, timed, 50, least_p50, greatest_p50)
                end::smallint as bucket
            from (
                select
                    category_id, version, campaign_id, variant, action_id, offered,
                    sum(base_n)::bigint as offered_n,
                    sum(deliveries)::bigint as acted,
                    sum(deliveries_in)::bigint as acted_base,
                    sum(events)::bigint as total,
                    sum(times[cardinality(times)]) as timed,
                    min(p50) as least_p50,
                    max(p50) as greatest_p50,
                    case
                        when min(p50) < max(p50)
                        then array_agg(row(times)::afterpush.running_totals) filter (where p50 is not null)
                    end as several
                from (
                    select
                        s.category_id,
                        %1$s as version,
                        s.campaign_id,
                        s.variant,
                        s.action_id,
                        coalesce(s.action_id = any (v.offered), false) as offered,
                        0 as base_n,
                        s.deliveries,
                        case when %2$L and s.campaign_id = any ($2) then s.deliveries else s.deliveries_base end
                            as deliveries_in,
                        s.events,
                        s.times,
                        afterpush.running_totals_quantile(s.times, 50) as p50
                    from (%3$s) as s
                    left join unnest($1) as v %5$s
                    union all
                    select category_id, version, campaign_id, variant, action_id, true, base_n, 0, 0, 0, null, null
                    from (
                        select
                            s.category_id,
                            %1$s as version,
                            s.campaign_id,
                            s.variant,
                            v.offered,
                            sum(case when %2$L and s.campaign_id = any ($2) then s.declared_sends else s.deliveries_base end)
                                as base_n
                        from (%4$s) as s
                        join unnest($1) as v %5$s
                        group by 1, 2, 3, 4, 5
                    ) as offering
                    cross join unnest(offered) as action_id
                    offset 0
                ) as listed
                group by 1, 2, 3, 4, 5, 6
            ) as grouped
            offset 0
        ) as found
        $text$,
        version,
        by_sends,
        taps,
        afterpush.report_source(
            this_app, "from", "to", conditions, report_actions.verified, 'days', split, base, cardinality(declared) > 0
        ),
        $text$
        on v.category_id = s.category_id
        and case
            when s.category_version > 0 then v.version = s.category_version
            else s.hour >= v.in_force_from and s.hour < v.in_force_to
        end
        $text$
    )
    using category_versions, declared;
end
$_$;


ALTER FUNCTION afterpush.report_actions(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, base_choice text, versions boolean) OWNER TO afterpush_owner;

--
-- Name: FUNCTION report_actions(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, base_choice text, versions boolean); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.report_actions(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, base_choice text, versions boolean) IS 'What was offered and what was tapped, of the deliveries and declared sends that a report selects.';


--
-- Name: report_app(); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.report_app() RETURNS integer
    LANGUAGE plpgsql STABLE SECURITY DEFINER PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    return (
        select app_id
        from afterpush.apps
        where report_token = nullif(current_setting('afterpush.report_token', true), '')::uuid
    );
end
$$;


ALTER FUNCTION afterpush.report_app() OWNER TO afterpush_owner;

--
-- Name: FUNCTION report_app(); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.report_app() IS 'The app whose token the session shows; null without one.';


--
-- Name: report_base(text, timestamp with time zone, timestamp with time zone, text, text, text, text, boolean, text, timestamp with time zone); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.report_base(app text, "from" timestamp with time zone, "to" timestamp with time zone, campaign text, category text, variant text, platform text, verified boolean, base_choice text, seam timestamp with time zone DEFAULT NULL::timestamp with time zone) RETURNS text
    LANGUAGE plpgsql STABLE
    SET max_parallel_workers_per_gather TO '0'
    SET enable_mergejoin TO 'off'
    AS $_$
declare
    this_app constant integer := (select a.app_id from afterpush.apps as a where a.name = report_base.app);
    starts constant timestamptz := greatest(report_base."from", report_base.seam);
    ends constant timestamptz := report_base."to";
    declared constant text[] := array(select distinct s.campaign_id from afterpush.sends as s where s.app_id = this_app);
    source text;
    base text;
begin
    if this_app is null then
        raise exception 'app: no app is named %, or this role may not see it', coalesce(quote_literal(report_base.app), 'null')
            using errcode = 'invalid_parameter_value';
    end if;
    if base_choice <> 'auto' then
        return base_choice;
    end if;
    source := afterpush.report_source(
        this_app, starts, ends,
        afterpush.report_conditions(report_base.campaign, report_base.category, report_base.variant, report_base.platform),
        report_base.verified, 'days', afterpush.report_split(starts, ends, array[starts, ends]), 'none',
        cardinality(declared) > 0
    );
    execute format(
        $text$
        select case
            when exists (
                select from (%1$s) as s where is_declaration or deliveries_sent > 0 and campaign_id <> all ($1)
            ) then 'sent'
            when exists (select from (%1$s) as s where deliveries_confirmed > 0) then 'confirmed'
            else 'none'
        end
        $text$,
        source
    )
    into base
    using declared;
    return base;
end
$_$;


ALTER FUNCTION afterpush.report_base(app text, "from" timestamp with time zone, "to" timestamp with time zone, campaign text, category text, variant text, platform text, verified boolean, base_choice text, seam timestamp with time zone) OWNER TO afterpush_owner;

--
-- Name: FUNCTION report_base(app text, "from" timestamp with time zone, "to" timestamp with time zone, campaign text, category text, variant text, platform text, verified boolean, base_choice text, seam timestamp with time zone); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.report_base(app text, "from" timestamp with time zone, "to" timestamp with time zone, campaign text, category text, variant text, platform text, verified boolean, base_choice text, seam timestamp with time zone) IS 'The base of a report''s rates: sent, confirmed or none.';


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
        raise exception 'by: at most two, not %', by using errcode = 'invalid_parameter_value';
    end if;
    foreach word in array coalesce(words, '{}') loop
        if array_position(known, word) is null then
            raise exception 'by: % is none of %', word, array_to_string(known, ', ')
                using errcode = 'invalid_parameter_value';
        end if;
        if columns[array_position(known, word)] = any (chosen) then
            raise exception 'by: % stands twice', word using errcode = 'invalid_parameter_value';
        end if;
        chosen := chosen || columns[array_position(known, word)];
    end loop;
    if 'app_version' = any (chosen) and chosen && array['campaign_id', 'category_id', 'variant', 'hour'] then
        raise exception 'by: app_version goes alone or with day or platform' using errcode = 'invalid_parameter_value';
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
-- Name: report_conditions(text, text, text, text); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.report_conditions(campaign text, category text, variant text, platform text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE
    AS $$
begin
    return concat(
        ' and campaign_id = ' || quote_literal(campaign),
        ' and category_id = ' || quote_literal(category),
        ' and variant = ' || quote_literal(variant),
        ' and platform = ' || quote_literal(platform)
    );
end
$$;


ALTER FUNCTION afterpush.report_conditions(campaign text, category text, variant text, platform text) OWNER TO afterpush_owner;

--
-- Name: FUNCTION report_conditions(campaign text, category text, variant text, platform text); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.report_conditions(campaign text, category text, variant text, platform text) IS 'Conditions on the names that a report selects by.';


--
-- Name: report_counts(text, timestamp with time zone, timestamp with time zone, text, text, text, text, boolean, text, text, text, timestamp with time zone, boolean); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.report_counts(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, base_choice text, by text, tz text, seam timestamp with time zone DEFAULT NULL::timestamp with time zone, closing boolean DEFAULT true) RETURNS TABLE(campaign_id text, category_id text, category_version integer, variant text, platform text, day date, hour timestamp with time zone, app_version text, period integer, base text, sent bigint, failed bigint, delivered bigint, confirmed bigint, displayed bigint, opened bigint, acted bigint, replied bigint, dismissed bigint, read bigint, responded bigint, converted bigint, no_response bigint, pending bigint, base_n bigint, reply_n bigint, observable_n bigint, dismiss_n bigint, closed_n bigint, delivered_sent bigint, confirmed_sent bigint, opened_base bigint, acted_base bigint, responded_base bigint, converted_base bigint, replied_base bigint, dismissed_base bigint, read_base bigint, responded_closed bigint)
    LANGUAGE plpgsql STABLE
    SET max_parallel_workers_per_gather TO '0'
    SET enable_mergejoin TO 'off'
    SET enable_indexscan TO 'off'
    AS $_$
declare
    words constant text[] := coalesce(string_to_array(nullif(report_counts.by, ''), ','), '{}');
    by_time constant boolean := words && array['day', 'hour'];
    level constant text := case
        when 'app_version' = any (words) then 'versions'
        when 'hour' = any (words) or 'day' = any (words) and report_counts.tz <> 'UTC' then 'hours'
        else 'days'
    end;
    this_app integer;
    last_closed timestamptz;
    starts timestamptz := report_counts."from";
    ends timestamptz := report_counts."to";
    versions afterpush.category_versions[];
    terms afterpush.campaign_terms[];
    sealed afterpush.sealed_goals[];
    has_sends boolean;
    source text;
    base text;
    goals text;
    split timestamptz[];
    conditions constant text := afterpush.report_conditions(only_campaign, only_category, only_variant, only_platform);
    counted text;
    shown text;
    grouped text;
    declarations text;
    goals_of text;
    goal_keys text;
    goal_groups text;
    sums constant text := $text$
        coalesce(sum(sends), 0)::bigint,
        coalesce(sum(failed), 0)::bigint,
        coalesce(sum(delivered), 0)::bigint,
        coalesce(sum(confirmed), 0)::bigint,
        coalesce(sum(displayed), 0)::bigint,
        coalesce(sum(opened), 0)::bigint,
        coalesce(sum(acted), 0)::bigint,
        coalesce(sum(replied), 0)::bigint,
        coalesce(sum(dismissed), 0)::bigint,
        coalesce(sum(read), 0)::bigint,
        coalesce(sum(responded), 0)::bigint,
        coalesce(sum(converted), 0)::bigint,
        coalesce(sum(unanswered) filter (where closed), 0)::bigint,
        coalesce(sum(unanswered) filter (where not closed), 0)::bigint,
        coalesce(sum(base_n), 0)::bigint,
        coalesce(sum(base_n) filter (where offers_text), 0)::bigint,
        coalesce(sum(base_n) filter (where observable), 0)::bigint,
        greatest(sum(base_n - replaced_in) filter (where observable), 0)::bigint,
        greatest(sum(base_n - replaced_in) filter (where closed), 0)::bigint,
        coalesce(sum(delivered_in_sends), 0)::bigint,
        coalesce(sum(confirmed_in_sends), 0)::bigint,
        coalesce(sum(opened_in), 0)::bigint,
        coalesce(sum(acted_in), 0)::bigint,
        coalesce(sum(responded_in), 0)::bigint,
        coalesce(sum(converted_in), 0)::bigint,
        coalesce(sum(replied_in) filter (where offers_text), 0)::bigint,
        coalesce(sum(dismissed_in) filter (where observable), 0)::bigint,
        coalesce(sum(read_in), 0)::bigint,
        coalesce(sum(responded_in) filter (where closed), 0)::bigint
        $text$;
    is_goal text;
begin
    select a.app_id, afterpush.as_of(a.name) - interval '1 hour'
    into this_app, last_closed
    from afterpush.apps as a
    where a.name = report_counts.app;

    -- What was declared: read once, and joined with as it stands here.
    select array_agg(v) into versions from afterpush.category_versions as v where v.app_id = this_app;
    select array_agg(g) into sealed from afterpush.sealed_goals as g where g.app_id = this_app;
    has_sends := exists (select from afterpush.sends as s where s.app_id = this_app);
    select array_agg(row(
        coalesce(c.campaign_id, s.campaign_id), coalesce(c.goal_actions, '{}'),
        last_closed - coalesce(c.response_window, interval '72 hours'), s.campaign_id is not null, s.last_hour
    )::afterpush.campaign_terms)
    into terms
    from (select * from afterpush.campaigns as c where c.app_id = this_app) as c
    full join (
        select s.campaign_id, afterpush.hour_of(max(s.sent_at)) as last_hour
        from afterpush.sends as s
        where s.app_id = this_app
        group by s.campaign_id
    ) as s on s.campaign_id = c.campaign_id
    where only_campaign is null
       or coalesce(c.campaign_id, s.campaign_id) = only_campaign;

    base := afterpush.report_base(
        report_counts.app, starts, ends, only_campaign, only_category, only_variant, only_platform,
        report_counts.verified, base_choice, seam
    );
    if level <> 'days' and (by_time or not has_sends) then
        select s.starts, s.ends into starts, ends from afterpush.report_span(this_app, starts, ends, only_campaign) as s;
    end if;
    split := afterpush.report_split(
        starts, ends,
        array[starts, ends, seam]
        -- The hour that they begin with is the last that is closed.
        || case when closing then last_closed - interval '72 hours' + interval '1 microsecond' end
        || (select array_agg(distinct t.closed_until + interval '1 microsecond') from unnest(terms) as t where closing)
        || (select array_agg(v.in_force_from) from unnest(versions) as v where v.version > 1)
        || (select array_agg(g.sealed_from) || array_agg(g.sealed_before) from unnest(sealed) as g)
    );
    source := afterpush.report_source(
        this_app, starts, ends, conditions, report_counts.verified, level, split, base, has_sends and not by_time
    );
    goals := afterpush.report_goal_source(this_app, starts, ends, conditions, report_counts.verified, split, base);

    -- What is in the base, and what is among the sends. Of a campaign with declared sends these count, and all of its
    -- deliveries are among them; by day or hour none.
    select string_agg(
        case
            when not has_sends or of_base and base <> 'sent' then 's.' || part
            when by_time and whole <> 'declared_sends' then format('case when c.declared then 0 else s.%s end', part)
            else format('case when c.declared then s.%s else s.%s end', whole, part)
        end || ' as ' || name,
        ', '
    )
    into counted
    from (
        values
            ('sends', 'declared_sends', 'deliveries_sent', false),
            ('delivered_in_sends', 'delivered', 'delivered_sent', false),
            ('confirmed_in_sends', 'deliveries_confirmed', 'deliveries_both', false),
            ('base_n', 'declared_sends', 'deliveries_base', true),
            ('opened_in', 'opened', 'opened_base', true),
            ('acted_in', 'acted', 'acted_base', true),
            ('replied_in', 'replied', 'replied_base', true),
            ('dismissed_in', 'dismissed', 'dismissed_base', true),
            ('read_in', 'read', 'read_base', true),
            ('responded_in', 'responded', 'responded_base', true),
            ('converted_in', 'converted_events', 'converted_events_base', true),
            ('unconverted_in', 'unconverted', 'unconverted_base', true),
            ('replaced_in', 'replaced', 'replaced_base', true)
    ) as k (name, whole, part, of_base);
    select
        string_agg(
            case
                when word <> all (words) then 'null::' || type
                when type = 'text' then format('nullif(%s, '''')', key)
                else key
            end,
            ', ' order by place
        ),
        string_agg(key, ', ') filter (where word = any (words))
    into shown, grouped
    from (
        values
            (1, 'campaign', 'text', 'campaign_id'),
            (2, 'category', 'text', 'category_id'),
            (3, 'category_version', 'integer', 'version_in_force'),
            (4, 'variant', 'text', 'variant'),
            (5, 'platform', 'text', 'platform'),
            (6, 'day', 'date', format('(hour at time zone %L)::date', report_counts.tz)),
            (7, 'hour', 'timestamptz', 'hour'),
            (8, 'app_version', 'text', 'app_version'),
            (9, 'period', 'integer', format('case when hour < %L then 2 else 1 end', seam))
    ) as k (place, word, type, key);
    -- With each row what was declared of it.
    declarations := format(
        $text$
        left join unnest($1) as v
            on v.category_id = s.category_id
            and case
                when s.category_version > 0 then v.version = s.category_version
                else s.hour >= v.in_force_from and s.hour < v.in_force_to
            end
        left join unnest($2) as c on c.campaign_id = s.campaign_id
        %s
        $text$,
        case
            when sealed is not null
            then 'left join unnest($3) as g on g.campaign_id = s.campaign_id '
                'and s.hour >= g.sealed_from and s.hour < g.sealed_before'
        end
    );
    goals_of := format(
        'coalesce(%s, ''{}'')', case when sealed is null then 'c.goal_actions' else 'g.goal_actions, c.goal_actions' end
    );
    is_goal := format(
        $text$
        (
            s.actions && %1$s
            or coalesce(s.actions && v.goals, false)
            or cardinality(%1$s) = 0
            and coalesce(cardinality(v.goals), 0) = 0
            and not s.actions <@ coalesce(v.destructive, '{}')
        )
        $text$,
        goals_of
    );
    if level = 'days' then
        -- Summed up before they are added: they have two sums, and the others thirty.
        select
            string_agg(case when is_asked then key else 'null::' || type end, ', ' order by place),
            coalesce(string_agg(distinct key, ', ') filter (where is_asked), '()')
        into goal_keys, goal_groups
        from (
            values
                (1, 'text', 's.campaign_id', array['campaign']),
                (2, 'text', 's.category_id', array['category']),
                (3, 'integer', 'coalesce(v.version, nullif(s.category_version, 0))', array['category_version']),
                (4, 'text', 's.variant', array['variant']),
                (5, 'text', 's.platform', array['platform']),
                (6, 'timestamptz', 's.hour', array['day', 'hour', 'period'])
        ) as k (place, type, key, asked)
        cross join lateral (select words && k.asked as is_asked) as a;
        goals := format(
            $text$
            union all
            select
                %s, null, %s sum(s.unconverted), sum(%s), false, false, false
            from (%s) as s
            %s
            where %s
            -- Most sets have no action that is anybody's goal, and belong to a campaign that has some.
            and (s.actions && $4 or s.campaign_id <> all ($5))
            group by %s
            $text$,
            goal_keys,
            repeat('0, ', 22),
            case
                when not has_sends or base <> 'sent' then 's.unconverted_base'
                when by_time then 'case when c.declared then 0 else s.unconverted_base end'
                else 'case when c.declared then s.unconverted else s.unconverted_base end'
            end,
            goals, declarations, is_goal, goal_groups
        );
    else
        goals := '';
    end if;
    return query execute format(
        $text$
        select
            %1$s, %2$L,
            %11$s
        from (
            select
                campaign_id, category_id, version_in_force, variant, platform, hour, app_version, failed, delivered,
                deliveries_confirmed as confirmed, displayed, opened, acted, replied, dismissed, read, responded,
                deliveries - responded as unanswered, sends, delivered_in_sends, confirmed_in_sends, base_n, opened_in,
                acted_in, replied_in, dismissed_in, read_in, responded_in, replaced_in,
                converted_events + case when is_goal then unconverted else 0 end as converted,
                converted_in + case when is_goal then unconverted_in else 0 end as converted_in,
                closed, observable, offers_text
            from (
                select
                    s.*,
                    %3$s,
                    cardinality(s.actions) > 0 and %4$s as is_goal,
                    %5$s <= coalesce(c.closed_until, %6$L) as closed,
                    case
                        when s.platform in ('android', 'web') then true
                        when s.platform = 'ios' then coalesce(v.dismiss_observable, false)
                        else false
                    end as observable,
                    coalesce(v.offers_text, false) as offers_text,
                    coalesce(v.version, nullif(s.category_version, 0)) as version_in_force
                from (%7$s) as s
                %8$s
                -- So that each value is worked out once, however many sums it is in.
                offset 0
            ) as counted
            %9$s
        ) as f
        group by (%10$s)
        $text$,
        shown,
        base,
        counted,
        is_goal,
        case when has_sends then 'case when c.declared then c.last_hour else s.hour end' else 's.hour' end,
        last_closed - interval '72 hours',
        source,
        declarations,
        goals,
        grouped,
        sums
    )
    using versions, terms, sealed,
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
        );
end
$_$;


ALTER FUNCTION afterpush.report_counts(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, base_choice text, by text, tz text, seam timestamp with time zone, closing boolean) OWNER TO afterpush_owner;

--
-- Name: FUNCTION report_counts(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, base_choice text, by text, tz text, seam timestamp with time zone, closing boolean); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.report_counts(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, base_choice text, by text, tz text, seam timestamp with time zone, closing boolean) IS 'Sums over the deliveries and declared sends that a report selects, by group.';


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

COMMENT ON FUNCTION afterpush.report_definitions(report text, names text[]) IS 'The definitions that hold of the columns of a report, as JSON objects.';


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
        afterpush.anchor_at(d.sent_at, d.receipt_issued_at, d.first_event_at),
        afterpush.anchor_hour(d.sent_at, d.receipt_issued_at, d.first_event_at),
        coalesce(d.campaign_id, ''),
        coalesce(d.variant, ''),
        coalesce(d.category_id, ''),
        coalesce(d.category_version, 0),
        coalesce(d.platform, ''),
        coalesce(d.app_version, ''),
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
      and afterpush.anchor_at(d.sent_at, d.receipt_issued_at, d.first_event_at)
          >= (select coalesce(afterpush.hour_of(report_deliveries."from" + interval '3599.999999 s'), '-infinity'))
      and afterpush.anchor_at(d.sent_at, d.receipt_issued_at, d.first_event_at)
          < (select coalesce(afterpush.hour_of(report_deliveries."to" + interval '3599.999999 s'), 'infinity'))
      and (report_deliveries.campaign is null or d.campaign_id = report_deliveries.campaign)
      and (
          report_deliveries.campaign is null
          or afterpush.anchor_at(d.sent_at, d.receipt_issued_at, d.first_event_at)
              >= (select h.starts from afterpush.report_hours(report_deliveries.app, report_deliveries.campaign) as h)
      )
      and (
          report_deliveries.campaign is null
          or afterpush.anchor_at(d.sent_at, d.receipt_issued_at, d.first_event_at)
              < (select h.ends from afterpush.report_hours(report_deliveries.app, report_deliveries.campaign) as h)
      )
      and (report_deliveries.category is null or d.category_id = report_deliveries.category)
      and (report_deliveries.variant is null or d.variant = report_deliveries.variant)
      and (report_deliveries.platform is null or d.platform = report_deliveries.platform)
$$;


ALTER FUNCTION afterpush.report_deliveries(app text, "from" timestamp with time zone, "to" timestamp with time zone, campaign text, category text, variant text, platform text, verified boolean) OWNER TO afterpush_owner;

--
-- Name: FUNCTION report_deliveries(app text, "from" timestamp with time zone, "to" timestamp with time zone, campaign text, category text, variant text, platform text, verified boolean); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.report_deliveries(app text, "from" timestamp with time zone, "to" timestamp with time zone, campaign text, category text, variant text, platform text, verified boolean) IS 'The deliveries that a report selects.';


--
-- Name: report_goal_source(integer, timestamp with time zone, timestamp with time zone, text, boolean, timestamp with time zone[], text); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.report_goal_source(app_id integer, "from" timestamp with time zone, "to" timestamp with time zone, conditions text, verified boolean, split timestamp with time zone[], base text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE
    AS $_$
begin
    return format(
        $text$
        select
            campaign_id, variant, category_id, category_version, platform, anchor_day as hour, actions,
            deliveries as unconverted, %s as unconverted_base
        from afterpush.rollup_goal_days
        where app_id = %s and verified = %L and anchor_day <> all (%L::timestamptz[]) %s %s
        $text$,
        case when base in ('sent', 'confirmed') then 'deliveries_' || base else '0' end,
        app_id, verified, split, conditions, afterpush.report_within('anchor_day', "from", "to")
    );
end
$_$;


ALTER FUNCTION afterpush.report_goal_source(app_id integer, "from" timestamp with time zone, "to" timestamp with time zone, conditions text, verified boolean, split timestamp with time zone[], base text) OWNER TO afterpush_owner;

--
-- Name: FUNCTION report_goal_source(app_id integer, "from" timestamp with time zone, "to" timestamp with time zone, conditions text, verified boolean, split timestamp with time zone[], base text); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.report_goal_source(app_id integer, "from" timestamp with time zone, "to" timestamp with time zone, conditions text, verified boolean, split timestamp with time zone[], base text) IS 'A statement for sets of actions, by day, that a report selects.';


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
-- Name: apps; Type: TABLE; Schema: afterpush; Owner: afterpush_owner
--

CREATE TABLE afterpush.apps (
    app_id integer NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    text_retention interval DEFAULT '90 days'::interval NOT NULL,
    report_token uuid DEFAULT gen_random_uuid() NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    receipt_policy text DEFAULT 'optional'::text NOT NULL,
    CONSTRAINT apps_name_check CHECK (((octet_length(name) >= 1) AND (octet_length(name) <= 256))),
    CONSTRAINT apps_receipt_policy_check CHECK ((receipt_policy = ANY (ARRAY['optional'::text, 'required'::text])))
);


ALTER TABLE afterpush.apps OWNER TO afterpush_owner;

--
-- Name: TABLE apps; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TABLE afterpush.apps IS 'One row per app: the tenant that keys, events and reports belong to.';


--
-- Name: COLUMN apps.app_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.apps.app_id IS 'The number that every other table names the app by.';


--
-- Name: COLUMN apps.name; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.apps.name IS 'The name that commands and reports use.';


--
-- Name: COLUMN apps.text_retention; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.apps.text_retention IS 'How long reply texts are kept when their category says nothing; 0 keeps none.';


--
-- Name: COLUMN apps.report_token; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.apps.report_token IS 'Whoever shows this as the setting afterpush.report_token reads the app''s rows as role afterpush_report.';


--
-- Name: COLUMN apps.created_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.apps.created_at IS 'When the app was created.';


--
-- Name: COLUMN apps.receipt_policy; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.apps.receipt_policy IS 'required: events of deliveries are taken from an ingest key only with a receipt; optional: also without.';


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

COMMENT ON FUNCTION afterpush.report_hour_at_share(app text, "from" timestamp with time zone, "to" timestamp with time zone, share double precision) IS 'The hour before which a share of a time''s events happened; null if it has none.';


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

COMMENT ON FUNCTION afterpush.report_hours(app text, campaign text, OUT starts timestamp with time zone, OUT ends timestamp with time zone) IS 'The time that a campaign''s deliveries are anchored in: hours, or days if they are many.';


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

COMMENT ON COLUMN afterpush.actions.app_id IS 'The app that declared it.';


--
-- Name: COLUMN actions.category_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.actions.category_id IS 'The category that offers it.';


--
-- Name: COLUMN actions.version; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.actions.version IS 'The version of the category.';


--
-- Name: COLUMN actions.action_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.actions.action_id IS 'The identifier that responses carry as action_identifier.';


--
-- Name: COLUMN actions."position"; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.actions."position" IS 'Its place among the buttons, from 1.';


--
-- Name: COLUMN actions.title; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.actions.title IS 'The button''s text.';


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

COMMENT ON COLUMN afterpush.actions.button_title IS 'The text of the send button, for text input.';


--
-- Name: COLUMN actions.placeholder; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.actions.placeholder IS 'The placeholder of the text field, for text input.';


--
-- Name: COLUMN actions.goal; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.actions.goal IS 'Whether acting with it is a conversion.';


--
-- Name: COLUMN actions.min_app_version; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.actions.min_app_version IS 'The first version of the app that can handle the action; null: any can.';


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

COMMENT ON COLUMN afterpush.categories.app_id IS 'The app that declared it.';


--
-- Name: COLUMN categories.category_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.categories.category_id IS 'The identifier that payloads name in aps.category.';


--
-- Name: COLUMN categories.version; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.categories.version IS 'From 1; a changed set of actions or options is the next version.';


--
-- Name: COLUMN categories.effective_from; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.categories.effective_from IS 'In force from the hour of this time; version 1 from the beginning of time.';


--
-- Name: COLUMN categories.options; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.categories.options IS 'Names of UNNotificationCategoryOptions, sorted.';


--
-- Name: COLUMN categories.text_retention; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.categories.text_retention IS 'How long reply texts are kept; 0 keeps none; null takes the app''s.';


--
-- Name: COLUMN categories.created_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.categories.created_at IS 'When this version was put.';


--
-- Name: COLUMN categories.retired_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.categories.retired_at IS 'When the category was left out of a put set; null while it is declared.';


--
-- Name: COLUMN categories.min_app_version; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.categories.min_app_version IS 'The first version of the app that can handle the category; null: any can.';


--
-- Name: COLUMN categories.intent_identifiers; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.categories.intent_identifiers IS 'Identifiers of the intents that its notifications go with.';


--
-- Name: category_versions; Type: VIEW; Schema: afterpush; Owner: afterpush_owner
--

CREATE VIEW afterpush.category_versions WITH (security_invoker='true') AS
 SELECT c.app_id,
    c.category_id,
    c.version,
    c.in_force_from,
    COALESCE(min(c.in_force_from) OVER (PARTITION BY c.app_id, c.category_id ORDER BY c.version ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING), 'infinity'::timestamp with time zone) AS in_force_to,
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

COMMENT ON VIEW afterpush.category_versions IS 'Category versions with the hours they are in force and what they offer.';


--
-- Name: report_observable(integer); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.report_observable(app_id integer) RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE
    BEGIN ATOMIC
 SELECT format('
        case
            when platform in (''android'', ''web'') then true
            when platform is distinct from ''ios'' or category_id is null then false
            when category_version > 0 then category_id || '' '' || category_version = any (%L::text[])
            when category_id = any (%L::text[]) then true
            %s else false
        end
        '::text, COALESCE(( SELECT array_agg(((v.category_id || ' '::text) || v.version)) AS array_agg
            FROM afterpush.category_versions v
           WHERE ((v.app_id = report_observable.app_id) AND v.dismiss_observable)), '{}'::text[]), COALESCE(array_agg(c.category_id) FILTER (WHERE c.is_always), '{}'::text[]), string_agg(format('when category_id = %L and anchor_at <@ %L::tstzmultirange then true '::text, c.category_id, c.times), ''::text) FILTER (WHERE (NOT c.is_always))) AS format
    FROM ( SELECT v.category_id,
             bool_and(v.dismiss_observable) AS is_always,
             range_agg(tstzrange(v.in_force_from, v.in_force_to)) FILTER (WHERE (v.dismiss_observable AND (v.in_force_from < v.in_force_to))) AS times
            FROM afterpush.category_versions v
           WHERE (v.app_id = report_observable.app_id)
           GROUP BY v.category_id
          HAVING bool_or(v.dismiss_observable)) c;
END;


ALTER FUNCTION afterpush.report_observable(app_id integer) OWNER TO afterpush_owner;

--
-- Name: FUNCTION report_observable(app_id integer); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.report_observable(app_id integer) IS 'An expression for whether the dismissal of a delivery would be reported.';


--
-- Name: report_openings(text, timestamp with time zone, timestamp with time zone, interval, boolean, boolean, text, boolean, text); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.report_openings(app text, "from" timestamp with time zone, "to" timestamp with time zone, "window" interval, baseline boolean, credited boolean, only_platform text, verified boolean, by text) RETURNS TABLE(how text, campaign_id text, category_id text, variant text, platform text, app_version text, hour timestamp with time zone, openings bigint)
    LANGUAGE plpgsql STABLE COST 1e+08 PARALLEL SAFE
    AS $_$
declare
    -- Chance is looked for at the same time of another day.
    later constant interval := greatest(ceil(extract(epoch from "window") / 86400), 1) * interval '24 hours';
begin
    return query execute $text$
        with openings as materialized (
            select row_number() over () as opening, e.device_id, e.occurred_at, e.platform, e.app_version
            from afterpush.events as e
            where e.app_id = $1
              and e.kind = 'app_opened'
              and e.occurred_at >= $2
              and e.occurred_at < $3
              and ($10 is null or e.platform = $10)
              and (not $7 or e.verified)
              and e.batch_id <> all ($11)
        ),
        responses as (
            select
                e.device_id, e.occurred_at, e.delivery_id,
                date_bin('1 hour', e.occurred_at, timestamptz '2000-01-01 00:00Z') as bin
            from afterpush.events as e
            where e.app_id = $1
              and e.kind in ('opened', 'action', 'text_input', 'dismissed')
              and e.occurred_at >= $2 - interval '60 s'
              and e.occurred_at < $3
              and (not $7 or e.verified)
              and e.batch_id <> all ($11)
        ),
        unopened as not materialized (
            select
                c.device_id, c.at, date_bin($6, c.at, timestamptz '2000-01-01 00:00Z') as bin,
                -- Not read where nobody asks.
                case when $9 then c.delivery_id end as delivery_id,
                case when $9 then c.notification_id end as notification_id,
                case when $9 then c.campaign_id end as campaign_id,
                case when $9 then c.category_id end as category_id,
                case when $9 then c.variant end as variant
            from (
                select
                    *,
                    case when $7 then verified_kinds else kinds end as told,
                    case when $7 then verified_confirmed_at else confirmed_at end as at
                from afterpush.deliveries
            ) as c
            where c.app_id = $1
              -- Not opened. (Of `= 0` the planner would expect a row in two hundred.)
              and c.told & 32 < 1
              and c.at >= $2 - $4
              and c.at < $3 + case when $8 then $5 else interval '0' end
        ),
        direct as materialized (
            select distinct on (o.opening) o.*, d.campaign_id, d.category_id, d.variant
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
                and $9
            order by o.opening, r.occurred_at desc, d.notification_id, d.delivery_id
        ),
        -- When the others happened, and when they would have by chance.
        indirect as not materialized (
            select o.*, h.how, o.occurred_at + h.later as until
            from openings as o
            cross join (values ('influenced', interval '0'), ('expected', $5)) as h (how, later)
            where o.opening not in (select opening from direct)
              and (h.how = 'influenced' or $8)
        ),
        notified as materialized (
            select distinct on (o.how, o.opening) o.*, u.campaign_id, u.category_id, u.variant
            from (
                select *, date_bin($6, until, timestamptz '2000-01-01 00:00Z') as bin
                from indirect
                union all
                select *, date_bin($6, until, timestamptz '2000-01-01 00:00Z') - $6
                from indirect
                where until - $4 < date_bin($6, until, timestamptz '2000-01-01 00:00Z')
            ) as o
            join unopened as u
                on u.device_id = o.device_id
                and u.bin = o.bin
                and u.at between o.until - $4 and o.until
            order by o.how, o.opening, u.at desc, u.notification_id, u.delivery_id
        ),
        told as (
            select 'direct' as how, 1 as openings, campaign_id, category_id, variant, platform, app_version, occurred_at
            from direct
            union all
            select how, 1, campaign_id, category_id, variant, platform, app_version, occurred_at
            from notified
            union all
            select 'other', openings, null, null, null, platform, app_version, occurred_at
            from (
                select 1 as openings, platform, app_version, occurred_at from openings
                union all
                select -1, platform, app_version, occurred_at from direct
                union all
                select -1, platform, app_version, occurred_at from notified where how = 'influenced'
            ) as o
        )
        select
            how, campaign_id, category_id, variant,
            case when $12 ~ 'platform' then platform end,
            case when $12 ~ 'app_version' then app_version end,
            case when $12 ~ 'day|hour' then date_bin('1 hour', occurred_at, timestamptz '2000-01-01 00:00Z') end,
            sum(openings)
        from told
        group by 1, 2, 3, 4, 5, 6, 7
        $text$
    using
        (select a.app_id from afterpush.apps as a where a.name = report_openings.app),
        "from", "to", "window", later, 8 * greatest("window", interval '1 hour'), report_openings.verified, baseline,
        credited, only_platform,
        -- What is not in the rollups yet is in no report.
        array(select b.batch_id from afterpush.batches as b where b.rolled_up_at is null), report_openings.by;
end
$_$;


ALTER FUNCTION afterpush.report_openings(app text, "from" timestamp with time zone, "to" timestamp with time zone, "window" interval, baseline boolean, credited boolean, only_platform text, verified boolean, by text) OWNER TO afterpush_owner;

--
-- Name: FUNCTION report_openings(app text, "from" timestamp with time zone, "to" timestamp with time zone, "window" interval, baseline boolean, credited boolean, only_platform text, verified boolean, by text); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.report_openings(app text, "from" timestamp with time zone, "to" timestamp with time zone, "window" interval, baseline boolean, credited boolean, only_platform text, verified boolean, by text) IS 'Openings of the app by how they came about.';


--
-- Name: report_recent_deliveries(text, timestamp with time zone, timestamp with time zone, text, text, text, text, boolean); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.report_recent_deliveries(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean) RETURNS TABLE(recent bigint, kinds integer, dismiss_observable boolean, deliveries bigint)
    LANGUAGE plpgsql STABLE COST 1e+08 PARALLEL SAFE
    AS $_$
declare
    this_app constant integer := (select a.app_id from afterpush.apps as a where a.name = report_recent_deliveries.app);
    anchor constant text := 'afterpush.anchor_at(sent_at, receipt_issued_at, first_event_at)';
begin
    return query execute format(
        $text$
        select recent, kinds, dismiss_observable, count(*)
        from (
            select
                is_selected, kinds, dismiss_observable,
                count(*) filter (where not has_failed) over (
                    partition by device_hash, device_hash_2
                    order by anchor_at
                    range between interval '168 hours' preceding and interval '1 microsecond' preceding
                ) as recent
            from (
                select
                    -- 128 bits stand for a device: they are sorted faster than its name, which may be long.
                    hashtextextended(device_id, 0) as device_hash,
                    hashtextextended(device_id, 1) as device_hash_2,
                    anchor_at,
                    kinds & 1509 as kinds,
                    kinds & 2 <> 0 and kinds & 31228 = 0 as has_failed,
                    coalesce(anchor_at >= %L %s, false) as is_selected,
                    %s as dismiss_observable
                from (
                    select *, %s as kinds, %s as anchor_at
                    from (
                        select
                            app_id, device_id, campaign_id, category_id, category_version, variant, platform,
                            kinds as all_kinds, verified_kinds, sent_at, receipt_issued_at, first_event_at
                        from afterpush.deliveries
                    ) as d
                    where app_id = %L %s
                ) as d
                where device_id is not null
                  and kinds <> 0
                -- Sorts these, and not what they are made of.
                offset 0
            ) as told
        ) as had
        where is_selected
        group by 1, 2, 3
        $text$,
        coalesce("from", '-infinity'),
        afterpush.report_conditions(only_campaign, only_category, only_variant, only_platform),
        afterpush.report_observable(this_app),
        case when report_recent_deliveries.verified then 'verified_kinds' else 'all_kinds' end,
        anchor,
        this_app,
        afterpush.report_within(anchor, "from" - interval '168 hours', "to")
    );
end
$_$;


ALTER FUNCTION afterpush.report_recent_deliveries(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean) OWNER TO afterpush_owner;

--
-- Name: FUNCTION report_recent_deliveries(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.report_recent_deliveries(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean) IS 'Deliveries by how many notifications their device had in the seven days before.';


--
-- Name: report_source(integer, timestamp with time zone, timestamp with time zone, text, boolean, text, timestamp with time zone[], text, boolean); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.report_source(app_id integer, "from" timestamp with time zone, "to" timestamp with time zone, conditions text, verified boolean, level text, split timestamp with time zone[], base text, with_sends boolean) RETURNS text
    LANGUAGE plpgsql IMMUTABLE
    AS $_$
declare
    of_app constant text := format('app_id = %s and verified = %L', report_source.app_id, report_source.verified);
    in_base constant text := case when base in ('sent', 'confirmed') then 'is_' || base else 'false' end;
    names constant text := 'select campaign_id, variant, category_id, category_version, platform, ';
    no_version constant text := $text$'' collate "C" as app_version, $text$;
    hourly text;
    daily text;
    days text := concat(of_app, conditions, afterpush.report_within('anchor_day', "from", "to"));
    hours constant text := concat(of_app, conditions, afterpush.report_within('anchor_hour', "from", "to"));
    branches text[];
begin
    select
        string_agg(
            format('(%1$s)::integer as %2$s, case when %3$s then (%1$s)::integer else 0 end as %2$s_base', value, name, in_base),
            ', ' order by place
        ),
        string_agg(
            format('%1$s, %2$s as %1$s_base', name, case when in_base <> 'false' then name || '_' || base else '0' end),
            ', ' order by place
        )
    into hourly, daily
    from (
        values
            (1, 'deliveries', 'deliveries'),
            (2, 'opened', 'opened'),
            (3, 'acted', 'case when cardinality(actions) > 0 then deliveries else 0 end'),
            (4, 'replied', 'replied'),
            (5, 'dismissed', 'dismissed'),
            (6, 'read', 'read'),
            (7, 'responded', 'responded'),
            (8, 'converted_events', 'converted_events'),
            (9, 'replaced', 'replaced')
    ) as counts (place, name, value);
    hourly := format(
        $text$
        %1$s,
        case when is_sent then deliveries::integer else 0 end as deliveries_sent,
        case when is_confirmed then deliveries::integer else 0 end as deliveries_confirmed,
        case when is_sent and is_confirmed then deliveries::integer else 0 end as deliveries_both,
        failed::integer as failed,
        delivered::integer as delivered,
        case when is_sent then delivered::integer else 0 end as delivered_sent,
        displayed::integer as displayed,
        actions,
        (deliveries - converted_events)::integer as unconverted,
        case when %2$s then (deliveries - converted_events)::integer else 0 end as unconverted_base,
        0 as declared_sends,
        false as is_declaration
        $text$,
        hourly, in_base
    );
    if level = 'days' then
        if cardinality(split) > 0 then
            days := days || format(' and anchor_day <> all (%L::timestamptz[])', split);
            -- offset 0 keeps the planner from reading all hours and picking days then.
            branches := array[concat(
                names, no_version, 'anchor_hour as hour, ', hourly,
                format('from unnest(%L::timestamptz[]) as split (day)', split),
                ' cross join lateral (select * from afterpush.rollup_deliveries where ', hours,
                ' and anchor_hour >= split.day and anchor_hour < split.day + interval ''24 hours'' offset 0) as r'
            )];
        end if;
        branches := branches || concat(
            names, no_version, 'anchor_day as hour, ', daily,
            ', deliveries_sent, deliveries_confirmed, deliveries_both, failed, delivered, delivered_sent, displayed, ',
            '''{}''::text[] collate "C" as actions, 0 as unconverted, 0 as unconverted_base, 0 as declared_sends, ',
            'false as is_declaration from afterpush.rollup_delivery_days where ', days
        );
    elsif level = 'hours' then
        branches := array[concat(
            names, no_version, 'anchor_hour as hour, ', hourly, 'from afterpush.rollup_deliveries where ', hours
        )];
    else
        branches := array[concat(
            names, 'app_version, anchor_hour as hour, ', hourly, 'from afterpush.rollup_app_versions where ', hours
        )];
    end if;
    if with_sends then
        branches := branches || concat(
            'select * from (select campaign_id, coalesce(variant, '''') as variant, coalesce(category_id, '''') as category_id, ',
            'coalesce(category_version, 0), coalesce(platform, '''') as platform, ', no_version,
            'afterpush.hour_of(sent_at) as hour, ', repeat('0, ', 21), 'failed, 0, 0, 0, ',
            '''{}''::text[] collate "C", 0, 0, count, true from afterpush.sends where app_id = ',
            report_source.app_id, ') as s where true', conditions, afterpush.report_within('hour', "from", "to")
        );
    end if;
    return array_to_string(branches, ' union all ');
end
$_$;


ALTER FUNCTION afterpush.report_source(app_id integer, "from" timestamp with time zone, "to" timestamp with time zone, conditions text, verified boolean, level text, split timestamp with time zone[], base text, with_sends boolean) OWNER TO afterpush_owner;

--
-- Name: FUNCTION report_source(app_id integer, "from" timestamp with time zone, "to" timestamp with time zone, conditions text, verified boolean, level text, split timestamp with time zone[], base text, with_sends boolean); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.report_source(app_id integer, "from" timestamp with time zone, "to" timestamp with time zone, conditions text, verified boolean, level text, split timestamp with time zone[], base text, with_sends boolean) IS 'A statement for rows of the rollups, and declared sends, that a report selects.';


--
-- Name: report_span(integer, timestamp with time zone, timestamp with time zone, text); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.report_span(app_id integer, "from" timestamp with time zone, "to" timestamp with time zone, campaign text, OUT starts timestamp with time zone, OUT ends timestamp with time zone) RETURNS record
    LANGUAGE plpgsql STABLE
    AS $$
begin
    if report_span.app_id is null then
        raise exception 'app: no app has this name, or this role may not see it'
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

COMMENT ON FUNCTION afterpush.report_span(app_id integer, "from" timestamp with time zone, "to" timestamp with time zone, campaign text, OUT starts timestamp with time zone, OUT ends timestamp with time zone) IS 'A selection, narrowed to the days of its campaign.';


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

COMMENT ON FUNCTION afterpush.report_split("from" timestamp with time zone, "to" timestamp with time zone, times timestamp with time zone[]) IS 'Days of a selection that one of some times lies in the midst of.';


--
-- Name: report_times(text, timestamp with time zone, timestamp with time zone, text, text, text, text, boolean, text, text); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.report_times(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, by text, tz text) RETURNS TABLE(campaign_id text, category_id text, variant text, platform text, day date, hour timestamp with time zone, app_version text, responded bigint, p50_seconds double precision, p90_seconds double precision, p99_seconds double precision)
    LANGUAGE plpgsql STABLE
    SET max_parallel_workers_per_gather TO '0'
    SET enable_mergejoin TO 'off'
    AS $_$
declare
    this_app constant integer := (select a.app_id from afterpush.apps as a where a.name = report_times.app);
    words constant text[] := coalesce(string_to_array(nullif(report_times.by, ''), ','), '{}');
    by_hour constant boolean := words && array['hour', 'app_version'] or 'day' = any (words) and report_times.tz <> 'UTC';
    counted constant text := case when report_times.verified then 'verified_' else '' end;
    conditions constant text := afterpush.report_conditions(only_campaign, only_category, only_variant, only_platform);
    starts timestamptz;
    ends timestamptz;
    split timestamptz[] := '{}';
    -- What is grouped by: its expressions, its names, each with a comma after it, and all columns as they are shown.
    keys text;
    names text;
    shown text;
    source text;
begin
    select s.starts, s.ends into starts, ends from afterpush.report_span(this_app, "from", "to", only_campaign) as s;
    if not by_hour then
        split := afterpush.report_split(starts, ends, array[starts, ends]);
    end if;
    select
        coalesce(string_agg(format('%s as key%s, ', key, place), '' order by place) filter (where word = any (words)), ''),
        coalesce(string_agg(format('key%s, ', place), '' order by place) filter (where word = any (words)), ''),
        string_agg(
            case
                when word <> all (words) then 'null::' || type
                when type = 'text' then format('nullif(key%s, '''')', place)
                else format('key%s', place)
            end,
            ', ' order by place
        )
    into keys, names, shown
    from (
        values
            (1, 'campaign', 'text', 'campaign_id'),
            (2, 'category', 'text', 'category_id'),
            (3, 'variant', 'text', 'variant'),
            (4, 'platform', 'text', 'platform'),
            (5, 'day', 'date', format('(hour at time zone %L)::date', report_times.tz)),
            (6, 'hour', 'timestamptz', 'hour'),
            (7, 'app_version', 'text', 'app_version')
    ) as k (place, word, type, key);
    source := format(
        $text$
        select
            %1$s sum(deliveries)::integer as deliveries,
            afterpush.running_totals_of(array_agg(bucket order by bucket), array_agg(deliveries order by bucket)) as times
        from (
            select %2$s bucket, sum(%3$sdeliveries)::bigint as deliveries
            from (select *, anchor_hour as hour from afterpush.rollup_responses) as h
            where app_id = %4$s %5$s %6$s %7$s
            group by %1$s bucket
        ) as timed
        where deliveries > 0
        group by %8$s
        $text$,
        names, keys, counted, this_app, conditions, afterpush.report_within('anchor_hour', starts, ends),
        case when not by_hour then afterpush.report_within_days('anchor_hour', split) end,
        case when names = '' then '()' else rtrim(names, ', ') end
    );
    if not by_hour then
        source := case when cardinality(split) > 0 then source || ' union all ' else '' end || format(
            $text$
            select %1$s %2$sdeliveries as deliveries, %2$stimes as times
            from (select *, anchor_day as hour from afterpush.rollup_response_days) as d
            where app_id = %3$s %4$s %5$s and anchor_day <> all (%6$L::timestamptz[])
            $text$,
            keys, counted, this_app, conditions, afterpush.report_within('anchor_day', starts, ends), split
        );
    end if;
    return query execute format(
        $text$
        select
            %1$s, responded, afterpush.bucket_seconds(p50), afterpush.bucket_seconds(p90), afterpush.bucket_seconds(p99)
        from (
            select
                %2$s
                responded,
                afterpush.running_totals_quantile(several, timed, 50, least_p50, greatest_p50)::smallint as p50,
                afterpush.running_totals_quantile(several, timed, 90, least_p90, greatest_p90)::smallint as p90,
                afterpush.running_totals_quantile(several, timed, 99, least_p99, greatest_p99)::smallint as p99
            from (
                select
                    %2$s
                    coalesce(sum(deliveries), 0)::bigint as responded,
                    sum(times[cardinality(times)]) as timed,
                    min(p50) as least_p50,
                    max(p50) as greatest_p50,
                    min(p90) as least_p90,
                    max(p90) as greatest_p90,
                    min(p99) as least_p99,
                    max(p99) as greatest_p99,
                    array_agg(row(times)::afterpush.running_totals) filter (where p50 is not null) as several
                from (
                    select
                        s.*,
                        afterpush.running_totals_quantile(s.times, 50) as p50,
                        afterpush.running_totals_quantile(s.times, 90) as p90,
                        afterpush.running_totals_quantile(s.times, 99) as p99
                    from (%3$s) as s
                    where deliveries > 0
                    offset 0
                ) as r
                group by %4$s
            ) as grouped
            offset 0
        ) as found
        $text$,
        shown, names, source, case when names = '' then '()' else rtrim(names, ', ') end
    );
end
$_$;


ALTER FUNCTION afterpush.report_times(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, by text, tz text) OWNER TO afterpush_owner;

--
-- Name: FUNCTION report_times(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, by text, tz text); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.report_times(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, by text, tz text) IS 'How long deliveries that a report selects took to be responded to, by group.';


--
-- Name: report_within(text, timestamp with time zone, timestamp with time zone); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.report_within(at text, "from" timestamp with time zone, "to" timestamp with time zone) RETURNS text
    LANGUAGE plpgsql IMMUTABLE
    AS $$
begin
    return concat(' and ' || at || ' >= ' || quote_literal("from"), ' and ' || at || ' < ' || quote_literal("to"));
end
$$;


ALTER FUNCTION afterpush.report_within(at text, "from" timestamp with time zone, "to" timestamp with time zone) OWNER TO afterpush_owner;

--
-- Name: FUNCTION report_within(at text, "from" timestamp with time zone, "to" timestamp with time zone); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.report_within(at text, "from" timestamp with time zone, "to" timestamp with time zone) IS 'Conditions on the time that a report selects by.';


--
-- Name: report_within_days(text, timestamp with time zone[]); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.report_within_days(at text, days timestamp with time zone[]) RETURNS text
    LANGUAGE plpgsql IMMUTABLE
    AS $$
begin
    return format(' and afterpush.day_of(%s) = any (%L::timestamptz[])', at, days)
        || afterpush.report_within(
            at, (select min(d) from unnest(days) as d), (select max(d) + interval '24 hours' from unnest(days) as d)
        );
end
$$;


ALTER FUNCTION afterpush.report_within_days(at text, days timestamp with time zone[]) OWNER TO afterpush_owner;

--
-- Name: FUNCTION report_within_days(at text, days timestamp with time zone[]); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.report_within_days(at text, days timestamp with time zone[]) IS 'Conditions on the day of a time, which let an index find it.';


--
-- Name: request_erasure(integer, text); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.request_erasure(app integer, device text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    hash bytea;
    hashing_key integer;
begin
    -- They commit in the order of their numbers, so that whoever has read up to one has missed none.
    lock table afterpush.suppressed_devices in share row exclusive mode;
    -- The hash it is known by, if it is.
    select afterpush.device_hash(device, k.inner_block, k.outer_block), k.key_id
    into hash, hashing_key
    from afterpush.suppression_keys as k
    left join afterpush.suppressed_devices as s
        on s.app_id = app
        and s.device_hash = afterpush.device_hash(device, k.inner_block, k.outer_block)
    order by s.app_id is null, k.key_id
    limit 1;
    insert into afterpush.suppressed_devices (app_id, device_hash, key_id)
    values (app, hash, hashing_key)
    on conflict do nothing;
    update afterpush.sealing set announced_at = clock_timestamp();
    insert into afterpush.erasures as e (app_id, device_hash, device_id, phase)
    values (app, hash, device, 'announced')
    on conflict (app_id, device_hash) do update set
        device_id = excluded.device_id,
        phase = case when e.phase in ('done', 'searching') then 'announced' else e.phase end,
        requested_at = excluded.requested_at,
        refusals_read = 0,
        finished_at = null;
end
$$;


ALTER FUNCTION afterpush.request_erasure(app integer, device text) OWNER TO afterpush_owner;

--
-- Name: FUNCTION request_erasure(app integer, device text); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.request_erasure(app integer, device text) IS 'Suppresses a device and asks for its erasure.';


--
-- Name: reserve_names(integer[], text[], text[], text[], boolean[], integer[]); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.reserve_names(app_ids integer[], kinds text[], parents text[], names text[], verified boolean[], quotas integer[]) RETURNS integer[]
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    wanted integer[];
begin
    select array_agg(w.place::integer)
    into wanted
    from unnest(app_ids, kinds, parents, names, reserve_names.verified) with ordinality
        as w (app_id, kind, parent, name, verified, place)
    where not exists (
            select from afterpush.undeclared_names as s
            where (s.app_id, s.kind, s.verified, s.parent, s.name) = (w.app_id, w.kind, w.verified, w.parent, w.name)
        )
      and case w.kind
            when 'campaign' then not exists (
                select from afterpush.campaigns as c where (c.app_id, c.campaign_id) = (w.app_id, w.name)
            )
            when 'variant' then not exists (
                select from afterpush.campaign_variants as v
                where (v.app_id, v.campaign_id, v.variant) = (w.app_id, w.parent, w.name)
            )
            when 'category' then not exists (
                select from afterpush.categories as c where (c.app_id, c.category_id) = (w.app_id, w.name)
            )
            when 'category_version' then not exists (
                select from afterpush.categories as c
                where (c.app_id, c.category_id, c.version::text) = (w.app_id, w.parent, w.name)
            )
            when 'action' then not exists (
                select from afterpush.actions as a where (a.app_id, a.action_id) = (w.app_id, w.name)
            )
            else true
        end;
    if wanted is null then
        return '{}';
    end if;
    perform 1
    from afterpush.apps as a
    where a.app_id = any (app_ids)
    order by a.app_id
    for no key update;
    -- Statements of their own: they see what the one that held the rows before has added.
    insert into afterpush.undeclared_names (app_id, kind, verified, parent, name)
    with new_names as materialized (
        select w.app_id, w.kind, w.parent, w.name, w.verified, w.quota, place
        from unnest(app_ids, kinds, parents, names, reserve_names.verified, quotas) with ordinality
            as w (app_id, kind, parent, name, verified, quota, place)
        join unnest(wanted::bigint[]) as p (place) using (place)
        where not exists (
            select from afterpush.undeclared_names as s
            where (s.app_id, s.kind, s.verified, s.parent, s.name) = (w.app_id, w.kind, w.verified, w.parent, w.name)
        )
    ),
    rooms as materialized (
        select
            n.app_id, n.kind, n.verified, n.parent,
            min(n.quota) - (
                select count(*)
                from afterpush.undeclared_names as s
                where (s.app_id, s.kind, s.verified, s.parent) = (n.app_id, n.kind, n.verified, n.parent)
            ) as room
        from new_names as n
        group by n.app_id, n.kind, n.verified, n.parent
    )
    select n.app_id, n.kind, n.verified, n.parent, n.name
    from (
        select
            n.*,
            row_number() over (partition by n.app_id, n.kind, n.verified, n.parent order by n.place) as turn
        from new_names as n
    ) as n
    join rooms as r
        on (r.app_id, r.kind, r.verified, r.parent) = (n.app_id, n.kind, n.verified, n.parent)
    where n.turn <= r.room
    order by n.app_id, n.kind, n.verified, n.parent, n.name
    on conflict do nothing;
    return (
        select coalesce(array_agg(place::integer), '{}')
        from unnest(app_ids, kinds, parents, names, reserve_names.verified) with ordinality
            as w (app_id, kind, parent, name, verified, place)
        join unnest(wanted::bigint[]) as p (place) using (place)
        where not exists (
            select from afterpush.undeclared_names as s
            where (s.app_id, s.kind, s.verified, s.parent, s.name) = (w.app_id, w.kind, w.verified, w.parent, w.name)
        )
    );
end
$$;


ALTER FUNCTION afterpush.reserve_names(app_ids integer[], kinds text[], parents text[], names text[], verified boolean[], quotas integer[]) OWNER TO afterpush_owner;

--
-- Name: FUNCTION reserve_names(app_ids integer[], kinds text[], parents text[], names text[], verified boolean[], quotas integer[]); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.reserve_names(app_ids integer[], kinds text[], parents text[], names text[], verified boolean[], quotas integer[]) IS 'Takes names that events state, within quotas; returns the places of those not taken.';


--
-- Name: restore_suppression(text, bytea, bytea); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.restore_suppression(app_name text, hash bytea, hashing_key bytea) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    app integer;
    number integer;
begin
    select app_id into app from afterpush.apps where name = app_name;
    if app is null then
        return null;
    end if;
    lock table afterpush.suppressed_devices in share row exclusive mode;
    insert into afterpush.suppression_keys (key) values (hashing_key) on conflict (key) do nothing;
    select key_id into number from afterpush.suppression_keys where key = hashing_key;
    insert into afterpush.suppressed_devices (app_id, device_hash, key_id)
    values (app, hash, number)
    on conflict do nothing;
    if not found then
        return false;
    end if;
    update afterpush.sealing set announced_at = clock_timestamp();
    insert into afterpush.erasures (app_id, device_hash, phase) values (app, hash, 'announced');
    return true;
end
$$;


ALTER FUNCTION afterpush.restore_suppression(app_name text, hash bytea, hashing_key bytea) OWNER TO afterpush_owner;

--
-- Name: FUNCTION restore_suppression(app_name text, hash bytea, hashing_key bytea); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.restore_suppression(app_name text, hash bytea, hashing_key bytea) IS 'Suppresses and erases a device that only its hash is known of.';


--
-- Name: erasures; Type: TABLE; Schema: afterpush; Owner: afterpush_owner
--

CREATE TABLE afterpush.erasures (
    app_id integer NOT NULL,
    device_hash bytea NOT NULL,
    device_id text COLLATE pg_catalog."C",
    phase text NOT NULL,
    requested_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    after_batch bigint,
    refusals_read bigint DEFAULT 0 NOT NULL,
    events bigint DEFAULT 0 NOT NULL,
    replies bigint DEFAULT 0 NOT NULL,
    deliveries bigint DEFAULT 0 NOT NULL,
    rejected bigint DEFAULT 0 NOT NULL,
    finished_at timestamp with time zone,
    CONSTRAINT erasures_check CHECK (((phase = 'done'::text) = (finished_at IS NOT NULL))),
    CONSTRAINT erasures_check1 CHECK (((phase <> 'done'::text) OR (device_id IS NULL))),
    CONSTRAINT erasures_phase_check CHECK ((phase = ANY (ARRAY['announced'::text, 'merging'::text, 'searching'::text, 'sweeping'::text, 'refusals'::text, 'done'::text])))
);


ALTER TABLE afterpush.erasures OWNER TO afterpush_owner;

--
-- Name: TABLE erasures; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TABLE afterpush.erasures IS 'One job for each erased device, and how far it is.';


--
-- Name: COLUMN erasures.app_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.erasures.app_id IS 'The app.';


--
-- Name: COLUMN erasures.device_hash; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.erasures.device_hash IS 'As in suppressed_devices.';


--
-- Name: COLUMN erasures.device_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.erasures.device_id IS 'The device while the job needs it; null when it is done, and until it is found if only its hash came back.';


--
-- Name: COLUMN erasures.phase; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.erasures.phase IS 'What is done next; announced: nothing yet.';


--
-- Name: COLUMN erasures.requested_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.erasures.requested_at IS 'When it was asked for, last.';


--
-- Name: COLUMN erasures.after_batch; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.erasures.after_batch IS 'Batches up to this one may hold events of the device.';


--
-- Name: COLUMN erasures.refusals_read; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.erasures.refusals_read IS 'Refused events up to this one are looked through.';


--
-- Name: COLUMN erasures.events; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.erasures.events IS 'Events that were deleted.';


--
-- Name: COLUMN erasures.replies; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.erasures.replies IS 'Replies that were deleted.';


--
-- Name: COLUMN erasures.deliveries; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.erasures.deliveries IS 'Deliveries that were made anonymous.';


--
-- Name: COLUMN erasures.rejected; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.erasures.rejected IS 'Refused events that were deleted.';


--
-- Name: COLUMN erasures.finished_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.erasures.finished_at IS 'When it was done.';


--
-- Name: retention_blocker(); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.retention_blocker() RETURNS text
    LANGUAGE sql STABLE
    RETURN CASE WHEN pg_is_in_recovery() THEN 'the server is a standby'::text WHEN (EXISTS (SELECT FROM afterpush.erasures WHERE ((erasures.finished_at IS NULL) AND (erasures.device_id IS NULL)))) THEN 'a backup was restored, and devices that were erased since are erased anew first'::text WHEN (EXISTS (SELECT FROM afterpush.batches WHERE ((batches.rolled_up_at IS NULL) AND (batches.started_at < (now() - '00:10:00'::interval))))) THEN 'the rollups are more than ten minutes behind'::text ELSE NULL::text END;


ALTER FUNCTION afterpush.retention_blocker() OWNER TO afterpush_owner;

--
-- Name: FUNCTION retention_blocker(); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.retention_blocker() IS 'Why retention must not run now; null if nothing is in the way.';


--
-- Name: retention_cutoff(interval); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.retention_cutoff(kept interval) RETURNS timestamp with time zone
    LANGUAGE sql STABLE
    RETURN COALESCE((date_trunc('month'::text, ((now() - kept) AT TIME ZONE 'UTC'::text)) AT TIME ZONE 'UTC'::text), '-infinity'::timestamp with time zone);


ALTER FUNCTION afterpush.retention_cutoff(kept interval) OWNER TO afterpush_owner;

--
-- Name: FUNCTION retention_cutoff(kept interval); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.retention_cutoff(kept interval) IS 'The start of the oldest month that is still within a time; before everything for no limit.';


--
-- Name: retention_plan(interval, interval, interval); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.retention_plan(events_kept interval, deliveries_kept interval, rejected_kept interval) RETURNS TABLE(what text, item text, affected bigint)
    LANGUAGE sql STABLE
    AS $$
    select
        'events',
        p.part,
        greatest((select c.reltuples from pg_class as c where c.oid = ('afterpush.' || p.part)::regclass), 0)::bigint
    from afterpush.expired_partitions(afterpush.retention_cutoff(events_kept)) as p (part)
    union all
    select 'events', 'in the default partition', count(*)
    from afterpush.events_default as e
    where e.occurred_at < afterpush.retention_cutoff(events_kept)
      and not exists (
          select
          from afterpush.deliveries as d
          where d.delivery_id = e.delivery_id
            and afterpush.anchor_hour(d.sent_at, d.receipt_issued_at, d.first_event_at) >= afterpush.retention_cutoff(events_kept)
      )
    having count(*) > 0
    union all
    select 'deliveries', 'anchored before ' || afterpush.rfc3339(afterpush.retention_cutoff(deliveries_kept)), count(*)
    from afterpush.deliveries as d
    where deliveries_kept is not null
      and afterpush.anchor_hour(d.sent_at, d.receipt_issued_at, d.first_event_at) < afterpush.retention_cutoff(deliveries_kept)
    having count(*) > 0
    union all
    select 'replies', 'past their category''s or app''s time', count(*)
    from afterpush.expired_replies
    having count(*) > 0
    union all
    select 'rejected', 'arrived before ' || afterpush.rfc3339(now() - rejected_kept), count(*)
    from afterpush.rejected_events
    where received_at < now() - rejected_kept
    having count(*) > 0
$$;


ALTER FUNCTION afterpush.retention_plan(events_kept interval, deliveries_kept interval, rejected_kept interval) OWNER TO afterpush_owner;

--
-- Name: FUNCTION retention_plan(events_kept interval, deliveries_kept interval, rejected_kept interval); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.retention_plan(events_kept interval, deliveries_kept interval, rejected_kept interval) IS 'What retention would do now, a line each.';


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
    taken bigint[];
    taken_events bigint;
    emptied timestamptz[];
    emptied_responses tid[];
    emptied_response_days tid[];
    emptied_days tid[];
    emptied_goals tid[];
    emptied_actions tid[];
    moved afterpush.delivery_dimensions[];
    counts afterpush.event_count[];
    sealed timestamptz;
begin
    select sealed_before into sealed from afterpush.rollup_worker for update skip locked;
    if not found then
        return null;
    end if;

    select array_agg(batch_id order by batch_id), sum(events)
    into taken, taken_events
    from (
        select batch_id, events, sum(events) over (order by batch_id) - events as events_before
        from (
            select batch_id, events
            from afterpush.batches
            where rolled_up_at is null
            order by batch_id
            limit 1000
        ) as oldest
    ) as waiting
    where events_before < max_events;
    if taken is null then
        return 0;
    end if;

    with merged as materialized (
        select
            *,
            afterpush.anchor_hour(sent_at, receipt_issued_at, first_event_at) as anchor_hour,
            substr(platform_key, 2) as platform,
            substr(app_version_key, 2) as app_version,
            afterpush.attribution_value(campaign_key) as campaign_id,
            afterpush.attribution_detail(campaign_key) as variant,
            afterpush.attribution_value(category_key) as category_id,
            afterpush.attribution_detail(category_key)::integer as category_version
        from (
            select
                d.ctid as place,
                d.delivery_id is not null and sealed > '-infinity'
                    and afterpush.anchor_hour(d.sent_at, d.receipt_issued_at, d.first_event_at) < sealed
                    and not exists (select from afterpush.late_deliveries as l where l.delivery_id = d.delivery_id)
                as is_frozen,
                t.delivery_id,
                t.app_id,
                t.kinds | coalesce(d.kinds, 0) as kinds,
                t.verified_kinds | coalesce(d.verified_kinds, 0) as verified_kinds,
                afterpush.effective_attribution(
                    least(t.platform, d.platform_source_rank || d.platform), t.kinds | coalesce(d.kinds, 0)
                ) as platform_key,
                afterpush.effective_attribution(
                    least(t.app_version, d.app_version_source_rank || d.app_version), t.kinds | coalesce(d.kinds, 0)
                ) as app_version_key,
                afterpush.effective_attribution(
                    least(t.campaign, afterpush.attribution_key(d.campaign_source_rank::text, d.campaign_id, d.variant)),
                    t.kinds | coalesce(d.kinds, 0)
                ) as campaign_key,
                afterpush.effective_attribution(
                    least(
                        t.category,
                        afterpush.attribution_key(d.category_source_rank::text, d.category_id, lpad(d.category_version::text, 10, '0'))
                    ),
                    t.kinds | coalesce(d.kinds, 0)
                ) as category_key,
                least(t.first_event_at, d.first_event_at) as first_event_at,
                least(t.sent_at, d.sent_at) as sent_at,
                least(t.receipt_issued_at, d.receipt_issued_at) as receipt_issued_at,
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
                t.event_kinds,
                d.kinds as old_kinds,
                d.verified_kinds as old_verified_kinds,
                afterpush.anchor_hour(d.sent_at, d.receipt_issued_at, d.first_event_at) as old_anchor_hour,
                d.responded_at as old_responded_at,
                d.verified_responded_at as old_verified_responded_at,
                coalesce(d.confirmed_at, d.sent_at) as old_reached_at,
                coalesce(d.verified_confirmed_at, d.verified_sent_at) as old_verified_reached_at,
                d.platform as old_platform,
                d.app_version as old_app_version,
                d.campaign_id as old_campaign_id,
                d.variant as old_variant,
                d.category_id as old_category_id,
                d.category_version as old_category_version,
                d.actions as old_actions
            from afterpush.delivery_deltas(taken, null) as t
            left join afterpush.deliveries as d on d.delivery_id = t.delivery_id
            -- So that each expression is worked out once.
            offset 0
        ) as met
    ),
    -- A delivery of a sealed hour stays as it is, and so does what was counted of it: it is frozen. One that only comes to
    -- be in such an hour is kept, and not counted.
    late as (
        insert into afterpush.late_deliveries (delivery_id, app_id)
        select delivery_id, app_id
        from merged
        where sealed > '-infinity'
          and anchor_hour < sealed
          and not is_frozen
        order by delivery_id
        on conflict (delivery_id) do nothing
    ),
    inserted as (
        insert into afterpush.deliveries (
            delivery_id, app_id, kinds, verified_kinds, platform_source_rank, app_version_source_rank, campaign_source_rank,
            category_source_rank, category_version, first_event_at, sent_at, receipt_issued_at, confirmed_at,
            responded_at, verified_sent_at, verified_confirmed_at, verified_responded_at, notification_id, device_id,
            platform, app_version, campaign_id, variant, category_id, actions
        )
        select
            delivery_id, app_id, kinds, verified_kinds, afterpush.attribution_source_rank(platform_key),
            afterpush.attribution_source_rank(app_version_key), afterpush.attribution_source_rank(campaign_key),
            afterpush.attribution_source_rank(category_key), category_version, first_event_at, sent_at, receipt_issued_at,
            confirmed_at, responded_at, verified_sent_at, verified_confirmed_at, verified_responded_at, notification_id,
            device_id, platform, app_version, campaign_id, variant, category_id, actions
        from merged
        where place is null
        order by delivery_id
    ),
    -- The worker alone writes deliveries, so each is where it was found.
    updated as (
        update afterpush.deliveries as d
        set kinds = merged.kinds,
            verified_kinds = merged.verified_kinds,
            platform_source_rank = afterpush.attribution_source_rank(platform_key),
            app_version_source_rank = afterpush.attribution_source_rank(app_version_key),
            campaign_source_rank = afterpush.attribution_source_rank(campaign_key),
            category_source_rank = afterpush.attribution_source_rank(category_key),
            category_version = merged.category_version,
            first_event_at = merged.first_event_at,
            sent_at = merged.sent_at,
            receipt_issued_at = merged.receipt_issued_at,
            confirmed_at = merged.confirmed_at,
            responded_at = merged.responded_at,
            verified_sent_at = merged.verified_sent_at,
            verified_confirmed_at = merged.verified_confirmed_at,
            verified_responded_at = merged.verified_responded_at,
            platform = merged.platform,
            app_version = merged.app_version,
            campaign_id = merged.campaign_id,
            variant = merged.variant,
            category_id = merged.category_id,
            actions = merged.actions
        from merged
        where place is not null
          and not is_frozen
          and d.ctid = place
    ),
    -- What the touched deliveries add now, less what they added before. Most look like many others: they are counted
    -- before anything is derived.
    shapes as materialized (
        select
            app_id, anchor_hour, app_version, campaign_id, variant, category_id, category_version, platform, kinds,
            verified_kinds,
            case when responded_at is not null then afterpush.time_bucket(responded_at - reached_at) end as bucket,
            case
                when verified_responded_at is not null
                then afterpush.time_bucket(verified_responded_at - verified_reached_at)
            end as verified_bucket,
            case
                when cardinality(actions) = 1
                then row(
                    array[(actions[1]).action_id],
                    array[afterpush.time_bucket((actions[1]).first_at - reached_at)],
                    array[(actions[1]).events],
                    array[afterpush.time_bucket((actions[1]).verified_first_at - verified_reached_at)],
                    array[(actions[1]).verified_events]
                )::afterpush.timed_actions
                when actions is not null
                then (
                    select
                        row(
                            array_agg(a.action_id),
                            array_agg(afterpush.time_bucket(a.first_at - reached_at)),
                            array_agg(a.events),
                            array_agg(afterpush.time_bucket(a.verified_first_at - verified_reached_at)),
                            array_agg(a.verified_events)
                        )::afterpush.timed_actions
                    from unnest(actions) as a
                )
            end as actions,
            sum(sign) as deliveries
        from (
            select
                1 as sign, app_id, anchor_hour, coalesce(app_version, '') as app_version,
                coalesce(campaign_id, '') as campaign_id, coalesce(variant, '') as variant,
                coalesce(category_id, '') as category_id, coalesce(category_version, 0) as category_version,
                coalesce(platform, '') as platform, kinds, verified_kinds, actions, responded_at,
                verified_responded_at, coalesce(confirmed_at, sent_at) as reached_at,
                coalesce(verified_confirmed_at, verified_sent_at) as verified_reached_at
            from merged
            where sealed = '-infinity'
               or anchor_hour >= sealed and not is_frozen
            union all
            select
                -1, app_id, old_anchor_hour, coalesce(old_app_version, ''), coalesce(old_campaign_id, ''),
                coalesce(old_variant, ''), coalesce(old_category_id, ''), coalesce(old_category_version, 0),
                coalesce(old_platform, ''), old_kinds, old_verified_kinds, old_actions, old_responded_at,
                old_verified_responded_at, old_reached_at, old_verified_reached_at
            from merged
            where place is not null
              and (sealed = '-infinity' or old_anchor_hour >= sealed and not is_frozen)
        ) as keyed
        group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13
        having sum(sign) <> 0
    ),
    change as materialized (
        select
            app_id, verified, anchor_hour, app_version, campaign_id, variant, category_id, category_version, platform,
            is_sent, is_confirmed, action_ids as actions,
            sum(deliveries) as deliveries,
            sum(deliveries * failed) as failed,
            sum(deliveries * delivered) as delivered,
            sum(deliveries * displayed) as displayed,
            sum(deliveries * opened) as opened,
            sum(deliveries * replied) as replied,
            sum(deliveries * dismissed) as dismissed,
            sum(deliveries * read) as read,
            sum(deliveries * responded) as responded,
            sum(deliveries * converted_events) as converted_events,
            sum(deliveries * replaced) as replaced
        from (
            select
                shapes.*, false as verified, kinds as bits,
                coalesce((actions).action_ids, '{}') as action_ids
            from shapes
            union all
            select
                shapes.*, true, verified_kinds,
                array(
                    select a.action_id
                    from unnest((actions).action_ids, (actions).verified_events) as a (action_id, events)
                    where a.events > 0
                )
            from shapes
            where verified_kinds <> 0
        ) as modes
        cross join lateral afterpush.states(bits)
        group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
    ),
    by_app_version as (
        insert into afterpush.rollup_app_versions as r (
            app_id, verified, anchor_hour, app_version, campaign_id, variant, category_id, category_version, platform,
            is_sent, is_confirmed, actions, deliveries, failed, delivered, displayed, opened, replied, dismissed, read,
            responded, converted_events, replaced
        )
        select
            app_id, verified, anchor_hour, app_version, campaign_id, variant, category_id, category_version, platform,
            is_sent, is_confirmed, actions, deliveries, failed, delivered, displayed, opened, replied, dismissed, read,
            responded, converted_events, replaced
        from change
        order by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
        on conflict (
            app_id, verified, anchor_hour, app_version, campaign_id, variant, category_id, category_version, platform,
            is_sent, is_confirmed, afterpush.actions_key(actions)) do update set
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
            replaced = r.replaced + excluded.replaced
        returning r.anchor_hour, r.deliveries
    ),
    by_dimension as (
        insert into afterpush.rollup_deliveries as r (
            app_id, verified, anchor_hour, campaign_id, variant, category_id, category_version, platform, is_sent,
            is_confirmed, actions, deliveries, failed, delivered, displayed, opened, replied, dismissed, read,
            responded, converted_events, replaced
        )
        select
            app_id, verified, anchor_hour, campaign_id, variant, category_id, category_version, platform, is_sent,
            is_confirmed, actions, sum(deliveries), sum(failed), sum(delivered), sum(displayed), sum(opened),
            sum(replied), sum(dismissed), sum(read), sum(responded), sum(converted_events), sum(replaced)
        from change
        group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
        order by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
        on conflict (
            app_id, verified, anchor_hour, campaign_id, variant, category_id, category_version, platform, is_sent,
            is_confirmed, afterpush.actions_key(actions)) do update set
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
            replaced = r.replaced + excluded.replaced
        returning r.anchor_hour, r.deliveries
    ),
    action_change as materialized (
        select
            app_id, verified, anchor_hour, campaign_id, variant, category_id, category_version, platform,
            bits & 1 <> 0 as is_sent, bits & 4 <> 0 as is_confirmed, action_id, bucket,
            sum(deliveries) as deliveries, sum(deliveries * events) as events
        from (
            select
                false as verified, kinds as bits, s.app_id, s.anchor_hour, s.campaign_id, s.variant, s.category_id,
                s.category_version, s.platform, a.action_id, a.bucket, s.deliveries, a.events
            from shapes as s
            cross join unnest((s.actions).action_ids, (s.actions).buckets, (s.actions).events)
                as a (action_id, bucket, events)
            where s.actions is not null
            union all
            select
                true, s.verified_kinds, s.app_id, s.anchor_hour, s.campaign_id, s.variant, s.category_id,
                s.category_version, s.platform, a.action_id, a.bucket, s.deliveries, a.events
            from shapes as s
            cross join unnest((s.actions).action_ids, (s.actions).verified_buckets, (s.actions).verified_events)
                as a (action_id, bucket, events)
            where s.actions is not null
              and s.verified_kinds <> 0
              and a.events > 0
        ) as modes
        group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
        having sum(deliveries) <> 0 or sum(deliveries * events) <> 0
    ),
    by_action as (
        insert into afterpush.rollup_actions as r (
            app_id, verified, anchor_hour, campaign_id, variant, category_id, category_version, platform, is_sent,
            is_confirmed, action_id, bucket, deliveries, events
        )
        select *
        from action_change
        order by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
        on conflict (
            app_id, verified, anchor_hour, campaign_id, variant, category_id, category_version, platform, is_sent,
            is_confirmed, action_id, bucket
        ) do update set
            deliveries = r.deliveries + excluded.deliveries,
            events = r.events + excluded.events
        returning r.anchor_hour, r.deliveries
    ),
    response_change as materialized (
        select
            app_id, anchor_hour, campaign_id, variant, category_id, platform, app_version, bucket,
            sum(deliveries) as deliveries, sum(verified_deliveries) as verified_deliveries
        from (
            select
                app_id, anchor_hour, campaign_id, variant, category_id, platform, app_version, bucket,
                deliveries, 0 as verified_deliveries
            from shapes
            where bucket is not null
            union all
            select
                app_id, anchor_hour, campaign_id, variant, category_id, platform, app_version, verified_bucket,
                0, deliveries
            from shapes
            where verified_bucket is not null
        ) as modes
        group by 1, 2, 3, 4, 5, 6, 7, 8
        having sum(deliveries) <> 0 or sum(verified_deliveries) <> 0
    ),
    by_response as (
        insert into afterpush.rollup_responses as r (
            app_id, anchor_hour, campaign_id, variant, category_id, platform, app_version, bucket,
            deliveries, verified_deliveries
        )
        select *
        from response_change
        order by 1, 2, 3, 4, 5, 6, 7, 8
        on conflict (
            app_id, anchor_hour, campaign_id, variant, category_id, platform, app_version, bucket
        ) do update set
            deliveries = r.deliveries + excluded.deliveries,
            verified_deliveries = r.verified_deliveries + excluded.verified_deliveries
        returning r.ctid as place, r.deliveries, r.verified_deliveries
    ),
    by_response_day as (
        insert into afterpush.rollup_response_days as r (
            app_id, anchor_day, campaign_id, variant, category_id, platform, deliveries, verified_deliveries, times,
            verified_times
        )
        select
            app_id, anchor_day, campaign_id, variant, category_id, platform,
            sum(deliveries), sum(verified_deliveries),
            afterpush.running_totals_of(array_agg(bucket order by bucket), array_agg(deliveries order by bucket)),
            afterpush.running_totals_of(array_agg(bucket order by bucket), array_agg(verified_deliveries order by bucket))
        from (
            select
                app_id, afterpush.day_of(anchor_hour) as anchor_day, campaign_id, variant, category_id, platform, bucket,
                sum(deliveries)::bigint as deliveries, sum(verified_deliveries)::bigint as verified_deliveries
            from response_change
            group by 1, 2, 3, 4, 5, 6, 7
        ) as timed
        group by 1, 2, 3, 4, 5, 6
        order by 1, 3, 2, 4, 5, 6
        on conflict (app_id, campaign_id, anchor_day, variant, category_id, platform) do update set
            deliveries = r.deliveries + excluded.deliveries,
            verified_deliveries = r.verified_deliveries + excluded.verified_deliveries,
            times = afterpush.add_running_totals(r.times, excluded.times),
            verified_times = afterpush.add_running_totals(r.verified_times, excluded.verified_times)
        returning r.ctid as place, r.deliveries, r.verified_deliveries
    ),
    by_action_day as (
        insert into afterpush.rollup_action_days as r (
            app_id, verified, anchor_day, campaign_id, variant, category_id, category_version, action_id, deliveries,
            deliveries_sent, deliveries_confirmed, events, times
        )
        select
            app_id, verified, anchor_day, campaign_id, variant, category_id, category_version, action_id,
            sum(deliveries), sum(deliveries_sent), sum(deliveries_confirmed), sum(events),
            afterpush.running_totals_of(array_agg(bucket order by bucket), array_agg(deliveries order by bucket))
        from (
            select
                app_id, verified, afterpush.day_of(anchor_hour) as anchor_day, campaign_id, variant, category_id,
                category_version, action_id, bucket,
                sum(deliveries)::bigint as deliveries,
                coalesce(sum(deliveries) filter (where is_sent), 0) as deliveries_sent,
                coalesce(sum(deliveries) filter (where is_confirmed), 0) as deliveries_confirmed,
                sum(events) as events
            from action_change
            group by 1, 2, 3, 4, 5, 6, 7, 8, 9
        ) as timed
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
        returning r.ctid as place, r.deliveries
    ),
    by_goal_day as (
        insert into afterpush.rollup_goal_days as r (
            app_id, verified, anchor_day, campaign_id, variant, category_id, category_version, platform, actions,
            deliveries, deliveries_sent, deliveries_confirmed
        )
        select
            app_id, verified, afterpush.day_of(anchor_hour), campaign_id, variant, category_id, category_version, platform,
            actions,
            sum(deliveries - converted_events),
            coalesce(sum(deliveries - converted_events) filter (where is_sent), 0),
            coalesce(sum(deliveries - converted_events) filter (where is_confirmed), 0)
        from change
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
        returning r.ctid as place, r.deliveries
    ),
    by_day as (
        insert into afterpush.rollup_delivery_days as r (
            app_id, verified, anchor_day, campaign_id, variant, category_id, category_version, platform,
            deliveries, deliveries_sent, deliveries_confirmed, deliveries_both, failed, delivered, delivered_sent,
            displayed, opened, opened_sent, opened_confirmed, acted, acted_sent, acted_confirmed, replied,
            replied_sent, replied_confirmed, dismissed, dismissed_sent, dismissed_confirmed, read, read_sent,
            read_confirmed, responded, responded_sent, responded_confirmed, converted_events, converted_events_sent,
            converted_events_confirmed, replaced, replaced_sent, replaced_confirmed
        )
        select
            app_id, verified, afterpush.day_of(anchor_hour), campaign_id, variant, category_id, category_version, platform,
            sum(deliveries)::integer as deliveries,
            coalesce(sum(deliveries) filter (where is_sent), 0)::integer as deliveries_sent,
            coalesce(sum(deliveries) filter (where is_confirmed), 0)::integer as deliveries_confirmed,
            coalesce(sum(deliveries) filter (where is_sent and is_confirmed), 0)::integer as deliveries_both,
            sum(failed)::integer as failed,
            sum(delivered)::integer as delivered,
            coalesce(sum(delivered) filter (where is_sent), 0)::integer as delivered_sent,
            sum(displayed)::integer as displayed,
            sum(opened)::integer as opened,
            coalesce(sum(opened) filter (where is_sent), 0)::integer as opened_sent,
            coalesce(sum(opened) filter (where is_confirmed), 0)::integer as opened_confirmed,
            coalesce(sum(deliveries) filter (where cardinality(actions) > 0), 0)::integer as acted,
            coalesce(sum(deliveries) filter (where is_sent and cardinality(actions) > 0), 0)::integer as acted_sent,
            coalesce(sum(deliveries) filter (where is_confirmed and cardinality(actions) > 0), 0)::integer as acted_confirmed,
            sum(replied)::integer as replied,
            coalesce(sum(replied) filter (where is_sent), 0)::integer as replied_sent,
            coalesce(sum(replied) filter (where is_confirmed), 0)::integer as replied_confirmed,
            sum(dismissed)::integer as dismissed,
            coalesce(sum(dismissed) filter (where is_sent), 0)::integer as dismissed_sent,
            coalesce(sum(dismissed) filter (where is_confirmed), 0)::integer as dismissed_confirmed,
            sum(read)::integer as read,
            coalesce(sum(read) filter (where is_sent), 0)::integer as read_sent,
            coalesce(sum(read) filter (where is_confirmed), 0)::integer as read_confirmed,
            sum(responded)::integer as responded,
            coalesce(sum(responded) filter (where is_sent), 0)::integer as responded_sent,
            coalesce(sum(responded) filter (where is_confirmed), 0)::integer as responded_confirmed,
            sum(converted_events)::integer as converted_events,
            coalesce(sum(converted_events) filter (where is_sent), 0)::integer as converted_events_sent,
            coalesce(sum(converted_events) filter (where is_confirmed), 0)::integer as converted_events_confirmed,
            sum(replaced)::integer as replaced,
            coalesce(sum(replaced) filter (where is_sent), 0)::integer as replaced_sent,
            coalesce(sum(replaced) filter (where is_confirmed), 0)::integer as replaced_confirmed
        from change
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
            replaced_confirmed = r.replaced_confirmed + excluded.replaced_confirmed
        returning r.ctid as place, r.deliveries
    ),
    -- Events are counted under the names that their delivery has now; those about a device alone have their platform only.
    event_shapes as materialized (
        select
            app_id,
            coalesce(case when is_frozen then old_campaign_id else campaign_id end, '') as campaign_id,
            coalesce(case when is_frozen then old_variant else variant end, '') as variant,
            coalesce(case when is_frozen then old_category_id else category_id end, '') as category_id,
            coalesce(case when is_frozen then old_platform else platform end, '') as platform,
            event_hours, event_kinds, count(*) as deliveries
        from merged
        group by 1, 2, 3, 4, 5, 6, 7
    ),
    event_change as (
        select
            app_id, event_hour, campaign_id, variant, category_id, platform, kind,
            sum(events)::bigint as events, coalesce(sum(events) filter (where verified), 0)::bigint as verified_events
        from (
            select
                s.app_id, e.hour as event_hour, s.campaign_id, s.variant, s.category_id, s.platform, k.kind,
                e.code & 1 = 1 as verified, s.deliveries as events
            from event_shapes as s
            cross join unnest(s.event_hours, s.event_kinds) as e (hour, code)
            join unnest(enum_range('sent'::afterpush.event_kind, 'extension_expired')) as k (kind)
                on afterpush.kind_bit(k.kind) = e.code >> 1
            union all
            select app_id, afterpush.hour_of(occurred_at), '', '', '', coalesce(platform, ''), kind, verified, 1
            from afterpush.events
            where batch_id = any (taken)
              and kind >= 'token_registered'
        ) as told_events
        group by 1, 2, 3, 4, 5, 6, 7
    )
    select
        (
            select array_agg(distinct anchor_hour)
            from (
                select anchor_hour, deliveries from by_app_version
                union all select anchor_hour, deliveries from by_dimension
                union all select anchor_hour, deliveries from by_action
            ) as r
            where deliveries = 0
        ),
        (select array_agg(place) from by_response where deliveries = 0 and verified_deliveries = 0),
        (select array_agg(place) from by_response_day where deliveries = 0 and verified_deliveries = 0),
        (select array_agg(place) from by_day where deliveries = 0),
        (select array_agg(place) from by_goal_day where deliveries = 0),
        (select array_agg(place) from by_action_day where deliveries = 0),
        (
            select array_agg(row(e.*)::afterpush.event_count)
            from event_change as e
        ),
        -- Deliveries under other names than before.
        (
            select array_agg(row(
                delivery_id, old_campaign_id, old_variant, old_category_id, old_platform
            )::afterpush.delivery_dimensions)
            from merged
            where place is not null
              and not is_frozen
              and (
                  old_campaign_id is distinct from campaign_id
                  or old_variant is distinct from variant
                  or old_category_id is distinct from category_id
                  or old_platform is distinct from platform
              )
        )
    into emptied, emptied_responses, emptied_response_days, emptied_days, emptied_goals, emptied_actions, counts, moved;

    if moved is not null then
        counts := counts || afterpush.moved_event_counts(moved);
    end if;
    if sealed > '-infinity' then
        counts := array(select c from unnest(counts) as c where c.event_hour >= sealed);
    end if;
    perform afterpush.add_event_counts(counts);

    -- A row that nothing is left of goes, so that tables equal the sum over all deliveries, row for row.
    if emptied is not null then
        delete from afterpush.rollup_app_versions
        using afterpush.apps
        where rollup_app_versions.app_id = apps.app_id and verified in (false, true)
          and anchor_hour = any (emptied) and deliveries = 0;
        delete from afterpush.rollup_deliveries
        using afterpush.apps
        where rollup_deliveries.app_id = apps.app_id and verified in (false, true)
          and anchor_hour = any (emptied) and deliveries = 0;
        delete from afterpush.rollup_actions
        using afterpush.apps
        where rollup_actions.app_id = apps.app_id and verified in (false, true)
          and anchor_hour = any (emptied) and deliveries = 0;
    end if;

    if emptied_responses is not null then
        delete from afterpush.rollup_responses where ctid = any (emptied_responses);
    end if;
    if emptied_response_days is not null then
        delete from afterpush.rollup_response_days where ctid = any (emptied_response_days);
    end if;
    if emptied_goals is not null then
        delete from afterpush.rollup_goal_days where ctid = any (emptied_goals);
    end if;
    if emptied_actions is not null then
        delete from afterpush.rollup_action_days where ctid = any (emptied_actions);
    end if;
    if emptied_days is not null then
        delete from afterpush.rollup_delivery_days where ctid = any (emptied_days);
    end if;

    update afterpush.batches set rolled_up_at = clock_timestamp() where batch_id = any (taken);
    return taken_events;
end
$$;


ALTER FUNCTION afterpush.roll_up(max_events integer) OWNER TO afterpush_owner;

--
-- Name: FUNCTION roll_up(max_events integer); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.roll_up(max_events integer) IS 'Merges waiting batches into deliveries and rollups; returns how many events, or null when another worker is at it.';


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
    condition text;
begin
    -- It is done once in a while, and alone.
    perform set_config('work_mem', current_setting('maintenance_work_mem'), true);
    select sealed_before into sealed from afterpush.rollup_worker for update;
    condition := format('anchor_hour >= %L', sealed);

    perform afterpush.rebuild_deliveries(sealed);

    create temporary table shapes on commit drop as
    select
        app_id, anchor_hour, app_version, campaign_id, variant, category_id, category_version, platform, kinds,
        verified_kinds,
        case when responded_at is not null then afterpush.time_bucket(responded_at - reached_at) end as bucket,
        case
            when verified_responded_at is not null
            then afterpush.time_bucket(verified_responded_at - verified_reached_at)
        end as verified_bucket,
        case
            when cardinality(actions) = 1
            then row(
                array[(actions[1]).action_id],
                array[afterpush.time_bucket((actions[1]).first_at - reached_at)],
                array[(actions[1]).events],
                array[afterpush.time_bucket((actions[1]).verified_first_at - verified_reached_at)],
                array[(actions[1]).verified_events]
            )::afterpush.timed_actions
            when actions is not null
            then (
                select
                    row(
                        array_agg(a.action_id),
                        array_agg(afterpush.time_bucket(a.first_at - reached_at)),
                        array_agg(a.events),
                        array_agg(afterpush.time_bucket(a.verified_first_at - verified_reached_at)),
                        array_agg(a.verified_events)
                    )::afterpush.timed_actions
                from unnest(actions) as a
            )
        end as actions,
        count(*)::integer as deliveries
    from afterpush.keyed_deliveries
    where anchor_hour >= sealed
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13;
    analyze shapes;

    create temporary table fresh_app_versions (like afterpush.rollup_app_versions) on commit drop;
    insert into fresh_app_versions (
        app_id, verified, anchor_hour, app_version, campaign_id, variant, category_id, category_version, platform,
        is_sent, is_confirmed, actions, deliveries, failed, delivered, displayed, opened, replied, dismissed, read,
        responded, converted_events, replaced
    )
    with timeless as materialized (
        select
            app_id, anchor_hour, app_version, campaign_id, variant, category_id, category_version, platform, kinds,
            verified_kinds, (actions).action_ids,
            array(select e > 0 from unnest((actions).verified_events) as e) as are_verified,
            sum(deliveries)::integer as deliveries
        from shapes
        group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
    )
    select
        app_id, verified, anchor_hour, app_version, campaign_id, variant, category_id, category_version, platform,
        is_sent, is_confirmed, action_ids,
        sum(deliveries), sum(deliveries * failed), sum(deliveries * delivered), sum(deliveries * displayed),
        sum(deliveries * opened), sum(deliveries * replied), sum(deliveries * dismissed), sum(deliveries * read),
        sum(deliveries * responded), sum(deliveries * converted_events), sum(deliveries * replaced)
    from (
        select
            app_id, false as verified, anchor_hour, app_version, campaign_id, variant, category_id, category_version,
            platform, kinds as bits, coalesce(action_ids, '{}') as action_ids, deliveries
        from timeless
        union all
        select
            app_id, true, anchor_hour, app_version, campaign_id, variant, category_id, category_version, platform,
            verified_kinds,
            array(
                select a.action_id
                from unnest(action_ids, are_verified) as a (action_id, is_verified)
                where a.is_verified
            ),
            deliveries
        from timeless
        where verified_kinds <> 0
    ) as modes
    cross join lateral afterpush.states(bits)
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12;
    perform afterpush.replace_rows('afterpush.rollup_app_versions', 'fresh_app_versions', condition);

    create temporary table fresh_deliveries (like afterpush.rollup_deliveries) on commit drop;
    insert into fresh_deliveries (
        app_id, verified, anchor_hour, campaign_id, variant, category_id, category_version, platform, is_sent,
        is_confirmed, actions, deliveries, failed, delivered, displayed, opened, replied, dismissed, read, responded,
        converted_events, replaced
    )
    select
        app_id, verified, anchor_hour, campaign_id, variant, category_id, category_version, platform, is_sent,
        is_confirmed, actions, sum(deliveries), sum(failed), sum(delivered), sum(displayed), sum(opened), sum(replied),
        sum(dismissed), sum(read), sum(responded), sum(converted_events), sum(replaced)
    from afterpush.rollup_app_versions
    where anchor_hour >= sealed
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11;
    perform afterpush.replace_rows('afterpush.rollup_deliveries', 'fresh_deliveries', condition);

    create temporary table fresh_actions (like afterpush.rollup_actions) on commit drop;
    insert into fresh_actions (
        app_id, verified, anchor_hour, campaign_id, variant, category_id, category_version, platform, is_sent,
        is_confirmed, action_id, bucket, deliveries, events
    )
    select
        app_id, verified, anchor_hour, campaign_id, variant, category_id, category_version, platform,
        bits & 1 <> 0, bits & 4 <> 0, action_id, action_bucket, sum(deliveries), sum(deliveries * events)
    from (
        select s.*, false as verified, kinds as bits, a.action_id, a.bucket as action_bucket, a.events
        from shapes as s
        cross join unnest((s.actions).action_ids, (s.actions).buckets, (s.actions).events)
            as a (action_id, bucket, events)
        where s.actions is not null
        union all
        select s.*, true, verified_kinds, a.action_id, a.bucket, a.events
        from shapes as s
        cross join unnest((s.actions).action_ids, (s.actions).verified_buckets, (s.actions).verified_events)
            as a (action_id, bucket, events)
        where s.actions is not null
          and s.verified_kinds <> 0
          and a.events > 0
    ) as modes
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12;
    perform afterpush.replace_rows('afterpush.rollup_actions', 'fresh_actions', condition);

    create temporary table fresh_responses (like afterpush.rollup_responses) on commit drop;
    insert into fresh_responses (
        app_id, anchor_hour, campaign_id, variant, category_id, platform, app_version, bucket, deliveries,
        verified_deliveries
    )
    select
        app_id, anchor_hour, campaign_id, variant, category_id, platform, app_version, time, sum(unverified), sum(verified)
    from (
        select
            s.*, bucket as time, deliveries as unverified,
            case when verified_bucket = bucket then deliveries else 0 end as verified
        from shapes as s
        where bucket is not null
        union all
        select s.*, verified_bucket, 0, deliveries
        from shapes as s
        where verified_bucket is distinct from bucket
          and verified_bucket is not null
    ) as modes
    group by 1, 2, 3, 4, 5, 6, 7, 8;
    perform afterpush.replace_rows('afterpush.rollup_responses', 'fresh_responses', condition);

    -- By several processes. The planner takes each event for a group of its own, which it would rather sort than hash.
    perform set_config('enable_sort', 'off', true);
    create temporary table fresh_events on commit drop as
    select * from afterpush.expected_events where event_hour >= sealed;
    perform set_config('enable_sort', 'on', true);
    perform afterpush.replace_rows('afterpush.rollup_events', 'fresh_events', format('event_hour >= %L', sealed));
    delete from afterpush.rollup_event_hours where event_hour >= sealed;
    insert into afterpush.rollup_event_hours select * from afterpush.summed_event_hours where event_hour >= sealed;

    -- The day that holds the seal is the sum of hours on both sides of it.
    delete from afterpush.rollup_delivery_days where anchor_day >= afterpush.day_of(sealed);
    delete from afterpush.rollup_goal_days where anchor_day >= afterpush.day_of(sealed);
    delete from afterpush.rollup_action_days where anchor_day >= afterpush.day_of(sealed);
    delete from afterpush.rollup_response_days where anchor_day >= afterpush.day_of(sealed);
    insert into afterpush.rollup_delivery_days
    select * from afterpush.summed_delivery_days where anchor_day >= afterpush.day_of(sealed);
    insert into afterpush.rollup_goal_days
    select * from afterpush.summed_goal_days where anchor_day >= afterpush.day_of(sealed);
    insert into afterpush.rollup_action_days
    select * from afterpush.summed_action_days where anchor_day >= afterpush.day_of(sealed);
    insert into afterpush.rollup_response_days
    select * from afterpush.summed_response_days where anchor_day >= afterpush.day_of(sealed);
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
    told as (
        select m.*
        from waiting
        cross join lateral afterpush.merged_deliveries(null, waiting.ids) as m
    )
    select 'deliveries', coalesce(told.delivery_id, d.delivery_id)::text
    from told
    full join afterpush.deliveries as d using (delivery_id)
    cross join sealed
    where told is distinct from d
      and case
          when d.delivery_id is not null
          then afterpush.anchor_hour(d.sent_at, d.receipt_issued_at, d.first_event_at)
          else afterpush.anchor_hour(told.sent_at, told.receipt_issued_at, told.first_event_at)
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
$$;


ALTER FUNCTION afterpush.rollup_verify() OWNER TO afterpush_owner;

--
-- Name: FUNCTION rollup_verify(); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.rollup_verify() IS 'Each difference between a layer and its recomputation from the one before it; no rows when all is well.';


--
-- Name: run_report(text, integer, bigint, bigint); Type: FUNCTION; Schema: afterpush; Owner: afterpush_report
--

CREATE FUNCTION afterpush.run_report(statement text, columns integer, row_limit bigint, byte_limit bigint) RETURNS SETOF text[]
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    AS $_$
begin
    -- Restored without its owner, it would run whatever it is given as whoever restored it.
    if current_user <> 'afterpush_report' then
        raise exception 'afterpush.run_report belongs to %, not to afterpush_report', current_user
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


ALTER FUNCTION afterpush.run_report(statement text, columns integer, row_limit bigint, byte_limit bigint) OWNER TO afterpush_report;

--
-- Name: FUNCTION run_report(statement text, columns integer, row_limit bigint, byte_limit bigint); Type: COMMENT; Schema: afterpush; Owner: afterpush_report
--

COMMENT ON FUNCTION afterpush.run_report(statement text, columns integer, row_limit bigint, byte_limit bigint) IS 'Runs a report''s statement in a role that it can''t leave; rows as text.';


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

COMMENT ON FUNCTION afterpush.running_total_at(times integer[], bucket integer) IS 'The number of deliveries up to a bucket, of running numbers.';


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
    for place in 1..coalesce(cardinality(buckets), 0) loop
        continue when buckets[place] < -1 or counts[place] = 0;
        if cardinality(result) = 0 then
            result := array[buckets[place]];
        end if;
        while result[1] + cardinality(result) <= buckets[place] loop
            result := result || reached;
        end loop;
        reached := reached + counts[place];
        result := result || reached;
    end loop;
    return result;
end
$$;


ALTER FUNCTION afterpush.running_totals_of(buckets smallint[], counts bigint[]) OWNER TO afterpush_owner;

--
-- Name: FUNCTION running_totals_of(buckets smallint[], counts bigint[]); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.running_totals_of(buckets smallint[], counts bigint[]) IS 'Running numbers of counts by bucket, which must be in ascending order.';


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

COMMENT ON FUNCTION afterpush.running_totals_quantile(times integer[], percent integer) IS 'The bucket of a quantile of running numbers.';


--
-- Name: running_totals_quantile(afterpush.running_totals[], bigint, integer, integer, integer); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.running_totals_quantile(several afterpush.running_totals[], total bigint, percent integer, lowest integer, highest integer) RETURNS integer
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
        -- A loop, not a sum over unnest: expressions without a FROM need no statement to be run.
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


ALTER FUNCTION afterpush.running_totals_quantile(several afterpush.running_totals[], total bigint, percent integer, lowest integer, highest integer) OWNER TO afterpush_owner;

--
-- Name: FUNCTION running_totals_quantile(several afterpush.running_totals[], total bigint, percent integer, lowest integer, highest integer); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.running_totals_quantile(several afterpush.running_totals[], total bigint, percent integer, lowest integer, highest integer) IS 'The bucket of a quantile of several running numbers together.';


--
-- Name: sample_ratio_p(bigint[], double precision[]); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.sample_ratio_p(counts bigint[], weights double precision[]) RETURNS double precision
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
    select case
        when bool_or(n is null or w is null or n < 0 or w < 0 or w = 'nan' or w = 'infinity') then null
        when count(*) < 2 or sum(n) = 0 or max(share) is null then null
        when bool_or(share = 0 and n > 0) then 0
        else afterpush.chi_square_p(
            sum(case when share > 0 and total > 0 then power(n - total * share / shares, 2) / (total * share / shares) end),
            (count(*) filter (where share > 0) - 1)::integer
        )
    end
    from (
        select *, sum(share) over () as shares, sum(n) over ()::double precision as total
        from (
            select
                n,
                w,
                case
                    when max(w) over () > 0 and w > max(w) over () * 1e-100 then w / max(w) over ()
                    when max(w) over () > 0 then 0
                end as share
            from unnest(counts, weights) as u (n, w)
        ) as weighed
    ) as counted
$$;


ALTER FUNCTION afterpush.sample_ratio_p(counts bigint[], weights double precision[]) OWNER TO afterpush_owner;

--
-- Name: FUNCTION sample_ratio_p(counts bigint[], weights double precision[]); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.sample_ratio_p(counts bigint[], weights double precision[]) IS 'Chi-square p of counts against the weights they should follow.';


--
-- Name: snapshot_sealed_goals(); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.snapshot_sealed_goals() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    sealed timestamptz := (select sealed_before from afterpush.rollup_worker);
    kept_before timestamptz := (
        select coalesce(max(g.sealed_before), '-infinity')
        from afterpush.sealed_goals as g
        where g.app_id = new.app_id
          and g.campaign_id = new.campaign_id
    );
    goals text[] := '{}';
begin
    if tg_op = 'UPDATE' then
        goals := old.goal_actions;
    end if;
    if sealed > kept_before and goals <> new.goal_actions then
        insert into afterpush.sealed_goals (app_id, campaign_id, sealed_from, sealed_before, goal_actions)
        values (new.app_id, new.campaign_id, kept_before, sealed, goals);
    end if;
    return null;
end
$$;


ALTER FUNCTION afterpush.snapshot_sealed_goals() OWNER TO afterpush_owner;

--
-- Name: FUNCTION snapshot_sealed_goals(); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.snapshot_sealed_goals() IS 'Keeps a campaign''s goals for the hours that are sealed when they change.';


--
-- Name: states(integer); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.states(bits integer) RETURNS TABLE(is_sent boolean, is_confirmed boolean, failed integer, delivered integer, displayed integer, opened integer, replied integer, dismissed integer, read integer, responded integer, converted_events integer, replaced integer)
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
    select
        bits & 1 <> 0,
        bits & 4 <> 0,
        -- Delivered: any of delivered displayed read opened action text_input dismissed media_played media_paused
        -- attachment_failed extension_expired. Failed: a failed event and none of these.
        (bits & 2 <> 0 and bits & 31228 = 0)::integer,
        (bits & 31228 <> 0)::integer,
        (bits & 8 <> 0)::integer,
        (bits & 32 <> 0)::integer,
        (bits & 128 <> 0)::integer,
        (bits & 256 <> 0)::integer,
        (bits & 16 <> 0)::integer,
        (bits & 480 <> 0)::integer,
        (bits & 512 <> 0)::integer,
        (bits & 1024 <> 0 and bits & 480 = 0)::integer
$$;


ALTER FUNCTION afterpush.states(bits integer) OWNER TO afterpush_owner;

--
-- Name: FUNCTION states(bits integer); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.states(bits integer) IS 'The states that the bits of a delivery''s kinds stand for.';


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
-- Name: two_proportion_p(bigint, bigint, bigint, bigint); Type: FUNCTION; Schema: afterpush; Owner: afterpush_owner
--

CREATE FUNCTION afterpush.two_proportion_p(k1 bigint, n1 bigint, k0 bigint, n0 bigint) RETURNS double precision
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN CASE WHEN ((n1 > 0) AND (n0 > 0) AND ((k1 >= 0) AND (k1 <= n1)) AND ((k0 >= 0) AND (k0 <= n0))) THEN CASE WHEN (((k1 + k0) = 0) OR ((k1 + k0) = (n1 + n0))) THEN (1.0)::double precision ELSE afterpush.gamma_q((0.5)::double precision, ((((power((((k1)::numeric * (n0)::numeric) - ((k0)::numeric * (n1)::numeric)), (2)::numeric) * ((n1 + n0))::numeric) / ((((n1)::numeric * (n0)::numeric) * ((k1 + k0))::numeric) * ((((n1 + n0) - k1) - k0))::numeric)))::double precision / (2)::double precision)) END ELSE NULL::double precision END;


ALTER FUNCTION afterpush.two_proportion_p(k1 bigint, n1 bigint, k0 bigint, n0 bigint) OWNER TO afterpush_owner;

--
-- Name: FUNCTION two_proportion_p(k1 bigint, n1 bigint, k0 bigint, n0 bigint); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON FUNCTION afterpush.two_proportion_p(k1 bigint, n1 bigint, k0 bigint, n0 bigint) IS 'Two-sided p of the pooled two-proportion test.';


--
-- Name: concatenated(afterpush.delivery_action[]); Type: AGGREGATE; Schema: afterpush; Owner: afterpush_owner
--

CREATE AGGREGATE afterpush.concatenated(afterpush.delivery_action[]) (
    SFUNC = array_cat,
    STYPE = afterpush.delivery_action[]
);


ALTER AGGREGATE afterpush.concatenated(afterpush.delivery_action[]) OWNER TO afterpush_owner;

--
-- Name: AGGREGATE concatenated(afterpush.delivery_action[]); Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON AGGREGATE afterpush.concatenated(afterpush.delivery_action[]) IS 'Arrays of actions, one after another.';


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

COMMENT ON TABLE afterpush.api_keys IS 'One row per API key. The key itself is shown once and never stored.';


--
-- Name: COLUMN api_keys.key_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.api_keys.key_id IS 'The number that `afterpush keys revoke` takes.';


--
-- Name: COLUMN api_keys.app_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.api_keys.app_id IS 'The app that the key belongs to.';


--
-- Name: COLUMN api_keys.key_hash; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.api_keys.key_hash IS 'SHA-256 of the key.';


--
-- Name: COLUMN api_keys.scope; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.api_keys.scope IS 'ingest, send, read, or manage, which implies the others.';


--
-- Name: COLUMN api_keys.hint; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.api_keys.hint IS 'The last four characters of the key, to tell keys apart.';


--
-- Name: COLUMN api_keys.created_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.api_keys.created_at IS 'When the key was created.';


--
-- Name: COLUMN api_keys.revoked_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.api_keys.revoked_at IS 'When the key was revoked; null while it is good.';


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

COMMENT ON SEQUENCE afterpush.batch_ids IS 'Numbers of batches.';


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

COMMENT ON COLUMN afterpush.campaign_variants.app_id IS 'The app that declared it.';


--
-- Name: COLUMN campaign_variants.campaign_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.campaign_variants.campaign_id IS 'The campaign.';


--
-- Name: COLUMN campaign_variants.variant; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.campaign_variants.variant IS 'The identifier that sends and payloads carry.';


--
-- Name: COLUMN campaign_variants.weight; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.campaign_variants.weight IS 'Its share of the deliveries, relative to the other weights.';


--
-- Name: COLUMN campaign_variants.control; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.campaign_variants.control IS 'Whether the other variants are compared with it.';


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
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    archived_at timestamp with time zone,
    CONSTRAINT campaigns_campaign_id_check CHECK (((octet_length(campaign_id) >= 1) AND (octet_length(campaign_id) <= 256))),
    CONSTRAINT campaigns_response_window_check CHECK ((response_window > '00:00:00'::interval))
);


ALTER TABLE afterpush.campaigns OWNER TO afterpush_owner;

--
-- Name: TABLE campaigns; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TABLE afterpush.campaigns IS 'One row per declared campaign. Campaigns are archived, never deleted.';


--
-- Name: COLUMN campaigns.app_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.campaigns.app_id IS 'The app that declared it.';


--
-- Name: COLUMN campaigns.campaign_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.campaigns.campaign_id IS 'The identifier that sends and payloads carry.';


--
-- Name: COLUMN campaigns.name; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.campaigns.name IS 'The name that people read.';


--
-- Name: COLUMN campaigns.category_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.campaigns.category_id IS 'The category that its notifications use, if they use one.';


--
-- Name: COLUMN campaigns.goal_actions; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.campaigns.goal_actions IS 'Actions that count as conversions, besides those of the category version.';


--
-- Name: COLUMN campaigns.response_window; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.campaigns.response_window IS 'An unanswered delivery is closed once this has passed after its anchor hour.';


--
-- Name: COLUMN campaigns.starts_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.campaigns.starts_at IS 'When the campaign is planned to start.';


--
-- Name: COLUMN campaigns.created_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.campaigns.created_at IS 'When it was first put.';


--
-- Name: COLUMN campaigns.archived_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.campaigns.archived_at IS 'When it was archived; null while it is current.';


--
-- Name: keyed_deliveries; Type: VIEW; Schema: afterpush; Owner: afterpush_owner
--

CREATE VIEW afterpush.keyed_deliveries AS
 SELECT deliveries.app_id,
    afterpush.anchor_hour(deliveries.sent_at, deliveries.receipt_issued_at, deliveries.first_event_at) AS anchor_hour,
    COALESCE(deliveries.app_version, ''::text) AS app_version,
    COALESCE(deliveries.campaign_id, ''::text) AS campaign_id,
    COALESCE(deliveries.variant, ''::text) AS variant,
    COALESCE(deliveries.category_id, ''::text) AS category_id,
    COALESCE(deliveries.category_version, 0) AS category_version,
    COALESCE(deliveries.platform, ''::text) AS platform,
    deliveries.kinds,
    deliveries.verified_kinds,
    deliveries.actions,
    COALESCE(deliveries.confirmed_at, deliveries.sent_at) AS reached_at,
    COALESCE(deliveries.verified_confirmed_at, deliveries.verified_sent_at) AS verified_reached_at,
    deliveries.responded_at,
    deliveries.verified_responded_at
   FROM afterpush.deliveries;


ALTER TABLE afterpush.keyed_deliveries OWNER TO afterpush_owner;

--
-- Name: VIEW keyed_deliveries; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON VIEW afterpush.keyed_deliveries IS 'Deliveries with the keys that rollups know them by.';


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
    keyed_deliveries.kinds AS bits,
    keyed_deliveries.actions,
    keyed_deliveries.reached_at
   FROM afterpush.keyed_deliveries
UNION ALL
 SELECT keyed_deliveries.app_id,
    true AS verified,
    keyed_deliveries.anchor_hour,
    keyed_deliveries.app_version,
    keyed_deliveries.campaign_id,
    keyed_deliveries.variant,
    keyed_deliveries.category_id,
    keyed_deliveries.category_version,
    keyed_deliveries.platform,
    keyed_deliveries.verified_kinds AS bits,
    ARRAY( SELECT ROW(a.action_id, a.verified_first_at, a.verified_events, NULL::timestamp with time zone, NULL::integer)::afterpush.delivery_action AS "row"
           FROM unnest(keyed_deliveries.actions) a(action_id, first_at, events, verified_first_at, verified_events)
          WHERE (a.verified_events > 0)) AS actions,
    keyed_deliveries.verified_reached_at AS reached_at
   FROM afterpush.keyed_deliveries
  WHERE (keyed_deliveries.verified_kinds <> 0);


ALTER TABLE afterpush.delivery_modes OWNER TO afterpush_owner;

--
-- Name: VIEW delivery_modes; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON VIEW afterpush.delivery_modes IS 'Each delivery by all its events and, if it has verified ones, by these alone.';


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

COMMENT ON TABLE afterpush.events_default IS 'Events whose device_time no month''s partition takes.';


--
-- Name: COLUMN events_default.delivery_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events_default.delivery_id IS 'Derived from app, notification and device; from app and device for kinds about the device alone.';


--
-- Name: COLUMN events_default.event_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events_default.event_id IS 'The sender''s idempotency key.';


--
-- Name: COLUMN events_default.device_time; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events_default.device_time IS 'occurred_at as the device sent it.';


--
-- Name: COLUMN events_default.occurred_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events_default.occurred_at IS 'device_time corrected by the skew of the device''s clock, if that was stated and 60 s or more.';


--
-- Name: COLUMN events_default.batch_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events_default.batch_id IS 'The batch that stored it.';


--
-- Name: COLUMN events_default.app_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events_default.app_id IS 'The app of the key it was posted with.';


--
-- Name: COLUMN events_default.kind; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events_default.kind IS 'What happened.';


--
-- Name: COLUMN events_default.verified; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events_default.verified IS 'Shown to be about a notification that was sent: posted with a send key, or with a receipt bound to the device.';


--
-- Name: COLUMN events_default.category_version; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events_default.category_version IS 'Version of the category, if stated.';


--
-- Name: COLUMN events_default.utc_offset_minutes; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events_default.utc_offset_minutes IS 'The device''s offset from UTC, in minutes.';


--
-- Name: COLUMN events_default.text_length; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events_default.text_length IS 'UTF-8 bytes of the typed text; the text itself is in replies alone.';


--
-- Name: COLUMN events_default.skew_milliseconds; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events_default.skew_milliseconds IS 'Collector''s clock minus sent_at, in milliseconds; null when the request stated no sent_at.';


--
-- Name: COLUMN events_default.receipt_issued_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events_default.receipt_issued_at IS 'When the receipt that came with it was issued.';


--
-- Name: COLUMN events_default.device_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events_default.device_id IS 'The device.';


--
-- Name: COLUMN events_default.notification_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events_default.notification_id IS 'The notification; null for kinds about the device alone.';


--
-- Name: COLUMN events_default.action_identifier; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events_default.action_identifier IS 'As the platform gave it.';


--
-- Name: COLUMN events_default.campaign_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events_default.campaign_id IS 'Campaign, if stated.';


--
-- Name: COLUMN events_default.variant; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events_default.variant IS 'Variant of the campaign, if stated.';


--
-- Name: COLUMN events_default.category_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events_default.category_id IS 'Category, if stated.';


--
-- Name: COLUMN events_default.platform; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events_default.platform IS 'ios, macos, watchos, visionos, android or web.';


--
-- Name: COLUMN events_default.app_version; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events_default.app_version IS 'Version of the app.';


--
-- Name: COLUMN events_default.os_version; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events_default.os_version IS 'Version of the operating system.';


--
-- Name: COLUMN events_default.locale; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events_default.locale IS 'Locale of the device.';


--
-- Name: COLUMN events_default.surface; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events_default.surface IS 'Where it happened: banner, list, watch and the like.';


--
-- Name: COLUMN events_default.trigger; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events_default.trigger IS 'push, time_interval, calendar or location.';


--
-- Name: COLUMN events_default.app_state; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events_default.app_state IS 'State of the app when it happened.';


--
-- Name: COLUMN events_default.dismiss_cause; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events_default.dismiss_cause IS 'Why it was dismissed, where the platform tells.';


--
-- Name: COLUMN events_default.handling; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events_default.handling IS 'Who handled the response: app, extension or forwarded.';


--
-- Name: COLUMN events_default.reason; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events_default.reason IS 'Reason of a failure.';


--
-- Name: COLUMN events_default.name; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events_default.name IS 'Name of a conversion.';


--
-- Name: COLUMN events_default.value; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events_default.value IS 'Value of a conversion, in currency.';


--
-- Name: COLUMN events_default.currency; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events_default.currency IS 'ISO 4217 code of value.';


--
-- Name: COLUMN events_default.properties; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.events_default.properties IS 'Everything else that was sent.';


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
             CROSS JOIN LATERAL afterpush.states(m.bits) s(is_sent, is_confirmed, failed, delivered, displayed, opened, replied, dismissed, read, responded, converted_events, replaced))
             CROSS JOIN LATERAL unnest(m.actions) a(action_id, first_at, events, verified_first_at, verified_events))) acted
  GROUP BY acted.app_id, acted.verified, acted.anchor_hour, acted.campaign_id, acted.variant, acted.category_id, acted.category_version, acted.platform, acted.is_sent, acted.is_confirmed, acted.action_id, acted.bucket;


ALTER TABLE afterpush.expected_actions OWNER TO afterpush_owner;

--
-- Name: VIEW expected_actions; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON VIEW afterpush.expected_actions IS 'What rollup_actions must hold: the sum over all deliveries.';


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
    ARRAY( SELECT (a.action_id COLLATE "default") AS action_id
           FROM unnest(delivery_modes.actions) a(action_id, first_at, events, verified_first_at, verified_events)) AS actions,
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
    delivery_modes.app_version
   FROM (afterpush.delivery_modes
     CROSS JOIN LATERAL afterpush.states(delivery_modes.bits) states(is_sent, is_confirmed, failed, delivered, displayed, opened, replied, dismissed, read, responded, converted_events, replaced))
  GROUP BY delivery_modes.app_id, delivery_modes.verified, delivery_modes.anchor_hour, delivery_modes.app_version, delivery_modes.campaign_id, delivery_modes.variant, delivery_modes.category_id, delivery_modes.category_version, delivery_modes.platform, states.is_sent, states.is_confirmed, ARRAY( SELECT (a.action_id COLLATE "default") AS action_id
           FROM unnest(delivery_modes.actions) a(action_id, first_at, events, verified_first_at, verified_events));


ALTER TABLE afterpush.expected_app_versions OWNER TO afterpush_owner;

--
-- Name: VIEW expected_app_versions; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON VIEW afterpush.expected_app_versions IS 'What rollup_app_versions must hold: the sum over all deliveries.';


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
    (sum(expected_app_versions.replaced))::bigint AS replaced
   FROM afterpush.expected_app_versions
  GROUP BY expected_app_versions.app_id, expected_app_versions.verified, expected_app_versions.anchor_hour, expected_app_versions.campaign_id, expected_app_versions.variant, expected_app_versions.category_id, expected_app_versions.category_version, expected_app_versions.platform, expected_app_versions.is_sent, expected_app_versions.is_confirmed, expected_app_versions.actions;


ALTER TABLE afterpush.expected_deliveries OWNER TO afterpush_owner;

--
-- Name: VIEW expected_deliveries; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON VIEW afterpush.expected_deliveries IS 'What rollup_deliveries must hold: the sum over all deliveries.';


--
-- Name: expected_events; Type: VIEW; Schema: afterpush; Owner: afterpush_owner
--

CREATE VIEW afterpush.expected_events AS
 WITH counts AS (
         SELECT merged_events.app_id,
            merged_events.event_hour,
            merged_events.campaign_id,
            merged_events.variant,
            merged_events.category_id,
            merged_events.platform,
            merged_events.kind,
            count(*) AS events,
            count(*) FILTER (WHERE merged_events.verified) AS verified_events
           FROM afterpush.merged_events
          GROUP BY merged_events.app_id, merged_events.event_hour, merged_events.campaign_id, merged_events.variant, merged_events.category_id, merged_events.platform, merged_events.kind
        UNION ALL
         SELECT erased_event_counts.app_id,
            erased_event_counts.event_hour,
            erased_event_counts.campaign_id,
            erased_event_counts.variant,
            erased_event_counts.category_id,
            erased_event_counts.platform,
            erased_event_counts.kind,
            erased_event_counts.events,
            erased_event_counts.verified_events
           FROM afterpush.erased_event_counts
        ), modes AS (
         SELECT counts.app_id,
            false AS verified,
            counts.event_hour,
            counts.campaign_id,
            counts.variant,
            counts.category_id,
            counts.platform,
            counts.kind,
            counts.events
           FROM counts
        UNION ALL
         SELECT counts.app_id,
            true,
            counts.event_hour,
            counts.campaign_id,
            counts.variant,
            counts.category_id,
            counts.platform,
            counts.kind,
            counts.verified_events
           FROM counts
          WHERE (counts.verified_events <> 0)
        )
 SELECT modes.app_id,
    modes.verified,
    modes.event_hour,
    modes.campaign_id,
    modes.variant,
    modes.category_id,
    modes.platform,
    (COALESCE(sum(modes.events) FILTER (WHERE (modes.kind = 'sent'::afterpush.event_kind)), (0)::numeric))::integer AS sent,
    (COALESCE(sum(modes.events) FILTER (WHERE (modes.kind = 'failed'::afterpush.event_kind)), (0)::numeric))::integer AS failed,
    (COALESCE(sum(modes.events) FILTER (WHERE (modes.kind = 'delivered'::afterpush.event_kind)), (0)::numeric))::integer AS delivered,
    (COALESCE(sum(modes.events) FILTER (WHERE (modes.kind = 'displayed'::afterpush.event_kind)), (0)::numeric))::integer AS displayed,
    (COALESCE(sum(modes.events) FILTER (WHERE (modes.kind = 'read'::afterpush.event_kind)), (0)::numeric))::integer AS read,
    (COALESCE(sum(modes.events) FILTER (WHERE (modes.kind = 'opened'::afterpush.event_kind)), (0)::numeric))::integer AS opened,
    (COALESCE(sum(modes.events) FILTER (WHERE (modes.kind = 'action'::afterpush.event_kind)), (0)::numeric))::integer AS action,
    (COALESCE(sum(modes.events) FILTER (WHERE (modes.kind = 'text_input'::afterpush.event_kind)), (0)::numeric))::integer AS text_input,
    (COALESCE(sum(modes.events) FILTER (WHERE (modes.kind = 'dismissed'::afterpush.event_kind)), (0)::numeric))::integer AS dismissed,
    (COALESCE(sum(modes.events) FILTER (WHERE (modes.kind = 'converted'::afterpush.event_kind)), (0)::numeric))::integer AS converted,
    (COALESCE(sum(modes.events) FILTER (WHERE (modes.kind = 'replaced'::afterpush.event_kind)), (0)::numeric))::integer AS replaced,
    (COALESCE(sum(modes.events) FILTER (WHERE (modes.kind = 'media_played'::afterpush.event_kind)), (0)::numeric))::integer AS media_played,
    (COALESCE(sum(modes.events) FILTER (WHERE (modes.kind = 'media_paused'::afterpush.event_kind)), (0)::numeric))::integer AS media_paused,
    (COALESCE(sum(modes.events) FILTER (WHERE (modes.kind = 'attachment_failed'::afterpush.event_kind)), (0)::numeric))::integer AS attachment_failed,
    (COALESCE(sum(modes.events) FILTER (WHERE (modes.kind = 'extension_expired'::afterpush.event_kind)), (0)::numeric))::integer AS extension_expired,
    (COALESCE(sum(modes.events) FILTER (WHERE (modes.kind = 'token_registered'::afterpush.event_kind)), (0)::numeric))::integer AS token_registered,
    (COALESCE(sum(modes.events) FILTER (WHERE (modes.kind = 'token_failed'::afterpush.event_kind)), (0)::numeric))::integer AS token_failed,
    (COALESCE(sum(modes.events) FILTER (WHERE (modes.kind = 'permission_granted'::afterpush.event_kind)), (0)::numeric))::integer AS permission_granted,
    (COALESCE(sum(modes.events) FILTER (WHERE (modes.kind = 'permission_revoked'::afterpush.event_kind)), (0)::numeric))::integer AS permission_revoked,
    (COALESCE(sum(modes.events) FILTER (WHERE (modes.kind = 'app_opened'::afterpush.event_kind)), (0)::numeric))::integer AS app_opened,
    (sum(modes.events))::integer AS events
   FROM modes
  GROUP BY modes.app_id, modes.verified, modes.event_hour, modes.campaign_id, modes.variant, modes.category_id, modes.platform;


ALTER TABLE afterpush.expected_events OWNER TO afterpush_owner;

--
-- Name: VIEW expected_events; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON VIEW afterpush.expected_events IS 'What rollup_events must hold: all merged events.';


--
-- Name: expected_responses; Type: VIEW; Schema: afterpush; Owner: afterpush_owner
--

CREATE VIEW afterpush.expected_responses AS
 SELECT modes.app_id,
    modes.anchor_hour,
    modes.campaign_id,
    modes.variant,
    modes.category_id,
    modes.platform,
    modes.app_version,
    modes.bucket,
    (sum(modes.deliveries))::integer AS deliveries,
    (sum(modes.verified_deliveries))::integer AS verified_deliveries
   FROM ( SELECT keyed_deliveries.app_id,
            keyed_deliveries.anchor_hour,
            keyed_deliveries.campaign_id,
            keyed_deliveries.variant,
            keyed_deliveries.category_id,
            keyed_deliveries.platform,
            keyed_deliveries.app_version,
            afterpush.time_bucket((keyed_deliveries.responded_at - keyed_deliveries.reached_at)) AS bucket,
            1 AS deliveries,
            0 AS verified_deliveries
           FROM afterpush.keyed_deliveries
          WHERE (keyed_deliveries.responded_at IS NOT NULL)
        UNION ALL
         SELECT keyed_deliveries.app_id,
            keyed_deliveries.anchor_hour,
            keyed_deliveries.campaign_id,
            keyed_deliveries.variant,
            keyed_deliveries.category_id,
            keyed_deliveries.platform,
            keyed_deliveries.app_version,
            afterpush.time_bucket((keyed_deliveries.verified_responded_at - keyed_deliveries.verified_reached_at)) AS time_bucket,
            0,
            1
           FROM afterpush.keyed_deliveries
          WHERE (keyed_deliveries.verified_responded_at IS NOT NULL)) modes
  GROUP BY modes.app_id, modes.anchor_hour, modes.campaign_id, modes.variant, modes.category_id, modes.platform, modes.app_version, modes.bucket;


ALTER TABLE afterpush.expected_responses OWNER TO afterpush_owner;

--
-- Name: VIEW expected_responses; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON VIEW afterpush.expected_responses IS 'What rollup_responses must hold: the sum over all deliveries.';


--
-- Name: expired_replies; Type: VIEW; Schema: afterpush; Owner: afterpush_owner
--

CREATE VIEW afterpush.expired_replies AS
 SELECT r.ctid AS place
   FROM ((afterpush.replies r
     CROSS JOIN LATERAL ( SELECT COALESCE(( SELECT e.category_id
                   FROM afterpush.events e
                  WHERE ((e.delivery_id = r.delivery_id) AND (e.event_id = r.event_id) AND (e.device_time = r.device_time))), ( SELECT d.category_id
                   FROM afterpush.deliveries d
                  WHERE (d.delivery_id = r.delivery_id))) AS category_id) told)
     CROSS JOIN LATERAL ( SELECT COALESCE(( SELECT c.text_retention
                   FROM afterpush.categories c
                  WHERE ((c.app_id = r.app_id) AND (c.category_id = told.category_id))
                  ORDER BY c.version DESC
                 LIMIT 1), ( SELECT a.text_retention
                   FROM afterpush.apps a
                  WHERE (a.app_id = r.app_id))) AS kept) retention)
  WHERE (r.stored_at < (now() - retention.kept));


ALTER TABLE afterpush.expired_replies OWNER TO afterpush_owner;

--
-- Name: VIEW expired_replies; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON VIEW afterpush.expired_replies IS 'Where the replies are whose time has passed.';


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

COMMENT ON TABLE afterpush.ingest_barrier IS 'Locked by who stores a batch, row exclusive, and by who must know that none is under way, share. Empty.';


--
-- Name: COLUMN ingest_barrier.nothing; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.ingest_barrier.nothing IS 'Nothing: there are no rows.';


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

COMMENT ON TABLE afterpush.late_deliveries IS 'Deliveries whose anchor came to be in an hour that was sealed by then: no rollup counts them.';


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

COMMENT ON TABLE afterpush.metric_definitions IS 'What the columns of reports mean.';


--
-- Name: COLUMN metric_definitions.name; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.metric_definitions.name IS 'The column''s name, or REPORT.COLUMN where it means something else there.';


--
-- Name: COLUMN metric_definitions.version; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.metric_definitions.version IS 'Version of the definition; the highest holds.';


--
-- Name: COLUMN metric_definitions.unit; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.metric_definitions.unit IS 'deliveries, events, ratio, seconds or the like; without one, the type of the value.';


--
-- Name: COLUMN metric_definitions.definition; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.metric_definitions.definition IS 'What it says.';


--
-- Name: COLUMN metric_definitions.numerator; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.metric_definitions.numerator IS 'What is divided, for a rate.';


--
-- Name: COLUMN metric_definitions.denominator; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.metric_definitions.denominator IS 'By what, for a rate.';


--
-- Name: COLUMN metric_definitions.selection_window; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.metric_definitions.selection_window IS 'Which deliveries it speaks of.';


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

COMMENT ON TABLE afterpush.receipt_secrets IS 'The keys that an app''s receipts are signed with (HMAC-SHA-256).';


--
-- Name: COLUMN receipt_secrets.secret_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.receipt_secrets.secret_id IS 'Its number, oldest first.';


--
-- Name: COLUMN receipt_secrets.app_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.receipt_secrets.app_id IS 'The app whose receipts it signs.';


--
-- Name: COLUMN receipt_secrets.secret; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.receipt_secrets.secret IS 'Its 32 random bytes. Whoever has them can make receipts of the app.';


--
-- Name: COLUMN receipt_secrets.created_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.receipt_secrets.created_at IS 'When it was made.';


--
-- Name: COLUMN receipt_secrets.retired_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.receipt_secrets.retired_at IS 'Until when it still verifies; null for the one that is handed out.';


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

COMMENT ON TABLE afterpush.rejected_events IS 'Events that were refused, as they came, with the reason.';


--
-- Name: COLUMN rejected_events.rejection_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rejected_events.rejection_id IS 'Order of arrival.';


--
-- Name: COLUMN rejected_events.app_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rejected_events.app_id IS 'The app of the key it was posted with.';


--
-- Name: COLUMN rejected_events.received_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rejected_events.received_at IS 'When the request arrived.';


--
-- Name: COLUMN rejected_events.code; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rejected_events.code IS 'The stable code that the sender was answered.';


--
-- Name: COLUMN rejected_events.detail; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rejected_events.detail IS 'What was wrong, naming the field.';


--
-- Name: COLUMN rejected_events.event_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rejected_events.event_id IS 'event_id as sent, if it was readable.';


--
-- Name: COLUMN rejected_events.event; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rejected_events.event IS 'The event as it came, user_text replaced by its length, bytes that are not UTF-8 by U+FFFD.';


--
-- Name: COLUMN rejected_events.fingerprint; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rejected_events.fingerprint IS 'Of code and event: the same event refused again, by a retry, is kept once.';


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

COMMENT ON COLUMN afterpush.rollup_action_days.deliveries_sent IS 'Of deliveries, those that are sent.';


--
-- Name: COLUMN rollup_action_days.deliveries_confirmed; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_action_days.deliveries_confirmed IS 'Of deliveries, those that are confirmed.';


--
-- Name: COLUMN rollup_action_days.events; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_action_days.events IS 'As in rollup_actions.';


--
-- Name: COLUMN rollup_action_days.times; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_action_days.times IS 'Running numbers of deliveries by the time to the action (function running_totals_of).';


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

COMMENT ON TABLE afterpush.rollup_actions IS 'Deliveries acted on, by action and time to the action.';


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

COMMENT ON COLUMN afterpush.rollup_actions.is_confirmed IS 'Whether the deliveries are confirmed.';


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
    app_version text NOT NULL COLLATE pg_catalog."C"
)
WITH (fillfactor='80');


ALTER TABLE afterpush.rollup_app_versions OWNER TO afterpush_owner;

--
-- Name: TABLE rollup_app_versions; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TABLE afterpush.rollup_app_versions IS 'rollup_deliveries, by app version as well.';


--
-- Name: COLUMN rollup_app_versions.app_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_app_versions.app_id IS 'The app.';


--
-- Name: COLUMN rollup_app_versions.verified; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_app_versions.verified IS 'Whether states hold by verified events only; each delivery stands under false, and under true if it has a verified event.';


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

COMMENT ON COLUMN afterpush.rollup_app_versions.is_confirmed IS 'Whether the deliveries are confirmed.';


--
-- Name: COLUMN rollup_app_versions.actions; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_app_versions.actions IS 'The set of actions they were answered with, in byte order; empty when none.';


--
-- Name: COLUMN rollup_app_versions.deliveries; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_app_versions.deliveries IS 'Number of deliveries.';


--
-- Name: COLUMN rollup_app_versions.failed; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_app_versions.failed IS 'Of these, in state failed.';


--
-- Name: COLUMN rollup_app_versions.delivered; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_app_versions.delivered IS 'Of these, in state delivered.';


--
-- Name: COLUMN rollup_app_versions.displayed; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_app_versions.displayed IS 'Of these, in state displayed.';


--
-- Name: COLUMN rollup_app_versions.opened; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_app_versions.opened IS 'Of these, in state opened.';


--
-- Name: COLUMN rollup_app_versions.replied; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_app_versions.replied IS 'Of these, in state replied.';


--
-- Name: COLUMN rollup_app_versions.dismissed; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_app_versions.dismissed IS 'Of these, in state dismissed.';


--
-- Name: COLUMN rollup_app_versions.read; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_app_versions.read IS 'Of these, in state read.';


--
-- Name: COLUMN rollup_app_versions.responded; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_app_versions.responded IS 'Of these, in state responded.';


--
-- Name: COLUMN rollup_app_versions.converted_events; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_app_versions.converted_events IS 'Of these, with a converted event.';


--
-- Name: COLUMN rollup_app_versions.replaced; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_app_versions.replaced IS 'Of these, in state replaced.';


--
-- Name: COLUMN rollup_app_versions.app_version; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_app_versions.app_version IS 'Version of the app; empty when unknown.';


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
    replaced bigint NOT NULL
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

COMMENT ON COLUMN afterpush.rollup_deliveries.verified IS 'Whether states hold by verified events only; each delivery stands under false, and under true if it has a verified event.';


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

COMMENT ON COLUMN afterpush.rollup_deliveries.is_confirmed IS 'Whether the deliveries are confirmed.';


--
-- Name: COLUMN rollup_deliveries.actions; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_deliveries.actions IS 'The set of actions they were answered with, in byte order; empty when none.';


--
-- Name: COLUMN rollup_deliveries.deliveries; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_deliveries.deliveries IS 'Number of deliveries.';


--
-- Name: COLUMN rollup_deliveries.failed; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_deliveries.failed IS 'Of these, in state failed.';


--
-- Name: COLUMN rollup_deliveries.delivered; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_deliveries.delivered IS 'Of these, in state delivered.';


--
-- Name: COLUMN rollup_deliveries.displayed; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_deliveries.displayed IS 'Of these, in state displayed.';


--
-- Name: COLUMN rollup_deliveries.opened; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_deliveries.opened IS 'Of these, in state opened.';


--
-- Name: COLUMN rollup_deliveries.replied; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_deliveries.replied IS 'Of these, in state replied.';


--
-- Name: COLUMN rollup_deliveries.dismissed; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_deliveries.dismissed IS 'Of these, in state dismissed.';


--
-- Name: COLUMN rollup_deliveries.read; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_deliveries.read IS 'Of these, in state read.';


--
-- Name: COLUMN rollup_deliveries.responded; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_deliveries.responded IS 'Of these, in state responded.';


--
-- Name: COLUMN rollup_deliveries.converted_events; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_deliveries.converted_events IS 'Of these, with a converted event.';


--
-- Name: COLUMN rollup_deliveries.replaced; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_deliveries.replaced IS 'Of these, in state replaced.';


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
    replaced_confirmed integer NOT NULL
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

COMMENT ON COLUMN afterpush.rollup_delivery_days.deliveries_sent IS 'Of deliveries, those that are sent.';


--
-- Name: COLUMN rollup_delivery_days.deliveries_confirmed; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_delivery_days.deliveries_confirmed IS 'Of deliveries, those that are confirmed.';


--
-- Name: COLUMN rollup_delivery_days.deliveries_both; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_delivery_days.deliveries_both IS 'Number of deliveries that are sent and confirmed.';


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

COMMENT ON COLUMN afterpush.rollup_delivery_days.delivered_sent IS 'Of delivered, those that are sent.';


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

COMMENT ON COLUMN afterpush.rollup_delivery_days.opened_sent IS 'Of opened, those that are sent.';


--
-- Name: COLUMN rollup_delivery_days.opened_confirmed; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_delivery_days.opened_confirmed IS 'Of opened, those that are confirmed.';


--
-- Name: COLUMN rollup_delivery_days.acted; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_delivery_days.acted IS 'Number of deliveries in state acted.';


--
-- Name: COLUMN rollup_delivery_days.acted_sent; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_delivery_days.acted_sent IS 'Of acted, those that are sent.';


--
-- Name: COLUMN rollup_delivery_days.acted_confirmed; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_delivery_days.acted_confirmed IS 'Of acted, those that are confirmed.';


--
-- Name: COLUMN rollup_delivery_days.replied; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_delivery_days.replied IS 'As in rollup_deliveries.';


--
-- Name: COLUMN rollup_delivery_days.replied_sent; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_delivery_days.replied_sent IS 'Of replied, those that are sent.';


--
-- Name: COLUMN rollup_delivery_days.replied_confirmed; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_delivery_days.replied_confirmed IS 'Of replied, those that are confirmed.';


--
-- Name: COLUMN rollup_delivery_days.dismissed; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_delivery_days.dismissed IS 'As in rollup_deliveries.';


--
-- Name: COLUMN rollup_delivery_days.dismissed_sent; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_delivery_days.dismissed_sent IS 'Of dismissed, those that are sent.';


--
-- Name: COLUMN rollup_delivery_days.dismissed_confirmed; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_delivery_days.dismissed_confirmed IS 'Of dismissed, those that are confirmed.';


--
-- Name: COLUMN rollup_delivery_days.read; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_delivery_days.read IS 'As in rollup_deliveries.';


--
-- Name: COLUMN rollup_delivery_days.read_sent; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_delivery_days.read_sent IS 'Of read, those that are sent.';


--
-- Name: COLUMN rollup_delivery_days.read_confirmed; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_delivery_days.read_confirmed IS 'Of read, those that are confirmed.';


--
-- Name: COLUMN rollup_delivery_days.responded; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_delivery_days.responded IS 'As in rollup_deliveries.';


--
-- Name: COLUMN rollup_delivery_days.responded_sent; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_delivery_days.responded_sent IS 'Of responded, those that are sent.';


--
-- Name: COLUMN rollup_delivery_days.responded_confirmed; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_delivery_days.responded_confirmed IS 'Of responded, those that are confirmed.';


--
-- Name: COLUMN rollup_delivery_days.converted_events; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_delivery_days.converted_events IS 'As in rollup_deliveries.';


--
-- Name: COLUMN rollup_delivery_days.converted_events_sent; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_delivery_days.converted_events_sent IS 'Of converted_events, those that are sent.';


--
-- Name: COLUMN rollup_delivery_days.converted_events_confirmed; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_delivery_days.converted_events_confirmed IS 'Of converted_events, those that are confirmed.';


--
-- Name: COLUMN rollup_delivery_days.replaced; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_delivery_days.replaced IS 'As in rollup_deliveries.';


--
-- Name: COLUMN rollup_delivery_days.replaced_sent; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_delivery_days.replaced_sent IS 'Of replaced, those that are sent.';


--
-- Name: COLUMN rollup_delivery_days.replaced_confirmed; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_delivery_days.replaced_confirmed IS 'Of replaced, those that are confirmed.';


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

COMMENT ON COLUMN afterpush.rollup_events.verified IS 'Whether only verified events are counted; each event stands under false, and under true if it is verified.';


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
-- Name: COLUMN rollup_events.events; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_events.events IS 'Number of events of all kinds.';


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

COMMENT ON TABLE afterpush.rollup_goal_days IS 'Deliveries acted on without a converted event, by the set of their actions: they have converted if a goal is among these.';


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

COMMENT ON COLUMN afterpush.rollup_goal_days.deliveries_sent IS 'Of deliveries, those that are sent.';


--
-- Name: COLUMN rollup_goal_days.deliveries_confirmed; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_goal_days.deliveries_confirmed IS 'Of deliveries, those that are confirmed.';


--
-- Name: rollup_response_days; Type: TABLE; Schema: afterpush; Owner: afterpush_owner
--

CREATE TABLE afterpush.rollup_response_days (
    app_id integer NOT NULL,
    anchor_day timestamp with time zone NOT NULL,
    campaign_id text NOT NULL COLLATE pg_catalog."C",
    variant text NOT NULL COLLATE pg_catalog."C",
    category_id text NOT NULL COLLATE pg_catalog."C",
    platform text NOT NULL COLLATE pg_catalog."C",
    deliveries integer NOT NULL,
    verified_deliveries integer NOT NULL,
    times integer[] NOT NULL,
    verified_times integer[] NOT NULL
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
-- Name: COLUMN rollup_response_days.verified_deliveries; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_response_days.verified_deliveries IS 'As in rollup_responses.';


--
-- Name: COLUMN rollup_response_days.times; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_response_days.times IS 'Running numbers of deliveries by the time to the first response (function running_totals_of).';


--
-- Name: COLUMN rollup_response_days.verified_times; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_response_days.verified_times IS 'The same of verified events alone.';


--
-- Name: rollup_responses; Type: TABLE; Schema: afterpush; Owner: afterpush_owner
--

CREATE TABLE afterpush.rollup_responses (
    app_id integer NOT NULL,
    anchor_hour timestamp with time zone NOT NULL,
    campaign_id text NOT NULL COLLATE pg_catalog."C",
    variant text NOT NULL COLLATE pg_catalog."C",
    category_id text NOT NULL COLLATE pg_catalog."C",
    platform text NOT NULL COLLATE pg_catalog."C",
    app_version text NOT NULL COLLATE pg_catalog."C",
    bucket smallint NOT NULL,
    deliveries integer NOT NULL,
    verified_deliveries integer NOT NULL
)
WITH (fillfactor='80');


ALTER TABLE afterpush.rollup_responses OWNER TO afterpush_owner;

--
-- Name: TABLE rollup_responses; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TABLE afterpush.rollup_responses IS 'Deliveries that were responded to, by the time to the first response.';


--
-- Name: COLUMN rollup_responses.app_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_responses.app_id IS 'The app.';


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

COMMENT ON COLUMN afterpush.rollup_responses.bucket IS 'Time from the confirmation, else the send, to the first response (function time_bucket); -2 when neither is known, -1 when negative.';


--
-- Name: COLUMN rollup_responses.deliveries; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_responses.deliveries IS 'Number of deliveries.';


--
-- Name: COLUMN rollup_responses.verified_deliveries; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_responses.verified_deliveries IS 'Number of deliveries by their verified events alone, whose time may be another.';


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

COMMENT ON TABLE afterpush.rollup_worker IS 'One row: whoever holds its lock may write deliveries and rollups.';


--
-- Name: COLUMN rollup_worker.singleton; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_worker.singleton IS 'Always true.';


--
-- Name: COLUMN rollup_worker.sealed_before; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.rollup_worker.sealed_before IS 'Anchor hours before this are sealed: their events may be gone, their rollups stay as they are.';


--
-- Name: schema_migrations; Type: TABLE; Schema: afterpush; Owner: postgres
--

CREATE TABLE afterpush.schema_migrations (
    name text NOT NULL,
    checksum bytea NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL
);


ALTER TABLE afterpush.schema_migrations OWNER TO postgres;

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

COMMENT ON TABLE afterpush.sealed_goals IS 'Goals of campaigns, for hours that were sealed before they changed.';


--
-- Name: COLUMN sealed_goals.app_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.sealed_goals.app_id IS 'The app.';


--
-- Name: COLUMN sealed_goals.campaign_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.sealed_goals.campaign_id IS 'The campaign.';


--
-- Name: COLUMN sealed_goals.sealed_from; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.sealed_goals.sealed_from IS 'For anchor hours from here on.';


--
-- Name: COLUMN sealed_goals.sealed_before; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.sealed_goals.sealed_before IS 'For anchor hours before this.';


--
-- Name: COLUMN sealed_goals.goal_actions; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.sealed_goals.goal_actions IS 'Its goals then; none for one that was not declared.';


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

COMMENT ON TABLE afterpush.sends IS 'Declared totals, for those who don''t post a sent event per device.';


--
-- Name: COLUMN sends.app_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.sends.app_id IS 'The app that declared them.';


--
-- Name: COLUMN sends.send_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.sends.send_id IS 'Idempotency key.';


--
-- Name: COLUMN sends.campaign_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.sends.campaign_id IS 'The campaign; all its sends are then taken from this table.';


--
-- Name: COLUMN sends.category_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.sends.category_id IS 'The category, if it is one.';


--
-- Name: COLUMN sends.category_version; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.sends.category_version IS 'The category''s version; null takes the one in force at sent_at.';


--
-- Name: COLUMN sends.variant; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.sends.variant IS 'The variant, if it is one.';


--
-- Name: COLUMN sends.platform; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.sends.platform IS 'The platform, if it is one.';


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

COMMENT ON COLUMN afterpush.sends.sent_at IS 'When they were sent; its hour is their anchor.';


--
-- Name: COLUMN sends.received_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.sends.received_at IS 'When the declaration came in.';


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

COMMENT ON TABLE afterpush.sessions IS 'Browsers that are signed in to the dashboard. A session reads what its key reads, and ends with it.';


--
-- Name: COLUMN sessions.session_hash; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.sessions.session_hash IS 'SHA-256 of the cookie''s value, which is never stored.';


--
-- Name: COLUMN sessions.key_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.sessions.key_id IS 'The key that it was begun with.';


--
-- Name: COLUMN sessions.created_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.sessions.created_at IS 'When it was begun.';


--
-- Name: COLUMN sessions.expires_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.sessions.expires_at IS 'When it ends by itself.';


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

COMMENT ON TABLE afterpush.spools IS 'Events, of all apps together, that collectors answered 202 and still hold in their spools.';


--
-- Name: COLUMN spools.collector; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.spools.collector IS 'A place for a spool: derived from host and path, so that a collector that starts again is the same.';


--
-- Name: COLUMN spools.events; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.spools.events IS 'Events that wait in its spool.';


--
-- Name: COLUMN spools.oldest_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.spools.oldest_at IS 'When the request arrived whose events wait longest; null when none do.';


--
-- Name: COLUMN spools.reported_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.spools.reported_at IS 'When the collector last told; each tells within half a minute while it can.';


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

COMMENT ON VIEW afterpush.summed_action_days IS 'What rollup_action_days must hold: the sum over rollup_actions.';


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
    (COALESCE(sum(rollup_deliveries.replaced) FILTER (WHERE rollup_deliveries.is_confirmed), (0)::numeric))::integer AS replaced_confirmed
   FROM afterpush.rollup_deliveries
  GROUP BY rollup_deliveries.app_id, rollup_deliveries.verified, (afterpush.day_of(rollup_deliveries.anchor_hour)), rollup_deliveries.campaign_id, rollup_deliveries.variant, rollup_deliveries.category_id, rollup_deliveries.category_version, rollup_deliveries.platform;


ALTER TABLE afterpush.summed_delivery_days OWNER TO afterpush_owner;

--
-- Name: VIEW summed_delivery_days; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON VIEW afterpush.summed_delivery_days IS 'What rollup_delivery_days must hold: the sum over rollup_deliveries.';


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
    (sum(rollup_events.events))::integer AS events
   FROM afterpush.rollup_events
  GROUP BY rollup_events.app_id, rollup_events.verified, rollup_events.event_hour, rollup_events.platform;


ALTER TABLE afterpush.summed_event_hours OWNER TO afterpush_owner;

--
-- Name: VIEW summed_event_hours; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON VIEW afterpush.summed_event_hours IS 'What rollup_event_hours must hold: the sum over rollup_events.';


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

COMMENT ON VIEW afterpush.summed_goal_days IS 'What rollup_goal_days must hold: the sum over rollup_deliveries.';


--
-- Name: summed_response_days; Type: VIEW; Schema: afterpush; Owner: afterpush_owner
--

CREATE VIEW afterpush.summed_response_days AS
 SELECT timed.app_id,
    timed.anchor_day,
    timed.campaign_id,
    timed.variant,
    timed.category_id,
    timed.platform,
    (sum(timed.deliveries))::integer AS deliveries,
    (sum(timed.verified_deliveries))::integer AS verified_deliveries,
    afterpush.running_totals_of(array_agg(timed.bucket ORDER BY timed.bucket), array_agg(timed.deliveries ORDER BY timed.bucket)) AS times,
    afterpush.running_totals_of(array_agg(timed.bucket ORDER BY timed.bucket), array_agg(timed.verified_deliveries ORDER BY timed.bucket)) AS verified_times
   FROM ( SELECT rollup_responses.app_id,
            afterpush.day_of(rollup_responses.anchor_hour) AS anchor_day,
            rollup_responses.campaign_id,
            rollup_responses.variant,
            rollup_responses.category_id,
            rollup_responses.platform,
            rollup_responses.bucket,
            sum(rollup_responses.deliveries) AS deliveries,
            sum(rollup_responses.verified_deliveries) AS verified_deliveries
           FROM afterpush.rollup_responses
          GROUP BY rollup_responses.app_id, (afterpush.day_of(rollup_responses.anchor_hour)), rollup_responses.campaign_id, rollup_responses.variant, rollup_responses.category_id, rollup_responses.platform, rollup_responses.bucket) timed
  GROUP BY timed.app_id, timed.anchor_day, timed.campaign_id, timed.variant, timed.category_id, timed.platform;


ALTER TABLE afterpush.summed_response_days OWNER TO afterpush_owner;

--
-- Name: VIEW summed_response_days; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON VIEW afterpush.summed_response_days IS 'What rollup_response_days must hold: the sum over rollup_responses.';


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

COMMENT ON TABLE afterpush.suppressed_devices IS 'Erased devices, whose events are refused from then on.';


--
-- Name: COLUMN suppressed_devices.app_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.suppressed_devices.app_id IS 'The app.';


--
-- Name: COLUMN suppressed_devices.device_hash; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.suppressed_devices.device_hash IS 'Keyed hash of the device id.';


--
-- Name: COLUMN suppressed_devices.suppressed_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.suppressed_devices.suppressed_at IS 'When the device was erased.';


--
-- Name: COLUMN suppressed_devices.suppression_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.suppressed_devices.suppression_id IS 'Order of the erasures: a greater one never commits before a smaller one.';


--
-- Name: COLUMN suppressed_devices.key_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.suppressed_devices.key_id IS 'The key that it was hashed with.';


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

COMMENT ON TABLE afterpush.suppression_keys IS 'The keys that erased devices are hashed with: one, and those that came back with lists of other times.';


--
-- Name: COLUMN suppression_keys.key_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.suppression_keys.key_id IS 'Its number; the lowest one hashes.';


--
-- Name: COLUMN suppression_keys.key; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.suppression_keys.key IS 'Its 32 random bytes. It stays with the data: a restored backup must know the devices that the list names.';


--
-- Name: COLUMN suppression_keys.created_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.suppression_keys.created_at IS 'When it was made, or came back.';


--
-- Name: COLUMN suppression_keys.inner_block; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.suppression_keys.inner_block IS 'The key as the inner hash of HMAC takes it.';


--
-- Name: COLUMN suppression_keys.outer_block; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.suppression_keys.outer_block IS 'The key as the outer hash of HMAC takes it.';


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
    verified boolean NOT NULL,
    parent text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    seen_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT undeclared_names_kind_check CHECK ((kind = ANY (ARRAY['campaign'::text, 'variant'::text, 'category'::text, 'category_version'::text, 'action'::text, 'app_version'::text])))
);


ALTER TABLE afterpush.undeclared_names OWNER TO afterpush_owner;

--
-- Name: TABLE undeclared_names; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON TABLE afterpush.undeclared_names IS 'Names that events stated and nobody had declared, as many as an app takes. Whoever deletes some makes room for others.';


--
-- Name: COLUMN undeclared_names.app_id; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.undeclared_names.app_id IS 'The app.';


--
-- Name: COLUMN undeclared_names.kind; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.undeclared_names.kind IS 'What the name is of.';


--
-- Name: COLUMN undeclared_names.verified; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.undeclared_names.verified IS 'Whether the event was vouched for by a server; these have a quota of their own.';


--
-- Name: COLUMN undeclared_names.parent; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.undeclared_names.parent IS 'The campaign of a variant, the category of a version; else empty.';


--
-- Name: COLUMN undeclared_names.name; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.undeclared_names.name IS 'The name.';


--
-- Name: COLUMN undeclared_names.seen_at; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON COLUMN afterpush.undeclared_names.seen_at IS 'When it was first stored.';


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
-- Name: apps apps_report_token_key; Type: CONSTRAINT; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE ONLY afterpush.apps
    ADD CONSTRAINT apps_report_token_key UNIQUE (report_token);


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
-- Name: erased_event_counts erased_event_counts_pkey; Type: CONSTRAINT; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE ONLY afterpush.erased_event_counts
    ADD CONSTRAINT erased_event_counts_pkey PRIMARY KEY (app_id, event_hour, campaign_id, variant, category_id, platform, kind);


--
-- Name: erasures erasures_pkey; Type: CONSTRAINT; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE ONLY afterpush.erasures
    ADD CONSTRAINT erasures_pkey PRIMARY KEY (app_id, device_hash);


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
    ADD CONSTRAINT rollup_response_days_pkey PRIMARY KEY (app_id, campaign_id, anchor_day, variant, category_id, platform);


--
-- Name: rollup_responses rollup_responses_pkey; Type: CONSTRAINT; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE ONLY afterpush.rollup_responses
    ADD CONSTRAINT rollup_responses_pkey PRIMARY KEY (app_id, anchor_hour, campaign_id, variant, category_id, platform, app_version, bucket);


--
-- Name: rollup_worker rollup_worker_pkey; Type: CONSTRAINT; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE ONLY afterpush.rollup_worker
    ADD CONSTRAINT rollup_worker_pkey PRIMARY KEY (singleton);


--
-- Name: schema_migrations schema_migrations_pkey; Type: CONSTRAINT; Schema: afterpush; Owner: postgres
--

ALTER TABLE ONLY afterpush.schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (name);


--
-- Name: sealed_goals sealed_goals_pkey; Type: CONSTRAINT; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE ONLY afterpush.sealed_goals
    ADD CONSTRAINT sealed_goals_pkey PRIMARY KEY (app_id, campaign_id, sealed_before);


--
-- Name: sealing sealing_pkey; Type: CONSTRAINT; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE ONLY afterpush.sealing
    ADD CONSTRAINT sealing_pkey PRIMARY KEY (singleton);


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
    ADD CONSTRAINT undeclared_names_pkey PRIMARY KEY (app_id, kind, verified, parent, name);


--
-- Name: actions_by_name; Type: INDEX; Schema: afterpush; Owner: afterpush_owner
--

CREATE INDEX actions_by_name ON afterpush.actions USING btree (app_id, action_id);


--
-- Name: batches_waiting; Type: INDEX; Schema: afterpush; Owner: afterpush_owner
--

CREATE INDEX batches_waiting ON afterpush.batches USING btree (batch_id) WHERE (rolled_up_at IS NULL);


--
-- Name: deliveries_anchor; Type: INDEX; Schema: afterpush; Owner: afterpush_owner
--

CREATE INDEX deliveries_anchor ON afterpush.deliveries USING brin (afterpush.anchor_at(sent_at, receipt_issued_at, first_event_at) timestamptz_minmax_multi_ops) WITH (pages_per_range='32');


--
-- Name: deliveries_confirmed; Type: INDEX; Schema: afterpush; Owner: afterpush_owner
--

CREATE INDEX deliveries_confirmed ON afterpush.deliveries USING brin (confirmed_at timestamptz_minmax_multi_ops) WITH (pages_per_range='32');


--
-- Name: deliveries_device; Type: INDEX; Schema: afterpush; Owner: afterpush_owner
--

CREATE INDEX deliveries_device ON afterpush.deliveries USING btree (app_id, device_id);


--
-- Name: erasures_requested_at_idx; Type: INDEX; Schema: afterpush; Owner: afterpush_owner
--

CREATE INDEX erasures_requested_at_idx ON afterpush.erasures USING btree (requested_at) WHERE (finished_at IS NULL);


--
-- Name: events_batch_id_idx; Type: INDEX; Schema: afterpush; Owner: afterpush_owner
--

CREATE INDEX events_batch_id_idx ON ONLY afterpush.events USING btree (batch_id);


--
-- Name: events_of_responses; Type: INDEX; Schema: afterpush; Owner: afterpush_owner
--

CREATE INDEX events_of_responses ON ONLY afterpush.events USING btree (app_id, occurred_at) INCLUDE (device_id, batch_id, verified, delivery_id) WHERE (kind = ANY (ARRAY['opened'::afterpush.event_kind, 'action'::afterpush.event_kind, 'text_input'::afterpush.event_kind, 'dismissed'::afterpush.event_kind]));


--
-- Name: INDEX events_of_responses; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON INDEX afterpush.events_of_responses IS 'Responses that may have led to openings.';


--
-- Name: events_default_app_id_occurred_at_device_id_batch_id_verif_idx1; Type: INDEX; Schema: afterpush; Owner: afterpush_owner
--

CREATE INDEX events_default_app_id_occurred_at_device_id_batch_id_verif_idx1 ON afterpush.events_default USING btree (app_id, occurred_at) INCLUDE (device_id, batch_id, verified, delivery_id) WHERE (kind = ANY (ARRAY['opened'::afterpush.event_kind, 'action'::afterpush.event_kind, 'text_input'::afterpush.event_kind, 'dismissed'::afterpush.event_kind]));


--
-- Name: events_of_openings; Type: INDEX; Schema: afterpush; Owner: afterpush_owner
--

CREATE INDEX events_of_openings ON ONLY afterpush.events USING btree (app_id, occurred_at) INCLUDE (device_id, batch_id, verified, platform, app_version) WHERE (kind = 'app_opened'::afterpush.event_kind);


--
-- Name: INDEX events_of_openings; Type: COMMENT; Schema: afterpush; Owner: afterpush_owner
--

COMMENT ON INDEX afterpush.events_of_openings IS 'Openings of the app, with all that a report needs of one.';


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
-- Name: rollup_app_versions_key; Type: INDEX; Schema: afterpush; Owner: afterpush_owner
--

CREATE UNIQUE INDEX rollup_app_versions_key ON afterpush.rollup_app_versions USING btree (app_id, verified, anchor_hour, app_version, campaign_id, variant, category_id, category_version, platform, is_sent, is_confirmed, afterpush.actions_key(actions));


--
-- Name: rollup_deliveries_key; Type: INDEX; Schema: afterpush; Owner: afterpush_owner
--

CREATE UNIQUE INDEX rollup_deliveries_key ON afterpush.rollup_deliveries USING btree (app_id, verified, anchor_hour, campaign_id, variant, category_id, category_version, platform, is_sent, is_confirmed, afterpush.actions_key(actions));


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
-- Name: events_default_app_id_occurred_at_device_id_batch_id_verif_idx1; Type: INDEX ATTACH; Schema: afterpush; Owner: afterpush_owner
--

ALTER INDEX afterpush.events_of_responses ATTACH PARTITION afterpush.events_default_app_id_occurred_at_device_id_batch_id_verif_idx1;


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

CREATE TRIGGER enforce_suppression AFTER INSERT ON afterpush.batches FOR EACH ROW WHEN ((new.events > 0)) EXECUTE FUNCTION afterpush.enforce_suppression();


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
-- Name: erased_event_counts; Type: ROW SECURITY; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE afterpush.erased_event_counts ENABLE ROW LEVEL SECURITY;

--
-- Name: erasures; Type: ROW SECURITY; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE afterpush.erasures ENABLE ROW LEVEL SECURITY;

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

CREATE POLICY report ON afterpush.spools FOR SELECT TO afterpush_report USING (true);


--
-- Name: suppressed_devices report; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY report ON afterpush.suppressed_devices FOR SELECT TO afterpush_report USING ((app_id = ( SELECT afterpush.report_app() AS report_app)));


--
-- Name: undeclared_names report; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY report ON afterpush.undeclared_names FOR SELECT TO afterpush_report USING ((app_id = ( SELECT afterpush.report_app() AS report_app)));


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
-- Name: sealing; Type: ROW SECURITY; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE afterpush.sealing ENABLE ROW LEVEL SECURITY;

--
-- Name: sends; Type: ROW SECURITY; Schema: afterpush; Owner: afterpush_owner
--

ALTER TABLE afterpush.sends ENABLE ROW LEVEL SECURITY;

--
-- Name: actions serve; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY serve ON afterpush.actions TO afterpush_ingest, afterpush_worker USING (true) WITH CHECK (true);


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
-- Name: erased_event_counts serve; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY serve ON afterpush.erased_event_counts TO afterpush_worker USING (true) WITH CHECK (true);


--
-- Name: erasures serve; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY serve ON afterpush.erasures FOR SELECT TO afterpush_worker USING (true);


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
-- Name: sealing serve; Type: POLICY; Schema: afterpush; Owner: afterpush_owner
--

CREATE POLICY serve ON afterpush.sealing FOR SELECT TO afterpush_ingest USING (true);


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
-- Name: SCHEMA afterpush; Type: ACL; Schema: -; Owner: postgres
--

GRANT ALL ON SCHEMA afterpush TO afterpush_owner;
GRANT USAGE ON SCHEMA afterpush TO afterpush_report;
GRANT USAGE ON SCHEMA afterpush TO afterpush_ingest;
GRANT USAGE ON SCHEMA afterpush TO afterpush_worker;


--
-- Name: FUNCTION actions_key(actions text[]); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.actions_key(actions text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.actions_key(actions text[]) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.actions_key(actions text[]) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.actions_key(actions text[]) TO afterpush_report;


--
-- Name: FUNCTION actions_stored(delivery_ids uuid[]); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.actions_stored(delivery_ids uuid[]) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.actions_stored(delivery_ids uuid[]) TO afterpush_ingest;


--
-- Name: FUNCTION add_event_counts(counts afterpush.event_count[]); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.add_event_counts(counts afterpush.event_count[]) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.add_event_counts(counts afterpush.event_count[]) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.add_event_counts(counts afterpush.event_count[]) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.add_event_counts(counts afterpush.event_count[]) TO afterpush_report;


--
-- Name: FUNCTION add_running_totals(a integer[], b integer[]); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.add_running_totals(a integer[], b integer[]) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.add_running_totals(a integer[], b integer[]) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.add_running_totals(a integer[], b integer[]) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.add_running_totals(a integer[], b integer[]) TO afterpush_report;


--
-- Name: FUNCTION advance_seal(); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.advance_seal() FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.advance_seal() TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.advance_seal() TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.advance_seal() TO afterpush_report;


--
-- Name: FUNCTION anchor_at(sent_at timestamp with time zone, receipt_issued_at timestamp with time zone, first_event_at timestamp with time zone); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.anchor_at(sent_at timestamp with time zone, receipt_issued_at timestamp with time zone, first_event_at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.anchor_at(sent_at timestamp with time zone, receipt_issued_at timestamp with time zone, first_event_at timestamp with time zone) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.anchor_at(sent_at timestamp with time zone, receipt_issued_at timestamp with time zone, first_event_at timestamp with time zone) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.anchor_at(sent_at timestamp with time zone, receipt_issued_at timestamp with time zone, first_event_at timestamp with time zone) TO afterpush_report;


--
-- Name: FUNCTION anchor_hour(sent_at timestamp with time zone, receipt_issued_at timestamp with time zone, first_event_at timestamp with time zone); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.anchor_hour(sent_at timestamp with time zone, receipt_issued_at timestamp with time zone, first_event_at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.anchor_hour(sent_at timestamp with time zone, receipt_issued_at timestamp with time zone, first_event_at timestamp with time zone) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.anchor_hour(sent_at timestamp with time zone, receipt_issued_at timestamp with time zone, first_event_at timestamp with time zone) TO afterpush_report;


--
-- Name: TABLE sealing; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT ON TABLE afterpush.sealing TO afterpush_ingest;


--
-- Name: FUNCTION announce_seal(before timestamp with time zone); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.announce_seal(before timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.announce_seal(before timestamp with time zone) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.announce_seal(before timestamp with time zone) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.announce_seal(before timestamp with time zone) TO afterpush_report;


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
-- Name: FUNCTION attribution_key(source_rank text, value text, rest text); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.attribution_key(source_rank text, value text, rest text) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.attribution_key(source_rank text, value text, rest text) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.attribution_key(source_rank text, value text, rest text) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.attribution_key(source_rank text, value text, rest text) TO afterpush_report;


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
-- Name: FUNCTION compact_batches(after bigint, max integer); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.compact_batches(after bigint, max integer) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.compact_batches(after bigint, max integer) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.compact_batches(after bigint, max integer) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.compact_batches(after bigint, max integer) TO afterpush_report;


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
-- Name: FUNCTION conflicting_events(delivery_ids uuid[], event_ids uuid[], device_times timestamp with time zone[], kinds text[], action_identifiers text[], text_lengths integer[], campaign_ids text[], variants text[], category_ids text[], category_versions integer[], platforms text[], properties jsonb[]); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.conflicting_events(delivery_ids uuid[], event_ids uuid[], device_times timestamp with time zone[], kinds text[], action_identifiers text[], text_lengths integer[], campaign_ids text[], variants text[], category_ids text[], category_versions integer[], platforms text[], properties jsonb[]) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.conflicting_events(delivery_ids uuid[], event_ids uuid[], device_times timestamp with time zone[], kinds text[], action_identifiers text[], text_lengths integer[], campaign_ids text[], variants text[], category_ids text[], category_versions integer[], platforms text[], properties jsonb[]) TO afterpush_ingest;


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
-- Name: FUNCTION delivery_deltas("only" bigint[], without bigint[], "from" uuid, "to" uuid); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.delivery_deltas("only" bigint[], without bigint[], "from" uuid, "to" uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.delivery_deltas("only" bigint[], without bigint[], "from" uuid, "to" uuid) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.delivery_deltas("only" bigint[], without bigint[], "from" uuid, "to" uuid) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.delivery_deltas("only" bigint[], without bigint[], "from" uuid, "to" uuid) TO afterpush_report;


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
-- Name: FUNCTION wilson_lower_margin(k bigint, n bigint); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.wilson_lower_margin(k bigint, n bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.wilson_lower_margin(k bigint, n bigint) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.wilson_lower_margin(k bigint, n bigint) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.wilson_lower_margin(k bigint, n bigint) TO afterpush_report;


--
-- Name: FUNCTION difference_low(k1 bigint, n1 bigint, k0 bigint, n0 bigint); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.difference_low(k1 bigint, n1 bigint, k0 bigint, n0 bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.difference_low(k1 bigint, n1 bigint, k0 bigint, n0 bigint) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.difference_low(k1 bigint, n1 bigint, k0 bigint, n0 bigint) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.difference_low(k1 bigint, n1 bigint, k0 bigint, n0 bigint) TO afterpush_report;


--
-- Name: FUNCTION difference_high(k1 bigint, n1 bigint, k0 bigint, n0 bigint); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.difference_high(k1 bigint, n1 bigint, k0 bigint, n0 bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.difference_high(k1 bigint, n1 bigint, k0 bigint, n0 bigint) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.difference_high(k1 bigint, n1 bigint, k0 bigint, n0 bigint) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.difference_high(k1 bigint, n1 bigint, k0 bigint, n0 bigint) TO afterpush_report;


--
-- Name: TABLE deliveries; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE afterpush.deliveries TO afterpush_worker;
GRANT SELECT ON TABLE afterpush.deliveries TO afterpush_report;


--
-- Name: FUNCTION differing_deliveries(sealed timestamp with time zone, "from" uuid, "to" uuid); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.differing_deliveries(sealed timestamp with time zone, "from" uuid, "to" uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.differing_deliveries(sealed timestamp with time zone, "from" uuid, "to" uuid) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.differing_deliveries(sealed timestamp with time zone, "from" uuid, "to" uuid) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.differing_deliveries(sealed timestamp with time zone, "from" uuid, "to" uuid) TO afterpush_report;


--
-- Name: FUNCTION event_content(kind text, action_identifier text, text_length integer, campaign_id text, variant text, category_id text, category_version integer, platform text, app_version text, os_version text, locale text, surface text, trigger text, app_state text, dismiss_cause text, handling text, utc_offset_minutes integer, reason text, name text, value numeric, currency text, properties jsonb); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.event_content(kind text, action_identifier text, text_length integer, campaign_id text, variant text, category_id text, category_version integer, platform text, app_version text, os_version text, locale text, surface text, trigger text, app_state text, dismiss_cause text, handling text, utc_offset_minutes integer, reason text, name text, value numeric, currency text, properties jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.event_content(kind text, action_identifier text, text_length integer, campaign_id text, variant text, category_id text, category_version integer, platform text, app_version text, os_version text, locale text, surface text, trigger text, app_state text, dismiss_cause text, handling text, utc_offset_minutes integer, reason text, name text, value numeric, currency text, properties jsonb) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.event_content(kind text, action_identifier text, text_length integer, campaign_id text, variant text, category_id text, category_version integer, platform text, app_version text, os_version text, locale text, surface text, trigger text, app_state text, dismiss_cause text, handling text, utc_offset_minutes integer, reason text, name text, value numeric, currency text, properties jsonb) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.event_content(kind text, action_identifier text, text_length integer, campaign_id text, variant text, category_id text, category_version integer, platform text, app_version text, os_version text, locale text, surface text, trigger text, app_state text, dismiss_cause text, handling text, utc_offset_minutes integer, reason text, name text, value numeric, currency text, properties jsonb) TO afterpush_report;


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
-- Name: FUNCTION differing_events(delivery_ids uuid[], event_ids uuid[], device_times timestamp with time zone[], contents text[], user_texts text[]); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.differing_events(delivery_ids uuid[], event_ids uuid[], device_times timestamp with time zone[], contents text[], user_texts text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.differing_events(delivery_ids uuid[], event_ids uuid[], device_times timestamp with time zone[], contents text[], user_texts text[]) TO afterpush_ingest;


--
-- Name: FUNCTION drop_expired_partition(); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.drop_expired_partition() FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.drop_expired_partition() TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.drop_expired_partition() TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.drop_expired_partition() TO afterpush_report;


--
-- Name: FUNCTION effective_attribution(key text, kinds integer); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.effective_attribution(key text, kinds integer) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.effective_attribution(key text, kinds integer) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.effective_attribution(key text, kinds integer) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.effective_attribution(key text, kinds integer) TO afterpush_report;


--
-- Name: FUNCTION enforce_suppression(); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.enforce_suppression() FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.enforce_suppression() TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.enforce_suppression() TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.enforce_suppression() TO afterpush_report;


--
-- Name: FUNCTION ensure_partitions(at timestamp with time zone, months_back integer, months_ahead integer); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.ensure_partitions(at timestamp with time zone, months_back integer, months_ahead integer) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.ensure_partitions(at timestamp with time zone, months_back integer, months_ahead integer) TO afterpush_worker;


--
-- Name: FUNCTION erase_device_chunk(app integer, device text, max integer); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.erase_device_chunk(app integer, device text, max integer) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.erase_device_chunk(app integer, device text, max integer) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.erase_device_chunk(app integer, device text, max integer) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.erase_device_chunk(app integer, device text, max integer) TO afterpush_report;


--
-- Name: FUNCTION erase_step(max integer); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.erase_step(max integer) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.erase_step(max integer) TO afterpush_worker;


--
-- Name: FUNCTION excluded_events(app_ids integer[], device_ids text[], times timestamp with time zone[]); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.excluded_events(app_ids integer[], device_ids text[], times timestamp with time zone[]) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.excluded_events(app_ids integer[], device_ids text[], times timestamp with time zone[]) TO afterpush_ingest;


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
-- Name: FUNCTION has_suppressed_events(batch bigint); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.has_suppressed_events(batch bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.has_suppressed_events(batch bigint) TO afterpush_ingest;


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
GRANT ALL ON FUNCTION afterpush.last_batch_before_barrier() TO afterpush_report;


--
-- Name: FUNCTION ln_gamma(a double precision); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.ln_gamma(a double precision) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.ln_gamma(a double precision) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.ln_gamma(a double precision) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.ln_gamma(a double precision) TO afterpush_report;


--
-- Name: FUNCTION merged_actions(told afterpush.delivery_action[]); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.merged_actions(told afterpush.delivery_action[]) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.merged_actions(told afterpush.delivery_action[]) TO afterpush_worker;


--
-- Name: FUNCTION merged_deliveries("only" bigint[], without bigint[], "from" uuid, "to" uuid); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.merged_deliveries("only" bigint[], without bigint[], "from" uuid, "to" uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.merged_deliveries("only" bigint[], without bigint[], "from" uuid, "to" uuid) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.merged_deliveries("only" bigint[], without bigint[], "from" uuid, "to" uuid) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.merged_deliveries("only" bigint[], without bigint[], "from" uuid, "to" uuid) TO afterpush_report;


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
-- Name: FUNCTION named_devices(event text); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.named_devices(event text) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.named_devices(event text) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.named_devices(event text) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.named_devices(event text) TO afterpush_report;


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
-- Name: TABLE merged_events; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT ON TABLE afterpush.merged_events TO afterpush_worker;


--
-- Name: FUNCTION preserve_event_counts(delivery_ids uuid[]); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.preserve_event_counts(delivery_ids uuid[]) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.preserve_event_counts(delivery_ids uuid[]) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.preserve_event_counts(delivery_ids uuid[]) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.preserve_event_counts(delivery_ids uuid[]) TO afterpush_report;


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
GRANT ALL ON FUNCTION afterpush.purge_default_events(max integer) TO afterpush_report;


--
-- Name: FUNCTION purge_deliveries(before timestamp with time zone, first bigint, blocks integer); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.purge_deliveries(before timestamp with time zone, first bigint, blocks integer) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.purge_deliveries(before timestamp with time zone, first bigint, blocks integer) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.purge_deliveries(before timestamp with time zone, first bigint, blocks integer) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.purge_deliveries(before timestamp with time zone, first bigint, blocks integer) TO afterpush_report;


--
-- Name: FUNCTION purge_rejected(before timestamp with time zone, max integer); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.purge_rejected(before timestamp with time zone, max integer) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.purge_rejected(before timestamp with time zone, max integer) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.purge_rejected(before timestamp with time zone, max integer) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.purge_rejected(before timestamp with time zone, max integer) TO afterpush_report;


--
-- Name: FUNCTION purge_replies(max integer); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.purge_replies(max integer) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.purge_replies(max integer) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.purge_replies(max integer) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.purge_replies(max integer) TO afterpush_report;


--
-- Name: FUNCTION rate(numerator bigint, denominator bigint, min_n bigint); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.rate(numerator bigint, denominator bigint, min_n bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.rate(numerator bigint, denominator bigint, min_n bigint) TO afterpush_report;


--
-- Name: FUNCTION wilson_low(k bigint, n bigint); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.wilson_low(k bigint, n bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.wilson_low(k bigint, n bigint) TO afterpush_report;


--
-- Name: FUNCTION wilson_high(k bigint, n bigint); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.wilson_high(k bigint, n bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.wilson_high(k bigint, n bigint) TO afterpush_report;


--
-- Name: FUNCTION rate_high(numerator bigint, denominator bigint, min_n bigint); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.rate_high(numerator bigint, denominator bigint, min_n bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.rate_high(numerator bigint, denominator bigint, min_n bigint) TO afterpush_report;


--
-- Name: FUNCTION rate_low(numerator bigint, denominator bigint, min_n bigint); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.rate_low(numerator bigint, denominator bigint, min_n bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.rate_low(numerator bigint, denominator bigint, min_n bigint) TO afterpush_report;


--
-- Name: FUNCTION rebuild_deliveries(sealed timestamp with time zone, ranges integer); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.rebuild_deliveries(sealed timestamp with time zone, ranges integer) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.rebuild_deliveries(sealed timestamp with time zone, ranges integer) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.rebuild_deliveries(sealed timestamp with time zone, ranges integer) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.rebuild_deliveries(sealed timestamp with time zone, ranges integer) TO afterpush_report;


--
-- Name: FUNCTION redact_rejected_event(); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.redact_rejected_event() FROM PUBLIC;


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
GRANT ALL ON FUNCTION afterpush.replace_rows(stored regclass, fresh regclass, condition text) TO afterpush_report;


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
-- Name: FUNCTION report_base(app text, "from" timestamp with time zone, "to" timestamp with time zone, campaign text, category text, variant text, platform text, verified boolean, base_choice text, seam timestamp with time zone); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.report_base(app text, "from" timestamp with time zone, "to" timestamp with time zone, campaign text, category text, variant text, platform text, verified boolean, base_choice text, seam timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.report_base(app text, "from" timestamp with time zone, "to" timestamp with time zone, campaign text, category text, variant text, platform text, verified boolean, base_choice text, seam timestamp with time zone) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.report_base(app text, "from" timestamp with time zone, "to" timestamp with time zone, campaign text, category text, variant text, platform text, verified boolean, base_choice text, seam timestamp with time zone) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.report_base(app text, "from" timestamp with time zone, "to" timestamp with time zone, campaign text, category text, variant text, platform text, verified boolean, base_choice text, seam timestamp with time zone) TO afterpush_report;


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
-- Name: FUNCTION report_conditions(campaign text, category text, variant text, platform text); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.report_conditions(campaign text, category text, variant text, platform text) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.report_conditions(campaign text, category text, variant text, platform text) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.report_conditions(campaign text, category text, variant text, platform text) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.report_conditions(campaign text, category text, variant text, platform text) TO afterpush_report;


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
-- Name: FUNCTION report_goal_source(app_id integer, "from" timestamp with time zone, "to" timestamp with time zone, conditions text, verified boolean, split timestamp with time zone[], base text); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.report_goal_source(app_id integer, "from" timestamp with time zone, "to" timestamp with time zone, conditions text, verified boolean, split timestamp with time zone[], base text) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.report_goal_source(app_id integer, "from" timestamp with time zone, "to" timestamp with time zone, conditions text, verified boolean, split timestamp with time zone[], base text) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.report_goal_source(app_id integer, "from" timestamp with time zone, "to" timestamp with time zone, conditions text, verified boolean, split timestamp with time zone[], base text) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.report_goal_source(app_id integer, "from" timestamp with time zone, "to" timestamp with time zone, conditions text, verified boolean, split timestamp with time zone[], base text) TO afterpush_report;


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
-- Name: TABLE actions; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT ON TABLE afterpush.actions TO afterpush_worker;
GRANT SELECT ON TABLE afterpush.actions TO afterpush_report;


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
-- Name: TABLE category_versions; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT ON TABLE afterpush.category_versions TO afterpush_worker;
GRANT SELECT ON TABLE afterpush.category_versions TO afterpush_report;


--
-- Name: FUNCTION report_observable(app_id integer); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.report_observable(app_id integer) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.report_observable(app_id integer) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.report_observable(app_id integer) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.report_observable(app_id integer) TO afterpush_report;


--
-- Name: FUNCTION report_openings(app text, "from" timestamp with time zone, "to" timestamp with time zone, "window" interval, baseline boolean, credited boolean, only_platform text, verified boolean, by text); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.report_openings(app text, "from" timestamp with time zone, "to" timestamp with time zone, "window" interval, baseline boolean, credited boolean, only_platform text, verified boolean, by text) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.report_openings(app text, "from" timestamp with time zone, "to" timestamp with time zone, "window" interval, baseline boolean, credited boolean, only_platform text, verified boolean, by text) TO afterpush_report;


--
-- Name: FUNCTION report_recent_deliveries(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.report_recent_deliveries(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.report_recent_deliveries(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.report_recent_deliveries(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.report_recent_deliveries(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean) TO afterpush_report;


--
-- Name: FUNCTION report_source(app_id integer, "from" timestamp with time zone, "to" timestamp with time zone, conditions text, verified boolean, level text, split timestamp with time zone[], base text, with_sends boolean); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.report_source(app_id integer, "from" timestamp with time zone, "to" timestamp with time zone, conditions text, verified boolean, level text, split timestamp with time zone[], base text, with_sends boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.report_source(app_id integer, "from" timestamp with time zone, "to" timestamp with time zone, conditions text, verified boolean, level text, split timestamp with time zone[], base text, with_sends boolean) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.report_source(app_id integer, "from" timestamp with time zone, "to" timestamp with time zone, conditions text, verified boolean, level text, split timestamp with time zone[], base text, with_sends boolean) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.report_source(app_id integer, "from" timestamp with time zone, "to" timestamp with time zone, conditions text, verified boolean, level text, split timestamp with time zone[], base text, with_sends boolean) TO afterpush_report;


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
-- Name: FUNCTION report_times(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, by text, tz text); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.report_times(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, by text, tz text) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.report_times(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, by text, tz text) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.report_times(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, by text, tz text) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.report_times(app text, "from" timestamp with time zone, "to" timestamp with time zone, only_campaign text, only_category text, only_variant text, only_platform text, verified boolean, by text, tz text) TO afterpush_report;


--
-- Name: FUNCTION report_within(at text, "from" timestamp with time zone, "to" timestamp with time zone); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.report_within(at text, "from" timestamp with time zone, "to" timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.report_within(at text, "from" timestamp with time zone, "to" timestamp with time zone) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.report_within(at text, "from" timestamp with time zone, "to" timestamp with time zone) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.report_within(at text, "from" timestamp with time zone, "to" timestamp with time zone) TO afterpush_report;


--
-- Name: FUNCTION report_within_days(at text, days timestamp with time zone[]); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.report_within_days(at text, days timestamp with time zone[]) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.report_within_days(at text, days timestamp with time zone[]) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.report_within_days(at text, days timestamp with time zone[]) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.report_within_days(at text, days timestamp with time zone[]) TO afterpush_report;


--
-- Name: FUNCTION request_erasure(app integer, device text); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.request_erasure(app integer, device text) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.request_erasure(app integer, device text) TO afterpush_worker;


--
-- Name: FUNCTION reserve_names(app_ids integer[], kinds text[], parents text[], names text[], verified boolean[], quotas integer[]); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.reserve_names(app_ids integer[], kinds text[], parents text[], names text[], verified boolean[], quotas integer[]) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.reserve_names(app_ids integer[], kinds text[], parents text[], names text[], verified boolean[], quotas integer[]) TO afterpush_ingest;


--
-- Name: FUNCTION restore_suppression(app_name text, hash bytea, hashing_key bytea); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.restore_suppression(app_name text, hash bytea, hashing_key bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.restore_suppression(app_name text, hash bytea, hashing_key bytea) TO afterpush_worker;


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
-- Name: FUNCTION retention_cutoff(kept interval); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.retention_cutoff(kept interval) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.retention_cutoff(kept interval) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.retention_cutoff(kept interval) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.retention_cutoff(kept interval) TO afterpush_report;


--
-- Name: FUNCTION retention_plan(events_kept interval, deliveries_kept interval, rejected_kept interval); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.retention_plan(events_kept interval, deliveries_kept interval, rejected_kept interval) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.retention_plan(events_kept interval, deliveries_kept interval, rejected_kept interval) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.retention_plan(events_kept interval, deliveries_kept interval, rejected_kept interval) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.retention_plan(events_kept interval, deliveries_kept interval, rejected_kept interval) TO afterpush_report;


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
-- Name: FUNCTION run_report(statement text, columns integer, row_limit bigint, byte_limit bigint); Type: ACL; Schema: afterpush; Owner: afterpush_report
--

REVOKE ALL ON FUNCTION afterpush.run_report(statement text, columns integer, row_limit bigint, byte_limit bigint) FROM PUBLIC;


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
-- Name: FUNCTION running_totals_quantile(several afterpush.running_totals[], total bigint, percent integer, lowest integer, highest integer); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.running_totals_quantile(several afterpush.running_totals[], total bigint, percent integer, lowest integer, highest integer) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.running_totals_quantile(several afterpush.running_totals[], total bigint, percent integer, lowest integer, highest integer) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.running_totals_quantile(several afterpush.running_totals[], total bigint, percent integer, lowest integer, highest integer) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.running_totals_quantile(several afterpush.running_totals[], total bigint, percent integer, lowest integer, highest integer) TO afterpush_report;


--
-- Name: FUNCTION sample_ratio_p(counts bigint[], weights double precision[]); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.sample_ratio_p(counts bigint[], weights double precision[]) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.sample_ratio_p(counts bigint[], weights double precision[]) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.sample_ratio_p(counts bigint[], weights double precision[]) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.sample_ratio_p(counts bigint[], weights double precision[]) TO afterpush_report;


--
-- Name: FUNCTION snapshot_sealed_goals(); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.snapshot_sealed_goals() FROM PUBLIC;


--
-- Name: FUNCTION states(bits integer); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.states(bits integer) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.states(bits integer) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.states(bits integer) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.states(bits integer) TO afterpush_report;


--
-- Name: FUNCTION suppressed(min_n bigint, VARIADIC denominators bigint[]); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.suppressed(min_n bigint, VARIADIC denominators bigint[]) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.suppressed(min_n bigint, VARIADIC denominators bigint[]) TO afterpush_report;


--
-- Name: FUNCTION time_bucket(duration interval); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.time_bucket(duration interval) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.time_bucket(duration interval) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.time_bucket(duration interval) TO afterpush_report;


--
-- Name: FUNCTION two_proportion_p(k1 bigint, n1 bigint, k0 bigint, n0 bigint); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.two_proportion_p(k1 bigint, n1 bigint, k0 bigint, n0 bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.two_proportion_p(k1 bigint, n1 bigint, k0 bigint, n0 bigint) TO afterpush_ingest;
GRANT ALL ON FUNCTION afterpush.two_proportion_p(k1 bigint, n1 bigint, k0 bigint, n0 bigint) TO afterpush_worker;
GRANT ALL ON FUNCTION afterpush.two_proportion_p(k1 bigint, n1 bigint, k0 bigint, n0 bigint) TO afterpush_report;


--
-- Name: FUNCTION concatenated(afterpush.delivery_action[]); Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

REVOKE ALL ON FUNCTION afterpush.concatenated(afterpush.delivery_action[]) FROM PUBLIC;
GRANT ALL ON FUNCTION afterpush.concatenated(afterpush.delivery_action[]) TO afterpush_worker;


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
-- Name: COLUMN events_default.device_time; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT(device_time) ON TABLE afterpush.events_default TO afterpush_worker;


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
-- Name: TABLE rollup_actions; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE afterpush.rollup_actions TO afterpush_worker;
GRANT SELECT ON TABLE afterpush.rollup_actions TO afterpush_report;


--
-- Name: TABLE rollup_app_versions; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE afterpush.rollup_app_versions TO afterpush_worker;
GRANT SELECT ON TABLE afterpush.rollup_app_versions TO afterpush_report;


--
-- Name: TABLE rollup_deliveries; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE afterpush.rollup_deliveries TO afterpush_worker;
GRANT SELECT ON TABLE afterpush.rollup_deliveries TO afterpush_report;


--
-- Name: TABLE rollup_delivery_days; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE afterpush.rollup_delivery_days TO afterpush_worker;
GRANT SELECT ON TABLE afterpush.rollup_delivery_days TO afterpush_report;


--
-- Name: TABLE rollup_events; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE afterpush.rollup_events TO afterpush_worker;
GRANT SELECT ON TABLE afterpush.rollup_events TO afterpush_report;


--
-- Name: TABLE rollup_goal_days; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE afterpush.rollup_goal_days TO afterpush_worker;
GRANT SELECT ON TABLE afterpush.rollup_goal_days TO afterpush_report;


--
-- Name: TABLE rollup_response_days; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE afterpush.rollup_response_days TO afterpush_worker;
GRANT SELECT ON TABLE afterpush.rollup_response_days TO afterpush_report;


--
-- Name: TABLE rollup_responses; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE afterpush.rollup_responses TO afterpush_worker;
GRANT SELECT ON TABLE afterpush.rollup_responses TO afterpush_report;


--
-- Name: TABLE rollup_worker; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT,UPDATE ON TABLE afterpush.rollup_worker TO afterpush_worker;


--
-- Name: TABLE sealed_goals; Type: ACL; Schema: afterpush; Owner: afterpush_owner
--

GRANT SELECT ON TABLE afterpush.sealed_goals TO afterpush_report;


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
-- Name: DEFAULT PRIVILEGES FOR FUNCTIONS; Type: DEFAULT ACL; Schema: -; Owner: afterpush_owner
--

ALTER DEFAULT PRIVILEGES FOR ROLE afterpush_owner REVOKE ALL ON FUNCTIONS  FROM PUBLIC;


--
-- PostgreSQL database dump complete
--

\unrestrict EE62yzEJMPY0r0CN843QSzoKusqbYvbsLtFVXFd2c9iOJwmJYaNdiwpvCzIfQA1

