-- The planner's estimates, which every login can see, come from samples of all apps' rows. No plan needs samples of these
-- texts: what people typed, and what was refused.
alter table afterpush.replies alter column user_text set statistics 0;
alter table afterpush.waiting_replies alter column user_text set statistics 0;
alter table afterpush.rejected_events alter column event set statistics 0, alter column detail set statistics 0;
