-- Written by pnpm fix from a migrated database, to be read. The migrations have comments.

CREATE TABLE audit_log (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  at timestamp with time zone NOT NULL DEFAULT now(),
  actor text NOT NULL,
  actor_id integer,
  actor_name text,
  owner_id integer,
  action text NOT NULL,
  object_id text NOT NULL,
  object text NOT NULL,
  before jsonb,
  after jsonb,
  request_id text,
  address_hash bytea,
  CONSTRAINT audit_log_actor_known CHECK (actor = ANY (ARRAY['user'::text, 'key'::text, 'mcp'::text, 'operator'::text, 'visitor'::text, 'job'::text, 'command'::text])),
  CONSTRAINT audit_log_address_hash_short CHECK (octet_length(address_hash) = 16),
  CONSTRAINT audit_log_pkey PRIMARY KEY (id, at)
) PARTITION BY RANGE (at);
CREATE INDEX audit_log_action_idx ON audit_log (action, id) WHERE (action !~~ 'link.%'::text);
CREATE INDEX audit_log_actor_id_idx ON audit_log (actor_id, id) WHERE (actor_id <> COALESCE(owner_id, 0));
CREATE INDEX audit_log_actor_idx ON audit_log (actor, id) WHERE (actor <> ALL (ARRAY['user'::text, 'key'::text, 'visitor'::text, 'job'::text]));
CREATE INDEX audit_log_address_age_idx ON audit_log (id) WHERE (address_hash IS NOT NULL);
CREATE INDEX audit_log_address_hash_idx ON audit_log (address_hash, id) WHERE (address_hash IS NOT NULL);
CREATE INDEX audit_log_object_id_idx ON audit_log (object_id, at);
CREATE INDEX audit_log_object_idx ON audit_log (object, id) WHERE (object <> ''::text);
CREATE INDEX audit_log_owner_id_idx ON audit_log (owner_id, id) WHERE (owner_id IS NOT NULL);
GRANT INSERT, SELECT ON audit_log TO tapthru_api;
GRANT SELECT (id, action, object_id, address_hash) ON audit_log TO tapthru_worker;

CREATE FUNCTION add_to_audit_log(kind text, verb text, key text, name text, owner integer, earlier jsonb, later jsonb)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE
  acting jsonb := current_setting('tapthru.actor')::jsonb;
BEGIN
  IF verb = 'changed' THEN
    UPDATE audit_log SET before = earlier || before, after = after || later, object = name
    WHERE object_id = key AND at = now() AND action IN (kind || '.created', kind || '.claimed', kind || '.changed');
    IF FOUND THEN RETURN; END IF;
  END IF;
  INSERT INTO audit_log (
    actor, actor_id, actor_name, owner_id, action, object_id, object, before, after, request_id, address_hash)
  VALUES (acting ->> 'kind', (acting ->> 'userId')::integer, acting ->> 'name', owner, kind || '.' || verb, key, name,
    earlier, later, acting ->> 'requestId', decode(acting ->> 'addressHash', 'hex'));
END
$function$;

CREATE FUNCTION purge_audit_log(kept interval, max_count integer)
 RETURNS bigint
 LANGUAGE sql
 SECURITY DEFINER
AS $function$
  WITH deleted AS (DELETE FROM audit_log WHERE id = ANY (ARRAY(SELECT id FROM audit_log ORDER BY id LIMIT max_count))
      AND at < date_trunc('month', now() - greatest(kept, interval '30 days'), 'UTC')
    RETURNING id), changed AS (UPDATE audit_log SET address_hash = NULL
    WHERE id = ANY (ARRAY(SELECT id FROM audit_log WHERE address_hash IS NOT NULL ORDER BY id LIMIT max_count))
      AND at < now() - interval '30 days' AND id NOT IN (SELECT id FROM deleted)
    RETURNING id)
  SELECT (SELECT count(*) FROM deleted) + (SELECT count(*) FROM changed)
$function$;
GRANT EXECUTE ON FUNCTION purge_audit_log TO tapthru_worker;

CREATE FUNCTION record_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
AS $function$
DECLARE
  columns text[] := string_to_array(TG_ARGV[4], ',');
  old_row jsonb := '{}';
  new_row jsonb := '{}';
  any_row jsonb;
  earlier jsonb;
  later jsonb;
  verb text := CASE TG_OP WHEN 'INSERT' THEN 'created' WHEN 'UPDATE' THEN 'changed' ELSE 'deleted' END;
  owner integer;
  secret text;
