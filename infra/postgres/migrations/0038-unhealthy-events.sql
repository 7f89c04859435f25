-- Webhooks may have the event link.unhealthy. The api checks the events, so that a new one needs no constraint that the
-- previous release does not know.
ALTER TABLE webhooks DROP CONSTRAINT webhooks_events_known;

-- The link with its columns as events have them.
CREATE FUNCTION link_event_data(link links) RETURNS jsonb
  LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
  SELECT jsonb_build_object(
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
$$;

CREATE OR REPLACE FUNCTION add_link_events(ids bigint[], event text) RETURNS void
  LANGUAGE sql SET search_path FROM CURRENT AS $$
  INSERT INTO webhook_deliveries (webhook_id, type, link_id, data)
  SELECT webhook.id, actual.event, link.id, link_event_data(link)
  FROM links AS link
  -- The labels of a new link are inserted after it.
  CROSS JOIN LATERAL (
    SELECT CASE WHEN link.created_at = now() THEN 'link.created' ELSE add_link_events.event END
  ) AS actual (event)
  JOIN webhooks AS webhook ON webhook.user_id = link.user_id
  WHERE link.id = ANY (ids) AND webhook.disabled_at IS NULL AND actual.event = ANY (webhook.events)
  ON CONFLICT ON CONSTRAINT webhook_deliveries_link_once DO UPDATE SET data = excluded.data
$$;

-- For live links, in the transaction that stores the new state: each change of state is recorded once.
CREATE FUNCTION add_event_of_unhealthy_link() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO webhook_deliveries (webhook_id, type, link_id, data)
  SELECT webhook.id, 'link.unhealthy', link.id, link_event_data(link) || jsonb_build_object(
    'health', jsonb_build_object(
      'state', NEW.state,
      'previousState', OLD.state,
      'since', to_char(NEW.since AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
    )
  )
  FROM links AS link JOIN webhooks AS webhook ON webhook.user_id = link.user_id
  WHERE link.id = NEW.link_id
    AND link.taken_down_at IS NULL AND (link.expires_at IS NULL OR link.expires_at > now())
    AND webhook.disabled_at IS NULL AND 'link.unhealthy' = ANY (webhook.events);
  RETURN NULL;
END
$$;
CREATE TRIGGER link_health_add_unhealthy_event AFTER UPDATE ON link_health FOR EACH ROW
  WHEN (NEW.state IS DISTINCT FROM OLD.state AND NEW.state NOT IN ('ok', 'unknown'))
  EXECUTE FUNCTION add_event_of_unhealthy_link();

REVOKE ALL ON FUNCTION link_event_data, add_event_of_unhealthy_link FROM PUBLIC;
