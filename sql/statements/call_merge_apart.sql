-- Lets app $1 be merged apart from the others, once the merge that is running has ended.
select afterpush.merge_apart($1)
