-- Files of links are sent nowhere any more. The columns stay, because the previous release reads them.
UPDATE domains SET backup_host = NULL, sealed_backup = NULL, backup_due_at = NULL, backed_up_at = NULL, backup_error = NULL
WHERE sealed_backup IS NOT NULL;
CREATE OR REPLACE TRIGGER domains_record_change AFTER INSERT OR UPDATE OR DELETE ON domains FOR EACH ROW
  WHEN (pg_trigger_depth() = 0 AND current_setting('tapthru.actor', true) <> '')
  EXECUTE FUNCTION record_change('domain', 'id', 'host', 'user_id', 'host,is_default,hsts,verified_at,off_at', '');

ALTER TABLE webhooks
  ADD sealed_url text, -- The address of a chat, which is a secret: `url` is its origin then.
  ADD disabled_reason text; -- Null: its user disabled it.
ALTER TABLE digests ADD refused_at timestamptz; -- The mail server has no such recipient: that ended the emails.

-- The event for webhooks: a pattern has as many links as it can have, in total or of a day; once a day.
CREATE FUNCTION report_full_pattern(full_pattern text) RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
  SELECT add_event_once(user_id, 'limit.reached', jsonb_build_object('patternId', pattern.id, 'name', name),
    pattern.id || ' ' || current_date)
  FROM link_patterns AS pattern JOIN users ON users.id = user_id WHERE pattern.id = full_pattern AND state = 'enabled'
$$;
REVOKE ALL ON FUNCTION report_full_pattern FROM PUBLIC;
GRANT EXECUTE ON FUNCTION report_full_pattern TO tapthru_api;
