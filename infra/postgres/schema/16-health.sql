-- The state of each link with an owner, by its tag and its page. Rows are added by triggers.
CREATE TABLE link_health (
  link_id bigint PRIMARY KEY REFERENCES all_links ON DELETE CASCADE,
  user_id integer NOT NULL, -- The owner of the link.
  state text NOT NULL DEFAULT 'unknown',
  since timestamptz NOT NULL DEFAULT now(),
  is_stale boolean NOT NULL DEFAULT true, -- The link or its page changed: the worker determines the state again.
  CONSTRAINT link_health_state_known CHECK (state IN ( 'ok', 'product-gone', 'out-of-stock', 'redirected-elsewhere', 'tag-missing', 'tag-malformed', 'unknown' ))
);
CREATE INDEX link_health_stale_idx ON link_health (link_id) WHERE is_stale;
CREATE INDEX link_health_unhealthy_idx ON link_health (user_id, link_id) WHERE state NOT IN ('ok', 'unknown');

-- A link that was claimed or restored, or got another destination.
CREATE FUNCTION reset_health_of_link() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO link_health (link_id, user_id) VALUES (NEW.id, NEW.user_id)
  ON CONFLICT (link_id) DO UPDATE SET user_id = excluded.user_id, state = 'unknown', since = now(), is_stale = true;
  RETURN NULL;
END
$$;
CREATE TRIGGER links_reset_health AFTER UPDATE ON all_links FOR EACH ROW WHEN (NEW.user_id IS NOT NULL AND NEW.deleted_at IS NULL
    AND (NEW.user_id, NEW.web_url, NEW.deleted_at) IS DISTINCT FROM (OLD.user_id, OLD.web_url, OLD.deleted_at))
  EXECUTE FUNCTION reset_health_of_link();

CREATE FUNCTION add_health_of_links() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO link_health (link_id, user_id) SELECT id, user_id FROM added WHERE user_id IS NOT NULL;
  RETURN NULL;
END
$$;
CREATE TRIGGER links_add_health AFTER INSERT ON all_links
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION add_health_of_links();

GRANT SELECT, DELETE ON link_health TO tapthru_api;
GRANT SELECT, UPDATE ON link_health TO tapthru_worker;
