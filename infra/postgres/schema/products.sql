-- Written by pnpm fix from a migrated database, to be read. The migrations have comments.

CREATE TABLE products (
  canonical_url text NOT NULL,
  marketplace text NOT NULL,
  product_id text NOT NULL,
  title text,
  description text,
  image_url text,
  site_name text,
  fetched_at timestamp with time zone,
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamp with time zone DEFAULT now(),
  last_outcome text,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  revision integer NOT NULL DEFAULT 0,
  spread_revision integer NOT NULL DEFAULT 0,
  keep_until timestamp with time zone,
  check_state text NOT NULL DEFAULT 'unknown'::text,
  checked_at timestamp with time zone,
  check_source text,
  attempted_at timestamp with time zone,
  suspected_state text,
  suspected_at timestamp with time zone,
  CONSTRAINT products_canonical_url_size CHECK (octet_length(canonical_url) <= 2048),
  CONSTRAINT products_pkey PRIMARY KEY (canonical_url)
);
CREATE INDEX products_keep_until_idx ON products (keep_until) WHERE (keep_until IS NOT NULL);
CREATE INDEX products_next_attempt_at_idx ON products (next_attempt_at) WHERE (next_attempt_at IS NOT NULL);
CREATE INDEX products_product_id_idx ON products (product_id, marketplace);
CREATE INDEX products_unspread_idx ON products (canonical_url) WHERE (spread_revision < revision);
GRANT DELETE, INSERT, SELECT, UPDATE ON products TO tapthru_worker;
GRANT INSERT, SELECT, UPDATE (next_attempt_at) ON products TO tapthru_api;
