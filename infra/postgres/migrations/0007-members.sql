-- Members of accounts. The user of an account is its first owner and has no row.
CREATE TABLE members (
  account_id integer REFERENCES users ON DELETE CASCADE,
  member_id integer REFERENCES users ON DELETE CASCADE,
  name text NOT NULL, -- What the owner who invited them called them.
  role text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (account_id, member_id),
  CONSTRAINT members_of_others CHECK (account_id <> member_id),
  CONSTRAINT members_role_known CHECK (role IN ('viewer', 'editor', 'owner'))
);
CREATE INDEX members_member_id_idx ON members (member_id);

-- Links with which one user can become a member.
CREATE TABLE member_invitations (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
  name text NOT NULL,
  role text NOT NULL,
  token_hash bytea NOT NULL UNIQUE,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  CONSTRAINT member_invitations_role_known CHECK (role IN ('viewer', 'editor', 'owner')),
  CONSTRAINT member_invitations_token_hash_sha256 CHECK (octet_length(token_hash) = 32)
);
CREATE INDEX member_invitations_account_id_idx ON member_invitations (account_id);
CREATE INDEX member_invitations_expires_at_idx ON member_invitations (expires_at);

-- The account in which the key acts; null: its user's own.
ALTER TABLE api_keys ADD COLUMN account_id integer REFERENCES users ON DELETE CASCADE;
CREATE INDEX api_keys_account_id_idx ON api_keys (account_id) WHERE account_id IS NOT NULL;

CREATE TRIGGER members_record_change AFTER INSERT OR UPDATE OR DELETE ON members FOR EACH ROW
  WHEN (pg_trigger_depth() = 0 AND current_setting('tapthru.actor', true) <> '')
  EXECUTE FUNCTION record_change('member', 'account_id,member_id', 'name', 'account_id', 'name,role', '');
CREATE TRIGGER member_invitations_record_change AFTER INSERT OR UPDATE OR DELETE ON member_invitations FOR EACH ROW
  WHEN (pg_trigger_depth() = 0 AND current_setting('tapthru.actor', true) <> '')
  EXECUTE FUNCTION record_change('member-invitation', 'id', 'name', 'account_id', 'name,role,expires_at', '');

GRANT SELECT, INSERT, UPDATE, DELETE ON members TO tapthru_api;
GRANT SELECT, INSERT, DELETE ON member_invitations TO tapthru_api;
GRANT SELECT (id, expires_at), DELETE ON member_invitations TO tapthru_worker;
