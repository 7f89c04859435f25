-- Written by pnpm fix from a migrated database, to be read. The migrations have comments.

CREATE TABLE acme_accounts (
  directory_url text NOT NULL,
  url text NOT NULL,
  sealed_key text NOT NULL,
  thumbprint text NOT NULL,
  CONSTRAINT acme_accounts_pkey PRIMARY KEY (directory_url)
);
GRANT DELETE, INSERT, SELECT, UPDATE ON acme_accounts TO tapthru_worker;
GRANT SELECT (directory_url, thumbprint) ON acme_accounts TO tapthru_api;

CREATE TABLE certificate_orders (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  registered_domain text NOT NULL,
  ordered_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT certificate_orders_pkey PRIMARY KEY (id)
);
CREATE INDEX certificate_orders_ordered_at_idx ON certificate_orders (ordered_at);
GRANT DELETE, INSERT, SELECT, UPDATE ON certificate_orders TO tapthru_worker;

CREATE TABLE certificates (
  host text NOT NULL,
  is_site boolean NOT NULL DEFAULT false,
  chain text,
  sealed_key text,
  not_after timestamp with time zone,
  order_at timestamp with time zone NOT NULL DEFAULT now(),
  renewal_checked_at timestamp with time zone NOT NULL DEFAULT now(),
  failed_orders integer NOT NULL DEFAULT 0,
  problem text,
  issued_at timestamp with time zone,
  changed_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT certificates_chain_with_key CHECK (num_nulls(chain, sealed_key, not_after, issued_at) = ANY (ARRAY[0, 4])),
  CONSTRAINT certificates_pkey PRIMARY KEY (host)
);
CREATE INDEX certificates_changed_at_idx ON certificates (changed_at);
CREATE INDEX certificates_order_at_idx ON certificates (order_at);
CREATE TRIGGER certificates_changed BEFORE UPDATE ON certificates FOR EACH ROW WHEN (old.chain IS DISTINCT FROM new.chain OR old.is_site IS DISTINCT FROM new.is_site) EXECUTE FUNCTION set_certificate_changed();
GRANT DELETE, INSERT, SELECT, UPDATE ON certificates TO tapthru_worker;
GRANT SELECT (host, not_after, problem) ON certificates TO tapthru_api;

CREATE VIEW changed_certificates AS
 SELECT certificate.host,
    served.issued_at,
    served.hsts,
    certificate.changed_at
   FROM (certificates certificate
     LEFT JOIN served_certificates served ON ((served.host = certificate.host)));
GRANT SELECT ON changed_certificates TO tapthru_redirect;

CREATE VIEW served_certificates AS
 SELECT certificate.host,
    certificate.chain,
    certificate.sealed_key,
    certificate.issued_at,
    COALESCE(domain.hsts, false) AS hsts
   FROM (certificates certificate
     LEFT JOIN domains domain ON (((domain.host = certificate.host) AND (domain.verified_at IS NOT NULL) AND (domain.off_at IS NULL))))
  WHERE ((certificate.chain IS NOT NULL) AND (certificate.is_site OR (domain.id IS NOT NULL)));
GRANT SELECT ON served_certificates TO tapthru_redirect;

CREATE FUNCTION set_certificate_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  NEW.changed_at := now();
  RETURN NEW;
END
$function$;
GRANT EXECUTE ON FUNCTION set_certificate_changed TO PUBLIC;
