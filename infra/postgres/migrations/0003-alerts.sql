-- Finds the links with many people on a day. Clicks that arrive while it is created wait in Redis.
CREATE INDEX clicks_busy_idx ON clicks (day, link_id) WHERE people >= 50;

-- Events that are recorded once in the day or week that their key has.
CREATE TABLE recorded_alerts (
  user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
  key text NOT NULL,
  recorded_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, key)
);
CREATE INDEX recorded_alerts_recorded_at_idx ON recorded_alerts (recorded_at);
CREATE FUNCTION add_event_once(owner_id integer, event text, event_data jsonb, once text) RETURNS void
  LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
  WITH recorded AS (INSERT INTO recorded_alerts (user_id, key) SELECT owner_id, event || ' ' || once
    WHERE EXISTS (SELECT FROM webhooks WHERE user_id = owner_id AND disabled_at IS NULL AND event = ANY (events))
    ON CONFLICT DO NOTHING RETURNING user_id)
  SELECT add_event(user_id, event, event_data) FROM recorded
$$;
CREATE FUNCTION report_unusual_clicks(busy bigint, clicks jsonb) RETURNS void
  LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
  SELECT add_event_once(link.user_id, 'clicks.unusual', link_event_data(link) || clicks, link.id || ' ' || current_date)
  FROM links AS link WHERE link.id = busy
$$;

-- The worker sees the address of a user only when an email is due.
CREATE FUNCTION alert_address(webhook integer) RETURNS text LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT
RETURN (SELECT email FROM webhooks JOIN users ON users.id = user_id
  WHERE webhooks.id = webhook AND url = 'mailto:' AND users.state = 'enabled' AND email_is_verified
    AND EXISTS (SELECT FROM webhook_deliveries WHERE webhook_id = webhook AND next_attempt_at <= now()));
CREATE OR REPLACE FUNCTION host_of_webhook(url text) RETURNS text LANGUAGE sql IMMUTABLE
RETURN coalesce(substring(url FROM '://(?:[^/?#]*@)?([^/?#]+)'), 'email');

REVOKE ALL ON FUNCTION add_event_once, report_unusual_clicks, alert_address FROM PUBLIC;
GRANT EXECUTE ON FUNCTION add_event_once TO tapthru_api, tapthru_worker;
GRANT EXECUTE ON FUNCTION report_unusual_clicks, alert_address TO tapthru_worker;
GRANT SELECT, DELETE ON recorded_alerts TO tapthru_worker;
GRANT INSERT ON webhook_deliveries TO tapthru_api;

-- Last, because links cannot change until the end of this transaction.
ALTER TABLE webhooks ADD quiet_hours jsonb; -- {from, to, timeZone}
CREATE OR REPLACE TRIGGER webhooks_record_change AFTER INSERT OR UPDATE OR DELETE ON webhooks FOR EACH ROW
  WHEN (pg_trigger_depth() = 0 AND current_setting('tapthru.actor', true) <> '')
  EXECUTE FUNCTION record_change('webhook', 'id', 'host', 'user_id', 'host,events,disabled_at,quiet_hours', 'url,sealed_secret');
