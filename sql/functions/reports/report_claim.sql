-- The text that opens an app to the current transaction: the app with its signature by the secret of report_secret.
--
-- A report can read the claim of its own transaction, like any setting. It can't make one for another app, and one that
-- it keeps is worthless later: the start of the transaction, in microseconds, is part of what is signed. The process is
-- not, because a parallel worker has another one than its leader.
--
-- The digest is nested as in HMAC, so that nothing can be appended to what was signed.
create or replace function afterpush.report_claim(secret bytea, app bigint) returns text
language sql stable parallel safe
return app || ':' || encode(
    sha256(secret || sha256(secret || int8send(app) || timestamptz_send(transaction_timestamp()))), 'hex'
);
comment on function afterpush.report_claim is
    'Returns the text that opens the rows of an app to reports in the current transaction.';
