-- The operator's console.

-- `disabled`: the user cannot log in, and their keys do not work; `blocked`: their links give 410, too.
ALTER TABLE users
  ADD COLUMN state text NOT NULL DEFAULT 'enabled'
    CONSTRAINT users_state_known CHECK (state IN ('enabled', 'disabled', 'blocked')),
  ADD COLUMN last_login_at timestamptz;

-- How a link was taken down. Null: alone; `owner`, `address`: with all links of its owner or an address; `user`: with its user, who
-- was blocked, and it works again when they are enabled. Only decide_about_links writes it: a check would lock the table.
ALTER TABLE links ADD COLUMN taken_down_with text;

-- The decision about a reported link. Null: open.
ALTER TABLE reports
  ADD COLUMN decision text
    CONSTRAINT reports_decision_known CHECK (decision IN ('dismissed', 'taken-down')),
  ADD COLUMN decided_at timestamptz,
  -- Since when a decision is due: the first report, or the first one after a dismissal.
  ADD COLUMN opened_at timestamptz NOT NULL DEFAULT now(),
  -- Whether an email to the operators is to be sent, and when the last one was.
  ADD COLUMN notice_due boolean NOT NULL DEFAULT true,
  ADD COLUMN noticed_at timestamptz;
CREATE INDEX reports_open_idx ON reports (opened_at) WHERE decision IS NULL;
CREATE INDEX reports_notice_due_idx ON reports (short_code) WHERE notice_due;
CREATE INDEX reports_noticed_at_idx ON reports (noticed_at);

-- Takes links down or lets them work again, which for a link that already is so changes only its reports. Decides about their
-- reports; without a decision they are open. With a cause: decides only about open reports, and opens only those again that were
-- decided with the link. Returns how many links changed.
CREATE FUNCTION decide_about_links(ids bigint[], new_decision text, cause text DEFAULT NULL) RETURNS integer
  LANGUAGE sql SET search_path FROM CURRENT AS $$
  SELECT FROM links WHERE id = ANY (ids) ORDER BY id FOR NO KEY UPDATE;
  UPDATE reports
  SET decision = new_decision, decided_at = CASE WHEN new_decision IS NOT NULL THEN now() END, notice_due = false,
    opened_at = CASE WHEN new_decision IS NULL THEN now() ELSE opened_at END
  FROM links AS link
  WHERE link.id = ANY (ids) AND reports.short_code = link.short_code AND decision IS DISTINCT FROM new_decision
    AND (cause IS NULL OR decision IS NULL OR new_decision IS NULL AND decided_at = link.taken_down_at);
  -- A decision about the link alone outlasts that about its user or address.
  UPDATE links SET taken_down_with = NULL
  WHERE id = ANY (ids) AND taken_down_with IS NOT NULL AND new_decision = 'taken-down' AND cause IS NULL;
  WITH link AS (
    UPDATE links SET
      taken_down_at = CASE WHEN new_decision = 'taken-down' THEN now() END,
      taken_down_with = CASE WHEN new_decision = 'taken-down' THEN cause END,
      revision = revision + 1
    WHERE id = ANY (ids) AND (taken_down_at IS NULL) = (coalesce(new_decision, '') = 'taken-down')
    RETURNING short_code, revision
  ), recent AS (
    DELETE FROM recent_creates USING link WHERE recent_creates.short_code = link.short_code
  ), change AS (
    INSERT INTO link_changes (short_code, revision) SELECT short_code, revision FROM link
  )
  SELECT count(*)::int FROM link
$$;

-- Links of a user or a network address that the relay takes down, or lets work again.
CREATE TABLE take_downs (
  id integer GENERATED ALWAYS AS IDENTITY CONSTRAINT take_downs_pkey PRIMARY KEY,
  user_id integer CONSTRAINT take_downs_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
  address_hash bytea,
  -- What `links.taken_down_with` is.
  cause text NOT NULL CONSTRAINT take_downs_cause_known CHECK (cause IN ('user', 'owner', 'address')),
  is_taken_down boolean NOT NULL,
  -- Links up to this one are done.
  after_id bigint NOT NULL DEFAULT 0,
  CONSTRAINT take_downs_of_one CHECK (num_nonnulls(user_id, address_hash) = 1 AND (cause = 'address') = (user_id IS NULL))
);
CREATE INDEX take_downs_user_id_idx ON take_downs (user_id);
CREATE TRIGGER take_downs_notify AFTER INSERT ON take_downs
  FOR EACH STATEMENT EXECUTE FUNCTION notify_routing_changes();

GRANT SELECT, INSERT ON take_downs TO tapthru_api;
GRANT SELECT, UPDATE, DELETE ON take_downs TO tapthru_worker;

