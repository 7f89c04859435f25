-- Whether stores sell a product, as the worker verified it.
CREATE TABLE product_stores (
  asin text NOT NULL,
  -- What follows `amazon.` in the host of the store.
  store text NOT NULL,
  -- Null: unknown.
  sold boolean,
  -- Where and when `sold` was found; null while it is unknown.
  source text
    CONSTRAINT product_stores_source CHECK (source IN ('creators-api', 'page')),
  checked_at timestamptz,
  -- Checks in a row that found nothing.
  attempts integer NOT NULL DEFAULT 0,
  next_check_at timestamptz NOT NULL DEFAULT now(),
  -- The row is removed then.
  keep_until timestamptz NOT NULL DEFAULT now() + interval '14 days',
  CONSTRAINT product_stores_pkey PRIMARY KEY (asin, store)
);
CREATE INDEX product_stores_keep_until_idx ON product_stores (keep_until);

-- Whether visitors of a user's links are sent to their own store with the user's tag there, if the link does not say so
-- itself, and where they go if that store is not known to sell the product. Without a row: no, and the original link.
CREATE TABLE routing_settings (
  user_id integer NOT NULL
    CONSTRAINT routing_settings_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
  is_on boolean NOT NULL,
  fallback text NOT NULL
    CONSTRAINT routing_settings_fallback CHECK (fallback IN ('original', 'search')),
  CONSTRAINT routing_settings_pkey PRIMARY KEY (user_id)
);
-- Null: as the owner's account says.
ALTER TABLE links ADD routing boolean;

GRANT SELECT, INSERT, UPDATE, DELETE ON product_stores TO tapthru_worker;
GRANT SELECT, INSERT, UPDATE ON routing_settings TO tapthru_api;
-- The worker verifies products in the stores to which their links can lead.
GRANT SELECT ON routing_settings, store_tags, onelink_stores TO tapthru_worker;

-- How visitors of a link are sent to their own store; null: all open the original. A function, because the api returns
-- the record of a link that it changed before the view shows it. `page`: the canonical URL of the link.
CREATE FUNCTION link_routing(owner_id integer, own_choice boolean, page text, own_title text)
RETURNS jsonb LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  is_on boolean := own_choice;
  is_search boolean := false;
BEGIN
  IF owner_id IS NULL OR page IS NULL OR own_choice IS FALSE THEN RETURN NULL; END IF;
  SELECT coalesce(own_choice, setting.is_on), setting.fallback = 'search' INTO is_on, is_search
  FROM (SELECT) AS one LEFT JOIN routing_settings AS setting ON setting.user_id = owner_id;
  IF is_on IS NOT TRUE THEN RETURN NULL; END IF;
  RETURN (
    SELECT jsonb_build_object(
      'stores', jsonb_agg(
        jsonb_build_object('marketplace', store.marketplace, 'tag', store.tag, 'isSold', sold.is_sold)
        ORDER BY store.marketplace
      ),
      'oneLink', (
        SELECT coalesce(jsonb_agg(marketplace ORDER BY marketplace), '[]') FROM onelink_stores
        WHERE user_id = owner_id
      ),
      'searchTitle', CASE WHEN is_search THEN coalesce(product.title, own_title) END
    )
    FROM products AS product
    JOIN store_tags AS store ON store.user_id = owner_id AND store.marketplace <> product.marketplace
    CROSS JOIN LATERAL (
      SELECT EXISTS (
        SELECT FROM product_stores AS known
        WHERE known.asin = product.product_id AND known.store = store.marketplace AND known.sold
      ) AS is_sold
    ) AS sold
    WHERE product.canonical_url = page
      AND (sold.is_sold OR (is_search AND coalesce(product.title, own_title) IS NOT NULL))
      AND NOT EXISTS (
        SELECT FROM onelink_stores AS served
        WHERE served.user_id = owner_id AND served.marketplace = store.marketplace
      )
    GROUP BY product.title
  );
END
$$;

-- As before, with the routing of routed links.
CREATE OR REPLACE VIEW redirect_records (short_code, record) AS
SELECT
  link.short_code,
  CASE WHEN link.taken_down_at IS NULL THEN
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
  END
