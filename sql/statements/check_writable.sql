-- Whether new transactions of this session can write.
-- Returns one row: whether the server is a standby; whether it, the database or the role is set to read-only.
select pg_is_in_recovery(), current_setting('transaction_read_only') = 'on'
