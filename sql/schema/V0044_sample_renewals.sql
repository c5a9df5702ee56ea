-- Lets an erasure end while another app has a device of the same id, which is in later samples as well.
-- forget_sampled_devices has a parameter more.
drop function if exists afterpush.forget_sampled_devices(text[]);

create table afterpush.sample_renewals (
    table_name text primary key,
    renewed_at timestamptz not null
);
comment on table afterpush.sample_renewals is
    'The tables whose sample of devices, which the planner keeps, was renewed for an erasure.';
comment on column afterpush.sample_renewals.table_name is 'Table of the schema afterpush.';
comment on column afterpush.sample_renewals.renewed_at is
    'Start of the newest renewal. Deletions that were committed before it are in no sample of the table.';

alter table afterpush.erasures add column deleted_at timestamptz;
comment on column afterpush.erasures.deleted_at is
    'When a step found that all events, replies and deliveries of the device are deleted; null before.';
update afterpush.erasures
set deleted_at = now()
where phase in ('checking_rejected', 'erasing_texts');
