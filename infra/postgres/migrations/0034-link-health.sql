-- What checks found about pages. A state other than 'ok' needs two checks that agree.
ALTER TABLE products
  ADD check_state text NOT NULL DEFAULT 'unknown',
  -- The last check that found a state, and where; null: none did.
  ADD checked_at timestamptz,
  ADD check_source text,
  -- The last check, also one that Amazon did not respond to.
  ADD attempted_at timestamptz,
  -- What the last check with a result found for the first time, and when it did so; null: what the state says.
  ADD suspected_state text,
  ADD suspected_at timestamptz;

-- The state of each link with an owner, by its tag and its page. Rows are added by triggers.
CREATE TABLE link_health (
  link_id bigint CONSTRAINT link_health_pkey PRIMARY KEY
    CONSTRAINT link_health_link_id_fkey REFERENCES links (id) ON DELETE CASCADE,
  state text NOT NULL DEFAULT 'unknown'
    CONSTRAINT link_health_state_known CHECK (state IN (
      'ok', 'product-gone', 'out-of-stock', 'redirected-elsewhere', 'tag-missing', 'tag-malformed',
      'unknown'
    )),
  since timestamptz NOT NULL DEFAULT now(),
  -- The link or its page changed: the worker determines the state again.
  is_stale boolean NOT NULL DEFAULT true
);
CREATE INDEX link_health_stale_idx ON link_health (link_id) WHERE is_stale;

INSERT INTO link_health (link_id) SELECT id FROM links WHERE user_id IS NOT NULL;

CREATE FUNCTION add_health_of_links() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO link_health (link_id) SELECT id FROM added WHERE user_id IS NOT NULL;
  RETURN NULL;
END
$$;
CREATE TRIGGER links_add_health AFTER INSERT ON links
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION add_health_of_links();

-- A link that was claimed, or got another destination.
CREATE FUNCTION reset_health_of_link() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO link_health (link_id) VALUES (NEW.id)
  ON CONFLICT (link_id) DO UPDATE SET state = 'unknown', since = now(), is_stale = true;
  RETURN NULL;
END
$$;
CREATE TRIGGER links_reset_health AFTER UPDATE ON links FOR EACH ROW
  WHEN (
    NEW.user_id IS NOT NULL
    AND (NEW.user_id, NEW.web_url) IS DISTINCT FROM (OLD.user_id, OLD.web_url)
  )
  EXECUTE FUNCTION reset_health_of_link();

-- Those that were inserted since the first statement. The triggers' lock keeps others waiting for this one only.
INSERT INTO link_health (link_id)
SELECT id FROM links WHERE user_id IS NOT NULL
  AND NOT EXISTS (SELECT FROM link_health WHERE link_id = links.id);

REVOKE ALL ON FUNCTION add_health_of_links, reset_health_of_link FROM PUBLIC;
GRANT SELECT ON link_health TO tapthru_api;
GRANT SELECT, UPDATE ON link_health TO tapthru_worker;
-- A page is read at once on request of an owner.
GRANT UPDATE (next_attempt_at) ON products TO tapthru_api;
-- A tag that the owner saved for a store is not a typing error.
GRANT SELECT ON store_tags TO tapthru_worker;
