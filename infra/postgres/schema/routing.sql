-- Written by pnpm fix from a migrated database, to be read. The migrations have comments.

CREATE TABLE onelink_stores (
  user_id integer NOT NULL,
  marketplace text NOT NULL,
  CONSTRAINT onelink_stores_pkey PRIMARY KEY (user_id, marketplace),
  CONSTRAINT onelink_stores_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE TRIGGER onelink_stores_record_change AFTER INSERT OR DELETE OR UPDATE ON onelink_stores FOR EACH ROW WHEN (pg_trigger_depth() = 0 AND current_setting('tapthru.actor'::text, true) <> ''::text) EXECUTE FUNCTION record_change('onelink-store', 'user_id,marketplace', 'marketplace', 'user_id', 'marketplace', '');
GRANT DELETE, INSERT, SELECT ON onelink_stores TO tapthru_api;
GRANT SELECT ON onelink_stores TO tapthru_worker;

CREATE TABLE product_stores (
  asin text NOT NULL,
  store text NOT NULL,
  sold boolean,
  source text,
  checked_at timestamp with time zone,
  attempts integer NOT NULL DEFAULT 0,
  next_check_at timestamp with time zone NOT NULL DEFAULT now(),
  keep_until timestamp with time zone NOT NULL DEFAULT (now() + '14 days'::interval),
  CONSTRAINT product_stores_pkey PRIMARY KEY (asin, store),
  CONSTRAINT product_stores_source CHECK (source = ANY (ARRAY['creators-api'::text, 'page'::text]))
);
CREATE INDEX product_stores_keep_until_idx ON product_stores (keep_until);
GRANT DELETE, INSERT, SELECT, UPDATE ON product_stores TO tapthru_worker;

CREATE TABLE routing_settings (
  user_id integer NOT NULL,
  is_on boolean NOT NULL,
  fallback text NOT NULL,
  assistants_get_tag boolean NOT NULL DEFAULT false,
  CONSTRAINT routing_settings_fallback CHECK (fallback = ANY (ARRAY['original'::text, 'search'::text])),
  CONSTRAINT routing_settings_pkey PRIMARY KEY (user_id),
  CONSTRAINT routing_settings_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE TRIGGER routing_settings_add_store_check AFTER INSERT OR UPDATE ON routing_settings FOR EACH ROW WHEN (new.is_on) EXECUTE FUNCTION add_store_check();
CREATE TRIGGER routing_settings_record_change AFTER INSERT OR DELETE OR UPDATE ON routing_settings FOR EACH ROW WHEN (pg_trigger_depth() = 0 AND current_setting('tapthru.actor'::text, true) <> ''::text) EXECUTE FUNCTION record_change('routing', 'user_id', '', 'user_id', 'is_on,fallback,assistants_get_tag', '');
GRANT INSERT, SELECT, UPDATE ON routing_settings TO tapthru_api;
GRANT SELECT ON routing_settings TO tapthru_worker;

CREATE TABLE store_checks (
  user_id integer NOT NULL,
  looked_at timestamp with time zone NOT NULL DEFAULT '-infinity'::timestamp with time zone,
  after_id bigint NOT NULL DEFAULT 0,
  CONSTRAINT store_checks_pkey PRIMARY KEY (user_id),
  CONSTRAINT store_checks_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX store_checks_looked_at_idx ON store_checks (looked_at);
GRANT SELECT, UPDATE ON store_checks TO tapthru_worker;

CREATE FUNCTION add_store_check()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
AS $function$
BEGIN
  INSERT INTO store_checks (user_id) VALUES (NEW.user_id) ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$function$;

CREATE FUNCTION assistants_get_tag(owner_id integer)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$
BEGIN
  RETURN EXISTS (SELECT FROM routing_settings AS setting WHERE setting.user_id = owner_id AND setting.assistants_get_tag);
END
$function$;
GRANT EXECUTE ON FUNCTION assistants_get_tag TO tapthru_api, tapthru_redirect, tapthru_worker;

CREATE FUNCTION routing_of_link(owner_id integer, own_channel integer, own_choice boolean, page text, own_title text)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$
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
$function$;
GRANT EXECUTE ON FUNCTION routing_of_link TO tapthru_api, tapthru_redirect, tapthru_worker;
