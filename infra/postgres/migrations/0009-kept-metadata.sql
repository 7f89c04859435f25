-- When the metadata of a page expires; null: never. Metadata of the Creators API may be kept for 24 hours.
ALTER TABLE products ADD keep_until timestamptz;

CREATE INDEX products_keep_until_idx ON products (keep_until) WHERE keep_until IS NOT NULL;

-- Failed pages are retried without limit from now on.
UPDATE products SET next_attempt_at = now() + random() * interval '30 days'
WHERE next_attempt_at IS NULL;
