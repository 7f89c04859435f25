-- Written by pnpm fix from a migrated database, to be read. The migrations have comments.

CREATE TABLE deleted_links (
  id bigint NOT NULL,
  user_id integer NOT NULL,
  deleted_at timestamp with time zone NOT NULL DEFAULT now(),
  link jsonb NOT NULL,
  dependents jsonb NOT NULL,
  CONSTRAINT deleted_links_pkey PRIMARY KEY (id),
  CONSTRAINT deleted_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE RESTRICT
);
CREATE INDEX deleted_links_deleted_at_idx ON deleted_links (deleted_at);
CREATE INDEX deleted_links_user_id_idx ON deleted_links (user_id, id);
CREATE TRIGGER deleted_links_end AFTER DELETE ON deleted_links REFERENCING OLD TABLE AS purged FOR EACH STATEMENT EXECUTE FUNCTION end_deleted_links();
GRANT DELETE, INSERT, SELECT ON deleted_links TO tapthru_api;
GRANT DELETE, SELECT (id, deleted_at) ON deleted_links TO tapthru_worker;

CREATE TABLE idempotency_keys (
  key_hash bytea NOT NULL,
  visitor_key bytea,
  request_hash bytea NOT NULL,
  short_code text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  claim_seal text,
  CONSTRAINT idempotency_keys_pkey PRIMARY KEY (key_hash),
  CONSTRAINT idempotency_keys_short_code_fkey FOREIGN KEY (short_code) REFERENCES links(short_code) ON DELETE CASCADE
);
CREATE INDEX idempotency_keys_created_at_idx ON idempotency_keys (created_at);
CREATE INDEX idempotency_keys_short_code_idx ON idempotency_keys (short_code);
GRANT DELETE, INSERT, SELECT, UPDATE ON idempotency_keys TO tapthru_worker;
GRANT INSERT, SELECT, UPDATE ON idempotency_keys TO tapthru_api;

CREATE TABLE link_changes (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  short_code text NOT NULL,
  revision integer NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  projected_at timestamp with time zone,
  transaction_id xid8 NOT NULL DEFAULT pg_current_xact_id(),
  CONSTRAINT link_changes_pkey PRIMARY KEY (id)
);
CREATE INDEX link_changes_projected_at_idx ON link_changes (projected_at) WHERE (projected_at IS NOT NULL);
CREATE INDEX link_changes_transaction_id_id_idx ON link_changes (transaction_id, id);
CREATE INDEX link_changes_unprojected_idx ON link_changes (id) WHERE (projected_at IS NULL);
CREATE TRIGGER link_changes_notify AFTER INSERT ON link_changes REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION notify_link_changes();
GRANT DELETE, INSERT, SELECT, UPDATE ON link_changes TO tapthru_worker;
GRANT INSERT ON link_changes TO tapthru_api;
GRANT SELECT (id, short_code, revision, transaction_id) ON link_changes TO tapthru_redirect;

CREATE TABLE link_codes (
  short_code text NOT NULL,
  link_id bigint NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  is_untagged boolean NOT NULL DEFAULT false,
  CONSTRAINT link_codes_pkey PRIMARY KEY (short_code)
);
CREATE INDEX link_codes_domain_idx ON link_codes (split_part(short_code, '@'::text, 2)) WHERE (POSITION(('@'::text) IN (short_code)) > 0);
CREATE INDEX link_codes_link_id_idx ON link_codes (link_id);
CREATE UNIQUE INDEX link_codes_untagged_key ON link_codes (link_id) WHERE is_untagged;
CREATE TRIGGER link_codes_record_untagged AFTER INSERT ON link_codes FOR EACH ROW WHEN (new.is_untagged AND current_setting('tapthru.actor'::text, true) <> ''::text) EXECUTE FUNCTION record_untagged_code();
GRANT DELETE, INSERT, SELECT, UPDATE ON link_codes TO tapthru_worker;
GRANT INSERT, SELECT, UPDATE ON link_codes TO tapthru_api;

CREATE TABLE link_destinations (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  link_id bigint NOT NULL,
  original_url text NOT NULL,
  web_url text NOT NULL,
  replaced_at timestamp with time zone NOT NULL DEFAULT now(),
  marketplace text,
  tag text,
  asin text,
  CONSTRAINT link_destinations_link_id_fkey FOREIGN KEY (link_id) REFERENCES links(id) ON DELETE CASCADE,
  CONSTRAINT link_destinations_pkey PRIMARY KEY (id)
);
CREATE INDEX link_destinations_link_id_id_idx ON link_destinations (link_id, id);
CREATE INDEX link_destinations_marketplace_tag_asin_idx ON link_destinations (marketplace, tag, asin) WHERE (tag IS NOT NULL);
GRANT DELETE, INSERT, SELECT ON link_destinations TO tapthru_api, tapthru_worker;

