-- An erasure waits for the evaluations of alerts that can have read the device.
alter table afterpush.alert_rules add column claimed_at timestamptz;
comment on column afterpush.alert_rules.claimed_at is
    'When the claim began, before the evaluation reads its report. What it says without a claim does not matter.';
