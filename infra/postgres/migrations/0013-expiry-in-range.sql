-- A redirect record says an expiry in milliseconds, which infinity has none of: one such row would fail
-- whoever reads it, alone or among others. Rows that are there are not looked at, as that would lock
-- the table meanwhile.
ALTER TABLE links ADD CONSTRAINT links_expires_at_in_range
  CHECK (expires_at BETWEEN '1970-01-01T00:00Z' AND '9999-12-31T00:00Z') NOT VALID;
