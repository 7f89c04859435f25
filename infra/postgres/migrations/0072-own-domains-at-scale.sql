-- When a certificate changed last, or whether and how its host is served: gateways copy what changed.
ALTER TABLE certificates ADD changed_at timestamptz NOT NULL DEFAULT now();
CREATE INDEX certificates_changed_at_idx ON certificates (changed_at);

CREATE FUNCTION set_certificate_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.changed_at := now();
  RETURN NEW;
END
$$;
CREATE TRIGGER certificates_changed BEFORE UPDATE ON certificates FOR EACH ROW
  WHEN ((OLD.chain, OLD.is_site) IS DISTINCT FROM (NEW.chain, NEW.is_site))
  EXECUTE FUNCTION set_certificate_changed();

CREATE FUNCTION set_certificate_of_domain_changed() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE certificates SET changed_at = now() WHERE host = OLD.host;
  RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION set_certificate_of_domain_changed FROM PUBLIC;
CREATE TRIGGER domains_certificate_changed AFTER UPDATE ON domains FOR EACH ROW
  WHEN ((OLD.verified_at, OLD.off_at, OLD.hsts) IS DISTINCT FROM (NEW.verified_at, NEW.off_at, NEW.hsts))
  EXECUTE FUNCTION set_certificate_of_domain_changed();
CREATE TRIGGER domains_certificate_unused AFTER DELETE ON domains FOR EACH ROW
  EXECUTE FUNCTION set_certificate_of_domain_changed();

-- All certificates. Without issued_at: there is none yet, or it is not served any more.
CREATE VIEW changed_certificates (host, issued_at, hsts, changed_at) AS
SELECT certificate.host, served.issued_at, served.hsts, changed_at
FROM certificates AS certificate LEFT JOIN served_certificates AS served ON served.host = certificate.host;
GRANT SELECT ON changed_certificates TO tapthru_redirect;

-- For hosts of a registered domain, whoever has them.
CREATE INDEX domains_reversed_host_idx ON domains (reverse('.' || host) text_pattern_ops);
CREATE INDEX domain_owners_reversed_host_idx ON domain_owners (reverse('.' || host) text_pattern_ops);

-- Emails that are set aside do not take the places of others.
CREATE OR REPLACE FUNCTION due_domain_notices(max_count integer)
  RETURNS TABLE (id integer, host text, email text, problem text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
  SELECT domain.id, domain.host, users.email, coalesce(domain.problem, certificate.problem, 'order-refused')
  FROM domains AS domain JOIN users ON users.id = domain.user_id
  LEFT JOIN certificates AS certificate ON certificate.host = domain.host
  WHERE domain.notice_due AND users.state = 'enabled' AND users.email_is_verified
    AND NOT EXISTS (SELECT FROM account_deletions AS deletion WHERE deletion.user_id = users.id)
    AND NOT EXISTS (
      SELECT FROM failed_items AS item
      WHERE item.kind = 'domain-notices' AND item.key = domain.id::text AND item.retry_at > now()
    )
  ORDER BY domain.id LIMIT due_domain_notices.max_count
$$;
CREATE OR REPLACE FUNCTION due_channel_notices(max_count integer)
  RETURNS TABLE (channel_id integer, marketplace text, name text, email text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
  SELECT failing.channel_id, failing.marketplace, channel.name, users.email
  FROM failing_channels AS failing JOIN channels AS channel ON channel.id = failing.channel_id
  JOIN users ON users.id = channel.user_id
  WHERE failing.notice_due AND failing.since > now() - interval '7 days' AND users.state = 'enabled' AND users.email_is_verified
    AND NOT EXISTS (SELECT FROM account_deletions AS deletion WHERE deletion.user_id = users.id)
    AND NOT EXISTS (
      SELECT FROM failed_items AS item
      WHERE item.kind = 'channel-notices' AND item.key = failing.channel_id || ' ' || failing.marketplace
        AND item.retry_at > now()
    )
  ORDER BY failing.since, failing.channel_id, failing.marketplace LIMIT due_channel_notices.max_count
$$;
