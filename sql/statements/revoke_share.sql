-- Deletes a link that shares a view.
-- $1: share_id. $2: app_id; null for any app. $3: key_id of the key that created it; null for any.
delete from afterpush.shares
where share_id = $1
  and app_id = coalesce($2, app_id)
  and ($3::integer is null or key_id = $3)
