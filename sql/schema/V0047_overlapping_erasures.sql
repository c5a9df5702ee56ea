-- What has read a device before its erasure must not store it afterwards: evaluations of alerts, and analyses of tables.
alter table afterpush.alert_rules add column claimed_at timestamptz;
comment on column afterpush.alert_rules.claimed_at is
    'When the claim began, before the evaluation reads its report. What it says without a claim does not matter.';

alter table afterpush.erasures
    add column names_erased_at timestamptz,
    add column awaited_analyses integer[];
comment on column afterpush.erasures.names_erased_at is
    'When a step found that the id is erased from names of other systems'' events, after all else that reports read; infinity until that step, null before.';
comment on column afterpush.erasures.awaited_analyses is
    'The processes that were analyzing a table then, and may have read rows of the device.';

-- Jobs that are at their end search alerts again.
update afterpush.erasures set alerts_checked = '-infinity' where phase = 'erasing_texts';

-- As in V0041_unsampled_columns.
alter table afterpush.event_upgrades
    alter column properties set statistics 0,
    alter column reason set statistics 0;