BEGIN
  IF TG_OP <> 'INSERT' THEN old_row := to_jsonb(OLD); END IF;
  IF TG_OP <> 'DELETE' THEN new_row := to_jsonb(NEW); END IF;
  IF TG_ARGV[0] = 'webhook' THEN
    old_row := old_row || jsonb_build_object('host', host_of_webhook(old_row ->> 'url'));
    new_row := new_row || jsonb_build_object('host', host_of_webhook(new_row ->> 'url'));
  END IF;
  any_row := CASE WHEN TG_OP = 'DELETE' THEN old_row ELSE new_row END;
  owner := any_row ->> TG_ARGV[3];
  earlier := visible_columns(old_row, columns);
  later := visible_columns(new_row, columns);
  IF TG_OP = 'UPDATE' THEN
    -- The rest of an upload.
    IF old_row ->> 'state' = 'receiving' THEN RETURN NULL; END IF;
    FOREACH secret IN ARRAY string_to_array(TG_ARGV[5], ',') LOOP
      IF old_row -> secret IS DISTINCT FROM new_row -> secret THEN
        later := later || jsonb_build_object(secret, CASE WHEN new_row -> secret = 'null' THEN 'removed' ELSE 'replaced' END);
      END IF;
    END LOOP;
    SELECT jsonb_object_agg(name, coalesce(earlier -> name, 'null')), jsonb_object_agg(name, coalesce(later -> name, 'null'))
    INTO earlier, later
    FROM jsonb_object_keys(earlier || later) AS name WHERE earlier -> name IS DISTINCT FROM later -> name;
    IF later IS NULL THEN RETURN NULL; END IF;
    IF owner IS NOT NULL AND old_row -> TG_ARGV[3] = 'null' THEN
      verb := 'claimed';
      UPDATE audit_log SET owner_id = owner WHERE object_id = any_row ->> 'id' AND action = 'link.created' AND owner_id IS NULL;
    END IF;
  ELSIF TG_OP = 'INSERT' AND TG_ARGV[2] = '' THEN
    verb := 'changed';
  END IF;
  PERFORM add_to_audit_log(TG_ARGV[0], verb,
    (SELECT string_agg(any_row ->> name, ' ') FROM unnest(string_to_array(TG_ARGV[1], ',')) AS name),
    coalesce(any_row ->> TG_ARGV[2], ''), owner,
    CASE WHEN verb <> 'created' THEN earlier END, CASE WHEN verb <> 'deleted' THEN later END);
  RETURN NULL;
END
$function$;

CREATE FUNCTION remove_activity_content(deleted_user integer, after_id bigint, max_count integer)
 RETURNS bigint
 LANGUAGE sql
 SECURITY DEFINER
AS $function$
  WITH found AS MATERIALIZED (SELECT id FROM (
      (SELECT id FROM audit_log WHERE owner_id = deleted_user AND id > after_id ORDER BY id LIMIT max_count)
      UNION ALL
      (SELECT id FROM audit_log WHERE actor_id = deleted_user AND actor_id <> coalesce(owner_id, 0) AND id > after_id
       ORDER BY id LIMIT max_count)) AS of_user ORDER BY id LIMIT max_count), changed AS (
    UPDATE audit_log SET actor_name = NULL, address_hash = NULL,
      object = CASE WHEN owner_id = deleted_user THEN '' ELSE object END,
      before = CASE WHEN owner_id IS DISTINCT FROM deleted_user THEN before END,
      after = CASE WHEN owner_id IS DISTINCT FROM deleted_user THEN after END
    WHERE id = ANY (ARRAY(SELECT id FROM found))
      AND EXISTS (SELECT FROM account_deletions AS deletion WHERE deletion.user_id = deleted_user))
  SELECT max(id) FROM found
$function$;
GRANT EXECUTE ON FUNCTION remove_activity_content TO tapthru_api;

CREATE FUNCTION rotate_audit_log(kept interval)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET "TimeZone" TO 'UTC'
 SET lock_timeout TO '500ms'
AS $function$
DECLARE
  next_month timestamptz := date_trunc('month', now()) + interval '1 month';
  partition regclass;
  bound timestamptz; -- Null: of the rest.
  last_bound timestamptz;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('rotate_audit_log'));
  FOR partition, bound IN
    SELECT oid, substring(pg_get_expr(relpartbound, oid) FROM 'TO \(''(.+)''\)')
    FROM pg_inherits JOIN pg_class ON oid = inhrelid WHERE inhparent = 'audit_log'::regclass
  LOOP
    IF bound <= now() - greatest(kept, interval '30 days') THEN EXECUTE format('DROP TABLE %s', partition); END IF;
    last_bound := greatest(last_bound, bound);
  END LOOP;
  IF last_bound > next_month THEN RETURN; END IF;
  EXECUTE format('CREATE TABLE %I PARTITION OF audit_log FOR VALUES FROM (%L) TO (%L)',
    'audit_log' || to_char(next_month, '_YYYY_MM'), next_month, next_month + interval '1 month');
END
$function$;
GRANT EXECUTE ON FUNCTION rotate_audit_log TO tapthru_worker;

CREATE FUNCTION visible_columns(changed jsonb, columns text[])
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
AS $function$
BEGIN
  IF 'channel' = ANY (columns) AND changed ->> 'channel_id' IS NOT NULL THEN
    changed := changed || jsonb_build_object(
      'channel', (SELECT channels.name FROM channels WHERE channels.id = (changed ->> 'channel_id')::integer));
  END IF;
  RETURN (SELECT coalesce(jsonb_object_agg(column_name, changed -> column_name), '{}') FROM unnest(columns) AS column_name
    WHERE changed -> column_name <> 'null');
END
$function$;
