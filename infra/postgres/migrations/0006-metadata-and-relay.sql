ALTER TABLE products
  -- Incremented when displayed metadata changes.
  ADD revision integer NOT NULL DEFAULT 0,
  -- The revision that was propagated to all live links of the page.
  ADD spread_revision integer NOT NULL DEFAULT 0;

-- The page revision of the link's last change.
ALTER TABLE links ADD product_revision integer NOT NULL DEFAULT 0;

CREATE INDEX products_unspread_idx ON products (canonical_url) WHERE spread_revision < revision;

CREATE FUNCTION notify_link_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('link_changes', '');
  RETURN NULL;
END
$$;

CREATE TRIGGER link_changes_notify AFTER INSERT ON link_changes
  FOR EACH STATEMENT EXECUTE FUNCTION notify_link_changes();
