-- Webhooks of users. At most 10; the api counts them while it holds a lock on the user's row.
CREATE TABLE webhooks (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
  url text NOT NULL,
  -- The path of the address is often a secret.
  host text NOT NULL GENERATED ALWAYS AS (coalesce(substring(url FROM '://(?:[^/?#]*@)?([^/?#]+)'), 'email')) STORED,
  -- The registered domain or address of the host: all webhooks there get a bounded number of requests. By default that of no other.
  receiver text NOT NULL DEFAULT gen_random_uuid()::text,
  events text[] NOT NULL,
  encrypted_secret text NOT NULL,
  -- The secret before the last renewal. Deliveries are signed with it too, until the time beside it.
  encrypted_previous_secret text,
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
  quiet_hours jsonb, -- {from, to, timeZone}
  encrypted_url text, -- The address of a chat, which is a secret: `url` is its origin then.
  disabled_reason text,
  made_by integer,
  unsubscribe_token uuid NOT NULL DEFAULT gen_random_uuid() UNIQUE
);
CREATE INDEX webhooks_leased_idx ON webhooks (user_id) WHERE leased_until IS NOT NULL;
CREATE INDEX webhooks_user_id_idx ON webhooks (user_id);

-- An event for one webhook, which core's events.ts records in the transaction of the change: the outbox of the worker, and afterwards
-- the log.
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
  response_status integer, -- The status of the last response, or in `error` why there was none.
  error text,
  CONSTRAINT webhook_deliveries_link_once UNIQUE (webhook_id, created_at, link_id)
);
CREATE INDEX webhook_deliveries_created_at_idx ON webhook_deliveries (created_at);
CREATE INDEX webhook_deliveries_pending_idx ON webhook_deliveries (webhook_id, next_attempt_at)
  WHERE next_attempt_at IS NOT NULL;

-- Ends what a member made when their role no longer allows it. A webhook is only disabled: its log remains.
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

-- Returns what events say about a link.
CREATE FUNCTION link_event_data(link links) RETURNS jsonb LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
  SELECT jsonb_build_object('id', link.id, 'shortCode', link.short_code, 'webUrl', link_url(link, link.web_url), 'title', link.title,
    'imageUrl', link.image_url,
    'nickname', link.nickname,
    'fallbackUrl', link.fallback_url,
    'opening', link.opening,
    'labels', (SELECT coalesce(jsonb_agg(label.name ORDER BY label.name), '[]')
      FROM link_labels JOIN labels AS label ON label.id = label_id WHERE link_id = link.id),
    'takenDown', link.taken_down_at IS NOT NULL,
    'startsAt', utc_text(link.starts_at), 'expiresAt', utc_text(link.expires_at), 'createdAt', utc_text(link.created_at))
$$;

GRANT SELECT, INSERT, UPDATE, DELETE ON webhook_deliveries TO tapthru_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON webhooks, webhook_deliveries TO tapthru_api;
GRANT SELECT, UPDATE ON webhooks TO tapthru_worker;
GRANT EXECUTE ON FUNCTION alert_address TO tapthru_worker;
GRANT EXECUTE ON FUNCTION link_event_data TO tapthru_api, tapthru_worker;
GRANT EXECUTE ON FUNCTION end_ways_of_member TO PUBLIC;
