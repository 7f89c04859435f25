-- Written by pnpm fix from a migrated database, to be read. The migrations have comments.

CREATE TABLE channel_arrivals (
  report_id bigint NOT NULL,
  channel_id integer NOT NULL,
  amazon_clicks integer NOT NULL,
  people integer NOT NULL,
  is_comparable boolean NOT NULL DEFAULT true,
  CONSTRAINT channel_arrivals_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id) ON DELETE CASCADE,
  CONSTRAINT channel_arrivals_pkey PRIMARY KEY (report_id, channel_id),
  CONSTRAINT channel_arrivals_report_id_fkey FOREIGN KEY (report_id) REFERENCES earnings_reports(id) ON DELETE CASCADE
);
CREATE INDEX channel_arrivals_channel_id_idx ON channel_arrivals (channel_id);
GRANT INSERT, SELECT ON channel_arrivals TO tapthru_worker;
GRANT SELECT ON channel_arrivals TO tapthru_api;

CREATE TABLE channel_moves (
  channel_id integer NOT NULL,
  moved_on date NOT NULL,
  CONSTRAINT channel_moves_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id) ON DELETE CASCADE,
  CONSTRAINT channel_moves_pkey PRIMARY KEY (channel_id)
);
GRANT SELECT ON channel_moves TO tapthru_worker;

CREATE TABLE channel_tags (
  channel_id integer NOT NULL,
  user_id integer NOT NULL,
  marketplace text NOT NULL,
  tag text NOT NULL,
  CONSTRAINT channel_tags_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id) ON DELETE CASCADE,
  CONSTRAINT channel_tags_pkey PRIMARY KEY (channel_id, marketplace),
  CONSTRAINT channel_tags_user_id_marketplace_tag_key UNIQUE (user_id, marketplace, tag)
);
CREATE TRIGGER channel_tags_record_change AFTER INSERT OR DELETE OR UPDATE ON channel_tags FOR EACH ROW WHEN (pg_trigger_depth() = 0 AND current_setting('tapthru.actor'::text, true) <> ''::text) EXECUTE FUNCTION record_change('channel-tag', 'channel_id,marketplace', 'tag', 'user_id', 'channel,marketplace,tag', '');
GRANT DELETE, INSERT, SELECT, UPDATE ON channel_tags TO tapthru_api;
GRANT SELECT ON channel_tags TO tapthru_worker;

CREATE TABLE channels (
  id integer NOT NULL GENERATED ALWAYS AS IDENTITY,
  user_id integer,
  name text NOT NULL,
  name_key text NOT NULL,
  is_default boolean NOT NULL DEFAULT false,
  fallback_url text,
  CONSTRAINT channels_pkey PRIMARY KEY (id),
  CONSTRAINT channels_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  CONSTRAINT channels_user_id_name_key_key UNIQUE (user_id, name_key)
);
CREATE UNIQUE INDEX channels_default_idx ON channels (user_id) WHERE is_default;
CREATE TRIGGER channels_record_change AFTER INSERT OR DELETE OR UPDATE ON channels FOR EACH ROW WHEN (pg_trigger_depth() = 0 AND current_setting('tapthru.actor'::text, true) <> ''::text) EXECUTE FUNCTION record_change('channel', 'id', 'name', 'user_id', 'name,is_default,fallback_url', '');
CREATE TRIGGER channels_record_deleted AFTER UPDATE OF user_id ON channels FOR EACH ROW WHEN (new.user_id IS NULL AND pg_trigger_depth() = 0 AND current_setting('tapthru.actor'::text, true) <> ''::text) EXECUTE FUNCTION record_deleted_channel();
GRANT DELETE, INSERT, SELECT, UPDATE ON channels TO tapthru_api;
GRANT DELETE, SELECT, UPDATE (user_id) ON channels TO tapthru_worker;

