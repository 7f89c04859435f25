ALTER TABLE products
  -- Counts changes of what is shown of the page.
  ADD revision integer NOT NULL DEFAULT 0,
  -- The revision that all live links of the page have been told of.
  ADD spread_revision integer NOT NULL DEFAULT 0;

-- The revision of its page that a link's last change carried.
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
