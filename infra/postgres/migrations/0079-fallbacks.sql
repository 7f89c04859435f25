-- The page of an Amazon store that opens in place of the destination once a link has expired or its product is gone: the link's
-- own, or that of its channel.
ALTER TABLE links ADD fallback_url text;
ALTER TABLE import_lines ADD fallback_url text;
ALTER TABLE channels ADD fallback_url text;
CREATE INDEX links_with_fallback_idx ON links (user_id) WHERE fallback_url IS NOT NULL;

-- What the record of a link says about its fallback; null: it has none. `tag`: that of its channel in the store of the fallback.
CREATE FUNCTION fallback_of_link(link links, product products) RETURNS jsonb
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
  SELECT jsonb_build_object(
    'webUrl', chosen.url,
    'tag', store.tag,
    'isProductGone', coalesce(product.check_state = 'product-gone', false)
  )
  FROM channels AS channel
  CROSS JOIN LATERAL (SELECT coalesce(link.fallback_url, channel.fallback_url) AS url) AS chosen
  LEFT JOIN channel_tags AS store ON store.channel_id = channel.id
    AND store.marketplace = substring(chosen.url FROM '^https://(?:(?:www|m|smile)\.)?amazon\.([a-z.]+)')
  WHERE channel.id = coalesce(
      (SELECT own.id FROM channels AS own WHERE own.id = link.channel_id AND own.user_id = link.user_id),
      default_channel(link.user_id)
    )
    AND chosen.url IS NOT NULL
$$;

-- As before, with the fallback of links that may need it.
CREATE OR REPLACE FUNCTION redirect_record(link links, product products) RETURNS jsonb LANGUAGE sql STABLE
RETURN CASE WHEN link.taken_down_at IS NULL THEN
  jsonb_set_lax(jsonb_set_lax(jsonb_build_object(
    'state', 'live',
    'revision', link.revision,
    'webUrl', link.web_url,
    'expiresAt', floor(extract(epoch FROM link.expires_at) * 1000)::bigint,
    'title', coalesce(link.title, product.title, link.page_title),
    'description', coalesce(link.description, product.description),
    'imageUrl', coalesce(link.image_url, product.image_url),
    'siteName', coalesce(link.site_name, product.site_name)
  ), '{routing}',
  routing_of_link(link.user_id, link.channel_id, link.routing, link.canonical_url, link.title), true,
  'return_target'), '{fallback}',
  CASE WHEN link.user_id IS NOT NULL AND (link.expires_at IS NOT NULL OR product.check_state = 'product-gone') THEN
    fallback_of_link(link, product)
  END, true, 'return_target')
  || CASE WHEN assistants_get_tag(link.user_id) THEN '{"assistantsGetTag": true}'::jsonb ELSE '{}' END
ELSE
  jsonb_build_object('state', 'gone', 'revision', link.revision, 'reason', 'taken-down')
END;

-- Of a user: their links that can expire or whose product is gone. Of a product: all links to it that have an owner.
ALTER TABLE routing_changes ADD of_fallbacks boolean NOT NULL DEFAULT false;

CREATE FUNCTION add_change_of_fallbacks() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  owner_id integer := coalesce(NEW.user_id, OLD.user_id);
BEGIN
  IF EXISTS (SELECT FROM channels WHERE user_id = owner_id AND fallback_url IS NOT NULL)
    OR EXISTS (SELECT FROM links WHERE user_id = owner_id AND fallback_url IS NOT NULL)
    OR TG_TABLE_NAME = 'channels'
  THEN
    INSERT INTO routing_changes (user_id, of_fallbacks) VALUES (owner_id, true);
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER channels_change_fallbacks AFTER UPDATE OF fallback_url, is_default ON channels FOR EACH ROW
  WHEN ((NEW.fallback_url, NEW.is_default) IS DISTINCT FROM (OLD.fallback_url, OLD.is_default))
  EXECUTE FUNCTION add_change_of_fallbacks();
CREATE TRIGGER channel_tags_change_fallbacks AFTER INSERT OR UPDATE OR DELETE ON channel_tags FOR EACH ROW
  EXECUTE FUNCTION add_change_of_fallbacks();

CREATE FUNCTION add_change_of_gone_product() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO routing_changes (asin, of_fallbacks) VALUES (NEW.product_id, true);
  RETURN NULL;
END
$$;
CREATE TRIGGER products_change_fallbacks AFTER UPDATE OF check_state ON products FOR EACH ROW
  WHEN ((NEW.check_state = 'product-gone') <> (OLD.check_state = 'product-gone'))
  EXECUTE FUNCTION add_change_of_gone_product();

-- Webhooks and the audit log.
CREATE OR REPLACE FUNCTION link_event_data(link links) RETURNS jsonb
  LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
  SELECT jsonb_build_object(
    'id', link.id,
    'shortCode', link.short_code,
    'webUrl', link.web_url,
    'title', link.title,
    'nickname', link.nickname,
    'fallbackUrl', link.fallback_url,
    'labels', (
      SELECT coalesce(jsonb_agg(label.name ORDER BY label.name), '[]')
      FROM link_labels JOIN labels AS label ON label.id = label_id WHERE link_id = link.id
    ),
    'takenDown', link.taken_down_at IS NOT NULL,
    'expiresAt', to_char(link.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'createdAt', to_char(link.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
  )
$$;
CREATE TRIGGER links_add_event_of_fallback AFTER UPDATE OF fallback_url ON links FOR EACH ROW
  WHEN (NEW.user_id IS NOT NULL AND NEW.fallback_url IS DISTINCT FROM OLD.fallback_url)
  EXECUTE FUNCTION add_event_of_changed_link();
CREATE OR REPLACE TRIGGER links_record_change AFTER INSERT OR UPDATE OR DELETE ON links FOR EACH ROW
  WHEN (pg_trigger_depth() = 0 AND current_setting('tapthru.actor', true) <> '')
  EXECUTE FUNCTION record_change(
    'link', 'id', 'short_code', 'user_id',
    'short_code,web_url,title,nickname,expires_at,fallback_url,channel,routing,taken_down_at', ''
  );
CREATE OR REPLACE TRIGGER channels_record_change AFTER INSERT OR UPDATE OR DELETE ON channels FOR EACH ROW
  WHEN (pg_trigger_depth() = 0 AND current_setting('tapthru.actor', true) <> '')
  EXECUTE FUNCTION record_change('channel', 'id', 'name', 'user_id', 'name,is_default,fallback_url', '');

REVOKE ALL ON FUNCTION fallback_of_link, add_change_of_fallbacks, add_change_of_gone_product FROM PUBLIC;
GRANT EXECUTE ON FUNCTION fallback_of_link TO tapthru_api, tapthru_worker, tapthru_redirect;
