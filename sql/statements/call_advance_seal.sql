-- Takes the announced seal one step further.
-- Returns sealed or waiting.
select afterpush.advance_seal()
