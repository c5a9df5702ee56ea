-- Whether new transactions of this session can write.
select not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off'
