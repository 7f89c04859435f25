-- The routing of a user's links that do not choose for themselves: on sends visitors to their own store with the user's tag
-- there, and `fallback` says where they go if that store is not known to sell the product. Off without a row.
CREATE TABLE routing_settings (
  user_id integer PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  is_on boolean NOT NULL,
  fallback text NOT NULL,
  assistants_get_tag boolean NOT NULL DEFAULT false,
  CONSTRAINT routing_settings_fallback CHECK (fallback IN ('original', 'search'))
);

-- Users whose links may be routed: the worker looks at some of their links in turn, for products that it must check in stores.
CREATE TABLE store_checks (
  user_id integer PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  looked_at timestamptz NOT NULL DEFAULT '-infinity',
  after_id bigint NOT NULL DEFAULT 0 -- It looked at links up to this one since it began with the first.
);
CREATE INDEX store_checks_looked_at_idx ON store_checks (looked_at);

-- The stores, other than its own, that are known to sell the product of a link with an owner.
CREATE FUNCTION stores_of_product(owner_id integer, asin text, own_store text) RETURNS jsonb
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  IF owner_id IS NULL OR asin IS NULL THEN RETURN NULL; END IF;
  RETURN (SELECT jsonb_agg(store ORDER BY store) FROM product_stores AS known
    WHERE known.asin = stores_of_product.asin AND known.sold AND known.store <> own_store);
END
$$;

GRANT SELECT ON routing_settings TO tapthru_worker;
GRANT SELECT, INSERT, UPDATE ON routing_settings TO tapthru_api;
GRANT INSERT ON store_checks TO tapthru_api;
GRANT SELECT, UPDATE ON store_checks TO tapthru_worker;
GRANT EXECUTE ON FUNCTION stores_of_product TO tapthru_api, tapthru_redirect, tapthru_worker;
