-- Attribution keys: how the values of a dimension that several events state are compared.
--
-- A delivery takes each dimension from its sent events, else from its delivered events (confirmations), else from its
-- other events; from verified ones if these state it, else from unverified ones. Which of these six stated a value is
-- its source rank:
--
--           sent  delivered  other
--   verified   1      2        3
--   unverified 4      5        6     7: nothing states it
--
-- The lowest rank that states the dimension wins, and within a rank the smallest value. So no unverified event changes
-- what verified events say (ranks 1 to 3). Rank 6 counts only for a delivery that has neither a sent nor a delivered
-- event, so that deliveries that anyone can respond to are described alike, whether or not someone did.
--
-- An attribution key puts rank and value into one text, so min() and least() find the winner by comparing bytes:
--
--   platform, app version                      rank, then the value
--   campaign and variant, category and version rank, then the value, two bytes 1, then the detail
--
-- The detail is the variant, or the category version with leading zeros so that it sorts as a number. It is written as
-- '0' and the text, or as '1' when it is absent, which therefore sorts last. A byte 1 within the value is followed by a
-- byte 2, so the two bytes 1 that end the value occur nowhere within it, and a value sorts before its extensions.

-- The attribution key of a value with a detail; null when the value is.
create or replace function afterpush.attribution_key(source_rank text, value text, detail text) returns text
language sql immutable parallel safe
return source_rank || replace(value, E'\x01', E'\x01\x02') || E'\x01\x01' || coalesce('0' || detail, '1');
comment on function afterpush.attribution_key is
    'A source rank, a value and a detail as one text that sorts by bytes as they do; null without a value.';

-- The key that counts of a delivery with these kinds of events: the smallest one, unless a send or a confirmation rules
-- out what unverified other events state. Of the kinds, 1 is sent and 4 is delivered (function kind_bit); 54 is the
-- character code of '6'.
create or replace function afterpush.effective_attribution(key text, kinds integer) returns text
language sql immutable parallel safe
return case when ascii(key) <> 54 or kinds & (1 | 4) = 0 then key end;
comment on function afterpush.effective_attribution is
    'The attribution key that counts, once it is known whether the delivery was sent or confirmed.';

-- The source rank of a key as deliveries store it. The character code of '0' is 48.
create or replace function afterpush.attribution_source_rank(key text) returns smallint
language sql immutable parallel safe
return coalesce(ascii(key) - 48, 7)::smallint;
comment on function afterpush.attribution_source_rank is 'The source rank of an attribution key; 7 for null.';

-- The source rank of what an unverified event of the same kind would state.
create or replace function afterpush.unverified_source_rank(source_rank smallint) returns smallint
language sql immutable parallel safe
return case when source_rank <= 3 then source_rank + 3 else source_rank end;
comment on function afterpush.unverified_source_rank is
    'The source rank of a value, as if an unverified event had stated it.';

-- The value of a key that was made with a detail.
create or replace function afterpush.attribution_value(key text) returns text
language sql immutable parallel safe
return replace(substr(split_part(key, E'\x01\x01', 1), 2), E'\x01\x02', E'\x01');
comment on function afterpush.attribution_value is 'The value of an attribution key that has a detail.';

-- The detail of a key; null when it was absent. The character code of '0', which marks a present detail, is 48.
create or replace function afterpush.attribution_detail(key text) returns text
language sql immutable parallel safe
return case when ascii(split_part(key, E'\x01\x01', 2)) = 48 then substr(key, strpos(key, E'\x01\x01') + 3) end;
comment on function afterpush.attribution_detail is 'The detail of an attribution key; null if it was absent.';
