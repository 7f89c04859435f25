-- Imports of links from a file. Links are created in batches; a batch and the states of its lines are one transaction, so
-- that no line creates two links.
CREATE TABLE imports (
  id uuid NOT NULL DEFAULT gen_random_uuid() CONSTRAINT imports_pkey PRIMARY KEY,
  user_id integer NOT NULL CONSTRAINT imports_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
  file_name text,
  format text NOT NULL,
  state text NOT NULL DEFAULT 'ready'
    CONSTRAINT imports_state CHECK (state IN ('ready', 'running', 'finished', 'cancelled')),
  created_at timestamptz NOT NULL DEFAULT now(),
  started_at timestamptz,
  -- When the last batch was committed.
  progressed_at timestamptz,
  ended_at timestamptz,
  line_count integer NOT NULL,
  -- Lines that become or became links.
  link_count integer NOT NULL,
  -- Links that do not keep the code in the file.
  replaced_count integer NOT NULL,
  refused_count integer NOT NULL,
  created_count integer NOT NULL DEFAULT 0,
  -- One running import for each user.
  running_user_id integer GENERATED ALWAYS AS (CASE WHEN state = 'running' THEN user_id END) STORED
    CONSTRAINT imports_running_key UNIQUE
);
CREATE INDEX imports_user_id_created_at_idx ON imports (user_id, created_at);
CREATE INDEX imports_created_at_idx ON imports (created_at);

CREATE TABLE import_lines (
  import_id uuid NOT NULL
    CONSTRAINT import_lines_import_id_fkey REFERENCES imports (id) ON DELETE CASCADE,
  line integer NOT NULL,
  url text NOT NULL,
  slug text,
  title text,
  nickname text,
  labels text[] NOT NULL,
  expires_at timestamptz,
  state text NOT NULL
    CONSTRAINT import_lines_state CHECK (state IN ('pending', 'created', 'refused')),
  refusal text,
  replacement text,
  -- The code of the created link, which may have been deleted since.
  short_code text,
  CONSTRAINT import_lines_pkey PRIMARY KEY (import_id, line),
  CONSTRAINT import_lines_created_once UNIQUE (short_code)
);
CREATE INDEX import_lines_pending_idx ON import_lines (import_id, line) WHERE state = 'pending';

GRANT SELECT, INSERT, UPDATE, DELETE ON imports TO tapthru_api;
GRANT SELECT, INSERT, DELETE ON import_lines TO tapthru_api;
GRANT SELECT, UPDATE, DELETE ON imports, import_lines TO tapthru_worker;
-- The worker creates the links of imports.
GRANT INSERT ON links, products TO tapthru_worker;
GRANT INSERT ON link_codes, idempotency_keys TO tapthru_worker;
-- It puts the user's labels on them.
GRANT SELECT ON labels TO tapthru_worker;
GRANT SELECT, INSERT ON link_labels TO tapthru_worker;
