-- How the file was read, as in replies; null: by a version that did not say so.
ALTER TABLE imports ADD COLUMN reading jsonb;
-- The cell of an expiry that is not clear.
ALTER TABLE import_lines ADD COLUMN unclear_expiry text;
