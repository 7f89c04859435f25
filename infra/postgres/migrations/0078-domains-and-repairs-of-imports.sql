-- The domains of short addresses in the file: [{"host": …, "isOwn": …}]
ALTER TABLE imports ADD COLUMN file_domains jsonb NOT NULL DEFAULT '[]';
-- The domain of the short address in the file. The link is on it while the user can use it, else on that of the import.
ALTER TABLE import_lines ADD COLUMN domain text;
-- What the line becomes once the repaired addresses of the import are taken, if it has any: {"url": …, "refusal": …, "replacement": …}
ALTER TABLE import_lines ADD COLUMN repaired jsonb;
CREATE INDEX import_lines_repaired_idx ON import_lines (import_id) WHERE repaired IS NOT NULL;
-- Their code opens no link here. The number is shown.
CREATE INDEX import_lines_lost_idx ON import_lines (import_id)
WHERE slug IS NOT NULL AND (replacement IS NOT NULL OR refusal NOT IN ('already-yours', 'repeated-line'));
