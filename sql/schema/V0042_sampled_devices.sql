-- Several devices at once, by the function forget_sampled_devices.
drop function if exists afterpush.forget_sampled_device(text);
comment on column afterpush.erasures.alerts_checked is
    'In phase erasing_texts, the time up to which the history and messages of alerts were searched; infinity once only the '
    'planner''s samples of tables still have the device.';

-- Also of some events alone.
drop function if exists afterpush.event_counts_of(uuid[], timestamptz, integer);
