-- Names that anybody can make up: how many undeclared ones an app takes. Versions of the app that categories need.

create table afterpush.seen_names (
    app_id integer not null references afterpush.apps,
    kind text collate "C" not null
        check (kind in ('campaign', 'variant', 'category', 'category_version', 'action', 'app_version')),
    verified boolean not null,
    parent text collate "C" not null,
    name text collate "C" not null,
    seen_at timestamptz not null default now(),
    primary key (app_id, kind, verified, parent, name)
);
comment on table afterpush.seen_names is 'Names that events stated and nobody had declared, as many as an app takes. Whoever deletes some makes room for others.';
comment on column afterpush.seen_names.app_id is 'The app.';
comment on column afterpush.seen_names.kind is 'What the name is of.';
comment on column afterpush.seen_names.verified is 'Whether the event was vouched for by a server; these have a quota of their own.';
comment on column afterpush.seen_names.parent is 'The campaign of a variant, the category of a version; else empty.';
comment on column afterpush.seen_names.name is 'The name.';
comment on column afterpush.seen_names.seen_at is 'When it was first stored.';

create index actions_by_name on afterpush.actions (app_id, action_id);

-- Takes names that events state, unless their quota is used up, and returns the places (from 1) of those not taken.
-- Names of one kind below one parent must have one quota. Exact with several collectors: whoever adds a name of an app
-- holds the app's row, and counts after it has it. Runs as the owner, so that those who add events can't add names past it.
create function afterpush.take_names(
    app_ids integer[], kinds text[], parents text[], names text[], verified boolean[], quotas integer[]
) returns integer[]
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    wanted integer[];
begin
    select array_agg(w.place::integer)
    into wanted
    from unnest(app_ids, kinds, parents, names, take_names.verified) with ordinality
        as w (app_id, kind, parent, name, verified, place)
    where not exists (
            select from afterpush.seen_names as s
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
    insert into afterpush.seen_names (app_id, kind, verified, parent, name)
    with new_names as materialized (
        select w.app_id, w.kind, w.parent, w.name, w.verified, w.quota, place
        from unnest(app_ids, kinds, parents, names, take_names.verified, quotas) with ordinality
            as w (app_id, kind, parent, name, verified, quota, place)
        join unnest(wanted::bigint[]) as p (place) using (place)
        where not exists (
            select from afterpush.seen_names as s
            where (s.app_id, s.kind, s.verified, s.parent, s.name) = (w.app_id, w.kind, w.verified, w.parent, w.name)
        )
    ),
    rooms as materialized (
        select
            n.app_id, n.kind, n.verified, n.parent,
            min(n.quota) - (
                select count(*)
                from afterpush.seen_names as s
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
        from unnest(app_ids, kinds, parents, names, take_names.verified) with ordinality
            as w (app_id, kind, parent, name, verified, place)
        join unnest(wanted::bigint[]) as p (place) using (place)
        where not exists (
            select from afterpush.seen_names as s
            where (s.app_id, s.kind, s.verified, s.parent, s.name) = (w.app_id, w.kind, w.verified, w.parent, w.name)
        )
    );
end
$$;
comment on function afterpush.take_names is 'Takes names that events state, within quotas; returns the places of those not taken.';
grant execute on function afterpush.take_names to afterpush_ingest;

-- What is declared needs no place among what isn't.
create function afterpush.forget_seen_name() returns trigger
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    declared jsonb := to_jsonb(new);
begin
    delete from afterpush.seen_names as s
    where s.app_id = new.app_id
      and s.kind = tg_argv[0]
      and s.parent = coalesce(declared ->> tg_argv[2], '')
      and s.name = declared ->> tg_argv[1];
    if tg_argv[0] = 'category' then
        delete from afterpush.seen_names as s
        where s.app_id = new.app_id
          and s.kind = 'category_version'
          and s.parent = declared ->> 'category_id'
          and s.name = declared ->> 'version';
    end if;
    return null;
end
$$;
comment on function afterpush.forget_seen_name is 'Takes a name that was just declared out of those that are not.';
create trigger forget_seen_name after insert on afterpush.campaigns
    for each row
    execute function afterpush.forget_seen_name('campaign', 'campaign_id');
create trigger forget_seen_name after insert on afterpush.campaign_variants
    for each row
    execute function afterpush.forget_seen_name('variant', 'variant', 'campaign_id');
create trigger forget_seen_name after insert on afterpush.categories
    for each row
    execute function afterpush.forget_seen_name('category', 'category_id');
create trigger forget_seen_name after insert on afterpush.actions
    for each row
    execute function afterpush.forget_seen_name('action', 'action_id');

alter table afterpush.seen_names enable row level security;
create policy report on afterpush.seen_names for select to afterpush_report
    using (app_id = (select afterpush.report_app()));
grant select on afterpush.seen_names to afterpush_report;

alter table afterpush.categories add column min_app_version text collate "C";
comment on column afterpush.categories.min_app_version is 'The first version of the app that can handle the category; null: any can.';
alter table afterpush.categories add column intent_identifiers text[] not null default '{}';
comment on column afterpush.categories.intent_identifiers is 'Identifiers of the intents that its notifications go with.';
alter table afterpush.actions add column min_app_version text collate "C";
comment on column afterpush.actions.min_app_version is 'The first version of the app that can handle the action; null: any can.';
