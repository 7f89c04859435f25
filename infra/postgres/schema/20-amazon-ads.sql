-- A user's connection to Amazon Ads.
CREATE TABLE amazon_ads_connections (
  user_id integer PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  sealed_refresh_token text NOT NULL, -- Encrypted by the api; null after Amazon rejected it.
  account_name text,
  account_email text,
  connected_at timestamptz NOT NULL DEFAULT now(),
  -- When Amazon Attribution is read for a connection, and what came of the last time.
  next_read_at timestamptz NOT NULL DEFAULT now(),
  read_at timestamptz,
  has_attribution boolean, -- Whether any profile has an advertiser.
  is_revoked boolean NOT NULL DEFAULT false
);
CREATE INDEX amazon_ads_connections_next_read_at_idx ON amazon_ads_connections (next_read_at) WHERE NOT is_revoked;

-- What Amazon Attribution counted. Sales are in the smallest unit of the currency.
CREATE TABLE amazon_ads_figures (
  user_id integer NOT NULL REFERENCES amazon_ads_connections(user_id) ON DELETE CASCADE,
  day date NOT NULL,
  advertiser text NOT NULL,
  currency text NOT NULL,
  campaign_id text NOT NULL,
  ad_group_id text NOT NULL,
  clicks integer NOT NULL,
  detail_page_views integer NOT NULL,
  cart_additions integer NOT NULL,
  purchases integer NOT NULL,
  sales bigint NOT NULL
);
CREATE INDEX amazon_ads_figures_user_id_idx ON amazon_ads_figures (user_id, day);

GRANT SELECT (user_id, sealed_refresh_token, next_read_at, read_at, is_revoked), UPDATE (next_read_at, read_at, has_attribution, is_revoked) ON amazon_ads_connections TO tapthru_worker;
GRANT SELECT, DELETE ON amazon_ads_figures TO tapthru_api;
GRANT SELECT, INSERT, DELETE ON amazon_ads_figures TO tapthru_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON amazon_ads_connections TO tapthru_api;
