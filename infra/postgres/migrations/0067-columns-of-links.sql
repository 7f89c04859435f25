-- contract: unused since 0066
-- Triggers read the columns of links, not addresses.
CREATE OR REPLACE FUNCTION check_channel_tag() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM FROM channel_tags
  WHERE channel_id = NEW.channel_id AND marketplace = NEW.marketplace AND tag = NEW.channel_tag FOR SHARE;
  IF NOT FOUND THEN
    INSERT INTO channel_tag_changes (user_id, channel_id, marketplace)
    VALUES (NEW.user_id, NEW.channel_id, NEW.marketplace);
  END IF;
  RETURN NULL;
END
$$;

-- The channel that has a link's tag in its store, or had it, or else its own. As the worker's and the api's TagMatcher.
CREATE FUNCTION channel_of_tag(owner_id integer, own_channel integer, store text, own_tag text) RETURNS integer
LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
  SELECT coalesce((
    SELECT channel_id FROM (
      SELECT channel_id, tag, 1 AS place FROM channel_tags WHERE user_id = owner_id AND marketplace = store
      UNION ALL
      SELECT channel_id, tag, 2 FROM earlier_channel_tags WHERE user_id = owner_id AND marketplace = store
    ) AS known WHERE lower(tag) = own_tag ORDER BY place LIMIT 1
  ), own_channel)
$$;
CREATE OR REPLACE FUNCTION record_channel_move() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  usual integer := default_channel(NEW.user_id);
  old_own integer := coalesce(OLD.channel_id, usual);
  new_own integer := coalesce(NEW.channel_id, usual);
  old_channel integer := channel_of_tag(NEW.user_id, old_own, OLD.marketplace, OLD.tag);
  new_channel integer := channel_of_tag(NEW.user_id, new_own, NEW.marketplace, NEW.tag);
  today date := (now() AT TIME ZONE 'UTC')::date;
BEGIN
  IF (OLD.marketplace, old_own, old_channel) IS NOT DISTINCT FROM (NEW.marketplace, new_own, new_channel) THEN
    RETURN NULL;
  END IF;
  INSERT INTO channel_moves (channel_id, moved_on)
  SELECT id, today FROM channels
  WHERE id IN (old_own, new_own, old_channel, new_channel)
    AND NOT EXISTS (SELECT FROM channel_moves AS known WHERE known.channel_id = id AND moved_on = today)
  ORDER BY id
  ON CONFLICT (channel_id) DO UPDATE SET moved_on = excluded.moved_on;
  RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION channel_of_tag FROM PUBLIC;
DROP FUNCTION channel_of_address, store_of_address, tag_of_address, has_tag;
DROP FUNCTION replace_tag, replace_encoded_tag, replace_parameter;

-- Users whose links may be routed: the worker looks at some of their links in turn, for products that it must check in stores.
CREATE TABLE store_checks (
  user_id integer NOT NULL CONSTRAINT store_checks_pkey PRIMARY KEY
    CONSTRAINT store_checks_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
  looked_at timestamptz NOT NULL DEFAULT '-infinity',
  -- It looked at links up to this one since it began with the first.
  after_id bigint NOT NULL DEFAULT 0
);
CREATE INDEX store_checks_looked_at_idx ON store_checks (looked_at);
CREATE FUNCTION add_store_check() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO store_checks (user_id) VALUES (NEW.user_id) ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;
CREATE TRIGGER routing_settings_add_store_check AFTER INSERT OR UPDATE ON routing_settings FOR EACH ROW
  WHEN (NEW.is_on) EXECUTE FUNCTION add_store_check();
CREATE TRIGGER links_add_store_check AFTER INSERT OR UPDATE OF routing ON links FOR EACH ROW
  WHEN (NEW.routing AND NEW.user_id IS NOT NULL) EXECUTE FUNCTION add_store_check();
INSERT INTO store_checks (user_id)
SELECT user_id FROM routing_settings WHERE is_on
UNION SELECT user_id FROM links WHERE routing AND user_id IS NOT NULL;
REVOKE ALL ON FUNCTION add_store_check FROM PUBLIC;
GRANT SELECT, UPDATE ON store_checks TO tapthru_worker;

-- A channel that its user deleted has no user, until the relay has removed it from its links.
ALTER TABLE channels ALTER user_id DROP NOT NULL;
CREATE INDEX channels_deleted_idx ON channels (id) WHERE user_id IS NULL;
GRANT UPDATE (user_id), DELETE ON channels TO tapthru_worker;
GRANT SELECT, UPDATE, DELETE ON channel_tag_changes TO tapthru_api;
CREATE FUNCTION record_deleted_channel() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM add_to_audit_log(
    'channel', 'deleted', OLD.id::text, OLD.name, OLD.user_id, visible_columns(to_jsonb(OLD), '{name,is_default}'), NULL
  );
  RETURN NULL;
END
$$;
CREATE TRIGGER channels_record_deleted AFTER UPDATE OF user_id ON channels FOR EACH ROW
  WHEN (NEW.user_id IS NULL AND pg_trigger_depth() = 0 AND current_setting('tapthru.actor', true) <> '')
  EXECUTE FUNCTION record_deleted_channel();
CREATE TRIGGER channels_notify AFTER UPDATE OF user_id ON channels
  FOR EACH STATEMENT EXECUTE FUNCTION notify_routing_changes();
REVOKE ALL ON FUNCTION record_deleted_channel FROM PUBLIC;
