-- Own domains of users. The short code of a link on one is `name@host`; `@host` is the link that opens at `/` and for unknown
-- names. So one look-up finds a link by host and name, and nothing of another domain.
CREATE TABLE domains (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
  host text NOT NULL, -- ASCII, in lower case.
  proof text NOT NULL, -- The value of a TXT record that proves that the user controls the host, if another user had it before.
  is_default boolean NOT NULL DEFAULT false, -- New links of the user are on this domain.
  hsts boolean NOT NULL DEFAULT false, -- Responses have Strict-Transport-Security.
  created_at timestamptz NOT NULL DEFAULT now(),
  verified_at timestamptz, -- When it was proven that the user controls the host; null: not yet.
  off_at timestamptz, -- A verified domain that failed all checks of the grace time. It is verified anew like a new one.
  problem text, -- The last check: what is wrong (null: nothing), and what the DNS has.
  seen jsonb,
  checked_at timestamptz,
  failing_since timestamptz, -- Since when all checks of a verified domain failed.
  reported_at timestamptz, -- When the present problem was reported to webhooks, and whether an email about it is to be sent.
  notice_due boolean NOT NULL DEFAULT false,
  next_check_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT domains_user_id_host_key UNIQUE (user_id, host)
);
CREATE UNIQUE INDEX domains_default_key ON domains (user_id) WHERE is_default;
CREATE INDEX domains_next_check_at_idx ON domains (next_check_at);
CREATE INDEX domains_notice_due_idx ON domains (id) WHERE notice_due;
-- For hosts of a registered domain, whoever has them.
CREATE INDEX domains_reversed_host_idx ON domains (reverse('.' || host) text_pattern_ops);
-- A host belongs to one user at a time.
CREATE UNIQUE INDEX domains_verified_key ON domains (host) WHERE verified_at IS NOT NULL AND off_at IS NULL;

-- The last user who had a host. Another one needs the TXT record.
CREATE TABLE domain_owners (
  host text PRIMARY KEY,
  user_id integer NOT NULL -- They may have been deleted.
);
CREATE INDEX domain_owners_reversed_host_idx ON domain_owners (reverse('.' || host) text_pattern_ops);

GRANT SELECT, INSERT, UPDATE, DELETE ON domain_owners TO tapthru_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON domains TO tapthru_api;
GRANT SELECT, UPDATE, DELETE ON domains TO tapthru_worker;
