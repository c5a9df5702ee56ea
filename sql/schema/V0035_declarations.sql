-- Names that events use are reserved under a lock of their own, so that events never wait for declarations that take long.

create table afterpush.name_locks (
    app_id integer primary key references afterpush.apps
);
comment on table afterpush.name_locks is
    'Rows to lock by whoever changes undeclared_names of an app (function lock_names). A row is made when it is first needed.';
comment on column afterpush.name_locks.app_id is 'App whose names are locked.';

-- To count the keys of an app.
create index on afterpush.api_keys (app_id);
