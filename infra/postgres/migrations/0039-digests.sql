-- The identity provider says that the address is the user's. False for accounts that did not log in since this migration.
ALTER TABLE users ADD email_is_verified boolean NOT NULL DEFAULT false;

-- The weekly email about links that need attention. No row: none was sent, and the user did not end them.
CREATE TABLE digests (
  user_id integer CONSTRAINT digests_pkey PRIMARY KEY
    CONSTRAINT digests_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
  -- Part of the address that ends them without a login.
  unsubscribe_token uuid NOT NULL DEFAULT gen_random_uuid()
    CONSTRAINT digests_unsubscribe_token_key UNIQUE,
  unsubscribed_at timestamptz,
  -- Written before an email is sent, so that no crash sends it twice. Null: none, or the server refused the last one.
  begun_at timestamptz,
  -- The server accepted the last one.
  sent_at timestamptz
);

CREATE INDEX link_health_unhealthy_idx ON link_health (link_id) WHERE state NOT IN ('ok', 'unknown');

-- The worker, which reads foreign pages, sees the address of a user only when an email is due.
CREATE FUNCTION due_digests(
  after integer, max_count integer, begun_before timestamptz, unhealthy_before timestamptz
) RETURNS TABLE (user_id integer, email text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
  SELECT users.id, users.email FROM users
  WHERE users.id > due_digests.after AND users.email_is_verified AND users.id IN (
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

REVOKE ALL ON FUNCTION due_digests FROM PUBLIC;
GRANT EXECUTE ON FUNCTION due_digests TO tapthru_worker;
GRANT SELECT, INSERT, UPDATE ON digests TO tapthru_api, tapthru_worker;