CREATE TABLE link_health (
  link_id bigint NOT NULL,
  state text NOT NULL DEFAULT 'unknown'::text,
  since timestamp with time zone NOT NULL DEFAULT now(),
  is_stale boolean NOT NULL DEFAULT true,
  CONSTRAINT link_health_link_id_fkey FOREIGN KEY (link_id) REFERENCES links(id) ON DELETE CASCADE,
  CONSTRAINT link_health_pkey PRIMARY KEY (link_id),
  CONSTRAINT link_health_state_known CHECK (state = ANY (ARRAY['ok'::text, 'product-gone'::text, 'out-of-stock'::text, 'redirected-elsewhere'::text, 'tag-missing'::text, 'tag-malformed'::text, 'unknown'::text]))
);
CREATE INDEX link_health_stale_idx ON link_health (link_id) WHERE is_stale;
CREATE INDEX link_health_unhealthy_idx ON link_health (link_id) WHERE (state <> ALL (ARRAY['ok'::text, 'unknown'::text]));
CREATE TRIGGER link_health_add_unhealthy_event AFTER UPDATE ON link_health FOR EACH ROW WHEN (new.state IS DISTINCT FROM old.state AND (new.state <> ALL (ARRAY['ok'::text, 'unknown'::text]))) EXECUTE FUNCTION add_event_of_unhealthy_link();
GRANT SELECT ON link_health TO tapthru_api;
GRANT SELECT, UPDATE ON link_health TO tapthru_worker;

CREATE TABLE links (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  original_url text NOT NULL,
  deep_link text NOT NULL,
  web_url text NOT NULL,
  short_code text NOT NULL,
  title text,
  description text,
  image_url text,
  site_name text,
  nickname text,
  user_id integer,
  expires_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  claim_hash bytea,
  revision integer NOT NULL DEFAULT 1,
  canonical_url text,
  taken_down_at timestamp with time zone,
  product_revision integer NOT NULL DEFAULT 0,
  sort_name text,
  has_earlier_codes boolean NOT NULL DEFAULT false,
  routing boolean,
  page_title text,
  channel_id integer,
  channel_tag text,
  taken_down_with text,
  marketplace text,
  tag text,
  asin text,
  fallback_url text,
  opening text,
  starts_at timestamp with time zone,
  CONSTRAINT links_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id) ON DELETE SET NULL,
  CONSTRAINT links_claim_hash_sha256 CHECK (octet_length(claim_hash) = 32),
  CONSTRAINT links_deep_link_has_product_id CHECK (deep_link ~ '[?&]product_id=.'::text),
  CONSTRAINT links_expires_at_in_range CHECK (expires_at >= '1970-01-01 00:00:00+00'::timestamp with time zone AND expires_at <= '9999-12-31 00:00:00+00'::timestamp with time zone),
  CONSTRAINT links_pkey PRIMARY KEY (id),
  CONSTRAINT links_revision_positive CHECK (revision > 0),
  CONSTRAINT links_short_code_key UNIQUE (short_code),
  CONSTRAINT links_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE RESTRICT,
  CONSTRAINT links_web_url_https CHECK (web_url ~ '^https://'::text AND octet_length(web_url) <= 4096)
);
CREATE INDEX links_canonical_url_id_idx ON links (canonical_url, id) WHERE (canonical_url IS NOT NULL);
CREATE INDEX links_channel_id_id_idx ON links (channel_id, id) WHERE (channel_id IS NOT NULL);
CREATE INDEX links_domain_idx ON links (split_part(short_code, '@'::text, 2), user_id) WHERE (POSITION(('@'::text) IN (short_code)) > 0);
CREATE INDEX links_of_visitors_expires_at_idx ON links (expires_at, id) WHERE ((user_id IS NULL) AND (expires_at IS NOT NULL));
CREATE INDEX links_user_id_address_idx ON links (user_id, hashtext(web_url), id) WHERE (user_id IS NOT NULL);
CREATE INDEX links_user_id_asin_idx ON links (user_id, asin) WHERE ((user_id IS NOT NULL) AND (asin IS NOT NULL));
CREATE INDEX links_user_id_id_idx ON links (user_id, id DESC) WHERE (user_id IS NOT NULL);
CREATE INDEX links_user_id_marketplace_tag_asin_idx ON links (user_id, marketplace, tag, asin) WHERE (user_id IS NOT NULL);
CREATE INDEX links_user_id_sort_name_id_idx ON links (user_id, sort_name, id) WHERE ((user_id IS NOT NULL) AND (sort_name IS NOT NULL));
CREATE INDEX links_with_fallback_idx ON links (user_id) WHERE (fallback_url IS NOT NULL);
CREATE TRIGGER links_add_changed_event AFTER UPDATE ON links FOR EACH ROW WHEN (new.user_id IS NOT NULL AND (new.user_id IS DISTINCT FROM old.user_id OR new.short_code IS DISTINCT FROM old.short_code OR new.web_url IS DISTINCT FROM old.web_url OR new.title IS DISTINCT FROM old.title OR new.nickname IS DISTINCT FROM old.nickname OR new.expires_at IS DISTINCT FROM old.expires_at OR new.taken_down_at IS DISTINCT FROM old.taken_down_at)) EXECUTE FUNCTION add_event_of_changed_link();
CREATE TRIGGER links_add_event_of_fallback AFTER UPDATE OF fallback_url ON links FOR EACH ROW WHEN (new.user_id IS NOT NULL AND new.fallback_url IS DISTINCT FROM old.fallback_url) EXECUTE FUNCTION add_event_of_changed_link();
CREATE TRIGGER links_add_event_of_opening AFTER UPDATE OF opening ON links FOR EACH ROW WHEN (new.user_id IS NOT NULL AND new.opening IS DISTINCT FROM old.opening) EXECUTE FUNCTION add_event_of_changed_link();
CREATE TRIGGER links_add_event_of_picture_or_start AFTER UPDATE OF image_url, starts_at ON links FOR EACH ROW WHEN (new.user_id IS NOT NULL AND (new.image_url IS DISTINCT FROM old.image_url OR new.starts_at IS DISTINCT FROM old.starts_at)) EXECUTE FUNCTION add_event_of_changed_link();
CREATE TRIGGER links_add_store_check AFTER INSERT OR UPDATE OF routing ON links FOR EACH ROW WHEN (new.routing AND new.user_id IS NOT NULL) EXECUTE FUNCTION add_store_check();
CREATE TRIGGER links_change_earlier_codes AFTER UPDATE OF revision ON links FOR EACH ROW WHEN (new.has_earlier_codes) EXECUTE FUNCTION change_earlier_codes();
CREATE TRIGGER links_follow_created AFTER INSERT ON links REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION follow_created_links();
CREATE TRIGGER links_follow_deleted AFTER DELETE ON links REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION follow_deleted_links();
CREATE TRIGGER links_record_change AFTER INSERT OR DELETE OR UPDATE ON links FOR EACH ROW WHEN (pg_trigger_depth() = 0 AND current_setting('tapthru.actor'::text, true) <> ''::text) EXECUTE FUNCTION record_change('link', 'id', 'short_code', 'user_id', 'short_code,web_url,title,image_url,nickname,starts_at,expires_at,fallback_url,opening,channel,routing,taken_down_at', '');
CREATE TRIGGER links_record_channel_move AFTER UPDATE OF channel_id, web_url ON links FOR EACH ROW WHEN (new.user_id IS NOT NULL AND new.user_id = old.user_id AND (new.channel_id IS DISTINCT FROM old.channel_id OR new.web_url IS DISTINCT FROM old.web_url) AND (old.channel_tag IS NULL OR new.channel_tag IS NULL OR new.channel_id IS DISTINCT FROM old.channel_id)) EXECUTE FUNCTION record_channel_move();
CREATE TRIGGER links_reset_health AFTER UPDATE ON links FOR EACH ROW WHEN (new.user_id IS NOT NULL AND (new.user_id IS DISTINCT FROM old.user_id OR new.web_url IS DISTINCT FROM old.web_url) AND (new.channel_tag IS NULL OR old.channel_tag IS NULL OR new.canonical_url IS DISTINCT FROM old.canonical_url)) EXECUTE FUNCTION reset_health_of_link();
CREATE TRIGGER links_retire_earlier_codes AFTER DELETE ON links FOR EACH ROW WHEN (old.has_earlier_codes) EXECUTE FUNCTION retire_earlier_codes();
CREATE TRIGGER links_set_sort_name BEFORE INSERT OR UPDATE OF user_id, nickname, title, page_title, product_revision ON links FOR EACH ROW WHEN (new.user_id IS NOT NULL) EXECUTE FUNCTION set_link_sort_name();
GRANT DELETE, INSERT, SELECT, UPDATE ON links TO tapthru_api, tapthru_worker;

