-- contract: unused since 0080: no release before it writes such codes
-- A code that opens its link without affiliate tags, for print and mail. A link has one at most.
ALTER TABLE link_codes ADD is_untagged boolean NOT NULL DEFAULT false;
CREATE UNIQUE INDEX link_codes_untagged_key ON link_codes (link_id) WHERE is_untagged;

CREATE OR REPLACE VIEW redirect_records (short_code, record) AS
SELECT link.short_code, redirect_record(link, product)
FROM links AS link LEFT JOIN products AS product USING (canonical_url)
UNION ALL
SELECT
  short_code,
  jsonb_build_object('state', 'gone', 'revision', revision, 'reason', reason)
FROM retired_codes
UNION ALL
SELECT
  code.short_code,
  redirect_record(link, product) || CASE WHEN code.is_untagged THEN '{"isUntagged": true}'::jsonb ELSE '{}' END
FROM link_codes AS code
JOIN links AS link ON link.id = code.link_id AND link.short_code <> code.short_code
LEFT JOIN products AS product USING (canonical_url);

CREATE FUNCTION record_untagged_code() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM add_to_audit_log(
    'link', 'changed', link.id::text, link.short_code, link.user_id, '{}', jsonb_build_object('untagged_code', NEW.short_code)
  )
  FROM links AS link WHERE link.id = NEW.link_id;
  RETURN NULL;
END
$$;
CREATE TRIGGER link_codes_record_untagged AFTER INSERT ON link_codes FOR EACH ROW
  WHEN (NEW.is_untagged AND current_setting('tapthru.actor', true) <> '')
  EXECUTE FUNCTION record_untagged_code();
REVOKE ALL ON FUNCTION record_untagged_code FROM PUBLIC;
