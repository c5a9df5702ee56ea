-- What the bits of one delivery say of it, under one mode: all its events, or the verified ones alone.
create or replace function afterpush.states(bits integer)
returns table (
    is_sent boolean, is_confirmed boolean, failed integer, delivered integer, displayed integer, opened integer,
    replied integer, dismissed integer, read integer, responded integer, converted_events integer, replaced integer
)
language sql immutable parallel safe
as $$
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
comment on function afterpush.states is 'The states that the bits of a delivery''s kinds stand for.';
