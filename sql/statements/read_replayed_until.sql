-- The time up to which a standby has replayed all commits, as text; null on a primary.
select afterpush.replayed_until()::text
