-- What a key dimension says: nothing, where only other events (3) state it of a delivery that was sent (1) or confirmed (4).
create or replace function afterpush.effective_attribution(key text, kinds integer) returns text
language sql immutable parallel safe
return case when kinds & 5 = 0 or ascii(key) < 51 then key end;
comment on function afterpush.effective_attribution is 'A key dimension, unless it does not count.';

-- The worker at a lower cost per event: the same layers, the same meaning, less work. Deliveries that are new are
-- inserted and known ones updated (the worker alone writes them, so nothing can come in between), stored rows are read
-- once, and deliveries are counted by shape before anything is derived from the shape.

-- A dimension as an event or a stored row tells it: its source_rank, then one or two texts, as one text whose order by bytes
-- is the order of the tuple, an absent second text last. The first text ends with two bytes 1, of which it can't hold
-- two itself, since each of its own is followed by a byte 2.
create or replace function afterpush.attribution_key(source_rank text, value text, rest text) returns text
language sql immutable parallel safe
return source_rank || replace(value, E'\x01', E'\x01\x02') || E'\x01\x01' || coalesce('0' || rest, '1');
comment on function afterpush.attribution_key is
    'A dimension with its source_rank as one text that sorts by bytes as the tuple does; null when its value is.';

create or replace function afterpush.attribution_detail(key text) returns text
language sql immutable parallel safe
return case when ascii(split_part(key, E'\x01\x01', 2)) = 48 then substr(key, strpos(key, E'\x01\x01') + 3) end;
comment on function afterpush.attribution_detail is 'The second text of a key dimension; null when it was absent.';

create or replace function afterpush.attribution_source_rank(key text) returns smallint
language sql immutable parallel safe
return coalesce(ascii(key) - 48, 4)::smallint;
comment on function afterpush.attribution_source_rank is 'The source_rank of a key dimension: 4 where nothing states it.';

-- As before, and for less.
create or replace function afterpush.attribution_value(key text) returns text
language sql immutable parallel safe
return replace(substr(split_part(key, E'\x01\x01', 1), 2), E'\x01\x02', E'\x01');
comment on function afterpush.attribution_value is 'The first text of a key dimension.';
