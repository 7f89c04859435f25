-- Files of links are sent nowhere any more. The columns stay, because the previous release reads them.
UPDATE domains SET backup_host = NULL, sealed_backup = NULL, backup_due_at = NULL, backed_up_at = NULL, backup_error = NULL
WHERE sealed_backup IS NOT NULL;
CREATE OR REPLACE TRIGGER domains_record_change AFTER INSERT OR UPDATE OR DELETE ON domains FOR EACH ROW
  WHEN (pg_trigger_depth() = 0 AND current_setting('tapthru.actor', true) <> '')
  EXECUTE FUNCTION record_change('domain', 'id', 'host', 'user_id', 'host,is_default,hsts,verified_at,off_at', '');
