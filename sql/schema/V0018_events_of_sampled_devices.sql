-- For the share of confirmed sends by version, in the report health: what a part of the devices stated, by a hash of their
-- names. They are partial for the same reason as deliveries_devices_one_in_8 (V0015). Of ten million events they take
-- 9 MB, because the entries of a batch are equal.
create index events_devices_one_in_8 on afterpush.events (app_id, batch_id)
    where (hashtextextended(device_id, 0) & 1048575) < 131072 and (app_version is not null or os_version is not null);
comment on index afterpush.events_devices_one_in_8 is
    'Events of one in 8 devices by a hash that state a version, from which the report health reads what devices had.';
create index events_devices_one_in_128 on afterpush.events (app_id, batch_id)
    where (hashtextextended(device_id, 0) & 1048575) < 8192 and (app_version is not null or os_version is not null);
comment on index afterpush.events_devices_one_in_128 is
    'Events of one in 128 devices by a hash that state a version, from which the report health reads what devices had.';

-- It returns another column now.
drop function if exists afterpush.report_version_coverage(text, timestamptz, timestamptz, bigint);
