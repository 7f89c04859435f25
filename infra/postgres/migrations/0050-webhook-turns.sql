-- A webhook with many events is deleted after them, in several statements.
GRANT DELETE ON webhook_deliveries TO tapthru_api;

-- Webhooks whose last turn was slow have some of the turns only, so that they do not delay the others.
ALTER TABLE webhooks ADD COLUMN last_turn_was_slow boolean NOT NULL DEFAULT false;
