-- Whether what decides about the numbers of a campaign was declared after people had responded to it. Who declares goals
-- and weights then may have seen the responses.
--
-- A response counts for a declaration if it and the anchor of its delivery are earlier. Deliveries that retention has
-- purged are not looked at.

-- Whether a delivery of a campaign had a response before a time.
--
-- before:             the time; null gives false.
-- category, version:  the category version that the deliveries have; null for any.
-- from_hour, to_hour: the anchor hours in which the version is in force.
--
-- The rollups say where to begin, which is nowhere if the declaration came before the campaign. Long after the
-- beginning, a response is soon found among the deliveries of a sixteenth of the devices, for which there is an index.
create or replace function afterpush.responded_before(
    app integer, campaign text, only_verified boolean, before timestamptz, category text default null,
    version integer default null, from_hour timestamptz default null, to_hour timestamptz default null
) returns boolean
language plpgsql stable
as $$
declare
    starts timestamptz;
begin
    select min(r.anchor_day)
    into starts
    from afterpush.rollup_delivery_days as r
    where r.app_id = app
      and r.verified = only_verified
      and r.campaign_id = campaign
      and r.anchor_day < before
      and r.responded > 0
      and (category is null or r.category_id = category)
      and (
          version is null
          or r.category_version = version
          or r.category_version = 0 and r.anchor_day < to_hour and r.anchor_day + interval '24 hours' > from_hour
      );
    if starts is null then
        return false;
    elsif before < starts + interval '24 hours' then
        select min(r.anchor_hour)
        into starts
        from afterpush.rollup_deliveries as r
        where r.app_id = app
          and r.verified = only_verified
          and r.anchor_hour >= starts
          and r.anchor_hour < before
          and r.campaign_id = campaign
          and r.responded > 0;
    elsif exists (
        select
        from afterpush.report_responses(app, campaign, only_verified, category, version, from_hour, to_hour) as r
        where get_byte(uuid_send(r.delivery_id), 15) & 127 < 8
          and r.anchor < before
          and r.responded_at < before
    ) then
        return true;
    end if;
    return starts is not null and exists (
        select
        from afterpush.report_responses(app, campaign, only_verified, category, version, from_hour, to_hour) as r
        where r.anchor >= starts
          and r.anchor < before
          and r.responded_at < before
    );
end
$$;
comment on function afterpush.responded_before is 'Whether a delivery of a campaign had a response before a time.';

-- The deliveries of a campaign, with their first response; those that have a category version, unless it is null.
--
-- PostgreSQL inlines this function into its caller: keep it one select without `set`.
create or replace function afterpush.report_responses(
    app integer, campaign text, only_verified boolean, category text, version integer, from_hour timestamptz,
    to_hour timestamptz
)
returns table (delivery_id uuid, anchor timestamptz, responded_at timestamptz)
language sql stable
as $$
    select
        d.delivery_id,
        afterpush.anchor_at(d.verified_sent_at, d.receipt_issued_at, d.first_event_at),
        case when only_verified then d.verified_responded_at else d.responded_at end
    from afterpush.deliveries as d
    where d.app_id = app
      and d.campaign_id = campaign
      and (d.campaign_source_rank <= 3 or not only_verified)
      and (
          version is null
          or d.category_id = category
          and (d.category_source_rank <= 3 or not only_verified)
          and case
              when d.category_version is not null then d.category_version = version
              else afterpush.anchor_hour(d.verified_sent_at, d.receipt_issued_at, d.first_event_at) >= from_hour
                  and afterpush.anchor_hour(d.verified_sent_at, d.receipt_issued_at, d.first_event_at) < to_hour
          end
      )
$$;
comment on function afterpush.report_responses is 'The deliveries of a campaign, with their first response.';

-- Whether goals of a campaign, its own or those of its deliveries' category versions, were declared after its first
-- response; for those of a version, after the first response to a delivery that has it.
create or replace function afterpush.goals_declared_late(app text, campaign text, only_verified boolean)
returns boolean
language plpgsql stable
as $$
declare
    this_app constant integer := (select a.app_id from afterpush.apps as a where a.name = app);
begin
    return exists (
        select
        from afterpush.campaigns as c
        where c.app_id = this_app
          and c.campaign_id = campaign
          and afterpush.responded_before(this_app, campaign, only_verified, c.goals_declared_at)
    ) or exists (
        select
        from afterpush.category_versions as v
        join afterpush.categories as c using (app_id, category_id, version)
        where v.app_id = this_app
          and v.goals <> '{}'
          and afterpush.responded_before(
              this_app, campaign, only_verified, c.created_at, v.category_id, v.version, v.in_force_from, v.in_force_to
          )
    );
end
$$;
comment on function afterpush.goals_declared_late is
    'Whether goals of a campaign were declared after its first response.';

-- Whether the weights of a campaign's variants were declared after its first response.
create or replace function afterpush.weights_declared_late(app text, campaign text, only_verified boolean)
returns boolean
language sql stable
as $$
    select exists (
        select
        from afterpush.campaigns as c
        join afterpush.apps as a using (app_id)
        where a.name = app
          and c.campaign_id = campaign
          and afterpush.responded_before(c.app_id, campaign, only_verified, c.weights_declared_at)
    )
$$;
comment on function afterpush.weights_declared_late is
    'Whether the weights of a campaign''s variants were declared after its first response.';
