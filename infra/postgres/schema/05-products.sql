-- Metadata of Amazon's pages, one row for each page, shared by all links to it.
CREATE TABLE products (
  canonical_url text PRIMARY KEY,
  marketplace text NOT NULL,
  product_id text NOT NULL,
  title text,
  description text,
  image_url text,
  site_name text,
  fetched_at timestamptz,
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz DEFAULT now(), -- When the sweep reads the page next; null: no further attempt.
  last_outcome text,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- When the metadata of a page expires; null: never. Metadata of the Creators API may be kept for 24 hours.
  keep_until timestamptz,
  -- The findings of checks of pages. A state other than 'ok' needs two checks that agree.
  check_state text NOT NULL DEFAULT 'unknown',
  checked_at timestamptz, -- The last check that found a state, and where; null: none did.
  check_source text,
  attempted_at timestamptz, -- The last check, also one that Amazon did not respond to.
  -- The state that the last check with a result found for the first time, and when; null if it found the stored state.
  suspected_state text,
  suspected_at timestamptz,
  CONSTRAINT products_canonical_url_size CHECK (octet_length(canonical_url) <= 2048)
);
CREATE INDEX products_keep_until_idx ON products (keep_until) WHERE keep_until IS NOT NULL;
-- New pages, and those that were read before or could not be, in the order in which they are due.
CREATE INDEX products_first_attempt_idx ON products (next_attempt_at) WHERE NOT (fetched_at IS NOT NULL OR attempts > 0);
CREATE INDEX products_next_attempt_idx ON products (next_attempt_at) WHERE fetched_at IS NOT NULL OR attempts > 0;
CREATE INDEX products_product_id_idx ON products (product_id, marketplace);

-- Stores in which the worker looked for a product.
CREATE TABLE product_stores (
  asin text NOT NULL,
  store text NOT NULL, -- The part of the host after `amazon.`.
  sold boolean, -- Null: unknown.
  source text, -- Where and when `sold` was found; null while it is unknown.
  checked_at timestamptz,
  attempts integer NOT NULL DEFAULT 0, -- Checks in a row that found nothing.
  next_check_at timestamptz NOT NULL DEFAULT now(),
  keep_until timestamptz NOT NULL DEFAULT (now() + '14 days'), -- The row is removed then.
  PRIMARY KEY (asin, store),
  CONSTRAINT product_stores_source CHECK (source IN ('creators-api', 'page'))
);
CREATE INDEX product_stores_keep_until_idx ON product_stores (keep_until);

GRANT INSERT, SELECT, UPDATE (next_attempt_at) ON products TO tapthru_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON products, product_stores TO tapthru_worker;
