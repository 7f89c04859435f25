-- Written by pnpm fix from a migrated database, to be read. The migrations have comments.

CREATE TABLE digests (
  user_id integer NOT NULL,
  unsubscribe_token uuid NOT NULL DEFAULT gen_random_uuid(),
  unsubscribed_at timestamp with time zone,
  begun_at timestamp with time zone,
  sent_at timestamp with time zone,
  refused_at timestamp with time zone,
  CONSTRAINT digests_pkey PRIMARY KEY (user_id),
  CONSTRAINT digests_unsubscribe_token_key UNIQUE (unsubscribe_token),
  CONSTRAINT digests_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE TRIGGER digests_record_change AFTER INSERT OR DELETE OR UPDATE ON digests FOR EACH ROW WHEN (pg_trigger_depth() = 0 AND current_setting('tapthru.actor'::text, true) <> ''::text) EXECUTE FUNCTION record_change('digest', 'user_id', '', 'user_id', 'unsubscribed_at', '');
GRANT INSERT, SELECT, UPDATE ON digests TO tapthru_api, tapthru_worker;

CREATE TABLE recorded_alerts (
  user_id integer NOT NULL,
  key text NOT NULL,
  recorded_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT recorded_alerts_pkey PRIMARY KEY (user_id, key),
  CONSTRAINT recorded_alerts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX recorded_alerts_recorded_at_idx ON recorded_alerts (recorded_at);
GRANT DELETE, SELECT ON recorded_alerts TO tapthru_worker;

CREATE TABLE webhook_deliveries (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  webhook_id integer NOT NULL,
  type text NOT NULL,
  link_id bigint,
  data jsonb NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  next_attempt_at timestamp with time zone DEFAULT now(),
  attempt_count integer NOT NULL DEFAULT 0,
  last_attempt_at timestamp with time zone,
  delivered_at timestamp with time zone,
  response_status integer,
  error text,
  CONSTRAINT webhook_deliveries_link_once UNIQUE (webhook_id, created_at, link_id),
  CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (id),
  CONSTRAINT webhook_deliveries_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES webhooks(id) ON DELETE CASCADE
);
CREATE INDEX webhook_deliveries_created_at_idx ON webhook_deliveries (created_at);
CREATE INDEX webhook_deliveries_pending_idx ON webhook_deliveries (webhook_id, next_attempt_at) WHERE (next_attempt_at IS NOT NULL);
GRANT DELETE, INSERT, SELECT, UPDATE ON webhook_deliveries TO tapthru_api, tapthru_worker;

CREATE TABLE webhooks (
  id integer NOT NULL GENERATED ALWAYS AS IDENTITY,
  user_id integer NOT NULL,
  url text NOT NULL,
  events text[] NOT NULL,
  sealed_secret text NOT NULL,
  sealed_previous_secret text,
  previous_secret_until timestamp with time zone,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  failing_since timestamp with time zone,
  failure_count integer NOT NULL DEFAULT 0,
  paused_until timestamp with time zone,
  disabled_at timestamp with time zone,
  leased_until timestamp with time zone,
  served_at timestamp with time zone NOT NULL DEFAULT now(),
  account_checked_at timestamp with time zone NOT NULL DEFAULT now(),
  account_ended boolean NOT NULL DEFAULT false,
  last_turn_was_slow boolean NOT NULL DEFAULT false,
  quiet_hours jsonb,
  sealed_url text,
  disabled_reason text,
  made_by integer,
  unsubscribe_token uuid NOT NULL DEFAULT gen_random_uuid(),
  CONSTRAINT webhooks_pkey PRIMARY KEY (id),
  CONSTRAINT webhooks_unsubscribe_token_key UNIQUE (unsubscribe_token),
  CONSTRAINT webhooks_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX webhooks_leased_idx ON webhooks (user_id) WHERE (leased_until IS NOT NULL);
CREATE INDEX webhooks_user_id_idx ON webhooks (user_id);
CREATE TRIGGER webhooks_record_change AFTER INSERT OR DELETE OR UPDATE ON webhooks FOR EACH ROW WHEN (pg_trigger_depth() = 0 AND current_setting('tapthru.actor'::text, true) <> ''::text) EXECUTE FUNCTION record_change('webhook', 'id', 'host', 'user_id', 'host,events,disabled_at,quiet_hours', 'url,sealed_secret');
GRANT DELETE, INSERT, SELECT, UPDATE ON webhooks TO tapthru_api;
GRANT SELECT, UPDATE ON webhooks TO tapthru_worker;

CREATE FUNCTION add_event(owner_id integer, event text, event_data jsonb, event_link bigint DEFAULT NULL::bigint)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
AS $function$
  INSERT INTO webhook_deliveries (webhook_id, type, link_id, data)
  SELECT id, event, event_link, event_data FROM webhooks
  WHERE user_id = owner_id AND disabled_at IS NULL AND event = ANY (events)
$function$;

CREATE FUNCTION add_event_once(owner_id integer, event text, event_data jsonb, once text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
AS $function$
  WITH recorded AS (INSERT INTO recorded_alerts (user_id, key) SELECT owner_id, event || ' ' || once
    WHERE EXISTS (SELECT FROM webhooks WHERE user_id = owner_id AND disabled_at IS NULL AND event = ANY (events))
    ON CONFLICT DO NOTHING RETURNING user_id)
  SELECT add_event(user_id, event, event_data) FROM recorded
$function$;
GRANT EXECUTE ON FUNCTION add_event_once TO tapthru_api, tapthru_worker;

CREATE FUNCTION alert_address(webhook integer)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
RETURN (SELECT users.email FROM (webhooks JOIN users ON ((users.id = webhooks.user_id))) WHERE ((webhooks.id = alert_address.webhook) AND (webhooks.url = 'mailto:'::text) AND (users.state = 'enabled'::text) AND users.email_is_verified AND (EXISTS (SELECT FROM webhook_deliveries WHERE ((webhook_deliveries.webhook_id = alert_address.webhook) AND (webhook_deliveries.next_attempt_at <= now()))))));
GRANT EXECUTE ON FUNCTION alert_address TO tapthru_worker;

CREATE FUNCTION due_digests(after integer, max_count integer, begun_before timestamp with time zone, unhealthy_before timestamp with time zone)
 RETURNS TABLE(user_id integer, email text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
AS $function$
  SELECT users.id, users.email FROM users
  WHERE users.id > due_digests.after AND users.state = 'enabled' AND users.email_is_verified AND users.id IN (
    SELECT link.user_id FROM link_health AS health JOIN links AS link ON link.id = health.link_id
    WHERE health.state NOT IN ('ok', 'unknown') AND health.since < due_digests.unhealthy_before
      AND link.taken_down_at IS NULL AND (link.expires_at IS NULL OR link.expires_at > now()))
  AND NOT EXISTS (SELECT FROM digests WHERE digests.user_id = users.id AND (
      digests.unsubscribed_at IS NOT NULL OR digests.begun_at > due_digests.begun_before))
  AND NOT EXISTS (SELECT FROM account_deletions AS deletion WHERE deletion.user_id = users.id)
  ORDER BY users.id LIMIT due_digests.max_count
$function$;
GRANT EXECUTE ON FUNCTION due_digests TO tapthru_worker;

CREATE FUNCTION host_of_webhook(url text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
RETURN COALESCE("substring"(url, '://(?:[^/?#]*@)?([^/?#]+)'::text), 'email'::text);
