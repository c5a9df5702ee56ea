-- Counts events of other systems' clients.
-- $1: app ids. $2: families. $3: names. $4: reasons; empty for mapped events. $5: events received. $6: native events stored.
-- $7: events ignored. $8: native events rejected. All are arrays of the same length.
select afterpush.count_dialect_events($1, $2, $3, $4, $5, $6, $7, $8)