FROM links AS link LEFT JOIN products AS product USING (canonical_url)
UNION ALL
SELECT
  short_code,
  jsonb_build_object('state', 'gone', 'revision', revision, 'reason', reason)
FROM retired_codes
UNION ALL
SELECT
  code.short_code,
  CASE WHEN link.taken_down_at IS NULL THEN
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
  END
FROM link_codes AS code
JOIN links AS link ON link.id = code.link_id AND link.short_code <> code.short_code
LEFT JOIN products AS product USING (canonical_url);

-- Changes on which the routing of many links depends. The relay raises the revisions of these links in batches.
CREATE TABLE routing_changes (
  id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT routing_changes_pkey PRIMARY KEY,
  -- The links of this user, who may have been deleted, that are routed.
  user_id integer,
  -- Also those that do as the account says.
  includes_default boolean NOT NULL DEFAULT false,
  -- The routed links to this product.
  asin text,
  -- Links up to this one are done.
  after_id bigint NOT NULL DEFAULT 0,
  CONSTRAINT routing_changes_scope CHECK (num_nonnulls(user_id, asin) = 1)
);

CREATE FUNCTION notify_routing_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('link_changes', '');
  RETURN NULL;
END
$$;
CREATE TRIGGER routing_changes_notify AFTER INSERT ON routing_changes
  FOR EACH STATEMENT EXECUTE FUNCTION notify_routing_changes();

-- Triggers, so that no statement can change the routing of links without their revisions.
CREATE FUNCTION add_change_of_routing_settings() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  IF NEW IS NOT DISTINCT FROM OLD THEN RETURN NULL; END IF;
  INSERT INTO routing_changes (user_id, includes_default)
  VALUES (NEW.user_id, NEW.is_on OR coalesce(OLD.is_on, false));
  RETURN NULL;
END
$$;
CREATE TRIGGER routing_settings_add_change AFTER INSERT OR UPDATE ON routing_settings
  FOR EACH ROW EXECUTE FUNCTION add_change_of_routing_settings();

CREATE FUNCTION add_change_of_user_stores() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  owner_id integer := coalesce(NEW.user_id, OLD.user_id);
BEGIN
  IF NEW IS NOT DISTINCT FROM OLD THEN RETURN NULL; END IF;
  INSERT INTO routing_changes (user_id, includes_default)
  VALUES (owner_id, EXISTS (SELECT FROM routing_settings WHERE user_id = owner_id AND is_on));
  RETURN NULL;
END
$$;
CREATE TRIGGER store_tags_add_routing_change AFTER INSERT OR UPDATE OR DELETE ON store_tags
  FOR EACH ROW EXECUTE FUNCTION add_change_of_user_stores();
CREATE TRIGGER onelink_stores_add_routing_change AFTER INSERT OR DELETE ON onelink_stores
  FOR EACH ROW EXECUTE FUNCTION add_change_of_user_stores();

CREATE FUNCTION add_changes_of_sold_products() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO routing_changes (asin) SELECT DISTINCT asin FROM changed WHERE sold;
  RETURN NULL;
END
$$;
CREATE TRIGGER product_stores_add_new AFTER INSERT ON product_stores
  REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION add_changes_of_sold_products();
CREATE TRIGGER product_stores_add_removed AFTER DELETE ON product_stores
  REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION add_changes_of_sold_products();

CREATE FUNCTION add_changes_of_product_stores() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO routing_changes (asin)
  SELECT DISTINCT asin FROM changed JOIN earlier USING (asin, store)
  WHERE changed.sold IS TRUE <> earlier.sold IS TRUE;
  RETURN NULL;
END
$$;
CREATE TRIGGER product_stores_add_changed AFTER UPDATE ON product_stores
  REFERENCING OLD TABLE AS earlier NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION add_changes_of_product_stores();

REVOKE ALL ON FUNCTION link_routing, add_change_of_routing_settings FROM PUBLIC;
REVOKE ALL ON FUNCTION add_change_of_user_stores FROM PUBLIC;
REVOKE ALL ON FUNCTION add_changes_of_sold_products, add_changes_of_product_stores FROM PUBLIC;
GRANT EXECUTE ON FUNCTION link_routing TO tapthru_api, tapthru_worker, tapthru_redirect;
GRANT SELECT, UPDATE, DELETE ON routing_changes TO tapthru_worker;
