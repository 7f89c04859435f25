-- The api queries the identity provider for the accounts of webhooks: the worker, which sends events, has no access to it.
ALTER TABLE webhooks
  -- When the api last did.
  ADD COLUMN account_checked_at timestamptz NOT NULL DEFAULT now(),
  -- The account is disabled or was deleted there. Events wait until it is usable again, or are purged.
  ADD COLUMN account_ended boolean NOT NULL DEFAULT false;
