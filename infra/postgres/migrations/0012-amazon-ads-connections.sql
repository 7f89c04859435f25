-- A user's connection to Amazon Ads.
CREATE TABLE amazon_ads_connections (
  user_id integer CONSTRAINT amazon_ads_connections_pkey PRIMARY KEY
    CONSTRAINT amazon_ads_connections_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
  region text NOT NULL
    CONSTRAINT amazon_ads_connections_region_known CHECK (region IN ('na', 'eu', 'fe')),
  -- Encrypted by the api; null after Amazon rejected it.
  sealed_refresh_token text,
  account_name text,
  account_email text,
  profiles jsonb NOT NULL,
  connected_at timestamptz NOT NULL DEFAULT now(),
  -- When the connection was last checked at Amazon.
  checked_at timestamptz NOT NULL DEFAULT now()
);

GRANT SELECT, INSERT, UPDATE, DELETE ON amazon_ads_connections TO tapthru_api;
