-- The redirect record of each current and retired code, as stored in Redis.
CREATE VIEW redirect_records (short_code, record) AS
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
FROM retired_codes;

GRANT SELECT ON redirect_records TO tapthru_worker, tapthru_redirect;

-- For reading the links of a page in batches.
CREATE INDEX links_canonical_url_id_idx ON links (canonical_url, id)
  WHERE canonical_url IS NOT NULL;
DROP INDEX links_canonical_url_idx;
