-- An account at a certificate authority. Thumbprint: of its key, for responses to HTTP-01 challenges.
CREATE TABLE acme_accounts (
  directory_url text PRIMARY KEY,
  url text NOT NULL,
  encrypted_key text NOT NULL,
  thumbprint text NOT NULL
);

-- The certificate of each host that has or will have one: own domains, and the site's own host.
CREATE TABLE certificates (
  host text PRIMARY KEY,
  is_site boolean NOT NULL DEFAULT false,
  chain text, -- PEM: the certificate and those of its issuers; null: not issued yet. The key, encrypted.
  encrypted_key text,
  not_after timestamptz,
  order_at timestamptz NOT NULL DEFAULT now(), -- When the next order is due.
  failed_orders integer NOT NULL DEFAULT 0, -- Orders that failed since the last certificate, and why the last one did.
  problem text,
  issued_at timestamptz,
  CONSTRAINT certificates_chain_with_key CHECK (num_nulls(chain, encrypted_key, not_after, issued_at) IN (0, 4))
);
CREATE INDEX certificates_order_at_idx ON certificates (order_at);

-- Orders of the last week, for the limits of the certificate authority.
CREATE TABLE certificate_orders (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  registered_domain text NOT NULL,
  ordered_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX certificate_orders_ordered_at_idx ON certificate_orders (ordered_at);

-- Emails that are quarantined do not take the places of others.
CREATE FUNCTION due_domain_notices(max_count integer) RETURNS TABLE (id integer, host text, email text, problem text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
  SELECT domain.id, domain.host, users.email, coalesce(domain.problem, certificate.problem, 'order-refused')
  FROM domains AS domain JOIN users ON users.id = domain.user_id
  LEFT JOIN certificates AS certificate ON certificate.host = domain.host
  WHERE domain.notice_due AND users.state = 'enabled' AND users.email_is_verified
    AND NOT EXISTS (SELECT FROM account_deletions AS deletion WHERE deletion.user_id = users.id)
    AND NOT EXISTS (SELECT FROM failed_items AS item
      WHERE item.kind = 'domain-notices' AND item.key = domain.id::text AND item.retry_at > now())
  ORDER BY domain.id LIMIT due_domain_notices.max_count
$$;

-- The certificates that gateways copy. The keys are encrypted.
CREATE VIEW served_certificates (host, chain, encrypted_key, issued_at, hsts) AS
SELECT certificate.host, chain, encrypted_key, issued_at, coalesce(hsts, false)
FROM certificates AS certificate
LEFT JOIN domains AS domain ON domain.host = certificate.host AND verified_at IS NOT NULL AND off_at IS NULL
WHERE chain IS NOT NULL AND (is_site OR domain.id IS NOT NULL);

GRANT SELECT ON served_certificates TO tapthru_redirect;
GRANT SELECT (directory_url, thumbprint) ON acme_accounts TO tapthru_api;
GRANT SELECT (host, not_after, problem) ON certificates TO tapthru_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON acme_accounts, certificates, certificate_orders TO tapthru_worker;
GRANT EXECUTE ON FUNCTION due_domain_notices TO tapthru_worker;
