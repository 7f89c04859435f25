-- The host of PUBLIC_BASE_URL when the passkey was created, the only one at which it works. Null: created before this column, and not used since.
ALTER TABLE identity.passkey ADD COLUMN host text;

ALTER TABLE webhooks ADD unsubscribe_token uuid NOT NULL DEFAULT gen_random_uuid() UNIQUE; -- Part of the address in alerts that ends them without a login.
