-- One collector at a time checks the rejected events of an app.
alter table afterpush.erasures add column claimed_until timestamptz;
comment on column afterpush.erasures.claimed_until is
    'Until then a collector checks a page of rejected events, unless it ends before; null: none does.';

-- It has another parameter now.
drop function if exists afterpush.without_percent_encoding(text);
