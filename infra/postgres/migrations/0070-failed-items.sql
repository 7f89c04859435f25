-- Rows, users, domains or files whose work in a job failed. They are skipped until their next attempt, and the others go on. A row is
-- deleted when its item succeeds, or some time after no round tried it again, because the item is gone.
CREATE TABLE failed_items (
  -- What the items are: mostly the name of the job.
  kind text NOT NULL,
  key text NOT NULL,
  error text NOT NULL CONSTRAINT failed_items_error_length CHECK (char_length(error) <= 500),
  attempts integer NOT NULL DEFAULT 1,
  first_failed_at timestamptz NOT NULL DEFAULT now(),
  retry_at timestamptz NOT NULL,
  CONSTRAINT failed_items_pkey PRIMARY KEY (kind, key)
);
GRANT SELECT, INSERT, UPDATE, DELETE ON failed_items TO tapthru_api, tapthru_worker;
