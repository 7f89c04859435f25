-- Webhooks of users. At most 10; the api counts them while it holds a lock on the user's row.
CREATE TABLE webhooks (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
  url text NOT NULL,
  events text[] NOT NULL,
  sealed_secret text NOT NULL,
  -- The secret before the last renewal. Deliveries are signed with it too, until the time beside it.
  sealed_previous_secret text,
  previous_secret_until timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  failing_since timestamptz, -- The time of the first failed attempt after the last successful one.
  failure_count integer NOT NULL DEFAULT 0, -- Turns without a successful attempt since then, and when the next turn may begin.
  paused_until timestamptz,
  disabled_at timestamptz, -- No events are recorded or sent.
  leased_until timestamptz, -- A worker sends its deliveries until then; after a crash another one takes over.
  served_at timestamptz NOT NULL DEFAULT now(), -- Start of the last turn. The webhook whose turn was longest ago is next.
  account_checked_at timestamptz NOT NULL DEFAULT now(), -- When the api last did.
  -- The account is disabled or was deleted there. Events wait until it is usable again, or are purged.
  account_ended boolean NOT NULL DEFAULT false,
  -- Webhooks whose last turn was slow have some of the turns only, so that they do not delay the others.
  last_turn_was_slow boolean NOT NULL DEFAULT false,
  quiet_hours jsonb, -- {from, to, timeZone}
  sealed_url text, -- The address of a chat, which is a secret: `url` is its origin then.
  disabled_reason text,
  made_by integer,
  unsubscribe_token uuid NOT NULL DEFAULT gen_random_uuid() UNIQUE
);
CREATE INDEX webhooks_leased_idx ON webhooks (user_id) WHERE leased_until IS NOT NULL;
CREATE INDEX webhooks_user_id_idx ON webhooks (user_id);

-- An event for one webhook, recorded in the transaction of the change: the outbox of the worker, and afterwards the log.
CREATE TABLE webhook_deliveries (
  id uuid DEFAULT gen_random_uuid() PRIMARY KEY, -- Also the `webhook-id` of all attempts.
  webhook_id integer NOT NULL REFERENCES webhooks ON DELETE CASCADE,
  type text NOT NULL,
  link_id bigint, -- Null: the event is not of a link.
  data jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(), -- The time of the transaction.
  next_attempt_at timestamptz DEFAULT now(), -- Null: delivered, or given up.
  attempt_count integer NOT NULL DEFAULT 0,
  last_attempt_at timestamptz,
  delivered_at timestamptz,
  response_status integer, -- Of the last attempt: the status of the response, or why there was none.
  error text,
  CONSTRAINT webhook_deliveries_link_once UNIQUE (webhook_id, created_at, link_id)
);
CREATE INDEX webhook_deliveries_created_at_idx ON webhook_deliveries (created_at);
CREATE INDEX webhook_deliveries_pending_idx ON webhook_deliveries (webhook_id, next_attempt_at)
  WHERE next_attempt_at IS NOT NULL;

-- What a member made ends when their role does not allow it any more. A webhook is only disabled: its log remains.
CREATE FUNCTION end_ways_of_member() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  DELETE FROM members WHERE account_id = OLD.account_id AND invited_by = OLD.member_id AND token_hash IS NOT NULL;
  UPDATE webhooks SET disabled_at = now()
  WHERE user_id = OLD.account_id AND made_by = OLD.member_id AND disabled_at IS NULL;
  IF TG_OP = 'DELETE' OR to_jsonb(NEW) ->> 'role' = 'viewer' THEN
    DELETE FROM shared_pages WHERE user_id = OLD.account_id AND made_by = OLD.member_id;
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER members_end_ways AFTER DELETE ON members FOR EACH ROW
  WHEN (OLD.member_id IS NOT NULL) EXECUTE FUNCTION end_ways_of_member();
CREATE TRIGGER members_end_ways_of_role AFTER UPDATE OF role ON members FOR EACH ROW
  WHEN (OLD.member_id IS NOT NULL AND NEW.role <> OLD.role AND NEW.role <> 'owner') EXECUTE FUNCTION end_ways_of_member();

-- The worker sees the address of a user only when an email is due.
CREATE FUNCTION alert_address(webhook integer) RETURNS text LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT
RETURN (SELECT email FROM webhooks JOIN users ON users.id = user_id
  WHERE webhooks.id = webhook AND url = 'mailto:' AND users.state = 'enabled' AND email_is_verified
    AND EXISTS (SELECT FROM webhook_deliveries WHERE webhook_id = webhook AND next_attempt_at <= now()));

-- The path of such an address is often a secret.
CREATE FUNCTION host_of_webhook(url text) RETURNS text LANGUAGE sql IMMUTABLE
RETURN coalesce(substring(url FROM '://(?:[^/?#]*@)?([^/?#]+)'), 'email');

-- Returns what events say about a link.
CREATE FUNCTION link_event_data(link links) RETURNS jsonb LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
  SELECT jsonb_build_object('id', link.id, 'shortCode', link.short_code, 'webUrl', link.web_url, 'title', link.title,
    'imageUrl', link.image_url,
    'nickname', link.nickname,
    'fallbackUrl', link.fallback_url,
    'opening', link.opening,
    'labels', (SELECT coalesce(jsonb_agg(label.name ORDER BY label.name), '[]')
      FROM link_labels JOIN labels AS label ON label.id = label_id WHERE link_id = link.id),
    'takenDown', link.taken_down_at IS NOT NULL,
    'startsAt', utc_text(link.starts_at), 'expiresAt', utc_text(link.expires_at), 'createdAt', utc_text(link.created_at))
