-- Reports of links by visitors: counts only, nothing about the visitors.
CREATE TABLE abuse_reports (
  short_code text NOT NULL REFERENCES all_links(short_code) ON DELETE CASCADE,
  reason text NOT NULL,
  count integer NOT NULL DEFAULT 1,
  first_reported_at timestamptz NOT NULL DEFAULT now(),
  last_reported_at timestamptz NOT NULL DEFAULT now(),
  decision text, -- The decision about a reported link. Null: open.
  decided_at timestamptz,
  -- Since when a decision is due: the first report, or the first one after a dismissal.
  opened_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (short_code, reason),
  CONSTRAINT abuse_reports_decision_known CHECK (decision IN ('dismissed', 'taken-down')),
  CONSTRAINT abuse_reports_reason_known CHECK (reason IN ('misleading', 'harmful', 'spam', 'other'))
);
CREATE INDEX abuse_reports_last_reported_at_idx ON abuse_reports (last_reported_at);
CREATE INDEX abuse_reports_open_idx ON abuse_reports (opened_at) WHERE decision IS NULL;

-- Reports about which operators decide. Those about links of blocked users, which do not open, wait until the user is enabled.
CREATE VIEW open_abuse_reports AS
SELECT report.* FROM abuse_reports AS report JOIN links USING (short_code) LEFT JOIN users ON users.id = links.user_id
WHERE decision IS NULL AND users.state IS DISTINCT FROM 'blocked';

-- Takes links down or lets them work again, also deleted ones. For a link that already is so it changes only its reports. Decides about
-- their reports; without a decision they are open. With a cause: decides only about open reports, and opens only those again that
-- were decided with the link. Returns how many links changed.
CREATE FUNCTION resolve_abuse_reports(ids bigint[], new_decision text, cause text DEFAULT NULL) RETURNS integer
  LANGUAGE sql SET search_path FROM CURRENT AS $$
  SELECT FROM all_links WHERE id = ANY (ids) ORDER BY id FOR NO KEY UPDATE;
  UPDATE abuse_reports
  SET decision = new_decision, decided_at = CASE WHEN new_decision IS NOT NULL THEN now() END,
    opened_at = CASE WHEN new_decision IS NULL THEN now() ELSE opened_at END
  FROM all_links AS link
  WHERE link.id = ANY (ids) AND abuse_reports.short_code = link.short_code AND decision IS DISTINCT FROM new_decision
    AND (cause IS NULL OR decision IS NULL OR new_decision IS NULL AND decided_at = link.taken_down_at);
  -- A decision about the link alone outlasts that about its user or address.
  UPDATE all_links SET takedown_cause = NULL
  WHERE id = ANY (ids) AND takedown_cause IS NOT NULL AND new_decision = 'taken-down' AND cause IS NULL;
  WITH link AS (UPDATE all_links SET taken_down_at = CASE WHEN new_decision = 'taken-down' THEN now() END,
      takedown_cause = CASE WHEN new_decision = 'taken-down' THEN cause END,
      revision = revision + 1
    WHERE id = ANY (ids) AND (taken_down_at IS NULL) = (coalesce(new_decision, '') = 'taken-down')
    RETURNING short_code, revision), recent AS (
    DELETE FROM recent_creates USING link WHERE recent_creates.short_code = link.short_code), change AS (
    INSERT INTO link_changes (short_code, revision) SELECT short_code, revision FROM link)
  SELECT count(*)::int FROM link
$$;

-- The operators to whom an email about reports is due, with the number of links whose reports were opened since their last one. The
-- worker, which reads foreign pages, sees an address only then, at most once in ten minutes.
CREATE FUNCTION due_abuse_report_recipients() RETURNS TABLE (id bigint, email text, link_count integer)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
  SELECT users.id, users.email, opened.link_count
  FROM users CROSS JOIN LATERAL (
    SELECT count(DISTINCT short_code)::int AS link_count FROM open_abuse_reports
    WHERE opened_at > coalesce(reports_noticed_at, '-infinity')) AS opened
  WHERE is_operator AND state = 'enabled' AND email_is_verified AND opened.link_count > 0
    AND (reports_noticed_at IS NULL OR reports_noticed_at <= now() - interval '10 minutes')
    AND NOT EXISTS (SELECT FROM account_deletions AS deletion WHERE deletion.user_id = users.id)
  ORDER BY users.id
$$;

GRANT SELECT, INSERT, UPDATE ON abuse_reports TO tapthru_api;
GRANT SELECT ON open_abuse_reports TO tapthru_api, tapthru_worker;
GRANT SELECT, UPDATE, DELETE ON abuse_reports TO tapthru_worker;
GRANT EXECUTE ON FUNCTION resolve_abuse_reports TO tapthru_api;
GRANT EXECUTE ON FUNCTION resolve_abuse_reports, due_abuse_report_recipients TO tapthru_worker;
