-- Until when what is known of a page may be kept; null: for ever. The Creators API lends it for a day.
ALTER TABLE products ADD keep_until timestamptz;

CREATE INDEX products_keep_until_idx ON products (keep_until) WHERE keep_until IS NOT NULL;

-- No page is given up for good any more.
UPDATE products SET next_attempt_at = now() + random() * interval '30 days'
WHERE next_attempt_at IS NULL;
