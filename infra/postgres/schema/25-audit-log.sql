-- Who changed what. Triggers insert one row for each object that a transaction changes, if the transaction says who acts
-- (`tapthru.actor`, a JSON object). No service has the right to change rows.
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

-- Adds a row for a change by this transaction's actor, if there is one, or adds the change to the row of the same object in this
-- transaction. @param about_address the hash of the address that it is about, instead of the actor's
CREATE FUNCTION add_to_audit_log(
  done text, key text, name text, owner integer, earlier jsonb, later jsonb, about_address text DEFAULT NULL
) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  acting jsonb := nullif(current_setting('tapthru.actor', true), '')::jsonb;
  kind text := split_part(done, '.', 1);
BEGIN
  IF acting IS NULL THEN RETURN; END IF;
  IF done = kind || '.changed' THEN
    UPDATE audit_log SET before = earlier || before, after = after || later, object = name
    WHERE object_id = key AND at = now() AND action IN (kind || '.created', kind || '.claimed', done);
    IF FOUND THEN RETURN; END IF;
  END IF;
  INSERT INTO audit_log (
    actor, actor_id, actor_name, owner_id, action, object_id, object, before, after, request_id, address_hash)
  VALUES (acting ->> 'kind', (acting ->> 'userId')::integer, acting ->> 'name', owner, done, key, name, earlier, later,
    acting ->> 'requestId', decode(coalesce(about_address, acting ->> 'addressHash'), 'hex'));
END
$$;

-- Returns what people may see of a row: the columns that are not null, and the name of its channel.
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
  old_row jsonb := CASE WHEN TG_OP = 'INSERT' THEN '{}' ELSE to_jsonb(OLD) END;
  new_row jsonb := CASE WHEN TG_OP = 'DELETE' THEN '{}' ELSE to_jsonb(NEW) END;
  any_row jsonb;
  earlier jsonb;
  later jsonb;
  verb text := CASE TG_OP WHEN 'INSERT' THEN 'created' WHEN 'UPDATE' THEN 'changed' ELSE 'deleted' END;
  owner integer;
  secret text;
BEGIN
  IF TG_ARGV[0] = 'webhook' THEN
    old_row := old_row || jsonb_build_object('host', host_of_webhook(old_row ->> 'url'));
    new_row := new_row || jsonb_build_object('host', host_of_webhook(new_row ->> 'url'));
  -- The row of a deleted channel stays for reports.
  ELSIF TG_ARGV[0] = 'channel' AND TG_OP = 'UPDATE' AND new_row -> 'user_id' = 'null' THEN
    verb := 'deleted';
  END IF;
  any_row := CASE WHEN verb = 'deleted' THEN old_row ELSE new_row END;
  owner := any_row ->> TG_ARGV[3];
  earlier := visible_columns(old_row, columns);
  later := visible_columns(new_row, columns);
  IF verb = 'changed' THEN
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
  ELSIF verb = 'created' AND TG_ARGV[2] = '' THEN
    verb := 'changed';
  END IF;
  PERFORM add_to_audit_log(TG_ARGV[0] || '.' || verb,
    (SELECT string_agg(any_row ->> name, ' ') FROM unnest(string_to_array(TG_ARGV[1], ',')) AS name),
    coalesce(any_row ->> TG_ARGV[2], ''), owner,
    CASE WHEN verb <> 'created' THEN earlier END, CASE WHEN verb <> 'deleted' THEN later END);
  RETURN NULL;
END
$$;

-- Labels and the code without tag are properties of their links. That a link loses a deleted label follows from the deletion.
CREATE FUNCTION record_labels_of_links() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM add_to_audit_log('link.changed', link.id::text, link.short_code, link.user_id, '{}',
    jsonb_build_object(TG_ARGV[0], jsonb_agg(label.name ORDER BY label.name)))
  FROM labelled JOIN links AS link ON link.id = link_id JOIN labels AS label ON label.id = label_id GROUP BY link.id;
  RETURN NULL;
END
$$;
CREATE TRIGGER link_labels_record_added AFTER INSERT ON link_labels REFERENCING NEW TABLE AS labelled FOR EACH STATEMENT
  WHEN (pg_trigger_depth() = 0 AND current_setting('tapthru.actor', true) <> '')
  EXECUTE FUNCTION record_labels_of_links('labels_added');
CREATE TRIGGER link_labels_record_removed AFTER DELETE ON link_labels REFERENCING OLD TABLE AS labelled FOR EACH STATEMENT
  WHEN (pg_trigger_depth() = 0 AND current_setting('tapthru.actor', true) <> '')
  EXECUTE FUNCTION record_labels_of_links('labels_removed');

CREATE FUNCTION record_untagged_code() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM add_to_audit_log('link.changed', link.id::text, link.short_code, link.user_id, '{}',
    jsonb_build_object('untagged_code', NEW.short_code)) FROM links AS link WHERE link.id = NEW.link_id;
  RETURN NULL;
END
$$;
CREATE TRIGGER link_codes_record_untagged AFTER INSERT ON link_codes FOR EACH ROW
  WHEN (NEW.is_untagged) EXECUTE FUNCTION record_untagged_code();

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

DO $$
DECLARE
  audited record;
BEGIN
  FOR audited IN VALUES
    ('amazon_ads_connections', 'amazon-ads-connection', 'user_id', 'account_name', 'user_id', 'account_name,account_email', 'encrypted_refresh_token'),
    ('api_keys', 'key', 'id', 'name', 'owner_id', 'name,start,scopes,expires_at', ''),
    ('channel_tags', 'channel-tag', 'channel_id,marketplace', 'tag', 'user_id', 'channel,marketplace,tag', ''),
    ('channels', 'channel', 'id', 'name', 'user_id', 'name,is_default,fallback_url', ''),
    ('domains', 'domain', 'id', 'host', 'user_id', 'host,is_default,hsts,verified_at,off_at', ''),
    ('earnings_imports', 'earnings-import', 'id', 'file_name', 'user_id', 'file_name,state,marketplace,store_id,date_order', ''),
    ('earnings_rates', 'earnings-rates', 'user_id', '', 'user_id', 'currency,rates', ''),
    ('imports', 'import', 'id', 'file_name', 'user_id', 'file_name,format,state,domain,channel,uses_channel_tag', ''),
    ('invitations', 'invitation', 'id', 'id', '', 'makes_operator,expires_at', ''),
    ('labels', 'label', 'id', 'name', 'user_id', 'name,colour', ''),
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
GRANT SELECT ON audit_log TO tapthru_api;
GRANT EXECUTE ON FUNCTION purge_audit_log TO tapthru_worker;
GRANT EXECUTE ON FUNCTION add_to_audit_log, remove_activity_content TO tapthru_api;
