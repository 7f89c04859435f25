-- Short links in imports that Amazon did not resolve are tried again later.
ALTER TABLE import_lines ADD COLUMN attempts smallint NOT NULL DEFAULT 0;
-- Until then the pending line waits; null: it was not tried yet.
ALTER TABLE import_lines ADD COLUMN retry_at timestamptz;
CREATE INDEX import_lines_due_idx ON import_lines (import_id, retry_at NULLS FIRST, line)
WHERE state = 'pending';
DROP INDEX import_lines_pending_idx;
-- Their number is shown, so that the owner can try them again.
CREATE INDEX import_lines_retryable_idx ON import_lines (import_id)
WHERE refusal = 'short-link-failed';

-- For lines that are tried again.
GRANT UPDATE ON import_lines TO tapthru_api;