CREATE TABLE earlier_channel_tags (
  user_id integer NOT NULL,
  marketplace text NOT NULL,
  tag text NOT NULL,
  channel_id integer NOT NULL,
  CONSTRAINT earlier_channel_tags_pkey PRIMARY KEY (user_id, marketplace, tag),
  CONSTRAINT earlier_channel_tags_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
GRANT INSERT, SELECT, UPDATE ON earlier_channel_tags TO tapthru_api;
GRANT SELECT ON earlier_channel_tags TO tapthru_worker;

CREATE TABLE failing_channels (
  channel_id integer NOT NULL,
  marketplace text NOT NULL,
  since timestamp with time zone NOT NULL DEFAULT now(),
  notice_due boolean NOT NULL DEFAULT true,
  CONSTRAINT failing_channels_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id) ON DELETE CASCADE,
  CONSTRAINT failing_channels_pkey PRIMARY KEY (channel_id, marketplace)
);
GRANT DELETE, SELECT, UPDATE ON failing_channels TO tapthru_worker;

CREATE FUNCTION channel_of_tag(owner_id integer, own_channel integer, store text, own_tag text)
 RETURNS integer
 LANGUAGE sql
 STABLE
AS $function$
  SELECT coalesce((SELECT channel_id FROM (
      SELECT channel_id, tag, 1 AS place FROM channel_tags WHERE user_id = owner_id AND marketplace = store
      UNION ALL
      SELECT channel_id, tag, 2 FROM earlier_channel_tags WHERE user_id = owner_id AND marketplace = store
    ) AS known WHERE lower(tag) = own_tag ORDER BY place LIMIT 1), own_channel)
$function$;

CREATE FUNCTION default_channel(owner_id integer)
 RETURNS integer
 LANGUAGE sql
 STABLE
RETURN (SELECT channels.id FROM channels WHERE ((channels.user_id = default_channel.owner_id) AND channels.is_default));
GRANT EXECUTE ON FUNCTION default_channel TO tapthru_api, tapthru_worker;

CREATE FUNCTION due_channel_notices(max_count integer)
 RETURNS TABLE(channel_id integer, marketplace text, name text, email text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
AS $function$
  SELECT failing.channel_id, failing.marketplace, channel.name, users.email
  FROM failing_channels AS failing JOIN channels AS channel ON channel.id = failing.channel_id
  JOIN users ON users.id = channel.user_id
  WHERE failing.notice_due AND failing.since > now() - interval '7 days' AND users.state = 'enabled' AND users.email_is_verified
    AND NOT EXISTS (SELECT FROM account_deletions AS deletion WHERE deletion.user_id = users.id)
    AND NOT EXISTS (SELECT FROM failed_items AS item
      WHERE item.kind = 'channel-notices' AND item.key = failing.channel_id || ' ' || failing.marketplace
        AND item.retry_at > now())
  ORDER BY failing.since, failing.channel_id, failing.marketplace LIMIT due_channel_notices.max_count
$function$;
GRANT EXECUTE ON FUNCTION due_channel_notices TO tapthru_worker;

CREATE FUNCTION lock_channel_tag(channel integer, store text)
 RETURNS text
 LANGUAGE sql
 SECURITY DEFINER
AS $function$
  SELECT tag FROM channel_tags WHERE channel_id = channel AND marketplace = store FOR SHARE
$function$;
GRANT EXECUTE ON FUNCTION lock_channel_tag TO tapthru_api, tapthru_worker;

CREATE FUNCTION record_deleted_channel()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
AS $function$
BEGIN
  PERFORM add_to_audit_log(
    'channel', 'deleted', OLD.id::text, OLD.name, OLD.user_id, visible_columns(to_jsonb(OLD), '{name,is_default}'), NULL);
  RETURN NULL;
END
$function$;

CREATE FUNCTION report_failing_channel(failing integer, store text, first_day date, last_day date, ratio double precision, usual_ratio double precision)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
AS $function$
  WITH reported AS (INSERT INTO failing_channels (channel_id, marketplace)
    SELECT channel.id, store FROM channels AS channel WHERE channel.id = failing
    ON CONFLICT DO NOTHING RETURNING channel_id)
  SELECT add_event(channel.user_id, 'channel.failing', jsonb_build_object(
    'channel', jsonb_build_object('id', channel.id, 'name', channel.name), 'marketplace', store,
    'firstDay', first_day::text, 'lastDay', last_day::text, 'ratio', ratio, 'usualRatio', usual_ratio))
  FROM reported JOIN channels AS channel ON channel.id = reported.channel_id
$function$;
GRANT EXECUTE ON FUNCTION report_failing_channel TO tapthru_worker;
