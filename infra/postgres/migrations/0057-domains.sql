-- Own domains of users. The short code of a link on one is `name@host`; `@host` is the link that opens at `/` and for unknown
-- names. So one look-up finds a link by host and name, and nothing of another domain.
CREATE TABLE domains (
  id integer GENERATED ALWAYS AS IDENTITY CONSTRAINT domains_pkey PRIMARY KEY,
  user_id integer NOT NULL
    CONSTRAINT domains_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
  -- ASCII, in lower case.
  host text NOT NULL,
  -- The value of a TXT record that proves that the user controls the host, if another user had it before.
  proof text NOT NULL,
  -- New links of the user are on this domain.
  is_default boolean NOT NULL DEFAULT false,
  -- Whether responses have Strict-Transport-Security.
  hsts boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- When it was proven that the user controls the host; null: not yet.
  verified_at timestamptz,
  -- A verified domain that failed all checks of the grace time. It is verified anew like a new one.
  off_at timestamptz,
  -- The last check: what is wrong (null: nothing), and what the DNS has.
  problem text,
  seen jsonb,
  checked_at timestamptz,
  -- Since when all checks of a verified domain failed.
  failing_since timestamptz,
  -- When the present problem was reported to webhooks, and whether an email about it is to be sent.
  reported_at timestamptz,
  notice_due boolean NOT NULL DEFAULT false,
  next_check_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT domains_user_id_host_key UNIQUE (user_id, host)
);
-- A host belongs to one user at a time.
CREATE UNIQUE INDEX domains_verified_key ON domains (host)
  WHERE verified_at IS NOT NULL AND off_at IS NULL;
CREATE UNIQUE INDEX domains_default_key ON domains (user_id) WHERE is_default;
CREATE INDEX domains_next_check_at_idx ON domains (next_check_at);
CREATE INDEX domains_notice_due_idx ON domains (id) WHERE notice_due;

-- The last user who had a host. Another one needs the TXT record.
CREATE TABLE domain_owners (
  host text CONSTRAINT domain_owners_pkey PRIMARY KEY,
  -- They may have been deleted.
  user_id integer NOT NULL
);

CREATE INDEX links_domain_idx ON links (split_part(short_code, '@', 2), user_id)
  WHERE position('@' IN short_code) > 0;
CREATE INDEX link_codes_domain_idx ON link_codes (split_part(short_code, '@', 2))
  WHERE position('@' IN short_code) > 0;

-- The root link of a host is the only one whose code is used again: by a new root link, also of another owner of the host.
-- Returns the revision of the new link, which replaces what is known of the code.
CREATE FUNCTION release_root_code(host text) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  code text := '@' || host;
  last_revision integer;
BEGIN
  IF EXISTS (SELECT FROM links WHERE short_code = code) THEN RETURN 1; END IF;
  SELECT max(revision) INTO last_revision FROM (
    SELECT revision FROM retired_codes WHERE short_code = code
    UNION ALL
    SELECT revision FROM link_codes JOIN links ON links.id = link_id
    WHERE link_codes.short_code = code
  ) AS earlier;
  DELETE FROM retired_codes WHERE short_code = code;
  DELETE FROM link_codes WHERE short_code = code;
  RETURN coalesce(last_revision, 0) + 1;
END
$$;
REVOKE ALL ON FUNCTION release_root_code FROM PUBLIC;
GRANT EXECUTE ON FUNCTION release_root_code TO tapthru_api;

-- The own domain of all links of an import; null: the site's own host.
ALTER TABLE imports ADD domain text;

-- An account at a certificate authority. Thumbprint: of its key, for responses to HTTP-01 challenges.
CREATE TABLE acme_accounts (
  directory_url text CONSTRAINT acme_accounts_pkey PRIMARY KEY,
  url text NOT NULL,
  sealed_key text NOT NULL,
  thumbprint text NOT NULL
);

