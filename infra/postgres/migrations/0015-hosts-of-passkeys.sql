-- The host of PUBLIC_BASE_URL when the passkey was created, the only one at which it works. Null: created before this column, and not used since.
ALTER TABLE identity.passkey ADD COLUMN host text;
