-- A user's decisions for all of their links. Its fields are those of proto's OwnerRecord.
CREATE FUNCTION owner_record(owner_id integer) RETURNS jsonb
  LANGUAGE sql STABLE STRICT SECURITY DEFINER SET search_path FROM CURRENT AS $$
  SELECT jsonb_build_object('state', 'owner', 'revision', owner.revision, 'defaultChannel', default_channel(owner.id),
      'oneLink', (SELECT coalesce(jsonb_agg(marketplace ORDER BY marketplace), '[]') FROM onelink_stores
        WHERE user_id = owner.id),
      'channels', (SELECT coalesce(jsonb_object_agg(channel.id, jsonb_build_object('tags',
          (SELECT coalesce(jsonb_object_agg(marketplace, tag), '{}') FROM channel_tags WHERE channel_id = channel.id))
          || jsonb_strip_nulls(jsonb_build_object('fallbackUrl', channel.fallback_url))), '{}')
        FROM channels AS channel WHERE channel.user_id = owner.id))
    || jsonb_strip_nulls(jsonb_build_object('creatorName', displayed_name, 'showsDisclosure', nullif(shows_disclosure, false),
      'isBlocked', nullif(owner.state = 'blocked', false), 'isRouted', nullif(is_on, false),
      'searches', nullif(fallback = 'search', false), 'assistantsGetTag', nullif(assistants_get_tag, false),
      'keptTags', (SELECT jsonb_object_agg(channel_id, tags) FROM (
        SELECT channel_id, jsonb_object_agg(marketplace, tag ORDER BY ended_at) AS tags FROM earlier_channel_tags AS earlier
        WHERE user_id = owner.id AND ended_at > '-infinity' AND EXISTS (SELECT FROM channels WHERE id = earlier.channel_id)
        GROUP BY channel_id) AS kept)))
  FROM users AS owner LEFT JOIN routing_settings ON user_id = owner.id WHERE owner.id = owner_id
$$;

-- A link's own fields. Its fields are those of proto's LiveRecord.
CREATE FUNCTION redirect_record(link links, product products) RETURNS jsonb LANGUAGE sql STABLE
RETURN CASE WHEN link.taken_down_at IS NULL THEN
  jsonb_build_object('state', 'live', 'revision', link.revision, 'webUrl', link.web_url,
    'expiresAt', floor(extract(epoch FROM link.expires_at) * 1000)::bigint,
    'title', coalesce(link.title, product.title, link.page_title),
    'description', coalesce(link.description, product.description),
    'imageUrl', coalesce(link.image_url, product.image_url),
    'siteName', coalesce(link.site_name, product.site_name))
  || jsonb_strip_nulls(jsonb_build_object('owner', '~' || link.user_id, 'channelId', link.channel_id,
    'followsChannel', nullif(link.follows_channel, false), 'isRouted', link.routing,
    'soldIn', stores_of_product(link.user_id, product.product_id, product.marketplace),
    'productTitle', CASE WHEN link.title IS NOT NULL AND link.user_id IS NOT NULL THEN product.title END,
    'isProductGone', nullif(product.check_state = 'product-gone', false), 'fallbackUrl', link.fallback_url,
    'startsAt', floor(extract(epoch FROM link.starts_at) * 1000)::bigint,
    'opening', CASE WHEN link.opening <> 'app' THEN link.opening END))
ELSE
  jsonb_build_object('state', 'gone', 'revision', link.revision, 'reason', 'taken-down')
END;

-- Returns what a code of a link opens.
CREATE FUNCTION code_record(link all_links, product products) RETURNS jsonb LANGUAGE sql STABLE
RETURN CASE WHEN link.deleted_at IS NULL THEN redirect_record(ROW(link.*)::links, product) ELSE
  jsonb_build_object('state', 'gone', 'revision', link.revision, 'reason', 'deleted')
END;

-- The records of all codes and of all owners.
CREATE VIEW redirect_records (short_code, record) AS
SELECT link.short_code, code_record(link, product)
FROM all_links AS link LEFT JOIN products AS product USING (canonical_url)
UNION ALL
SELECT short_code, jsonb_build_object('state', 'gone', 'revision', revision, 'reason', reason)
FROM retired_codes
UNION ALL
SELECT code.short_code,
  code_record(link, product) || CASE WHEN code.is_untagged THEN '{"isUntagged": true}'::jsonb ELSE '{}' END
FROM link_codes AS code
JOIN all_links AS link ON link.id = code.link_id AND link.short_code <> code.short_code
LEFT JOIN products AS product USING (canonical_url)
UNION ALL
SELECT '~' || id::text, owner_record(id) FROM users;

GRANT SELECT ON redirect_records TO tapthru_redirect, tapthru_worker;
GRANT EXECUTE ON FUNCTION owner_record TO tapthru_api, tapthru_redirect, tapthru_worker;
GRANT EXECUTE ON FUNCTION redirect_record, code_record TO PUBLIC;
