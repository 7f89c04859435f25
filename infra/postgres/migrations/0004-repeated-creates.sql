-- The same address from the same visitor within ten minutes gives the same link; the unique constraint ensures it under
-- concurrency. Rows of claimed and taken-down links are deleted.
CREATE TABLE recent_creates (
  visitor_key bytea NOT NULL,
  address_hash bytea NOT NULL,
  short_code text NOT NULL
    CONSTRAINT recent_creates_short_code_fkey REFERENCES links (short_code) ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT recent_creates_pkey PRIMARY KEY (visitor_key, address_hash)
);

CREATE INDEX recent_creates_short_code_idx ON recent_creates (short_code);
CREATE INDEX recent_creates_created_at_idx ON recent_creates (created_at);

-- A repeated request with the same Idempotency-Key gives the same link.
CREATE TABLE idempotency_keys (
  key_hash bytea CONSTRAINT idempotency_keys_pkey PRIMARY KEY,
  -- The user or visitor of the request; null: none yet.
  visitor_key bytea,
  -- Hash of the address as sent.
  request_hash bytea NOT NULL,
  short_code text NOT NULL
    CONSTRAINT idempotency_keys_short_code_fkey REFERENCES links (short_code) ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX idempotency_keys_short_code_idx ON idempotency_keys (short_code);
CREATE INDEX idempotency_keys_created_at_idx ON idempotency_keys (created_at);
