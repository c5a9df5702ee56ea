-- Several devices at once, by the function forget_sampled_devices.
drop function if exists afterpush.forget_sampled_device(text);
