-- The time of the database's clock, as text.
select clock_timestamp()::text
