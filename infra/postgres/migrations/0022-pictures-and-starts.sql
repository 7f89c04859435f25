-- The picture that an owner chose for a link: `image_url` of links, which had no use before.
ALTER TABLE import_lines ADD COLUMN image_url text;

CREATE OR REPLACE TRIGGER links_record_change AFTER INSERT OR UPDATE OR DELETE ON links FOR EACH ROW
  WHEN (pg_trigger_depth() = 0 AND current_setting('tapthru.actor', true) <> '')
  EXECUTE FUNCTION record_change('link', 'id', 'short_code', 'user_id',
    'short_code,web_url,title,image_url,nickname,expires_at,fallback_url,opening,channel,routing,taken_down_at', '');
CREATE TRIGGER links_add_event_of_picture AFTER UPDATE OF image_url ON links FOR EACH ROW
  WHEN (NEW.user_id IS NOT NULL AND NEW.image_url IS DISTINCT FROM OLD.image_url)
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
    'expiresAt', utc_text(link.expires_at), 'createdAt', utc_text(link.created_at))
$$;
