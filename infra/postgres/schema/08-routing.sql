-- Whether visitors of a user's links are sent to their own store with the user's tag there, if the link does not say so
-- itself, and where they go if that store is not known to sell the product. Without a row: no, and the original link.
CREATE TABLE routing_settings (
  user_id integer PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  is_on boolean NOT NULL,
  fallback text NOT NULL,
  assistants_get_tag boolean NOT NULL DEFAULT false,
  CONSTRAINT routing_settings_fallback CHECK (fallback IN ('original', 'search'))
);

-- Users whose links may be routed: the worker looks at some of their links in turn, for products that it must check in stores.
CREATE TABLE store_checks (
  user_id integer PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  looked_at timestamptz NOT NULL DEFAULT '-infinity',
  after_id bigint NOT NULL DEFAULT 0 -- It looked at links up to this one since it began with the first.
);
CREATE INDEX store_checks_looked_at_idx ON store_checks (looked_at);

CREATE FUNCTION add_store_check() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO store_checks (user_id) VALUES (NEW.user_id) ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;
CREATE TRIGGER links_add_store_check AFTER INSERT OR UPDATE OF routing ON links FOR EACH ROW
  WHEN (NEW.routing AND NEW.user_id IS NOT NULL) EXECUTE FUNCTION add_store_check();
CREATE TRIGGER routing_settings_add_store_check AFTER INSERT OR UPDATE ON routing_settings FOR EACH ROW
  WHEN (NEW.is_on) EXECUTE FUNCTION add_store_check();

CREATE FUNCTION assistants_get_tag(owner_id integer) RETURNS boolean
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  RETURN EXISTS (SELECT FROM routing_settings AS setting WHERE setting.user_id = owner_id AND setting.assistants_get_tag);
END
$$;

-- Returns how visitors of a link are sent to their own stores, with the tags of the link's channel; null if they are not.
CREATE FUNCTION routing_of_link(owner_id integer, own_channel integer, own_choice boolean, page text, own_title text
) RETURNS jsonb LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  channel integer := own_channel;
  is_on boolean := own_choice;
  is_search boolean := false;
BEGIN
  IF owner_id IS NULL OR page IS NULL OR own_choice IS FALSE THEN RETURN NULL; END IF;
  SELECT coalesce(own_choice, setting.is_on), setting.fallback = 'search' INTO is_on, is_search
  FROM (SELECT) AS one LEFT JOIN routing_settings AS setting ON setting.user_id = owner_id;
  IF is_on IS NOT TRUE THEN RETURN NULL; END IF;
  IF channel IS NULL THEN
    SELECT id INTO channel FROM channels WHERE channels.user_id = owner_id AND is_default;
  END IF;
  RETURN (SELECT jsonb_build_object('stores', jsonb_agg(
        jsonb_build_object('marketplace', store.marketplace, 'tag', store.tag, 'isSold', sold.is_sold)
        ORDER BY store.marketplace),
      'oneLink', (SELECT coalesce(jsonb_agg(marketplace ORDER BY marketplace), '[]') FROM onelink_stores
        WHERE user_id = owner_id),
      'searchTitle', CASE WHEN is_search THEN coalesce(product.title, own_title) END)
    FROM products AS product
    JOIN channel_tags AS store ON store.channel_id = channel AND store.user_id = owner_id
      AND store.marketplace <> product.marketplace
    CROSS JOIN LATERAL (SELECT EXISTS (SELECT FROM product_stores AS known
        WHERE known.asin = product.product_id AND known.store = store.marketplace AND known.sold) AS is_sold) AS sold
    WHERE product.canonical_url = page AND (sold.is_sold OR (is_search AND coalesce(product.title, own_title) IS NOT NULL))
      AND NOT EXISTS (SELECT FROM onelink_stores AS served
        WHERE served.user_id = owner_id AND served.marketplace = store.marketplace)
    GROUP BY product.title);
END
$$;

GRANT SELECT ON routing_settings TO tapthru_worker;
GRANT SELECT, INSERT, UPDATE ON routing_settings TO tapthru_api;
GRANT SELECT, UPDATE ON store_checks TO tapthru_worker;
GRANT EXECUTE ON FUNCTION assistants_get_tag, routing_of_link TO tapthru_api, tapthru_redirect, tapthru_worker;
