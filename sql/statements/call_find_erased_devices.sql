-- Finds the devices of erasure jobs that have only a hash; reads everything that is stored, which may take minutes.
select afterpush.find_erased_devices()
