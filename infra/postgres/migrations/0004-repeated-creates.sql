-- The same address pasted again by the same visitor within ten minutes gives the same link. The
-- unique pair makes that exact under concurrency. A link that is claimed or taken down leaves here.
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

-- A request sent again with its Idempotency-Key gives the link it gave before.
CREATE TABLE idempotency_keys (
  key_hash bytea CONSTRAINT idempotency_keys_pkey PRIMARY KEY,
  -- Who the request said it was; null: nobody yet.
  visitor_key bytea,
  -- Of the address as it was sent.
  request_hash bytea NOT NULL,
  short_code text NOT NULL
    CONSTRAINT idempotency_keys_short_code_fkey REFERENCES links (short_code) ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX idempotency_keys_short_code_idx ON idempotency_keys (short_code);
CREATE INDEX idempotency_keys_created_at_idx ON idempotency_keys (created_at);
