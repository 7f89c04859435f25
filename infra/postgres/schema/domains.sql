-- Written by pnpm fix from a migrated database, to be read. The migrations have comments.

CREATE TABLE domain_owners (
  host text NOT NULL,
  user_id integer NOT NULL,
  CONSTRAINT domain_owners_pkey PRIMARY KEY (host)
);
CREATE INDEX domain_owners_reversed_host_idx ON domain_owners (reverse(('.'::text || host)) text_pattern_ops);
GRANT DELETE, INSERT, SELECT, UPDATE ON domain_owners TO tapthru_worker;

CREATE TABLE domains (
  id integer NOT NULL GENERATED ALWAYS AS IDENTITY,
  user_id integer NOT NULL,
  host text NOT NULL,
  proof text NOT NULL,
  is_default boolean NOT NULL DEFAULT false,
  hsts boolean NOT NULL DEFAULT false,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  verified_at timestamp with time zone,
  off_at timestamp with time zone,
  problem text,
  seen jsonb,
  checked_at timestamp with time zone,
  failing_since timestamp with time zone,
  reported_at timestamp with time zone,
  notice_due boolean NOT NULL DEFAULT false,
  next_check_at timestamp with time zone NOT NULL DEFAULT now(),
  backup_host text,
  sealed_backup text,
  backup_due_at timestamp with time zone,
  backed_up_at timestamp with time zone,
  backup_error text,
  CONSTRAINT domains_pkey PRIMARY KEY (id),
  CONSTRAINT domains_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  CONSTRAINT domains_user_id_host_key UNIQUE (user_id, host)
);
CREATE INDEX domains_backup_due_at_idx ON domains (backup_due_at) WHERE (backup_due_at IS NOT NULL);
CREATE INDEX domains_next_check_at_idx ON domains (next_check_at);
CREATE INDEX domains_notice_due_idx ON domains (id) WHERE notice_due;
CREATE INDEX domains_reversed_host_idx ON domains (reverse(('.'::text || host)) text_pattern_ops);
CREATE UNIQUE INDEX domains_default_key ON domains (user_id) WHERE is_default;
CREATE UNIQUE INDEX domains_verified_key ON domains (host) WHERE ((verified_at IS NOT NULL) AND (off_at IS NULL));
CREATE TRIGGER domains_certificate_changed AFTER UPDATE ON domains FOR EACH ROW WHEN (old.verified_at IS DISTINCT FROM new.verified_at OR old.off_at IS DISTINCT FROM new.off_at OR old.hsts IS DISTINCT FROM new.hsts) EXECUTE FUNCTION set_certificate_of_domain_changed();
CREATE TRIGGER domains_certificate_unused AFTER DELETE ON domains FOR EACH ROW EXECUTE FUNCTION set_certificate_of_domain_changed();
CREATE TRIGGER domains_record_change AFTER INSERT OR DELETE OR UPDATE ON domains FOR EACH ROW WHEN (pg_trigger_depth() = 0 AND current_setting('tapthru.actor'::text, true) <> ''::text) EXECUTE FUNCTION record_change('domain', 'id', 'host', 'user_id', 'host,is_default,hsts,verified_at,off_at', '');
GRANT DELETE, INSERT, SELECT, UPDATE ON domains TO tapthru_api;
GRANT DELETE, SELECT, UPDATE ON domains TO tapthru_worker;

CREATE FUNCTION due_domain_notices(max_count integer)
 RETURNS TABLE(id integer, host text, email text, problem text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
AS $function$
  SELECT domain.id, domain.host, users.email, coalesce(domain.problem, certificate.problem, 'order-refused')
  FROM domains AS domain JOIN users ON users.id = domain.user_id
  LEFT JOIN certificates AS certificate ON certificate.host = domain.host
  WHERE domain.notice_due AND users.state = 'enabled' AND users.email_is_verified
    AND NOT EXISTS (SELECT FROM account_deletions AS deletion WHERE deletion.user_id = users.id)
    AND NOT EXISTS (SELECT FROM failed_items AS item
      WHERE item.kind = 'domain-notices' AND item.key = domain.id::text AND item.retry_at > now())
  ORDER BY domain.id LIMIT due_domain_notices.max_count
$function$;
GRANT EXECUTE ON FUNCTION due_domain_notices TO tapthru_worker;

CREATE FUNCTION report_failing_domain(domain_id integer, problem text, since timestamp with time zone, off_at timestamp with time zone)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
AS $function$
  WITH reported AS (UPDATE domains SET reported_at = now(), notice_due = true WHERE id = domain_id AND reported_at IS NULL
    RETURNING user_id, host)
  SELECT add_event(user_id, 'domain.failing', jsonb_build_object('host', host, 'problem', report_failing_domain.problem,
    'since', utc_text(report_failing_domain.since), 'offAt', utc_text(report_failing_domain.off_at))) FROM reported
$function$;
GRANT EXECUTE ON FUNCTION report_failing_domain TO tapthru_worker;

CREATE FUNCTION set_certificate_of_domain_changed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
AS $function$
BEGIN
  UPDATE certificates SET changed_at = now() WHERE host = OLD.host;
  RETURN NULL;
END
$function$;
