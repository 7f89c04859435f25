-- Whether stores sell a product, as the worker verified it.
CREATE TABLE product_stores (
  asin text NOT NULL,
  -- What follows `amazon.` in the host of the store.
  store text NOT NULL,
  -- Null: unknown, for example after a captcha.
  sold boolean,
  source text NOT NULL
    CONSTRAINT product_stores_source CHECK (source IN ('creators_api', 'page')),
  checked_at timestamptz NOT NULL,
  CONSTRAINT product_stores_pkey PRIMARY KEY (asin, store)
);

-- Whether visitors of a user's links are sent to their own store with the user's tag there, if the link does not say so
-- itself, and where they go if that store is not known to sell the product. Without a row: no, and the original link.
CREATE TABLE routing_settings (
  user_id integer NOT NULL
    CONSTRAINT routing_settings_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
  is_on boolean NOT NULL,
  fallback text NOT NULL
    CONSTRAINT routing_settings_fallback CHECK (fallback IN ('original', 'search')),
  CONSTRAINT routing_settings_pkey PRIMARY KEY (user_id)
);
-- Null: as the owner's account says.
ALTER TABLE links ADD routing boolean;

GRANT SELECT, INSERT, UPDATE, DELETE ON product_stores TO tapthru_worker;
GRANT SELECT, INSERT, UPDATE ON routing_settings TO tapthru_api;
-- The worker verifies products in the stores to which their links can lead.
GRANT SELECT ON routing_settings, store_tags, onelink_stores TO tapthru_worker;
