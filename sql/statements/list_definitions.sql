-- All definitions of metrics, each in its highest version, as JSON objects in order of name.
select afterpush.definitions(array_agg(distinct name order by name))
from afterpush.metric_definitions
