-- What pages and cards of a user's links say: a name, and that the user earns as an Amazon Associate.
ALTER TABLE users ADD COLUMN displayed_name text, ADD COLUMN shows_disclosure boolean NOT NULL DEFAULT false;

CREATE OR REPLACE TRIGGER users_record_change AFTER INSERT OR UPDATE OR DELETE ON users FOR EACH ROW
  WHEN (pg_trigger_depth() = 0 AND current_setting('tapthru.actor', true) <> '')
  EXECUTE FUNCTION record_change('account', 'id', 'username', 'id',
    'username,email,is_operator,state,displayed_name,shows_disclosure', '');

-- What the record of a link says about its owner; null: nothing.
CREATE FUNCTION creator_of_link(owner_id integer) RETURNS jsonb
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  RETURN (SELECT jsonb_strip_nulls(jsonb_build_object('creatorName', displayed_name, 'showsDisclosure', nullif(shows_disclosure, false)))
    FROM users WHERE id = owner_id);
END
$$;
REVOKE ALL ON FUNCTION creator_of_link FROM PUBLIC;
GRANT EXECUTE ON FUNCTION creator_of_link TO tapthru_api, tapthru_redirect, tapthru_worker;

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
  CASE WHEN link.user_id IS NOT NULL AND (link.expires_at IS NOT NULL OR product.check_state = 'product-gone') THEN
    fallback_of_link(link, product)
  END, true, 'return_target')
  || CASE WHEN assistants_get_tag(link.user_id) THEN '{"assistantsGetTag": true}'::jsonb ELSE '{}' END
  || CASE WHEN link.opening IS NULL THEN experiments_of_link(link)
    WHEN link.opening = 'app' THEN '{}' ELSE jsonb_build_object('opening', link.opening) END
  || coalesce(creator_of_link(link.user_id), '{}')
ELSE
  jsonb_build_object('state', 'gone', 'revision', link.revision, 'reason', 'taken-down')
END;
