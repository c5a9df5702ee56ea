-- Exports read the texts of replies, as the role of the reports: held to the app by the policy of V0010.
grant select on afterpush.replies to afterpush_report;
