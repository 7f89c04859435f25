-- Requested deletions of accounts. A row is kept for an hour after completion, so that a request in progress cannot
-- create a user for a deleted identity.
CREATE TABLE account_deletions (
  firebase_uid text CONSTRAINT account_deletions_pkey PRIMARY KEY,
  user_id integer NOT NULL,
  requested_at timestamptz NOT NULL DEFAULT now(),
  done_at timestamptz
);

GRANT SELECT, INSERT, UPDATE, DELETE ON account_deletions TO tapthru_api;
GRANT DELETE ON users TO tapthru_api;

-- A deleted link always leaves a tombstone, so a user's links are deleted before the user. Existing rows are not
-- checked, as that would lock the table; the previous constraint covered them.
ALTER TABLE links
  DROP CONSTRAINT links_user_id_fkey,
  ADD CONSTRAINT links_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) NOT VALID;
