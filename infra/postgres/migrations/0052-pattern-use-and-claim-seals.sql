-- Only addresses with one of these tags get links; empty: all.
ALTER TABLE link_patterns ADD COLUMN tags text[] NOT NULL DEFAULT '{}';
GRANT UPDATE (tags) ON link_patterns TO tapthru_api;

-- Existing links count as links of earlier days.
ALTER TABLE pattern_links ADD COLUMN created_at timestamptz NOT NULL DEFAULT '2000-01-01';
ALTER TABLE pattern_links ALTER COLUMN created_at SET DEFAULT now();

-- Set for a link that was visited again: it is not deleted to make room for another.
ALTER TABLE pattern_links ADD COLUMN was_visited_again boolean NOT NULL DEFAULT false;
GRANT UPDATE (was_visited_again) ON pattern_links TO tapthru_api;

-- The claim token that a request without a cookie got, encrypted with its key, so that a repeated request gets it too.
ALTER TABLE idempotency_keys ADD COLUMN claim_seal text;