CREATE TABLE recent_creates (
  visitor_key bytea NOT NULL,
  address_hash bytea NOT NULL,
  short_code text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT recent_creates_pkey PRIMARY KEY (visitor_key, address_hash),
  CONSTRAINT recent_creates_short_code_fkey FOREIGN KEY (short_code) REFERENCES links(short_code) ON DELETE CASCADE
);
CREATE INDEX recent_creates_created_at_idx ON recent_creates (created_at);
CREATE INDEX recent_creates_short_code_idx ON recent_creates (short_code);
GRANT DELETE, INSERT, SELECT, UPDATE ON recent_creates TO tapthru_api;
GRANT DELETE, SELECT, UPDATE ON recent_creates TO tapthru_worker;

CREATE VIEW redirect_records AS
 SELECT link.short_code,
    redirect_record(link.*, product.*) AS record
   FROM (links link
     LEFT JOIN products product USING (canonical_url))
UNION ALL
 SELECT retired_codes.short_code,
    jsonb_build_object('state', 'gone', 'revision', retired_codes.revision, 'reason', retired_codes.reason) AS record
   FROM retired_codes
UNION ALL
 SELECT code.short_code,
    (redirect_record(link.*, product.*) ||
        CASE
            WHEN code.is_untagged THEN '{"isUntagged": true}'::jsonb
            ELSE '{}'::jsonb
        END) AS record
   FROM ((link_codes code
     JOIN links link ON (((link.id = code.link_id) AND (link.short_code <> code.short_code))))
     LEFT JOIN products product USING (canonical_url));
