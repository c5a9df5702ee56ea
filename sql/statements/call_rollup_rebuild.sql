-- Recomputes deliveries from events, and rollups from deliveries.
select afterpush.rollup_rebuild()
