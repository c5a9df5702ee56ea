-- Rows of one campaign are few among those of their pages: report_counts may find them one after another again.
alter function afterpush.report_counts reset enable_indexscan;
