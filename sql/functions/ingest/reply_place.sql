-- Where the text of a new reply goes.
--
-- category_id, verified: of the reply's event, which is not stored yet.
-- Returns `replies`, `waiting_replies`, or null if the text is not kept (function text_place); and what verified
-- evidence states as its category, where that matters.
--
-- Runs as the owner, because role afterpush_ingest can read neither deliveries nor events.
create or replace function afterpush.reply_place(
    app_id integer, delivery_id uuid, category_id text, verified boolean,
    out place text, out verified_category_id text
)
language plpgsql stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    periods record;
begin
    select * into periods from afterpush.text_periods(reply_place.app_id);
    if periods.shortest < periods.longest then
        verified_category_id := coalesce(
            afterpush.verified_category(reply_place.delivery_id),
            case when reply_place.verified then reply_place.category_id end
        );
    end if;
    place := afterpush.text_place(
        reply_place.app_id, reply_place.verified, verified_category_id,
        coalesce(
            (select d.category_id from afterpush.deliveries as d where d.delivery_id = reply_place.delivery_id),
            reply_place.category_id
        ),
        false
    );
end
$$;
comment on function afterpush.reply_place is
    'Returns the table in which the text of a new reply is stored, and its verified category.';
