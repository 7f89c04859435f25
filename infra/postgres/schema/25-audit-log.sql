-- Who changed what. Triggers insert one row for each object that a transaction changes, if the transaction says who acts
-- (`tapthru.actor`, a JSON object). The api's role can insert rows. None but the owner can change or delete any.
CREATE TABLE audit_log (
  id bigint GENERATED ALWAYS AS IDENTITY,
  at timestamptz NOT NULL DEFAULT now(), -- When the transaction began.
  actor text NOT NULL,
  actor_id integer, -- The user who acted, also with a key; null: a visitor, job or command.
  actor_name text, -- The name of a key, job or command.
  owner_id integer, -- The user whose object it is; null: no user's.
  action text NOT NULL, -- Kind of object and what happened, such as link.changed.
  object_id text NOT NULL,
  object text NOT NULL, -- What people know the object by.
  before jsonb, -- The columns that changed, of those that people may see.
  after jsonb,
  request_id text,
  -- Of the network address of the request, or of the one whose links an operator took down; deleted after 30 days.
  address_hash bytea,
  PRIMARY KEY (id, at),
  CONSTRAINT audit_log_actor_known CHECK (actor IN ('user', 'key', 'mcp', 'operator', 'visitor', 'job', 'command')),
  CONSTRAINT audit_log_address_hash_short CHECK (octet_length(address_hash) = 16)
) PARTITION BY RANGE (at);
-- Most rows are of links, and by people.
CREATE INDEX audit_log_action_idx ON audit_log (action, id) WHERE (action !~~ 'link.%'::text);
-- Of actors who changed what is not theirs.
CREATE INDEX audit_log_actor_id_idx ON audit_log (actor_id, id) WHERE (actor_id <> COALESCE(owner_id, 0));
CREATE INDEX audit_log_actor_idx ON audit_log (actor, id) WHERE (actor <> ALL (ARRAY['user'::text, 'key'::text, 'visitor'::text, 'job'::text]));
CREATE INDEX audit_log_address_age_idx ON audit_log (id) WHERE (address_hash IS NOT NULL);
CREATE INDEX audit_log_address_hash_idx ON audit_log (address_hash, id) WHERE (address_hash IS NOT NULL);
CREATE INDEX audit_log_object_id_idx ON audit_log (object_id, at);
CREATE INDEX audit_log_object_idx ON audit_log (object, id) WHERE (object <> ''::text);
CREATE INDEX audit_log_owner_id_idx ON audit_log (owner_id, id) WHERE (owner_id IS NOT NULL);

-- Adds a row for a change by this transaction's actor, or adds the change to the row of the same object in this transaction.
CREATE FUNCTION add_to_audit_log(kind text, verb text, key text, name text, owner integer, earlier jsonb, later jsonb
) RETURNS void LANGUAGE plpgsql AS $$
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
$$;

-- What people may see of a row: the columns that are not null, the name of its channel, and the host of its address.
CREATE FUNCTION visible_columns(changed jsonb, columns text[]) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF 'channel' = ANY (columns) AND changed ->> 'channel_id' IS NOT NULL THEN
    changed := changed || jsonb_build_object(
      'channel', (SELECT channels.name FROM channels WHERE channels.id = (changed ->> 'channel_id')::integer));
  END IF;
  RETURN (SELECT coalesce(jsonb_object_agg(column_name, changed -> column_name), '{}') FROM unnest(columns) AS column_name
    WHERE changed -> column_name <> 'null');
END
$$;

-- Arguments: kind of object; columns that identify it (with commas); the one that people know it by (empty: it is a setting of
-- its owner); the one with its owner (empty: none); columns that people may see; columns of which they only see that they changed.
CREATE FUNCTION record_change() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
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
$$;

