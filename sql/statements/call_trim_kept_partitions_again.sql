-- Lets expired events be deleted from all kept partitions.
select afterpush.trim_kept_partitions_again()
