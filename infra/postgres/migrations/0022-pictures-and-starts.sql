-- The picture that an owner chose for a link: `image_url` of links, which had no use before.
ALTER TABLE import_lines ADD COLUMN image_url text;

-- Until then a link opens its fallback.
ALTER TABLE links ADD COLUMN starts_at timestamptz;
ALTER TABLE import_lines ADD COLUMN starts_at timestamptz;

CREATE OR REPLACE TRIGGER links_record_change AFTER INSERT OR UPDATE OR DELETE ON links FOR EACH ROW
  WHEN (pg_trigger_depth() = 0 AND current_setting('tapthru.actor', true) <> '')
  EXECUTE FUNCTION record_change('link', 'id', 'short_code', 'user_id',
    'short_code,web_url,title,image_url,nickname,starts_at,expires_at,fallback_url,opening,channel,routing,taken_down_at', '');
CREATE TRIGGER links_add_event_of_picture_or_start AFTER UPDATE OF image_url, starts_at ON links FOR EACH ROW
  WHEN (NEW.user_id IS NOT NULL AND (NEW.image_url, NEW.starts_at) IS DISTINCT FROM (OLD.image_url, OLD.starts_at))
  EXECUTE FUNCTION add_event_of_changed_link();

CREATE OR REPLACE FUNCTION link_event_data(link links) RETURNS jsonb LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
  SELECT jsonb_build_object('id', link.id, 'shortCode', link.short_code, 'webUrl', link.web_url, 'title', link.title,
    'imageUrl', link.image_url,
    'nickname', link.nickname,
    'fallbackUrl', link.fallback_url,
    'opening', link.opening,
    'labels', (SELECT coalesce(jsonb_agg(label.name ORDER BY label.name), '[]')
      FROM link_labels JOIN labels AS label ON label.id = label_id WHERE link_id = link.id),
    'takenDown', link.taken_down_at IS NOT NULL,
    'startsAt', utc_text(link.starts_at), 'expiresAt', utc_text(link.expires_at), 'createdAt', utc_text(link.created_at))
$$;

CREATE OR REPLACE FUNCTION redirect_record(link links, product products) RETURNS jsonb LANGUAGE sql STABLE
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
  || CASE WHEN link.opening IS NULL THEN experiments_of_link(link)
    WHEN link.opening = 'app' THEN '{}' ELSE jsonb_build_object('opening', link.opening) END
  || coalesce(creator_of_link(link.user_id), '{}')
  || CASE WHEN link.starts_at IS NULL THEN '{}'
    ELSE jsonb_build_object('startsAt', floor(extract(epoch FROM link.starts_at) * 1000)::bigint) END
ELSE
  jsonb_build_object('state', 'gone', 'revision', link.revision, 'reason', 'taken-down')
END;
