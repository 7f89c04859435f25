-- No store of clicks outside of Postgres has to follow claims and deletions any more.
CREATE OR REPLACE FUNCTION record_claimed_link_for_clicks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RETURN NULL;
END
$$;
CREATE OR REPLACE FUNCTION follow_deleted_links() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  ended bigint[] := ARRAY(SELECT id FROM deleted WHERE NOT EXISTS (SELECT FROM deleted_links AS kept WHERE kept.id = deleted.id));
BEGIN
  INSERT INTO webhook_deliveries (webhook_id, type, link_id, data)
  SELECT webhook.id, 'link.deleted', link.id, jsonb_build_object('id', link.id, 'shortCode', link.short_code)
  FROM deleted AS link JOIN webhooks AS webhook USING (user_id)
  WHERE webhook.disabled_at IS NULL AND 'link.deleted' = ANY (webhook.events)
  ON CONFLICT ON CONSTRAINT webhook_deliveries_link_once DO UPDATE SET type = excluded.type, data = excluded.data;
  DELETE FROM clicks WHERE link_id = ANY (ended);
  DELETE FROM monthly_clicks WHERE link_id = ANY (ended);
  -- Only months since the creation of the links are searched.
  DELETE FROM audit_log WHERE object_id = ANY (ARRAY(SELECT id::text FROM deleted WHERE user_id IS NULL))
    AND at >= (SELECT min(created_at) FROM deleted WHERE user_id IS NULL) AND action IN ('link.created', 'link.deleted');
  RETURN NULL;
END
$$;
CREATE OR REPLACE FUNCTION end_deleted_links() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  ended bigint[] := ARRAY(SELECT id FROM purged WHERE NOT EXISTS (SELECT FROM links WHERE links.id = purged.id));
BEGIN
  DELETE FROM clicks WHERE link_id = ANY (ended);
  DELETE FROM monthly_clicks WHERE link_id = ANY (ended);
  RETURN NULL;
END
$$;
