-- Lets app $1, which was merged apart, be merged together with the others again.
delete from afterpush.apps_merged_apart
where app_id = $1
