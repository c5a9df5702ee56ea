-- The conversion window: a `converted` event counts if it lies within the conversion window of its delivery's campaign
-- after the anchor, both ends included. An event before the anchor does not count, because no notification was there yet.
--
-- deliveries.converted_at is the earliest converted event that is not before the anchor. If it is past the window, so
-- are all others. The rollups count by the declared window as soon as the rollup worker has counted again
-- (recount_conversions), until then by the one before, and by the default for deliveries without a declared campaign.

-- The conversion window by which the rollups count a delivery of a declared campaign.
--
-- counted_window, next_window, recounted_device, recounted_delivery: of the campaign.
-- device_number, delivery_id: of the delivery; the number is null if its device was erased.
create or replace function afterpush.window_of_delivery(
    counted_window interval, next_window interval, recounted_device integer, recounted_delivery uuid,
    device_number integer, delivery_id uuid
) returns interval
language sql immutable parallel safe
return case
    when next_window is null then counted_window
    when (coalesce(device_number, 1048576), delivery_id) <= (recounted_device, recounted_delivery) then next_window
    else counted_window
end;
comment on function afterpush.window_of_delivery is
    'The conversion window by which the rollups count a delivery of a declared campaign.';

-- The earliest converted event that is not before the anchor; null if there is none.
create or replace function afterpush.first_conversion(
    conversions afterpush.delivery_conversion[], anchor timestamptz, only_verified boolean
) returns timestamptz
language sql immutable parallel safe
return (
    select min(c.occurred_at)
    from unnest(conversions) as c
    where c.occurred_at >= anchor
      and (c.verified or not only_verified)
);
comment on function afterpush.first_conversion is
    'The earliest converted event that is not before the anchor of its delivery.';

-- The converted events of a delivery, in batches that are merged and in those that are being merged.
create or replace function afterpush.stored_conversions(delivery uuid, batches bigint[])
returns afterpush.delivery_conversion[]
language sql stable parallel safe
as $$
    select array_agg(row(e.occurred_at, e.verified)::afterpush.delivery_conversion)
    from afterpush.events as e
    where e.delivery_id = delivery
      and e.kind = 'converted'
      and (
          e.batch_id = any (batches)
          or not exists (select from afterpush.batches as b where b.batch_id = e.batch_id and b.rolled_up_at is null)
      )
$$;
comment on function afterpush.stored_conversions is
    'The converted events of a delivery, in batches that are merged or being merged.';

-- The earliest converted event that is not before the anchor, once some batches are merged. If the anchor moves, events
-- that were merged before may come to count, or no longer count, so all are read.
--
-- added:  the converted events in these batches.
-- stored: the earliest one so far, under the stored anchor; both are null for a new delivery.
create or replace function afterpush.merged_conversion(
    delivery uuid, batches bigint[], added afterpush.delivery_conversion[], stored timestamptz,
    stored_anchor timestamptz, anchor timestamptz, only_verified boolean
) returns timestamptz
language plpgsql stable parallel safe
as $$
begin
    if stored_anchor <> anchor then
        return least(
            case when stored >= anchor then stored end,
            afterpush.first_conversion(afterpush.stored_conversions(delivery, batches), anchor, only_verified)
        );
    end if;
    return least(stored, afterpush.first_conversion(added, anchor, only_verified));
end
$$;
comment on function afterpush.merged_conversion is
    'The earliest converted event that is not before the anchor, once some batches are merged.';

-- The kinds of a delivery as the rollups count them: without `converted` if no such event lies within the window.
--
-- A bit that stands for no kind is set in its place, so that a delivery with no other event keeps one. Of the bits,
-- 512 is converted (function kind_bit).
--
-- converted_at:      the earliest converted event that is not before the anchor.
-- conversion_window: that of the campaign; null for the default. It is an expensive argument: keep its use single, or
--                    PostgreSQL does not inline the function, and computes it for all deliveries.
create or replace function afterpush.counted_kinds(
    kinds integer, converted_at timestamptz, anchor timestamptz, conversion_window interval
) returns integer
language sql immutable parallel safe
return case
    when kinds & 512 = 0 then kinds
    when converted_at is null then kinds & ~512 | (1 << 30)
    when converted_at - anchor <= coalesce(conversion_window, interval '72 hours') then kinds
    else kinds & ~512 | (1 << 30)
end;
comment on function afterpush.counted_kinds is
    'The kinds of a delivery as the rollups count them: without converted if no such event lies within the window.';
