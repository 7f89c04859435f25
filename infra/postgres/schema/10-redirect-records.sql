-- Returns what the record of a link says about its fallback, with the tag that its channel has in the store of the fallback.
CREATE FUNCTION fallback_of_link(link links, product products) RETURNS jsonb
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
  SELECT jsonb_build_object('webUrl', chosen.url, 'tag', store.tag,
    'isProductGone', coalesce(product.check_state = 'product-gone', false))
  FROM channels AS channel
  CROSS JOIN LATERAL (SELECT coalesce(link.fallback_url, channel.fallback_url) AS url) AS chosen
  LEFT JOIN channel_tags AS store ON store.channel_id = channel.id
    AND store.marketplace = substring(chosen.url FROM '^https://(?:(?:www|m|smile)\.)?amazon\.([a-z.]+)')
  WHERE channel.id = coalesce(
      (SELECT own.id FROM channels AS own WHERE own.id = link.channel_id AND own.user_id = link.user_id),
      default_channel(link.user_id))
    AND chosen.url IS NOT NULL
$$;

CREATE FUNCTION redirect_record(link links, product products) RETURNS jsonb LANGUAGE sql STABLE
RETURN CASE WHEN link.taken_down_at IS NULL THEN
  jsonb_set_lax(jsonb_set_lax(jsonb_build_object('state', 'live', 'revision', link.revision, 'webUrl', link.web_url,
    'expiresAt', floor(extract(epoch FROM link.expires_at) * 1000)::bigint,
    'title', coalesce(link.title, product.title, link.page_title),
    'description', coalesce(link.description, product.description),
    'imageUrl', coalesce(link.image_url, product.image_url),
    'siteName', coalesce(link.site_name, product.site_name)), '{routing}',
  routing_of_link(link.user_id, link.channel_id, link.routing, link.canonical_url, link.title), true,
  'return_target'), '{fallback}',
  CASE WHEN link.user_id IS NOT NULL
    AND (link.starts_at IS NOT NULL OR link.expires_at IS NOT NULL OR product.check_state = 'product-gone') THEN
    fallback_of_link(link, product)
  END, true, 'return_target')
  || CASE WHEN assistants_get_tag(link.user_id) THEN '{"assistantsGetTag": true}'::jsonb ELSE '{}' END
  || CASE WHEN link.opening IN ('tap', 'browser') THEN jsonb_build_object('opening', link.opening) ELSE '{}' END
  || coalesce(creator_of_link(link.user_id), '{}')
  || CASE WHEN link.starts_at IS NULL THEN '{}'
    ELSE jsonb_build_object('startsAt', floor(extract(epoch FROM link.starts_at) * 1000)::bigint) END
ELSE
  jsonb_build_object('state', 'gone', 'revision', link.revision, 'reason', 'taken-down')
END;

-- What opens for each code.
CREATE VIEW redirect_records (short_code, record) AS
SELECT link.short_code, redirect_record(link, product)
FROM links AS link LEFT JOIN products AS product USING (canonical_url)
UNION ALL
SELECT short_code, jsonb_build_object('state', 'gone', 'revision', revision, 'reason', reason)
FROM retired_codes
UNION ALL
SELECT code.short_code,
  redirect_record(link, product) || CASE WHEN code.is_untagged THEN '{"isUntagged": true}'::jsonb ELSE '{}' END
FROM link_codes AS code
JOIN links AS link ON link.id = code.link_id AND link.short_code <> code.short_code
LEFT JOIN products AS product USING (canonical_url);

GRANT SELECT ON redirect_records TO tapthru_redirect, tapthru_worker;
GRANT EXECUTE ON FUNCTION fallback_of_link TO tapthru_api, tapthru_redirect, tapthru_worker;
GRANT EXECUTE ON FUNCTION redirect_record TO PUBLIC;
