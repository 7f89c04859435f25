-- Webhooks of users. At most 10; the api counts them while it holds a lock on the user's row.
CREATE TABLE webhooks (
  id integer GENERATED ALWAYS AS IDENTITY CONSTRAINT webhooks_pkey PRIMARY KEY,
  user_id integer NOT NULL
    CONSTRAINT webhooks_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
  url text NOT NULL,
  events text[] NOT NULL
    CONSTRAINT webhooks_events_known CHECK (
      events <@ '{link.created,link.changed,link.deleted,import.finished}' AND events <> '{}'
    ),
  sealed_secret text NOT NULL,
  -- The secret before the last renewal. Deliveries are signed with it too, until the time beside it.
  sealed_previous_secret text,
  previous_secret_until timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- The time of the first failed attempt after the last successful one.
  failing_since timestamptz,
  -- Turns without a successful attempt since then, and when the next turn may begin.
  failure_count integer NOT NULL DEFAULT 0,
  paused_until timestamptz,
  -- No events are recorded or sent.
  disabled_at timestamptz,
  -- A worker sends its deliveries until then; after a crash another one takes over.
  leased_until timestamptz,
  -- Start of the last turn. The webhook whose turn was longest ago is next.
  served_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX webhooks_user_id_idx ON webhooks (user_id);
CREATE INDEX webhooks_leased_idx ON webhooks (user_id) WHERE leased_until IS NOT NULL;

-- An event for one webhook, recorded in the transaction of the change: the outbox of the worker, and afterwards the log.
CREATE TABLE webhook_deliveries (
  -- Also the `webhook-id` of all attempts.
  id uuid NOT NULL DEFAULT gen_random_uuid() CONSTRAINT webhook_deliveries_pkey PRIMARY KEY,
  webhook_id integer NOT NULL
    CONSTRAINT webhook_deliveries_webhook_id_fkey REFERENCES webhooks (id) ON DELETE CASCADE,
  type text NOT NULL,
  -- Null: the event is not of a link.
  link_id bigint,
  data jsonb NOT NULL,
  -- The time of the transaction.
  created_at timestamptz NOT NULL DEFAULT now(),
  -- Null: delivered, or given up.
  next_attempt_at timestamptz DEFAULT now(),
  attempt_count integer NOT NULL DEFAULT 0,
  last_attempt_at timestamptz,
  delivered_at timestamptz,
  -- Of the last attempt: the status of the response, or why there was none.
  response_status integer,
  error text,
  -- One event for each webhook, link and transaction.
  CONSTRAINT webhook_deliveries_link_once UNIQUE (webhook_id, created_at, link_id)
);
CREATE INDEX webhook_deliveries_pending_idx ON webhook_deliveries (webhook_id, next_attempt_at)
  WHERE next_attempt_at IS NOT NULL;
CREATE INDEX webhook_deliveries_created_at_idx ON webhook_deliveries (created_at);

-- Events of links are recorded by triggers, so that every statement that changes links or their labels does so. For users
-- without a webhook a trigger costs one look-up in an index.
CREATE FUNCTION add_link_events(ids bigint[], event text) RETURNS void
  LANGUAGE sql SET search_path FROM CURRENT AS $$
  INSERT INTO webhook_deliveries (webhook_id, type, link_id, data)
  SELECT webhook.id, actual.event, link.id, jsonb_build_object(
    'id', link.id,
    'shortCode', link.short_code,
    'webUrl', link.web_url,
    'title', link.title,
    'nickname', link.nickname,
    'labels', (
      SELECT coalesce(jsonb_agg(label.name ORDER BY label.name), '[]')
      FROM link_labels JOIN labels AS label ON label.id = label_id WHERE link_id = link.id
    ),
    'takenDown', link.taken_down_at IS NOT NULL,
    'expiresAt', to_char(link.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'createdAt', to_char(link.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
  )
  FROM links AS link
  -- The labels of a new link are inserted after it.
  CROSS JOIN LATERAL (
    SELECT CASE WHEN link.created_at = now() THEN 'link.created' ELSE add_link_events.event END
  ) AS actual (event)
  JOIN webhooks AS webhook ON webhook.user_id = link.user_id
  WHERE link.id = ANY (ids) AND webhook.disabled_at IS NULL AND actual.event = ANY (webhook.events)
  ON CONFLICT ON CONSTRAINT webhook_deliveries_link_once DO UPDATE SET data = excluded.data
$$;

CREATE FUNCTION add_events_of_created_links() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  ids bigint[];
BEGIN
  SELECT array_agg(id) INTO ids FROM added
  WHERE EXISTS (SELECT FROM webhooks WHERE webhooks.user_id = added.user_id);
  IF ids IS NOT NULL THEN PERFORM add_link_events(ids, 'link.created'); END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER links_add_created_events AFTER INSERT ON links
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION add_events_of_created_links();

-- A link that was created without an account is new to the user who claims it.
CREATE FUNCTION add_event_of_changed_link() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  IF EXISTS (SELECT FROM webhooks WHERE webhooks.user_id = NEW.user_id) THEN
    PERFORM add_link_events(
      ARRAY[NEW.id],
      CASE WHEN NEW.user_id = OLD.user_id THEN 'link.changed' ELSE 'link.created' END
    );
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER links_add_changed_event AFTER UPDATE ON links FOR EACH ROW
  WHEN (
    NEW.user_id IS NOT NULL
    AND (
      NEW.user_id, NEW.short_code, NEW.web_url, NEW.title, NEW.nickname, NEW.expires_at,
      NEW.taken_down_at
    ) IS DISTINCT FROM (
      OLD.user_id, OLD.short_code, OLD.web_url, OLD.title, OLD.nickname, OLD.expires_at,
      OLD.taken_down_at
    )
  )
  EXECUTE FUNCTION add_event_of_changed_link();

CREATE FUNCTION add_events_of_deleted_links() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO webhook_deliveries (webhook_id, type, link_id, data)
  SELECT webhook.id, 'link.deleted', link.id,
    jsonb_build_object('id', link.id, 'shortCode', link.short_code)
  FROM deleted AS link JOIN webhooks AS webhook USING (user_id)
  WHERE webhook.disabled_at IS NULL AND 'link.deleted' = ANY (webhook.events)
  ON CONFLICT ON CONSTRAINT webhook_deliveries_link_once
    DO UPDATE SET type = excluded.type, data = excluded.data;
  RETURN NULL;
END
$$;
CREATE TRIGGER links_add_deleted_events AFTER DELETE ON links
  REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION add_events_of_deleted_links();

-- Not for the labels of a deleted link, which is not found any more.
CREATE FUNCTION add_events_of_labelled_links() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  ids bigint[];
BEGIN
  SELECT array_agg(DISTINCT link.id) INTO ids
  FROM labelled JOIN links AS link ON link.id = labelled.link_id
  WHERE EXISTS (SELECT FROM webhooks WHERE webhooks.user_id = link.user_id);
  IF ids IS NOT NULL THEN PERFORM add_link_events(ids, 'link.changed'); END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER link_labels_add_events_of_added AFTER INSERT ON link_labels
  REFERENCING NEW TABLE AS labelled FOR EACH STATEMENT EXECUTE FUNCTION add_events_of_labelled_links();
CREATE TRIGGER link_labels_add_events_of_removed AFTER DELETE ON link_labels
  REFERENCING OLD TABLE AS labelled FOR EACH STATEMENT EXECUTE FUNCTION add_events_of_labelled_links();

CREATE FUNCTION add_events_of_renamed_label() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  IF EXISTS (SELECT FROM webhooks WHERE webhooks.user_id = NEW.user_id) THEN
    PERFORM add_link_events(
      ARRAY(SELECT link_id FROM link_labels WHERE label_id = NEW.id), 'link.changed'
    );
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER labels_add_events_of_renamed AFTER UPDATE ON labels FOR EACH ROW
  WHEN (NEW.name IS DISTINCT FROM OLD.name)
  EXECUTE FUNCTION add_events_of_renamed_label();

CREATE FUNCTION add_event_of_finished_import() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO webhook_deliveries (webhook_id, type, data)
  SELECT webhook.id, 'import.finished', jsonb_build_object(
    'id', NEW.id,
    'fileName', NEW.file_name,
    'counts', jsonb_build_object(
      'lines', NEW.line_count,
      'links', NEW.link_count,
      'replaced', NEW.replaced_count,
      'refused', NEW.refused_count,
      'created', NEW.created_count
    )
  )
  FROM webhooks AS webhook
  WHERE webhook.user_id = NEW.user_id AND webhook.disabled_at IS NULL
    AND 'import.finished' = ANY (webhook.events);
  RETURN NULL;
END
$$;
CREATE TRIGGER imports_add_finished_event AFTER UPDATE ON imports FOR EACH ROW
  WHEN (NEW.state = 'finished' AND OLD.state <> 'finished')
  EXECUTE FUNCTION add_event_of_finished_import();

REVOKE ALL ON FUNCTION add_link_events, add_events_of_created_links FROM PUBLIC;
REVOKE ALL ON FUNCTION add_event_of_changed_link, add_events_of_deleted_links FROM PUBLIC;
REVOKE ALL ON FUNCTION add_events_of_labelled_links, add_events_of_renamed_label FROM PUBLIC;
REVOKE ALL ON FUNCTION add_event_of_finished_import FROM PUBLIC;
GRANT SELECT, INSERT, UPDATE, DELETE ON webhooks TO tapthru_api;
GRANT SELECT, UPDATE ON webhook_deliveries TO tapthru_api;
GRANT SELECT, UPDATE ON webhooks TO tapthru_worker;
GRANT SELECT, UPDATE, DELETE ON webhook_deliveries TO tapthru_worker;
-- The worker sends nothing for accounts that are being deleted.
GRANT SELECT ON account_deletions TO tapthru_worker;