-- Labels are a property of their links. That a link loses a deleted label follows from the deletion.
CREATE FUNCTION record_labels_of_links() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM add_to_audit_log('link', 'changed', changed.id::text, changed.short_code, changed.user_id,
    jsonb_build_object('labels', CASE TG_OP WHEN 'INSERT' THEN changed.others ELSE changed.all_names END),
    jsonb_build_object('labels', CASE TG_OP WHEN 'INSERT' THEN changed.all_names ELSE changed.others END))
  FROM (SELECT link.id, link.short_code, link.user_id, jsonb_agg(label.name ORDER BY label.name) AS all_names,
      coalesce(jsonb_agg(label.name ORDER BY label.name) FILTER (WHERE NOT named.is_changed), '[]') AS others
    FROM (SELECT link_id, label_id, bool_or(is_changed) AS is_changed FROM (
        SELECT link_id, label_id, true AS is_changed FROM labelled
        UNION ALL SELECT link_id, label_id, false FROM link_labels WHERE link_id IN (SELECT link_id FROM labelled)
      ) AS of_links GROUP BY link_id, label_id) AS named
    JOIN links AS link ON link.id = named.link_id JOIN labels AS label ON label.id = named.label_id
    GROUP BY link.id ORDER BY link.id) AS changed;
  RETURN NULL;
END
$$;
CREATE TRIGGER link_labels_record_added AFTER INSERT ON link_labels REFERENCING NEW TABLE AS labelled FOR EACH STATEMENT
  WHEN (pg_trigger_depth() = 0 AND current_setting('tapthru.actor', true) <> '')
  EXECUTE FUNCTION record_labels_of_links();
CREATE TRIGGER link_labels_record_removed AFTER DELETE ON link_labels REFERENCING OLD TABLE AS labelled FOR EACH STATEMENT
  WHEN (pg_trigger_depth() = 0 AND current_setting('tapthru.actor', true) <> '')
  EXECUTE FUNCTION record_labels_of_links();

CREATE FUNCTION record_deleted_channel() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM add_to_audit_log(
    'channel', 'deleted', OLD.id::text, OLD.name, OLD.user_id, visible_columns(to_jsonb(OLD), '{name,is_default}'), NULL);
  RETURN NULL;
END
$$;
CREATE TRIGGER channels_record_deleted AFTER UPDATE OF user_id ON channels FOR EACH ROW
  WHEN (NEW.user_id IS NULL AND pg_trigger_depth() = 0 AND current_setting('tapthru.actor', true) <> '')
  EXECUTE FUNCTION record_deleted_channel();

CREATE FUNCTION record_untagged_code() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM add_to_audit_log(
    'link', 'changed', link.id::text, link.short_code, link.user_id, '{}', jsonb_build_object('untagged_code', NEW.short_code))
  FROM links AS link WHERE link.id = NEW.link_id;
  RETURN NULL;
END
$$;
CREATE TRIGGER link_codes_record_untagged AFTER INSERT ON link_codes FOR EACH ROW
  WHEN (NEW.is_untagged AND current_setting('tapthru.actor', true) <> '')
  EXECUTE FUNCTION record_untagged_code();

-- Deletes some of the rows that are older than what is kept, which is at least 30 days, and network addresses after 30 days.
-- @returns how many rows; 0: none are left
CREATE FUNCTION purge_audit_log(kept interval, max_count integer) RETURNS bigint
  LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
  WITH deleted AS (DELETE FROM audit_log WHERE id = ANY (ARRAY(SELECT id FROM audit_log ORDER BY id LIMIT max_count))
      AND at < date_trunc('month', now() - greatest(kept, interval '30 days'), 'UTC')
    RETURNING id), changed AS (UPDATE audit_log SET address_hash = NULL
    WHERE id = ANY (ARRAY(SELECT id FROM audit_log WHERE address_hash IS NOT NULL ORDER BY id LIMIT max_count))
      AND at < now() - interval '30 days' AND id NOT IN (SELECT id FROM deleted)
    RETURNING id)
  SELECT (SELECT count(*) FROM deleted) + (SELECT count(*) FROM changed)
$$;

-- Drops the partitions whose rows are all older than is kept, and creates that of the next month.
CREATE FUNCTION rotate_audit_log(kept interval) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET timezone = 'UTC' SET lock_timeout = '500ms' AS $$
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
$$;

