-- A redirect record has its expiry in milliseconds, so an infinite one cannot be read, alone or in a batch. Existing
-- rows are not checked, as that would lock the table.
ALTER TABLE links ADD CONSTRAINT links_expires_at_in_range
  CHECK (expires_at BETWEEN '1970-01-01T00:00Z' AND '9999-12-31T00:00Z') NOT VALID;
