-- Where a file with the pages of a domain's links is put each day.
ALTER TABLE domains
  ADD COLUMN backup_host text,
  ADD COLUMN sealed_backup text, -- The address, and the key of an S3-compatible store, as encrypted JSON.
  ADD COLUMN backup_due_at timestamptz, -- Null: there is none.
  ADD COLUMN backed_up_at timestamptz, -- The last success.
  ADD COLUMN backup_error text; -- Null: the last attempt succeeded.
CREATE INDEX domains_backup_due_at_idx ON domains (backup_due_at) WHERE backup_due_at IS NOT NULL;

CREATE OR REPLACE TRIGGER domains_record_change AFTER INSERT OR UPDATE OR DELETE ON domains FOR EACH ROW
  WHEN (pg_trigger_depth() = 0 AND current_setting('tapthru.actor', true) <> '')
  EXECUTE FUNCTION record_change(
    'domain', 'id', 'host', 'user_id', 'host,is_default,hsts,verified_at,off_at,backup_host', 'sealed_backup');