$$;

-- Records an event for those webhooks of a user that get it.
CREATE FUNCTION add_event(owner_id integer, event text, event_data jsonb, event_link bigint DEFAULT NULL) RETURNS void
  LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
  INSERT INTO webhook_deliveries (webhook_id, type, link_id, data)
  SELECT id, event, event_link, event_data FROM webhooks
  WHERE user_id = owner_id AND disabled_at IS NULL AND event = ANY (events)
$$;

-- Events of links are recorded by triggers, so that every statement that changes links or their labels does so. For users
-- without a webhook a trigger costs one look-up in an index.
CREATE FUNCTION add_link_events(ids bigint[], event text) RETURNS void LANGUAGE sql SET search_path FROM CURRENT AS $$
  INSERT INTO webhook_deliveries (webhook_id, type, link_id, data)
  SELECT webhook.id, actual.event, link.id, link_event_data(link)
  FROM links AS link
  -- The labels of a new link are inserted after it.
  CROSS JOIN LATERAL (SELECT CASE WHEN link.created_at = now() THEN 'link.created' ELSE add_link_events.event END
  ) AS actual (event)
  JOIN webhooks AS webhook ON webhook.user_id = link.user_id
  WHERE link.id = ANY (ids) AND webhook.disabled_at IS NULL AND actual.event = ANY (webhook.events)
  ON CONFLICT ON CONSTRAINT webhook_deliveries_link_once DO UPDATE SET data = excluded.data
$$;

-- A link that was created without an account is new to the user who claims it.
CREATE FUNCTION add_event_of_changed_link() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  IF EXISTS (SELECT FROM webhooks WHERE webhooks.user_id = NEW.user_id) THEN
    PERFORM add_link_events(ARRAY[NEW.id], CASE WHEN NEW.user_id = OLD.user_id THEN 'link.changed' ELSE 'link.created' END);
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER links_add_changed_event AFTER UPDATE ON links FOR EACH ROW WHEN (NEW.user_id IS NOT NULL AND (
      NEW.user_id, NEW.short_code, NEW.web_url, NEW.title, NEW.nickname, NEW.expires_at,
      NEW.taken_down_at) IS DISTINCT FROM (OLD.user_id, OLD.short_code, OLD.web_url, OLD.title, OLD.nickname, OLD.expires_at,
      OLD.taken_down_at))
  EXECUTE FUNCTION add_event_of_changed_link();
CREATE TRIGGER links_add_event_of_fallback AFTER UPDATE OF fallback_url ON links FOR EACH ROW
  WHEN (NEW.user_id IS NOT NULL AND NEW.fallback_url IS DISTINCT FROM OLD.fallback_url)
  EXECUTE FUNCTION add_event_of_changed_link();
CREATE TRIGGER links_add_event_of_opening AFTER UPDATE OF opening ON links FOR EACH ROW
  WHEN (NEW.user_id IS NOT NULL AND NEW.opening IS DISTINCT FROM OLD.opening)
  EXECUTE FUNCTION add_event_of_changed_link();
CREATE TRIGGER links_add_event_of_picture_or_start AFTER UPDATE OF image_url, starts_at ON links FOR EACH ROW
  WHEN (NEW.user_id IS NOT NULL AND (NEW.image_url, NEW.starts_at) IS DISTINCT FROM (OLD.image_url, OLD.starts_at))
  EXECUTE FUNCTION add_event_of_changed_link();

-- Labels that a deleted link loses make no event: the link is not found.
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

-- Tells the webhooks of operators that a link was reported for a reason for which no report is open.
CREATE FUNCTION add_event_of_abuse_report() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM add_event(users.id, 'link.reported', jsonb_build_object(
    'shortCode', link.short_code, 'webUrl', link.web_url, 'reason', NEW.reason, 'count', NEW.count))
  FROM links AS link CROSS JOIN users
  WHERE link.short_code = NEW.short_code AND users.is_operator AND users.state = 'enabled';
  RETURN NULL;
END
$$;
-- A report that was decided about is not new when its link is restored.
CREATE TRIGGER abuse_reports_add_event AFTER INSERT ON abuse_reports FOR EACH ROW WHEN (NEW.decision IS NULL)
  EXECUTE FUNCTION add_event_of_abuse_report();
CREATE TRIGGER abuse_reports_add_event_of_reopened AFTER UPDATE ON abuse_reports FOR EACH ROW
  WHEN (NEW.decision IS NULL AND OLD.decision IS NOT NULL AND NEW.count > OLD.count)
  EXECUTE FUNCTION add_event_of_abuse_report();

GRANT SELECT, INSERT, UPDATE, DELETE ON webhook_deliveries TO tapthru_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON webhooks, webhook_deliveries TO tapthru_api;
GRANT SELECT, UPDATE ON webhooks TO tapthru_worker;
GRANT EXECUTE ON FUNCTION alert_address, link_event_data, add_link_events TO tapthru_worker;
GRANT EXECUTE ON FUNCTION end_ways_of_member TO PUBLIC;