GRANT SELECT ON redirect_records TO tapthru_redirect, tapthru_worker;

CREATE TABLE reports (
  short_code text NOT NULL,
  reason text NOT NULL,
  count integer NOT NULL DEFAULT 1,
  first_reported_at timestamp with time zone NOT NULL DEFAULT now(),
  last_reported_at timestamp with time zone NOT NULL DEFAULT now(),
  decision text,
  decided_at timestamp with time zone,
  opened_at timestamp with time zone NOT NULL DEFAULT now(),
  notice_due boolean NOT NULL DEFAULT true,
  noticed_at timestamp with time zone,
  CONSTRAINT reports_decision_known CHECK (decision = ANY (ARRAY['dismissed'::text, 'taken-down'::text])),
  CONSTRAINT reports_pkey PRIMARY KEY (short_code, reason),
  CONSTRAINT reports_reason_known CHECK (reason = ANY (ARRAY['misleading'::text, 'harmful'::text, 'spam'::text, 'other'::text])),
  CONSTRAINT reports_short_code_fkey FOREIGN KEY (short_code) REFERENCES links(short_code) ON DELETE CASCADE
);
CREATE INDEX reports_last_reported_at_idx ON reports (last_reported_at);
CREATE INDEX reports_notice_due_idx ON reports (short_code) WHERE notice_due;
CREATE INDEX reports_noticed_at_idx ON reports (noticed_at);
CREATE INDEX reports_open_idx ON reports (opened_at) WHERE (decision IS NULL);
CREATE TRIGGER reports_add_event AFTER INSERT ON reports FOR EACH ROW WHEN (new.decision IS NULL) EXECUTE FUNCTION add_event_of_report();
CREATE TRIGGER reports_add_event_of_reopened AFTER UPDATE ON reports FOR EACH ROW WHEN (new.decision IS NULL AND old.decision IS NOT NULL AND new.count > old.count) EXECUTE FUNCTION add_event_of_report();
GRANT DELETE, SELECT, UPDATE ON reports TO tapthru_worker;
GRANT INSERT, SELECT, UPDATE ON reports TO tapthru_api;

CREATE TABLE retired_codes (
  short_code text NOT NULL,
  reason text NOT NULL,
  revision integer NOT NULL,
  retired_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT retired_codes_pkey PRIMARY KEY (short_code),
  CONSTRAINT retired_codes_reason_known CHECK (reason = ANY (ARRAY['deleted'::text, 'expired'::text]))
);
GRANT INSERT, SELECT ON retired_codes TO tapthru_api, tapthru_worker;

CREATE FUNCTION add_event_of_changed_link()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
AS $function$
BEGIN
  IF EXISTS (SELECT FROM webhooks WHERE webhooks.user_id = NEW.user_id) THEN
    PERFORM add_link_events(ARRAY[NEW.id], CASE WHEN NEW.user_id = OLD.user_id THEN 'link.changed' ELSE 'link.created' END);
  END IF;
  RETURN NULL;
END
$function$;

CREATE FUNCTION add_event_of_report()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
AS $function$
BEGIN
  PERFORM add_event(users.id, 'link.reported', jsonb_build_object(
    'shortCode', link.short_code, 'webUrl', link.web_url, 'reason', NEW.reason, 'count', NEW.count))
  FROM links AS link CROSS JOIN users
  WHERE link.short_code = NEW.short_code AND users.is_operator AND users.state = 'enabled';
  RETURN NULL;
END
$function$;

CREATE FUNCTION add_event_of_unhealthy_link()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
AS $function$
BEGIN
  PERFORM add_event(link.user_id, 'link.unhealthy', link_event_data(link) || jsonb_build_object('health', jsonb_build_object(
      'state', NEW.state, 'previousState', OLD.state, 'since', utc_text(NEW.since))), link.id)
  FROM links AS link
  WHERE link.id = NEW.link_id AND link.taken_down_at IS NULL AND (link.expires_at IS NULL OR link.expires_at > now());
  RETURN NULL;
END
$function$;

CREATE FUNCTION add_link_events(ids bigint[], event text)
 RETURNS void
 LANGUAGE sql
AS $function$
  INSERT INTO webhook_deliveries (webhook_id, type, link_id, data)
  SELECT webhook.id, actual.event, link.id, link_event_data(link)
  FROM links AS link
  -- The labels of a new link are inserted after it.
  CROSS JOIN LATERAL (SELECT CASE WHEN link.created_at = now() THEN 'link.created' ELSE add_link_events.event END
  ) AS actual (event)
  JOIN webhooks AS webhook ON webhook.user_id = link.user_id
  WHERE link.id = ANY (ids) AND webhook.disabled_at IS NULL AND actual.event = ANY (webhook.events)
  ON CONFLICT ON CONSTRAINT webhook_deliveries_link_once DO UPDATE SET data = excluded.data
