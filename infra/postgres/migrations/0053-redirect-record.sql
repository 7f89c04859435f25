-- The redirect record of a link, for the view and for the api, which returns the record of a link that it changed before
-- the view shows it. Without a SET clause, so that Postgres inlines it.
CREATE FUNCTION redirect_record(link links, product products) RETURNS jsonb LANGUAGE sql STABLE
RETURN CASE WHEN link.taken_down_at IS NULL THEN
  jsonb_set_lax(jsonb_build_object(
    'state', 'live',
    'revision', link.revision,
    'webUrl', link.web_url,
    'expiresAt', floor(extract(epoch FROM link.expires_at) * 1000)::bigint,
    'title', coalesce(link.title, product.title),
    'description', coalesce(link.description, product.description),
    'imageUrl', coalesce(link.image_url, product.image_url),
    'siteName', coalesce(link.site_name, product.site_name)
  ), '{routing}', link_routing(link.user_id, link.routing, link.canonical_url, link.title), true,
  'return_target')
ELSE
  jsonb_build_object('state', 'gone', 'revision', link.revision, 'reason', 'taken-down')
END;

CREATE OR REPLACE VIEW redirect_records (short_code, record) AS
SELECT link.short_code, redirect_record(link, product)
FROM links AS link LEFT JOIN products AS product USING (canonical_url)
UNION ALL
SELECT
  short_code,
  jsonb_build_object('state', 'gone', 'revision', revision, 'reason', reason)
FROM retired_codes
UNION ALL
SELECT code.short_code, redirect_record(link, product)
FROM link_codes AS code
JOIN links AS link ON link.id = code.link_id AND link.short_code <> code.short_code
LEFT JOIN products AS product USING (canonical_url);