-- The certificate of each host that has or will have one: own domains, and the site's own host.
CREATE TABLE certificates (
  host text CONSTRAINT certificates_pkey PRIMARY KEY,
  is_site boolean NOT NULL DEFAULT false,
  -- PEM: the certificate and those of its issuers; null: not issued yet. The key, encrypted.
  chain text,
  sealed_key text,
  not_after timestamptz,
  -- When the next order is due, and when the authority is queried next whether it should be earlier.
  order_at timestamptz NOT NULL DEFAULT now(),
  renewal_checked_at timestamptz NOT NULL DEFAULT now(),
  -- Orders that failed since the last certificate, and why the last one did.
  failed_orders integer NOT NULL DEFAULT 0,
  problem text,
  issued_at timestamptz,
  CONSTRAINT certificates_chain_with_key CHECK (num_nulls(chain, sealed_key, not_after, issued_at) IN (0, 4))
);
CREATE INDEX certificates_order_at_idx ON certificates (order_at);

-- Orders of the last week, for the limits of the certificate authority.
CREATE TABLE certificate_orders (
  id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT certificate_orders_pkey PRIMARY KEY,
  registered_domain text NOT NULL,
  ordered_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX certificate_orders_ordered_at_idx ON certificate_orders (ordered_at);

-- What gateways keep a copy of. The keys are encrypted.
CREATE VIEW served_certificates (host, chain, sealed_key, issued_at, hsts) AS
SELECT certificate.host, chain, sealed_key, issued_at, coalesce(hsts, false)
FROM certificates AS certificate
LEFT JOIN domains AS domain
  ON domain.host = certificate.host AND verified_at IS NOT NULL AND off_at IS NULL
WHERE chain IS NOT NULL AND (is_site OR domain.id IS NOT NULL);

GRANT SELECT, INSERT, UPDATE, DELETE ON domains TO tapthru_api;
-- No keys.
GRANT SELECT (host, not_after, problem) ON certificates TO tapthru_api;
GRANT SELECT (directory_url, thumbprint) ON acme_accounts TO tapthru_api;
GRANT SELECT, UPDATE, DELETE ON domains TO tapthru_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON domain_owners, acme_accounts, certificates, certificate_orders TO tapthru_worker;
-- The worker moves the links of removed domains to other codes.
GRANT SELECT, INSERT, UPDATE, DELETE ON link_codes TO tapthru_worker;
GRANT UPDATE ON reports, recent_creates, idempotency_keys TO tapthru_worker;
-- The program that copies certificates to a gateway uses the role of the redirect.
GRANT SELECT ON served_certificates TO tapthru_redirect;

-- Records that a verified domain has a problem that its owner must solve: the event for webhooks, and that an email is due.
CREATE FUNCTION report_failing_domain(domain_id integer, problem text, since timestamptz, off_at timestamptz)
  RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
  WITH reported AS (
    UPDATE domains SET reported_at = now(), notice_due = true WHERE id = domain_id AND reported_at IS NULL
    RETURNING user_id, host
  )
  INSERT INTO webhook_deliveries (webhook_id, type, data)
  SELECT webhook.id, 'domain.failing', jsonb_build_object(
    'host', reported.host,
    'problem', report_failing_domain.problem,
    'since', to_char(report_failing_domain.since AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'offAt', to_char(report_failing_domain.off_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
  )
  FROM reported JOIN webhooks AS webhook USING (user_id)
  WHERE webhook.disabled_at IS NULL AND 'domain.failing' = ANY (webhook.events)
$$;

-- The worker, which reads foreign pages, sees the address of a user only when an email is due.
CREATE FUNCTION due_domain_notices(max_count integer)
  RETURNS TABLE (id integer, host text, email text, problem text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
  SELECT domain.id, domain.host, users.email, coalesce(domain.problem, certificate.problem, 'order-refused')
  FROM domains AS domain JOIN users ON users.id = domain.user_id
  LEFT JOIN certificates AS certificate ON certificate.host = domain.host
  WHERE domain.notice_due AND users.email_is_verified
    AND NOT EXISTS (SELECT FROM account_deletions AS deletion WHERE deletion.user_id = users.id)
  ORDER BY domain.id LIMIT due_domain_notices.max_count
$$;
REVOKE ALL ON FUNCTION report_failing_domain, due_domain_notices FROM PUBLIC;
GRANT EXECUTE ON FUNCTION report_failing_domain, due_domain_notices TO tapthru_worker;
