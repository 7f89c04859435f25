-- Assistants are a class of clicks, and get addresses without the tag unless the owner allows it.
ALTER TABLE owner_clicks ADD assistant integer[];
CREATE OR REPLACE FUNCTION invalidate_owner_clicks(owner_ids integer[], days date[]) RETURNS void
  LANGUAGE sql SET search_path FROM CURRENT AS $$
  UPDATE owner_clicks SET
    counts = NULL, visitors = NULL, rolled_up_visitors = NULL, link_ids = NULL, person = NULL, preview = NULL,
    bot = NULL, prefetch = NULL, assistant = NULL, opened = NULL, link_visitors = NULL
  FROM unnest(owner_ids, days) AS changed (owner_id, changed_day)
  WHERE user_id = owner_id AND day = changed_day AND counts IS NOT NULL
$$;

ALTER TABLE routing_settings ADD assistants_get_tag boolean NOT NULL DEFAULT false;
CREATE OR REPLACE TRIGGER routing_settings_record_change AFTER INSERT OR UPDATE OR DELETE ON routing_settings FOR EACH ROW
  WHEN (pg_trigger_depth() = 0 AND current_setting('tapthru.actor', true) <> '')
  EXECUTE FUNCTION record_change('routing', 'user_id', '', 'user_id', 'is_on,fallback,assistants_get_tag', '');

-- All links of the user, also those that are not routed.
ALTER TABLE routing_changes ADD includes_all boolean NOT NULL DEFAULT false;
CREATE OR REPLACE FUNCTION add_change_of_routing_settings() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  IF NEW IS NOT DISTINCT FROM OLD THEN RETURN NULL; END IF;
  INSERT INTO routing_changes (user_id, includes_default, includes_all)
  VALUES (
    NEW.user_id, NEW.is_on OR coalesce(OLD.is_on, false),
    NEW.assistants_get_tag <> coalesce(OLD.assistants_get_tag, false)
  );
  RETURN NULL;
END
$$;

CREATE FUNCTION assistants_get_tag(owner_id integer) RETURNS boolean
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  RETURN EXISTS (
    SELECT FROM routing_settings AS setting WHERE setting.user_id = owner_id AND setting.assistants_get_tag
  );
END
$$;
REVOKE ALL ON FUNCTION assistants_get_tag FROM PUBLIC;
GRANT EXECUTE ON FUNCTION assistants_get_tag TO tapthru_api, tapthru_worker, tapthru_redirect;

-- As before, with `assistantsGetTag` if the owner allows it.
CREATE OR REPLACE FUNCTION redirect_record(link links, product products) RETURNS jsonb LANGUAGE sql STABLE
RETURN CASE WHEN link.taken_down_at IS NULL THEN
  jsonb_set_lax(jsonb_build_object(
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
  'return_target')
  || CASE WHEN assistants_get_tag(link.user_id) THEN '{"assistantsGetTag": true}'::jsonb ELSE '{}' END
ELSE
  jsonb_build_object('state', 'gone', 'revision', link.revision, 'reason', 'taken-down')
END;
