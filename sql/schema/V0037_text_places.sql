-- To decide where a reply text belongs, a few rows are looked up, however many sends, categories and texts an app has. And
-- each merge decides on a limited number of texts; what is left to decide is noted.

-- Both the shortest and the longest period of an app are an end of this index.
create index categories_text_retention on afterpush.categories (app_id, text_retention);
comment on index afterpush.categories_text_retention is 'For how long the categories of an app keep reply texts.';

create table afterpush.sent_categories (
    app_id integer not null,
    campaign_id text collate "C" not null,
    variant text collate "C" not null,
    category_id text collate "C",
    primary key (app_id, campaign_id, variant)
);
comment on table afterpush.sent_categories is
    'What all declared sends of a campaign and variant state as their category. Kept by a trigger on sends.';
comment on column afterpush.sent_categories.app_id is 'App that declared the sends.';
comment on column afterpush.sent_categories.campaign_id is 'Campaign of the sends.';
comment on column afterpush.sent_categories.variant is
    'Variant of the sends; empty for those whose variant is unknown or mixed.';
comment on column afterpush.sent_categories.category_id is
    'Their category; null if they have different ones, or if that of some is unknown. Once it is null, it stays null.';
alter table afterpush.sent_categories enable row level security;

drop trigger if exists decide_replies on afterpush.sends;
drop function if exists afterpush.decide_replies_of_sends();
-- Until the trigger that keeps the table exists, no sends may be added.
lock table afterpush.sends in share row exclusive mode;
insert into afterpush.sent_categories (app_id, campaign_id, variant, category_id)
select
    app_id, campaign_id, coalesce(variant, ''),
    case when count(*) = count(category_id) and min(category_id) = max(category_id) then min(category_id) end
from afterpush.sends
group by app_id, campaign_id, coalesce(variant, '');

create table afterpush.undecided_deliveries (
    delivery_id uuid primary key,
    app_id integer not null,
    turn timestamptz not null default clock_timestamp(),
    after_event_id uuid not null default '00000000-0000-0000-0000-000000000000',
    after_device_time timestamptz not null default '-infinity',
    is_noted_again boolean not null default false
) with (fillfactor = 80);
create index undecided_deliveries_turn on afterpush.undecided_deliveries (app_id, turn);
comment on index afterpush.undecided_deliveries_turn is 'The deliveries of an app in the order in which they take turns.';
comment on table afterpush.undecided_deliveries is
    'Deliveries about which more is known, so that it is to be decided again where their reply texts belong.';
comment on column afterpush.undecided_deliveries.delivery_id is 'The delivery.';
comment on column afterpush.undecided_deliveries.app_id is 'App of the delivery.';
comment on column afterpush.undecided_deliveries.turn is
    'When the delivery was noted, or had its last turn. The one that has waited longest comes next.';
comment on column afterpush.undecided_deliveries.after_event_id is
    'event_id of the last text that was decided; texts are decided in the order of event_id and device_time.';
comment on column afterpush.undecided_deliveries.after_device_time is 'device_time of that text.';
comment on column afterpush.undecided_deliveries.is_noted_again is
    'Whether still more became known after some of the texts were decided, so that all are to be decided once more.';
alter table afterpush.undecided_deliveries enable row level security;

create table afterpush.undecided_apps (
    app_id integer not null,
    note_id bigint generated always as identity,
    after_delivery uuid not null default '00000000-0000-0000-0000-000000000000',
    primary key (app_id, note_id)
);
comment on table afterpush.undecided_apps is
    'Apps whose declared sends state a category that they did not state before, so that their deliveries with reply texts are to be looked through. Declaring sends only adds rows, so it waits for no merge.';
comment on column afterpush.undecided_apps.app_id is 'App that declared the sends.';
comment on column afterpush.undecided_apps.note_id is 'Number of the note. The notes of an app have their turns in this order.';
comment on column afterpush.undecided_apps.after_delivery is
    'The last delivery that was looked through; deliveries are looked through in the order of delivery_id.';
alter table afterpush.undecided_apps enable row level security;

-- To look through the deliveries of an app that have undecided texts, and to find those that have waited long enough.
create index waiting_replies_of_app on afterpush.waiting_replies (app_id, delivery_id);
create index waiting_replies_of_app_until on afterpush.waiting_replies (app_id, waits_until) where waits_until is not null;
create index replies_without_category on afterpush.replies (app_id, delivery_id) where verified_category_id is null;
comment on index afterpush.waiting_replies_of_app is 'Deliveries of an app with waiting texts.';
comment on index afterpush.waiting_replies_of_app_until is 'Waiting texts of an app by the end of their wait.';
comment on index afterpush.replies_without_category is
    'Deliveries of an app with readable texts whose category no verified evidence states.';

drop function if exists afterpush.decide_replies_of_batches(bigint[]);
drop function if exists afterpush.decide_replies(uuid[]);
drop function if exists afterpush.decide_waiting_replies(uuid[], integer, integer);