-- Whether links of the user may be created. They are not disabled before the transaction ends. True for a user who does not exist: the
-- foreign key says that.
CREATE FUNCTION lock_enabled_user(user_id integer) RETURNS boolean
  LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
  SELECT coalesce((SELECT state = 'enabled' FROM users WHERE id = user_id FOR SHARE), true)
$$;

-- Users who are not enabled get no webhooks, emails or fetched reports.
GRANT SELECT (id, state) ON users TO tapthru_worker;
CREATE OR REPLACE FUNCTION due_digests(
  after integer, max_count integer, begun_before timestamptz, unhealthy_before timestamptz
) RETURNS TABLE (user_id integer, email text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
  SELECT users.id, users.email FROM users
  WHERE users.id > due_digests.after AND users.state = 'enabled' AND users.email_is_verified AND users.id IN (
    SELECT link.user_id FROM link_health AS health JOIN links AS link ON link.id = health.link_id
    WHERE health.state NOT IN ('ok', 'unknown') AND health.since < due_digests.unhealthy_before
      AND link.taken_down_at IS NULL AND (link.expires_at IS NULL OR link.expires_at > now())
  )
  AND NOT EXISTS (
    SELECT FROM digests WHERE digests.user_id = users.id AND (
      digests.unsubscribed_at IS NOT NULL OR digests.begun_at > due_digests.begun_before
    )
  )
  AND NOT EXISTS (SELECT FROM account_deletions AS deletion WHERE deletion.user_id = users.id)
  ORDER BY users.id LIMIT due_digests.max_count
$$;
CREATE OR REPLACE FUNCTION due_domain_notices(max_count integer)
  RETURNS TABLE (id integer, host text, email text, problem text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
  SELECT domain.id, domain.host, users.email, coalesce(domain.problem, certificate.problem, 'order-refused')
  FROM domains AS domain JOIN users ON users.id = domain.user_id
  LEFT JOIN certificates AS certificate ON certificate.host = domain.host
  WHERE domain.notice_due AND users.state = 'enabled' AND users.email_is_verified
    AND NOT EXISTS (SELECT FROM account_deletions AS deletion WHERE deletion.user_id = users.id)
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
  ORDER BY failing.since, failing.channel_id, failing.marketplace LIMIT due_channel_notices.max_count
$$;

-- What the page "System" shows.
GRANT SELECT ON link_changes, schema_migrations TO tapthru_api;

-- The event for webhooks of operators: a link was reported, for a reason for which no report is open.
CREATE FUNCTION add_event_of_report() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO webhook_deliveries (webhook_id, type, data)
  SELECT webhook.id, 'link.reported', jsonb_build_object(
    'shortCode', link.short_code, 'webUrl', link.web_url, 'reason', NEW.reason, 'count', NEW.count
  )
  FROM links AS link
  CROSS JOIN users JOIN webhooks AS webhook ON webhook.user_id = users.id
  WHERE link.short_code = NEW.short_code AND users.is_operator AND users.state = 'enabled'
    AND webhook.disabled_at IS NULL AND 'link.reported' = ANY (webhook.events);
  RETURN NULL;
END
$$;
CREATE TRIGGER reports_add_event AFTER INSERT ON reports FOR EACH ROW EXECUTE FUNCTION add_event_of_report();
CREATE TRIGGER reports_add_event_of_reopened AFTER UPDATE ON reports FOR EACH ROW
  WHEN (NEW.decision IS NULL AND OLD.decision IS NOT NULL AND NEW.count > OLD.count)
  EXECUTE FUNCTION add_event_of_report();

-- The worker, which reads foreign pages, sees the addresses of operators only when an email is due, which is at most once in ten minutes.
CREATE FUNCTION due_report_recipients() RETURNS TABLE (email text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
  SELECT users.email FROM users
  WHERE is_operator AND state = 'enabled' AND email_is_verified
    AND EXISTS (SELECT FROM reports WHERE notice_due AND decision IS NULL)
    AND NOT EXISTS (SELECT FROM reports WHERE noticed_at > now() - interval '10 minutes')
    AND NOT EXISTS (SELECT FROM account_deletions AS deletion WHERE deletion.user_id = users.id)
  ORDER BY users.id
$$;
REVOKE ALL ON FUNCTION decide_about_links, lock_enabled_user, add_event_of_report, due_report_recipients FROM PUBLIC;
GRANT EXECUTE ON FUNCTION decide_about_links, lock_enabled_user TO tapthru_api, tapthru_worker;
GRANT EXECUTE ON FUNCTION due_report_recipients TO tapthru_worker;
