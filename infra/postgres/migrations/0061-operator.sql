-- The operator's console.

-- `disabled`: the user cannot log in, and their keys do not work; `blocked`: their links give 410, too.
ALTER TABLE users
  ADD COLUMN state text NOT NULL DEFAULT 'enabled'
    CONSTRAINT users_state_known CHECK (state IN ('enabled', 'disabled', 'blocked')),
  ADD COLUMN last_login_at timestamptz;

-- How a link was taken down: by itself, with an address, or with its user, and then it works again when the user is enabled.
ALTER TABLE links
  ADD COLUMN taken_down_with text
    CONSTRAINT links_taken_down_with_known CHECK (taken_down_with IN ('user', 'address'));

-- The decision about a reported link. Null: open.
ALTER TABLE reports
  ADD COLUMN decision text
    CONSTRAINT reports_decision_known CHECK (decision IN ('dismissed', 'taken-down')),
  ADD COLUMN decided_at timestamptz,
  -- Whether an email to the operators is to be sent.
  ADD COLUMN notice_due boolean NOT NULL DEFAULT true;

-- Links of a user or a network address that the relay takes down, or lets work again.
CREATE TABLE take_downs (
  id integer GENERATED ALWAYS AS IDENTITY CONSTRAINT take_downs_pkey PRIMARY KEY,
  user_id integer CONSTRAINT take_downs_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
  address_hash bytea,
  is_taken_down boolean NOT NULL,
  -- Links up to this one are done.
  after_id bigint NOT NULL DEFAULT 0,
  CONSTRAINT take_downs_of_one CHECK (num_nonnulls(user_id, address_hash) = 1)
);

GRANT SELECT, INSERT ON take_downs TO tapthru_api;
GRANT SELECT, UPDATE, DELETE ON take_downs TO tapthru_worker;

-- What the page "System" shows.
GRANT SELECT ON link_changes, schema_migrations TO tapthru_api;
