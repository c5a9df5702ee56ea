-- A report reads these days by the hour. A day that begins at one of the times is not among them.
create or replace function afterpush.report_split("from" timestamptz, "to" timestamptz, times timestamptz[])
returns timestamptz[]
language plpgsql immutable
as $$
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
comment on function afterpush.report_split is
    'Days of a selection that contain one of some times, but don''t begin with it.';
