-- Removes the list of installed files, before record_installed_definitions writes the new one.
delete from afterpush.installed_definitions
