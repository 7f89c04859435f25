-- The codes that users chose (slugs), and the codes that were replaced by one. Rows are never deleted: a slug is never
-- used for another link, also after its link was deleted. A code that is not the `short_code` of its link is an earlier
-- code of it and opens the same page.
CREATE TABLE link_codes (
  short_code text CONSTRAINT link_codes_pkey PRIMARY KEY,
  -- The link may have been deleted; its codes are then in retired_codes too.
  link_id bigint NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX link_codes_link_id_idx ON link_codes (link_id);

ALTER TABLE links ADD has_earlier_codes boolean NOT NULL DEFAULT false;

-- The link that a current or earlier code belongs to; null if there is none.
CREATE FUNCTION find_link_id(code text) RETURNS bigint
  LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
  SELECT id FROM links WHERE short_code = code
  UNION ALL
  SELECT links.id FROM link_codes JOIN links ON links.id = link_codes.link_id
  WHERE link_codes.short_code = code
  LIMIT 1
$$;

-- Triggers, so that every statement that changes or deletes links does the same for their earlier codes.
CREATE FUNCTION change_earlier_codes() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO link_changes (short_code, revision)
  SELECT short_code, NEW.revision FROM link_codes
  WHERE link_id = NEW.id AND short_code <> NEW.short_code;
  RETURN NULL;
END
$$;
CREATE TRIGGER links_change_earlier_codes AFTER UPDATE OF revision ON links
  FOR EACH ROW WHEN (NEW.has_earlier_codes) EXECUTE FUNCTION change_earlier_codes();

CREATE FUNCTION retire_earlier_codes() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  WITH retired AS (
    INSERT INTO retired_codes (short_code, reason, revision)
    SELECT short_code, 'deleted', OLD.revision + 1 FROM link_codes
    WHERE link_id = OLD.id AND short_code <> OLD.short_code
    RETURNING short_code, revision
  )
  INSERT INTO link_changes (short_code, revision) SELECT short_code, revision FROM retired;
  RETURN NULL;
END
$$;
CREATE TRIGGER links_retire_earlier_codes AFTER DELETE ON links
  FOR EACH ROW WHEN (OLD.has_earlier_codes) EXECUTE FUNCTION retire_earlier_codes();

-- As before, and the earlier codes.
CREATE OR REPLACE VIEW redirect_records (short_code, record) AS
SELECT
  link.short_code,
  CASE WHEN link.taken_down_at IS NULL THEN
    jsonb_build_object(
      'state', 'live',
      'revision', link.revision,
      'webUrl', link.web_url,
      'expiresAt', floor(extract(epoch FROM link.expires_at) * 1000)::bigint,
      'title', coalesce(link.title, product.title),
      'description', coalesce(link.description, product.description),
      'imageUrl', coalesce(link.image_url, product.image_url),
      'siteName', coalesce(link.site_name, product.site_name)
    )
  ELSE
    jsonb_build_object('state', 'gone', 'revision', link.revision, 'reason', 'taken-down')
  END
FROM links AS link LEFT JOIN products AS product USING (canonical_url)
UNION ALL
SELECT
  short_code,
  jsonb_build_object('state', 'gone', 'revision', revision, 'reason', reason)
FROM retired_codes
UNION ALL
SELECT
  code.short_code,
  CASE WHEN link.taken_down_at IS NULL THEN
    jsonb_build_object(
      'state', 'live',
      'revision', link.revision,
      'webUrl', link.web_url,
      'expiresAt', floor(extract(epoch FROM link.expires_at) * 1000)::bigint,
      'title', coalesce(link.title, product.title),
      'description', coalesce(link.description, product.description),
      'imageUrl', coalesce(link.image_url, product.image_url),
      'siteName', coalesce(link.site_name, product.site_name)
    )
  ELSE
    jsonb_build_object('state', 'gone', 'revision', link.revision, 'reason', 'taken-down')
  END
FROM link_codes AS code
JOIN links AS link ON link.id = code.link_id AND link.short_code <> code.short_code
LEFT JOIN products AS product USING (canonical_url);

REVOKE ALL ON FUNCTION change_earlier_codes, retire_earlier_codes FROM PUBLIC;
GRANT SELECT, INSERT, UPDATE ON link_codes TO tapthru_api;
GRANT SELECT ON link_codes TO tapthru_worker;
-- Rows that refer to the code of a link move to its new code.
GRANT UPDATE ON idempotency_keys TO tapthru_api;
