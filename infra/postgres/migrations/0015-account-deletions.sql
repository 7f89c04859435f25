-- Accounts whose deletion was asked for. A row stays for an hour after it was done, so that no request
-- that is still under way makes a user of an identity that is gone.
CREATE TABLE account_deletions (
  firebase_uid text CONSTRAINT account_deletions_pkey PRIMARY KEY,
  user_id integer NOT NULL,
  requested_at timestamptz NOT NULL DEFAULT now(),
  done_at timestamptz
);

GRANT SELECT, INSERT, UPDATE, DELETE ON account_deletions TO tapthru_api;
GRANT DELETE ON users TO tapthru_api;

-- Links never go without a tombstone: a user's are deleted before he is. Rows that are there are not
-- looked at, as that would lock the table meanwhile; the constraint before held for them.
ALTER TABLE links
  DROP CONSTRAINT links_user_id_fkey,
  ADD CONSTRAINT links_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) NOT VALID;