$function$;
GRANT EXECUTE ON FUNCTION add_link_events TO tapthru_worker;

CREATE FUNCTION change_earlier_codes()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
AS $function$
BEGIN
  INSERT INTO link_changes (short_code, revision)
  SELECT short_code, NEW.revision FROM link_codes
  WHERE link_id = NEW.id AND short_code <> NEW.short_code;
  RETURN NULL;
END
$function$;

CREATE FUNCTION creator_of_link(owner_id integer)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$
BEGIN
  RETURN (SELECT jsonb_strip_nulls(jsonb_build_object('creatorName', displayed_name, 'showsDisclosure', nullif(shows_disclosure, false)))
    FROM users WHERE id = owner_id);
END
$function$;
GRANT EXECUTE ON FUNCTION creator_of_link TO tapthru_api, tapthru_redirect, tapthru_worker;

CREATE FUNCTION decide_about_links(ids bigint[], new_decision text, cause text DEFAULT NULL::text)
 RETURNS integer
 LANGUAGE sql
AS $function$
  SELECT FROM links WHERE id = ANY (ids) ORDER BY id FOR NO KEY UPDATE;
  UPDATE reports
  SET decision = new_decision, decided_at = CASE WHEN new_decision IS NOT NULL THEN now() END, notice_due = false,
    opened_at = CASE WHEN new_decision IS NULL THEN now() ELSE opened_at END
  FROM links AS link
  WHERE link.id = ANY (ids) AND reports.short_code = link.short_code AND decision IS DISTINCT FROM new_decision
    AND (cause IS NULL OR decision IS NULL OR new_decision IS NULL AND decided_at = link.taken_down_at);
  -- A decision about the link alone outlasts that about its user or address.
  UPDATE links SET taken_down_with = NULL
  WHERE id = ANY (ids) AND taken_down_with IS NOT NULL AND new_decision = 'taken-down' AND cause IS NULL;
  WITH link AS (UPDATE links SET taken_down_at = CASE WHEN new_decision = 'taken-down' THEN now() END,
      taken_down_with = CASE WHEN new_decision = 'taken-down' THEN cause END,
      revision = revision + 1
    WHERE id = ANY (ids) AND (taken_down_at IS NULL) = (coalesce(new_decision, '') = 'taken-down')
    RETURNING short_code, revision), recent AS (
    DELETE FROM recent_creates USING link WHERE recent_creates.short_code = link.short_code), change AS (
    INSERT INTO link_changes (short_code, revision) SELECT short_code, revision FROM link)
  SELECT count(*)::int FROM link
$function$;
GRANT EXECUTE ON FUNCTION decide_about_links TO tapthru_api, tapthru_worker;

CREATE FUNCTION dependents_of_link(link bigint, code text)
 RETURNS jsonb
 LANGUAGE sql
AS $function$
  SELECT jsonb_strip_nulls(jsonb_build_object(
    'idempotency_keys', (SELECT jsonb_agg(keys) FROM idempotency_keys AS keys WHERE short_code = code),
    'link_destinations', (SELECT jsonb_agg(earlier) FROM link_destinations AS earlier WHERE link_id = link),
    'link_labels', (SELECT jsonb_agg(labelled) FROM link_labels AS labelled WHERE link_id = link),
    'pattern_links', (SELECT jsonb_agg(visited) FROM pattern_links AS visited WHERE link_id = link),
    'reports', (SELECT jsonb_agg(report) FROM reports AS report WHERE short_code = code),
    'shared_pages', (SELECT jsonb_agg(page) FROM shared_pages AS page WHERE link_id = link)))
$function$;
GRANT EXECUTE ON FUNCTION dependents_of_link TO tapthru_api;

