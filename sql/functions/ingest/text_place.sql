-- Where a reply text belongs. The rule is the same when the text arrives (reply_places), when more becomes known of its
-- delivery (decide_noted_replies), and when it has waited long enough (decide_due_replies):
--
--   1. If all categories of the app keep texts, or none does, the category does not matter.
--   2. A category that verified evidence states decides: verified events of the delivery, or the declared sends of its
--      campaign (verified_category). No unverified event can change that.
--   3. Without one, the text waits, where no report can read it. If the reply itself is verified, only verified evidence
--      ends this.
--   4. If the reply is unverified, unverified events decide once the text has waited for text_wait, or immediately if
--      the app has no verified events at all: then there is nothing to wait for.

-- The category that verified evidence states for a delivery; null without such evidence.
--
-- The delivery says what its merged events state, and sent_categories what the sends of its campaign do. Neither events
-- nor sends are read: there may be any number of them, and a reply is stored together with events of other apps. What is
-- not merged yet counts when it is (note_replies_of_batches).
create or replace function afterpush.verified_category(delivery_id uuid) returns text
language sql stable
return coalesce(
    (
        select d.category_id
        from afterpush.deliveries as d
        where d.delivery_id = verified_category.delivery_id
          and d.category_source_rank <= 3
    ),
    -- Declared sends count if all of them, or all of the delivery's variant, name the same category.
    (
        select min(c.category_id)
        from afterpush.deliveries as d
        cross join lateral (
            select c.category_id
            from afterpush.sent_categories as c
            where (c.app_id, c.campaign_id, c.variant) = (d.app_id, d.campaign_id, '')
            union all
            select c.category_id
            from afterpush.sent_categories as c
            where (c.app_id, c.campaign_id, c.variant) = (d.app_id, d.campaign_id, d.variant)
        ) as c
        where d.delivery_id = verified_category.delivery_id
          and d.campaign_source_rank <= 3
        having count(*) = count(c.category_id)
           and min(c.category_id) = max(c.category_id)
    )
);
comment on function afterpush.verified_category is 'Returns the category that verified evidence states for a delivery.';

-- Whether the app has verified events about notifications, or declared sends.
create or replace function afterpush.has_verified_deliveries(app_id integer) returns boolean
language sql stable
return exists (
    select
    from afterpush.rollup_delivery_days as r
    where r.app_id = has_verified_deliveries.app_id
      and r.verified
)
or exists (select from afterpush.sends as s where s.app_id = has_verified_deliveries.app_id);
comment on function afterpush.has_verified_deliveries is
    'Returns whether an app has verified events about notifications, or declared sends.';

-- Where a text belongs.
--
-- shortest, longest:   for how long the app keeps texts (function text_periods).
-- is_verified:         whether the reply itself is verified.
-- verified_category:   what verified evidence states.
-- unverified_category: what any events state; only read if it may count.
-- has_waited:          whether the text has waited for text_wait.
-- Returns `replies`, `waiting_replies`, or null if the text is not kept.
create or replace function afterpush.text_place(
    app_id integer, shortest interval, longest interval, is_verified boolean, verified_category text,
    unverified_category text, has_waited boolean
) returns text
language sql stable
return case
    when shortest > interval '0' then 'replies'
    when longest <= interval '0' then null
    when verified_category is not null
    then case when afterpush.text_retention(app_id, verified_category) > interval '0' then 'replies' end
    when is_verified or unverified_category is null then 'waiting_replies'
    when not has_waited and afterpush.has_verified_deliveries(app_id) then 'waiting_replies'
    when afterpush.text_retention(app_id, unverified_category) > interval '0' then 'replies'
end;
comment on function afterpush.text_place is 'Returns the table that a reply text belongs to; null if it is not kept.';
