-- The title of a page without metadata, from its address (proto's pageTitle): 'Search: lamp'. Links that exist have none.
ALTER TABLE links ADD COLUMN page_title text;

CREATE OR REPLACE FUNCTION set_link_sort_name() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  product_id text := substring(
    split_part(split_part(NEW.original_url, '#', 1), '?', 1)
    FROM '/(?:dp|gp/product)/([A-Za-z0-9]+)'
  );
BEGIN
  -- The previous release changes a destination without it.
  IF NEW.canonical_url IS NOT NULL THEN
    NEW.page_title := NULL;
  END IF;
  NEW.sort_name := left(coalesce(
    nullif(NEW.nickname, ''),
    nullif(NEW.title, ''),
    (SELECT nullif(title, '') FROM products WHERE canonical_url = NEW.canonical_url),
    NEW.page_title,
    concat_ws(': ', 'Amazon Product', product_id)
  ), 100);
  RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER links_set_sort_name
  BEFORE INSERT OR UPDATE OF user_id, nickname, title, page_title, product_revision ON links
  FOR EACH ROW WHEN (NEW.user_id IS NOT NULL) EXECUTE FUNCTION set_link_sort_name();

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
  ), '{routing}', link_routing(link.user_id, link.routing, link.canonical_url, link.title), true,
  'return_target')
ELSE
  jsonb_build_object('state', 'gone', 'revision', link.revision, 'reason', 'taken-down')
END;
