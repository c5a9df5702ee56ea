-- What verified events say of a delivery's dimensions. Its rows in the rollups with `verified` have a dimension only if
-- a verified event states it (source ranks 1 to 3, see attribution.sql); otherwise it is unknown there.

-- The dimensions of a delivery that verified events state, a bit each: 1 platform, 2 app version, 4 campaign and
-- variant, 8 category and version.
create or replace function afterpush.verified_dimensions(
    platform_source_rank smallint, app_version_source_rank smallint, campaign_source_rank smallint,
    category_source_rank smallint
) returns integer
language sql immutable parallel safe
return (platform_source_rank <= 3)::integer
    + (app_version_source_rank <= 3)::integer * 2
    + (campaign_source_rank <= 3)::integer * 4
    + (category_source_rank <= 3)::integer * 8;
comment on function afterpush.verified_dimensions is 'The dimensions that verified events state, a bit each.';

-- The dimensions as the rollups with `verified` have them: those that verified events state, others unknown (empty, 0).
create or replace function afterpush.verified_names(
    verified_dimensions integer, platform text, app_version text, campaign_id text, variant text, category_id text,
    category_version integer
)
returns table (
    verified_platform text, verified_app_version text, verified_campaign_id text, verified_variant text,
    verified_category_id text, verified_category_version integer
)
language sql immutable parallel safe
as $$
    select
        case when verified_dimensions & 1 <> 0 then platform else '' end,
        case when verified_dimensions & 2 <> 0 then app_version else '' end,
        case when verified_dimensions & 4 <> 0 then campaign_id else '' end,
        case when verified_dimensions & 4 <> 0 then variant else '' end,
        case when verified_dimensions & 8 <> 0 then category_id else '' end,
        case when verified_dimensions & 8 <> 0 then category_version else 0 end
$$;
comment on function afterpush.verified_names is
    'The dimensions of a delivery as far as verified events state them; empty and 0 where they don''t.';

-- A dimension as a report shows it: with `verified` only what verified events state, else any value.
create or replace function afterpush.stated(value text, source_rank smallint, verified boolean) returns text
language sql immutable parallel safe
return case when source_rank <= 3 or not verified then value end;
comment on function afterpush.stated is
    'A dimension of a delivery; null if only verified events count and none of them states it.';
