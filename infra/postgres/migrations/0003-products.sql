-- Metadata of Amazon's pages, one row for each page, shared by all links to it.
CREATE TABLE products (
  canonical_url text CONSTRAINT products_pkey PRIMARY KEY
    CONSTRAINT products_canonical_url_size CHECK (octet_length(canonical_url) <= 2048),
  marketplace text NOT NULL,
  product_id text NOT NULL,
  title text,
  description text,
  image_url text,
  site_name text,
  fetched_at timestamptz,
  attempts integer NOT NULL DEFAULT 0,
  -- When the sweep reads the page next; null: no further attempt.
  next_attempt_at timestamptz DEFAULT now(),
  last_outcome text,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX products_product_id_idx ON products (product_id, marketplace);
CREATE INDEX products_next_attempt_at_idx ON products (next_attempt_at)
  WHERE next_attempt_at IS NOT NULL;
