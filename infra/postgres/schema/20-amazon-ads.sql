-- A user's connection to Amazon Ads.
CREATE TABLE amazon_ads_connections (
  user_id integer PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  encrypted_refresh_token text NOT NULL, -- By the api, with the newest of ENCRYPTION_KEYS.
  account_name text,
  account_email text,
  connected_at timestamptz NOT NULL DEFAULT now()
);

GRANT SELECT, INSERT, UPDATE, DELETE ON amazon_ads_connections TO tapthru_api;
