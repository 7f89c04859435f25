-- Who changed what. Triggers insert one row for each change, in the transaction of the change, if that transaction says who
-- acts (`tapthru.actor`, a JSON object). The services' roles can insert rows, but cannot change or delete any.
CREATE TABLE audit_log (
  id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT audit_log_pkey PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT now(),
  actor text NOT NULL CONSTRAINT audit_log_actor_known
    CHECK (actor IN ('user', 'key', 'mcp', 'operator', 'visitor', 'job', 'command')),
  -- The user who acted, also with a key; null: a visitor, job or command.
  actor_id integer,
  -- The name of a key, job or command.
  actor_name text,
  -- The user whose object it is; null: no user's.
  owner_id integer,
  -- Kind of object and what happened, such as link.changed.
  action text NOT NULL,
  object_id text NOT NULL,
  -- What people know the object by.
  object text NOT NULL,
  -- The columns that changed, of those that people may see.
  before jsonb,
  after jsonb,
  request_id text,
  -- Of the network address; deleted after 30 days.
  address_hash bytea CONSTRAINT audit_log_address_hash_short CHECK (octet_length(address_hash) = 16)
);
CREATE INDEX audit_log_owner_id_idx ON audit_log (owner_id, id) WHERE owner_id IS NOT NULL;
CREATE INDEX audit_log_object_idx ON audit_log (object_id, id);
CREATE INDEX audit_log_address_hash_idx ON audit_log (address_hash, id) WHERE address_hash IS NOT NULL;

GRANT SELECT, INSERT ON audit_log TO tapthru_api, tapthru_worker;
