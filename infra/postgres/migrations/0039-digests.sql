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

GRANT SELECT, INSERT, UPDATE ON digests TO tapthru_api, tapthru_worker;
GRANT SELECT (id, email, email_is_verified) ON users TO tapthru_worker;