-- Removes what some rows after `after_id` say about a user whose account is being deleted, and keeps that something was changed.
-- @returns the last of their ids; null: none are left
CREATE FUNCTION remove_activity_content(deleted_user integer, after_id bigint, max_count integer) RETURNS bigint
  LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
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
$$;


CREATE TABLE audit_log_rest PARTITION OF audit_log DEFAULT; -- The log must not refuse a change if nobody creates the partition of a month.
SELECT rotate_audit_log('30 days');

DO $$
DECLARE
  audited record;
BEGIN
  FOR audited IN VALUES
    ('amazon_ads_connections', 'amazon-ads-connection', 'user_id', 'account_name', 'user_id', 'account_name,account_email', 'sealed_refresh_token'),
    ('api_keys', 'key', 'id', 'name', 'owner_id', 'name,start,scopes,expires_at', ''),
    ('channel_tags', 'channel-tag', 'channel_id,marketplace', 'tag', 'user_id', 'channel,marketplace,tag', ''),
    ('channels', 'channel', 'id', 'name', 'user_id', 'name,is_default,fallback_url', ''),
    ('domains', 'domain', 'id', 'host', 'user_id', 'host,is_default,hsts,verified_at,off_at', ''),
    ('earnings_imports', 'earnings-import', 'id', 'file_name', 'user_id', 'file_name,state,marketplace,store_id,date_order', ''),
    ('earnings_rates', 'earnings-rates', 'user_id', '', 'user_id', 'currency,rates', ''),
    ('experiments', 'experiment', 'id', 'id', 'user_id', 'channel,marketplace,os,arms,ends_at,adopted', ''),
    ('imports', 'import', 'id', 'file_name', 'user_id', 'file_name,format,state,domain,channel,uses_channel_tag', ''),
    ('invitations', 'invitation', 'id', 'id', '', 'makes_operator,expires_at', ''),
    ('labels', 'label', 'id', 'name', 'user_id', 'name,colour', ''),
    ('link_patterns', 'pattern', 'id', 'name', 'user_id', 'name,tags,channel,uses_channel_tag', ''),
    ('links', 'link', 'id', 'short_code', 'user_id', 'short_code,web_url,title,image_url,nickname,starts_at,expires_at,fallback_url,opening,channel,routing,taken_down_at', ''),
    ('members', 'member', 'id', 'name', 'account_id', 'name,role,joined_at', ''),
    ('onelink_stores', 'onelink-store', 'user_id,marketplace', 'marketplace', 'user_id', 'marketplace', ''),
    ('routing_settings', 'routing', 'user_id', '', 'user_id', 'is_on,fallback,assistants_get_tag', ''),
    ('shared_pages', 'shared-page', 'id', 'name', 'user_id', 'name,ends_on', ''),
    ('users', 'account', 'id', 'username', 'id', 'username,email,is_operator,state,displayed_name,shows_disclosure,weekly_email', ''),
    ('webhooks', 'webhook', 'id', 'host', 'user_id', 'host,events,disabled_at,quiet_hours', 'url,sealed_secret')
  LOOP
    EXECUTE format(
      'CREATE TRIGGER %1$I AFTER INSERT OR UPDATE OR DELETE ON %2$I FOR EACH ROW
       WHEN (pg_trigger_depth() = 0 AND current_setting(''tapthru.actor'', true) <> '''')
       EXECUTE FUNCTION record_change(%3$L, %4$L, %5$L, %6$L, %7$L, %8$L)',
      audited.column1 || '_record_change', audited.column1, audited.column2, audited.column3, audited.column4,
      audited.column5, audited.column6, audited.column7
    );
  END LOOP;
END
$$;

GRANT SELECT (id, action, object_id, address_hash) ON audit_log TO tapthru_worker;
GRANT SELECT, INSERT ON audit_log TO tapthru_api;
GRANT EXECUTE ON FUNCTION purge_audit_log, rotate_audit_log TO tapthru_worker;
GRANT EXECUTE ON FUNCTION remove_activity_content TO tapthru_api;
