-- Personal API keys. A revoked key is deleted.
CREATE TABLE api_keys (
  id integer GENERATED ALWAYS AS IDENTITY CONSTRAINT api_keys_pkey PRIMARY KEY,
  user_id integer NOT NULL
    CONSTRAINT api_keys_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
  name text NOT NULL,
  -- SHA-256 of the key.
  key_hash bytea NOT NULL CONSTRAINT api_keys_key_hash_key UNIQUE,
  -- The first characters of the key, by which its user recognizes it.
  start text NOT NULL,
  scopes text[] NOT NULL
    CONSTRAINT api_keys_scopes_known CHECK (scopes <@ '{links:read,links:write,clicks:read}' AND scopes <> '{}'),
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz,
  -- To the minute.
  last_used_at timestamptz
);
CREATE INDEX api_keys_user_id_idx ON api_keys (user_id);
CREATE INDEX api_keys_expires_at_idx ON api_keys (expires_at) WHERE expires_at IS NOT NULL;

-- What happened to the keys of a user: the latest events only.
CREATE TABLE api_key_events (
  id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT api_key_events_pkey PRIMARY KEY,
  user_id integer NOT NULL
    CONSTRAINT api_key_events_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
  event text NOT NULL CONSTRAINT api_key_events_event_known CHECK (event IN ('created', 'revoked')),
  at timestamptz NOT NULL DEFAULT now(),
  key_name text NOT NULL,
  key_start text NOT NULL,
  key_scopes text[] NOT NULL
);
CREATE INDEX api_key_events_user_id_idx ON api_key_events (user_id, id);

GRANT SELECT, INSERT, DELETE, UPDATE (last_used_at) ON api_keys TO tapthru_api;
GRANT SELECT, INSERT, DELETE ON api_key_events TO tapthru_api;
GRANT SELECT (id, expires_at), DELETE ON api_keys TO tapthru_worker;
