-- The activity: who changed what. Core's events.ts inserts a row in the transaction of the change. No service has the right to change
-- rows.
CREATE TABLE audit_log (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT now(), -- When the transaction began.
  actor text NOT NULL,
  actor_id integer, -- The user who acted, also with a key; null: a visitor, job or command.
  actor_name text, -- The name of a key, job or command.
  owner_id integer, -- The user whose object it is; null: no user's.
  action text NOT NULL, -- Kind of object and what happened, such as link.changed.
  object_id text NOT NULL,
  object text NOT NULL, -- People know the object by it.
  before jsonb, -- The columns that changed, of those that people may see.
  after jsonb,
  request_id text,
  -- The hash of the network address of the request, or of the one whose links an operator took down; deleted after 30 days.
  address_hash bytea,
  CONSTRAINT audit_log_actor_known CHECK (actor IN ('user', 'key', 'mcp', 'operator', 'visitor', 'job', 'command')),
  CONSTRAINT audit_log_address_hash_short CHECK (octet_length(address_hash) = 16)
);
CREATE INDEX audit_log_action_idx ON audit_log (action, id) WHERE action NOT LIKE 'link.%'; -- Most rows are of links.
CREATE INDEX audit_log_actor_id_idx ON audit_log (actor_id, id) WHERE actor_id <> coalesce(owner_id, 0);
CREATE INDEX audit_log_address_age_idx ON audit_log (id) WHERE address_hash IS NOT NULL;
CREATE INDEX audit_log_address_hash_idx ON audit_log (address_hash, id) WHERE address_hash IS NOT NULL;
CREATE INDEX audit_log_object_id_idx ON audit_log (object_id, at);
CREATE INDEX audit_log_object_idx ON audit_log (object, id) WHERE object <> '';
CREATE INDEX audit_log_owner_id_idx ON audit_log (owner_id, id) WHERE owner_id IS NOT NULL;

-- Returns those of the columns that the other object does not have, or has otherwise.
CREATE FUNCTION differing(columns jsonb, others jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE
RETURN (SELECT coalesce(jsonb_object_agg(key, value), '{}') FROM jsonb_each(columns) WHERE value IS DISTINCT FROM others -> key);

-- Makes the creation of links that a user claimed a part of their activity.
CREATE FUNCTION give_creation(owner integer, links bigint[]) RETURNS void
  LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
  UPDATE audit_log SET owner_id = owner WHERE object_id = ANY (links::text[]) AND action = 'link.created' AND owner_id IS NULL
$$;

-- Deletes some of the rows that are older than what is kept, which is at least 30 days, and network addresses after 30 days.
-- @returns how many rows; 0: none are left
CREATE FUNCTION purge_audit_log(kept interval, max_count integer) RETURNS bigint
  LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
  WITH deleted AS (DELETE FROM audit_log WHERE id = ANY (ARRAY(SELECT id FROM audit_log ORDER BY id LIMIT max_count))
      AND at < now() - greatest(kept, interval '30 days')
    RETURNING id), changed AS (UPDATE audit_log SET address_hash = NULL
    WHERE id = ANY (ARRAY(SELECT id FROM audit_log WHERE address_hash IS NOT NULL ORDER BY id LIMIT max_count))
      AND at < now() - interval '30 days' AND id NOT IN (SELECT id FROM deleted)
    RETURNING id)
  SELECT (SELECT count(*) FROM deleted) + (SELECT count(*) FROM changed)
$$;

-- Removes what some rows after `after_id` say about a user whose account is being deleted, and keeps that something was changed.
-- @returns the last of their ids; null: none are left
CREATE FUNCTION remove_activity_content(deleted_user integer, after_id bigint, max_count integer) RETURNS bigint
  LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
  WITH found AS MATERIALIZED (
    (SELECT id FROM audit_log WHERE owner_id = deleted_user AND id > after_id ORDER BY id LIMIT max_count)
    UNION ALL
    (SELECT id FROM audit_log WHERE actor_id = deleted_user AND actor_id <> coalesce(owner_id, 0) AND id > after_id
      ORDER BY id LIMIT max_count)
    ORDER BY id LIMIT max_count
  ), changed AS (UPDATE audit_log SET actor_name = NULL, address_hash = NULL,
      object = CASE WHEN owner_id = deleted_user THEN '' ELSE object END,
      before = CASE WHEN owner_id IS DISTINCT FROM deleted_user THEN before END,
      after = CASE WHEN owner_id IS DISTINCT FROM deleted_user THEN after END
    WHERE id = ANY (ARRAY(SELECT id FROM found))
      AND EXISTS (SELECT FROM account_deletions AS deletion WHERE deletion.user_id = deleted_user))
  SELECT max(id) FROM found
$$;

GRANT SELECT (id, action, object_id, address_hash), INSERT ON audit_log TO tapthru_worker;
GRANT SELECT, INSERT ON audit_log TO tapthru_api;
GRANT EXECUTE ON FUNCTION differing TO PUBLIC;
GRANT EXECUTE ON FUNCTION purge_audit_log TO tapthru_worker;
GRANT EXECUTE ON FUNCTION give_creation, remove_activity_content TO tapthru_api;