CREATE FUNCTION due_report_recipients()
 RETURNS TABLE(email text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
AS $function$
  SELECT users.email FROM users
  WHERE is_operator AND state = 'enabled' AND email_is_verified
    AND EXISTS (SELECT FROM reports WHERE notice_due AND decision IS NULL)
    AND NOT EXISTS (SELECT FROM reports WHERE noticed_at > now() - interval '10 minutes')
    AND NOT EXISTS (SELECT FROM account_deletions AS deletion WHERE deletion.user_id = users.id)
  ORDER BY users.id
$function$;
GRANT EXECUTE ON FUNCTION due_report_recipients TO tapthru_worker;

CREATE FUNCTION end_deleted_links()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
AS $function$
DECLARE
  ended bigint[] := ARRAY(SELECT id FROM purged WHERE NOT EXISTS (SELECT FROM links WHERE links.id = purged.id));
BEGIN
  DELETE FROM clicks WHERE link_id = ANY (ended);
  DELETE FROM monthly_clicks WHERE link_id = ANY (ended);
  RETURN NULL;
END
$function$;

CREATE FUNCTION fallback_of_link(link links, product products)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
AS $function$
  SELECT jsonb_build_object('webUrl', chosen.url, 'tag', store.tag,
    'isProductGone', coalesce(product.check_state = 'product-gone', false))
  FROM channels AS channel
  CROSS JOIN LATERAL (SELECT coalesce(link.fallback_url, channel.fallback_url) AS url) AS chosen
  LEFT JOIN channel_tags AS store ON store.channel_id = channel.id
    AND store.marketplace = substring(chosen.url FROM '^https://(?:(?:www|m|smile)\.)?amazon\.([a-z.]+)')
  WHERE channel.id = coalesce(
      (SELECT own.id FROM channels AS own WHERE own.id = link.channel_id AND own.user_id = link.user_id),
      default_channel(link.user_id))
    AND chosen.url IS NOT NULL
$function$;
GRANT EXECUTE ON FUNCTION fallback_of_link TO tapthru_api, tapthru_redirect, tapthru_worker;

CREATE FUNCTION find_link_id(code text)
 RETURNS bigint
 LANGUAGE sql
 STABLE
AS $function$
  SELECT id FROM links WHERE short_code = code
  UNION ALL
  SELECT links.id FROM link_codes JOIN links ON links.id = link_codes.link_id
  WHERE link_codes.short_code = code
  LIMIT 1
$function$;
GRANT EXECUTE ON FUNCTION find_link_id TO PUBLIC;

CREATE FUNCTION follow_created_links()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
AS $function$
DECLARE
  ids bigint[];
BEGIN
  INSERT INTO link_health (link_id) SELECT id FROM added WHERE user_id IS NOT NULL;
  SELECT array_agg(id) INTO ids FROM added WHERE EXISTS (SELECT FROM webhooks WHERE webhooks.user_id = added.user_id);
  IF ids IS NOT NULL THEN PERFORM add_link_events(ids, 'link.created'); END IF;
  RETURN NULL;
END
$function$;

CREATE FUNCTION follow_deleted_links()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
AS $function$
DECLARE
  ended bigint[] := ARRAY(SELECT id FROM deleted WHERE NOT EXISTS (SELECT FROM deleted_links AS kept WHERE kept.id = deleted.id));
BEGIN
  INSERT INTO webhook_deliveries (webhook_id, type, link_id, data)
  SELECT webhook.id, 'link.deleted', link.id, jsonb_build_object('id', link.id, 'shortCode', link.short_code)
  FROM deleted AS link JOIN webhooks AS webhook USING (user_id)
  WHERE webhook.disabled_at IS NULL AND 'link.deleted' = ANY (webhook.events)
  ON CONFLICT ON CONSTRAINT webhook_deliveries_link_once DO UPDATE SET type = excluded.type, data = excluded.data;
  DELETE FROM clicks WHERE link_id = ANY (ended);
  DELETE FROM monthly_clicks WHERE link_id = ANY (ended);
  -- Only months since the creation of the links are searched.
  DELETE FROM audit_log WHERE object_id = ANY (ARRAY(SELECT id::text FROM deleted WHERE user_id IS NULL))
    AND at >= (SELECT min(created_at) FROM deleted WHERE user_id IS NULL) AND action IN ('link.created', 'link.deleted');
  RETURN NULL;
END
$function$;

CREATE FUNCTION link_event_data(link links)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
AS $function$
  SELECT jsonb_build_object('id', link.id, 'shortCode', link.short_code, 'webUrl', link.web_url, 'title', link.title,
    'imageUrl', link.image_url,
    'nickname', link.nickname,
    'fallbackUrl', link.fallback_url,
    'opening', link.opening,
    'labels', (SELECT coalesce(jsonb_agg(label.name ORDER BY label.name), '[]')
      FROM link_labels JOIN labels AS label ON label.id = label_id WHERE link_id = link.id),
    'takenDown', link.taken_down_at IS NOT NULL,
    'startsAt', utc_text(link.starts_at), 'expiresAt', utc_text(link.expires_at), 'createdAt', utc_text(link.created_at))
$function$;
GRANT EXECUTE ON FUNCTION link_event_data TO tapthru_worker;

CREATE FUNCTION notify_link_changes()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
AS $function$
BEGIN
  IF NOT EXISTS (SELECT FROM link_changes WHERE projected_at IS NULL AND id < (SELECT min(id) FROM added)) THEN
    PERFORM pg_notify('link_changes', '');
  END IF;
  RETURN NULL;
END
$function$;
GRANT EXECUTE ON FUNCTION notify_link_changes TO PUBLIC;

CREATE FUNCTION record_channel_move()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
AS $function$
DECLARE
  usual integer := default_channel(NEW.user_id);
  old_own integer := coalesce(OLD.channel_id, usual);
  new_own integer := coalesce(NEW.channel_id, usual);
  old_channel integer := channel_of_tag(NEW.user_id, old_own, OLD.marketplace, OLD.tag);
  new_channel integer := channel_of_tag(NEW.user_id, new_own, NEW.marketplace, NEW.tag);
  today date := (now() AT TIME ZONE 'UTC')::date;
BEGIN
  IF (OLD.marketplace, old_own, old_channel) IS NOT DISTINCT FROM (NEW.marketplace, new_own, new_channel) THEN
    RETURN NULL;
  END IF;
  INSERT INTO channel_moves (channel_id, moved_on)
  SELECT id, today FROM channels
  WHERE id IN (old_own, new_own, old_channel, new_channel)
    AND NOT EXISTS (SELECT FROM channel_moves AS known WHERE known.channel_id = id AND moved_on = today)
  ORDER BY id
  ON CONFLICT (channel_id) DO UPDATE SET moved_on = excluded.moved_on;
  RETURN NULL;
END
$function$;

CREATE FUNCTION record_untagged_code()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
AS $function$
BEGIN
  PERFORM add_to_audit_log(
    'link', 'changed', link.id::text, link.short_code, link.user_id, '{}', jsonb_build_object('untagged_code', NEW.short_code))
  FROM links AS link WHERE link.id = NEW.link_id;
  RETURN NULL;
END
$function$;

CREATE FUNCTION redirect_record(link links, product products)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
RETURN CASE WHEN ((link).taken_down_at IS NULL) THEN ((((jsonb_set_lax(jsonb_set_lax(jsonb_build_object('state', 'live', 'revision', (link).revision, 'webUrl', (link).web_url, 'expiresAt', (floor((EXTRACT(epoch FROM (link).expires_at) * (1000)::numeric)))::bigint, 'title', COALESCE((link).title, (product).title, (link).page_title), 'description', COALESCE((link).description, (product).description), 'imageUrl', COALESCE((link).image_url, (product).image_url), 'siteName', COALESCE((link).site_name, (product).site_name)), '{routing}'::text[], routing_of_link((link).user_id, (link).channel_id, (link).routing, (link).canonical_url, (link).title), true, 'return_target'::text), '{fallback}'::text[], CASE WHEN (((link).user_id IS NOT NULL) AND (((link).starts_at IS NOT NULL) OR ((link).expires_at IS NOT NULL) OR ((product).check_state = 'product-gone'::text))) THEN fallback_of_link(link, product) ELSE NULL::jsonb END, true, 'return_target'::text) || CASE WHEN assistants_get_tag((link).user_id) THEN '{"assistantsGetTag": true}'::jsonb ELSE '{}'::jsonb END) || CASE WHEN ((link).opening IS NULL) THEN experiments_of_link(link) WHEN ((link).opening = 'app'::text) THEN '{}'::jsonb ELSE jsonb_build_object('opening', (link).opening) END) || COALESCE(creator_of_link((link).user_id), '{}'::jsonb)) || CASE WHEN ((link).starts_at IS NULL) THEN '{}'::jsonb ELSE jsonb_build_object('startsAt', (floor((EXTRACT(epoch FROM (link).starts_at) * (1000)::numeric)))::bigint) END) ELSE jsonb_build_object('state', 'gone', 'revision', (link).revision, 'reason', 'taken-down') END;
GRANT EXECUTE ON FUNCTION redirect_record TO PUBLIC;

CREATE FUNCTION release_root_code(host text)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
AS $function$
DECLARE
  code text := '@' || host;
  last_revision integer;
BEGIN
  IF EXISTS (SELECT FROM links WHERE short_code = code) THEN RETURN 1; END IF;
  SELECT max(revision) INTO last_revision FROM (SELECT revision FROM retired_codes WHERE short_code = code UNION ALL
    SELECT revision FROM link_codes JOIN links ON links.id = link_id
    WHERE link_codes.short_code = code) AS earlier;
  DELETE FROM retired_codes WHERE short_code = code;
  DELETE FROM link_codes WHERE short_code = code;
  RETURN coalesce(last_revision, 0) + 1;
END
$function$;
GRANT EXECUTE ON FUNCTION release_root_code TO tapthru_api;

CREATE FUNCTION reset_health_of_link()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
AS $function$
BEGIN
  INSERT INTO link_health (link_id) VALUES (NEW.id)
  ON CONFLICT (link_id) DO UPDATE SET state = 'unknown', since = now(), is_stale = true;
  RETURN NULL;
END
$function$;

CREATE FUNCTION restore_links(owner_id integer, ids bigint[])
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
AS $function$
#variable_conflict use_column
DECLARE
  found jsonb; -- What is returned.
  restored bigint[];
BEGIN
  -- While the user is locked, no label of theirs is deleted.
  IF NOT lock_enabled_user(owner_id) THEN RETURN '{}'; END IF;
  PERFORM FROM deleted_links AS kept WHERE kept.id = ANY (ids) AND kept.user_id = owner_id ORDER BY kept.id FOR UPDATE;
  SELECT jsonb_object_agg(kept.id, CASE
      -- Of the one at `/` of a domain.
      WHEN EXISTS (SELECT FROM links WHERE short_code = kept.link ->> 'short_code') THEN 'slug-taken'
      WHEN EXISTS (SELECT FROM audit_log AS decision
        WHERE action = 'links.taken-down' AND action NOT LIKE 'link.%' AND at >= deleted_at
          AND (decision.owner_id = kept.user_id OR address_hash IN (SELECT address_hash FROM audit_log AS creation
            WHERE object_id = kept.id::text AND creation.action = 'link.created'))) THEN 'link-taken-down' END)
  INTO found FROM deleted_links AS kept WHERE kept.id = ANY (ids) AND kept.user_id = restore_links.owner_id;
  SELECT array_agg(key::bigint ORDER BY key::bigint) INTO restored FROM jsonb_each_text(found) WHERE value IS NULL;

  INSERT INTO links SELECT link.*
  FROM deleted_links AS kept
  LEFT JOIN channels ON channels.id = (kept.link ->> 'channel_id')::integer AND channels.user_id = kept.user_id
  -- The record of a deleted link has the revision after that of the link.
  CROSS JOIN LATERAL jsonb_populate_record(NULL::links, kept.link || jsonb_build_object(
    'revision', (kept.link ->> 'revision')::integer + 2, 'channel_id', channels.id,
    'channel_tag', CASE WHEN channels.id IS NOT NULL THEN kept.link ->> 'channel_tag' END)) AS link
  WHERE kept.id = ANY (restored) ORDER BY kept.id;
  WITH code AS (SELECT short_code, revision FROM links WHERE links.id = ANY (restored)
    UNION SELECT earlier.short_code, revision FROM links JOIN link_codes AS earlier ON link_id = links.id
    WHERE links.id = ANY (restored)), back AS (
    DELETE FROM retired_codes USING code WHERE retired_codes.short_code = code.short_code)
  INSERT INTO link_changes (short_code, revision) SELECT short_code, revision FROM code;

  INSERT INTO idempotency_keys SELECT each.* FROM deleted_links AS kept,
    jsonb_populate_recordset(NULL::idempotency_keys, kept.dependents -> 'idempotency_keys') AS each
  WHERE kept.id = ANY (restored) ON CONFLICT DO NOTHING;
  INSERT INTO link_destinations OVERRIDING SYSTEM VALUE SELECT each.* FROM deleted_links AS kept,
    jsonb_populate_recordset(NULL::link_destinations, kept.dependents -> 'link_destinations') AS each
  WHERE kept.id = ANY (restored);
  INSERT INTO link_labels SELECT each.* FROM deleted_links AS kept,
    jsonb_populate_recordset(NULL::link_labels, kept.dependents -> 'link_labels') AS each
  WHERE kept.id = ANY (restored) AND EXISTS (SELECT FROM labels WHERE labels.id = label_id);
  INSERT INTO pattern_links SELECT each.* FROM deleted_links AS kept,
    jsonb_populate_recordset(NULL::pattern_links, kept.dependents -> 'pattern_links') AS each
  WHERE kept.id = ANY (restored) AND EXISTS (SELECT FROM link_patterns WHERE link_patterns.id = pattern_id)
  ON CONFLICT DO NOTHING;
  INSERT INTO reports SELECT each.* FROM deleted_links AS kept,
    jsonb_populate_recordset(NULL::reports, kept.dependents -> 'reports') AS each
  WHERE kept.id = ANY (restored);
  -- What a member made ends when their role does not allow it any more.
  INSERT INTO shared_pages OVERRIDING SYSTEM VALUE SELECT each.* FROM deleted_links AS kept,
    jsonb_populate_recordset(NULL::shared_pages, kept.dependents -> 'shared_pages') AS each
  WHERE kept.id = ANY (restored) AND (made_by IS NULL OR EXISTS (SELECT FROM members
    WHERE account_id = kept.user_id AND member_id = made_by AND role <> 'viewer'));

  DELETE FROM deleted_links AS kept WHERE kept.id = ANY (restored);
  UPDATE audit_log SET action = 'link.restored' WHERE at = now() AND action = 'link.created'
    AND object_id = ANY (restored::text[]);
  RETURN coalesce(found, '{}');
END
$function$;
GRANT EXECUTE ON FUNCTION restore_links TO tapthru_api;

CREATE FUNCTION retire_earlier_codes()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
AS $function$
BEGIN
  WITH retired AS (INSERT INTO retired_codes (short_code, reason, revision)
    SELECT short_code, 'deleted', OLD.revision + 1 FROM link_codes
    WHERE link_id = OLD.id AND short_code <> OLD.short_code
    RETURNING short_code, revision)
  INSERT INTO link_changes (short_code, revision) SELECT short_code, revision FROM retired;
  RETURN NULL;
END
$function$;

CREATE FUNCTION set_link_sort_name()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  product_id text := substring(split_part(split_part(NEW.original_url, '#', 1), '?', 1) FROM '/(?:dp|gp/product)/([A-Za-z0-9]+)'
  );
BEGIN
  NEW.sort_name := left(coalesce(nullif(NEW.nickname, ''), nullif(NEW.title, ''),
    (SELECT nullif(title, '') FROM products WHERE canonical_url = NEW.canonical_url),
    NEW.page_title,
    concat_ws(': ', 'Amazon Product', product_id)), 100);
  RETURN NEW;
END
$function$;
GRANT EXECUTE ON FUNCTION set_link_sort_name TO PUBLIC;
