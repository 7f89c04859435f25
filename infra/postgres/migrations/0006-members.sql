-- Members of accounts, and open invitations, which have no member yet. The user of an account is its first owner and has no row.
CREATE TABLE members (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
  member_id integer REFERENCES users ON DELETE CASCADE,
  name text NOT NULL, -- What the owner who invited them calls them.
  role text NOT NULL,
  joined_at timestamptz,
  -- Of an invitation: SHA-256 of the token of its link, and until when it works.
  token_hash bytea UNIQUE,
  expires_at timestamptz,
  UNIQUE (account_id, member_id),
  CONSTRAINT members_joined CHECK (num_nulls(member_id, joined_at) = CASE WHEN token_hash IS NULL THEN 0 ELSE 2 END),
  CONSTRAINT members_expire CHECK ((token_hash IS NULL) = (expires_at IS NULL)),
  CONSTRAINT members_of_others CHECK (account_id <> member_id),
  CONSTRAINT members_role_known CHECK (role IN ('viewer', 'editor', 'owner'))
);
CREATE INDEX members_expires_at_idx ON members (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX members_member_id_idx ON members (member_id);
CREATE TRIGGER members_record_change AFTER INSERT OR UPDATE OR DELETE ON members FOR EACH ROW
  WHEN (pg_trigger_depth() = 0 AND current_setting('tapthru.actor', true) <> '')
  EXECUTE FUNCTION record_change('member', 'id', 'name', 'account_id', 'name,role,joined_at', '');

-- The account in which the key acts; null: its user's own.
ALTER TABLE api_keys ADD COLUMN account_id integer REFERENCES users ON DELETE CASCADE;
CREATE INDEX api_keys_account_id_idx ON api_keys (account_id) WHERE account_id IS NOT NULL;

GRANT SELECT, INSERT, UPDATE, DELETE ON members TO tapthru_api;
GRANT SELECT (id, expires_at), DELETE ON members TO tapthru_worker;
