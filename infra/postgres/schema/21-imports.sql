-- Imports of links from a file. Links are created in batches; a batch and the states of its lines are one transaction, so
-- that no line creates two links.
CREATE TABLE imports (
  id uuid DEFAULT gen_random_uuid() PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
  file_name text,
  format text NOT NULL,
  state text NOT NULL DEFAULT 'ready',
  created_at timestamptz NOT NULL DEFAULT now(),
  started_at timestamptz,
  progressed_at timestamptz, -- When the last batch was committed.
  ended_at timestamptz,
  line_count integer NOT NULL,
  link_count integer NOT NULL, -- Lines that become or became links.
  replaced_count integer NOT NULL, -- Links that do not keep the code in the file.
  refused_count integer NOT NULL,
  created_count integer NOT NULL DEFAULT 0,
  running_user_id integer GENERATED ALWAYS AS (CASE WHEN state = 'running' THEN user_id END) STORED, -- One for each user.
  domain text, -- The own domain of all links of an import; null: the site's own host.
  channel_id integer REFERENCES channels ON DELETE SET NULL,
  uses_channel_tag boolean NOT NULL DEFAULT false,
  file_domains jsonb NOT NULL DEFAULT '[]', -- The domains of short addresses in the file: [{"host": …, "isOwn": …}]
  reading jsonb NOT NULL, -- How the file was read, as in replies.
  CONSTRAINT imports_running_key UNIQUE (running_user_id),
  CONSTRAINT imports_state CHECK (state IN ('ready', 'running', 'finished', 'cancelled'))
);
CREATE INDEX imports_channel_id_idx ON imports (channel_id) WHERE channel_id IS NOT NULL;
CREATE INDEX imports_created_at_idx ON imports (created_at);
CREATE INDEX imports_user_id_created_at_idx ON imports (user_id, created_at);

CREATE TABLE import_lines (
  import_id uuid NOT NULL REFERENCES imports ON DELETE CASCADE,
  line integer NOT NULL,
  url text NOT NULL,
  slug text,
  title text,
  nickname text,
  labels text[] NOT NULL,
  expires_at timestamptz,
  state text NOT NULL,
  refusal text,
  replacement text,
  short_code text, -- The code of the created link, which may have been deleted since.
  attempts smallint NOT NULL DEFAULT 0, -- Short links in imports that Amazon did not resolve are tried again later.
  retry_at timestamptz, -- Until then the pending line waits; null: it was not tried yet.
  -- The domain of the short address in the file. The link is on it while the user can use it, else on that of the import.
  domain text,
  -- What the line becomes once the repaired addresses of the import are taken, if it has any: {"url": …, "refusal": …, "replacement": …}
  repaired jsonb,
  fallback_url text,
  opening text,
  -- The cell of an expiry that is not clear.
  unclear_expiry text,
  image_url text,
  starts_at timestamptz,
  PRIMARY KEY (import_id, line),
  CONSTRAINT import_lines_created_once UNIQUE (short_code),
  CONSTRAINT import_lines_state CHECK (state IN ('pending', 'created', 'refused'))
);
CREATE INDEX import_lines_due_idx ON import_lines (import_id, retry_at NULLS FIRST, line)
WHERE state = 'pending';
-- Their code opens no link here. The number is shown.
CREATE INDEX import_lines_lost_idx ON import_lines (import_id)
WHERE slug IS NOT NULL AND (replacement IS NOT NULL OR refusal NOT IN ('already-yours', 'repeated-line'));
CREATE INDEX import_lines_repaired_idx ON import_lines (import_id) WHERE repaired IS NOT NULL;
-- Their number is shown, so that the owner can try them again.
CREATE INDEX import_lines_retryable_idx ON import_lines (import_id)
WHERE refusal = 'short-link-failed';

GRANT SELECT, INSERT, UPDATE, DELETE ON imports, import_lines TO tapthru_api;
GRANT SELECT, UPDATE, DELETE ON imports, import_lines TO tapthru_worker;
