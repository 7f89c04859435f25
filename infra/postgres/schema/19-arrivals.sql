-- Amazon's clicks in a tracking report by tags of a channel, and the people who opened its store by these tags in the same days, as
-- links and channels were when the report was compared.
CREATE TABLE channel_arrivals (
  report_id bigint NOT NULL REFERENCES earnings_reports ON DELETE CASCADE,
  channel_id integer NOT NULL REFERENCES channels ON DELETE CASCADE,
  amazon_clicks integer NOT NULL,
  people integer NOT NULL,
  is_comparable boolean NOT NULL DEFAULT true, -- Whether Amazon's clicks and our people are of the same links.
  PRIMARY KEY (report_id, channel_id)
);
CREATE INDEX channel_arrivals_channel_id_idx ON channel_arrivals (channel_id);

-- The last day on which a link moved to a channel or store, or from it. People of its earlier clicks moved with it, Amazon's clicks
-- by its earlier tag did not.
CREATE TABLE channel_moves (
  channel_id integer PRIMARY KEY REFERENCES channels ON DELETE CASCADE,
  moved_on date NOT NULL
);

-- A channel whose clicks arrive at Amazon less often than before in a store, and whether its owner is to get an email.
CREATE TABLE failing_channels (
  channel_id integer NOT NULL REFERENCES channels ON DELETE CASCADE,
  marketplace text NOT NULL,
  since timestamptz NOT NULL DEFAULT now(),
  notice_due boolean NOT NULL DEFAULT true,
  PRIMARY KEY (channel_id, marketplace)
);

CREATE FUNCTION record_channel_move() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
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
$$;
-- Not for another tag of the link's channel: the channel had the earlier one.
CREATE TRIGGER links_record_channel_move AFTER UPDATE OF channel_id, web_url ON links FOR EACH ROW WHEN (
    NEW.user_id IS NOT NULL AND NEW.user_id = OLD.user_id
    AND (NEW.channel_id, NEW.web_url) IS DISTINCT FROM (OLD.channel_id, OLD.web_url)
    AND (OLD.channel_tag IS NULL OR NEW.channel_tag IS NULL OR NEW.channel_id IS DISTINCT FROM OLD.channel_id))
  EXECUTE FUNCTION record_channel_move();

-- Records that the tags of a channel arrive less often in a store, once: the event for webhooks, and that an email is due.
CREATE FUNCTION report_failing_channel(failing integer, store text, first_day date, last_day date, ratio float8, usual_ratio float8)
  RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
  WITH reported AS (INSERT INTO failing_channels (channel_id, marketplace)
    SELECT channel.id, store FROM channels AS channel WHERE channel.id = failing
    ON CONFLICT DO NOTHING RETURNING channel_id)
  SELECT add_event(channel.user_id, 'channel.failing', jsonb_build_object(
    'channel', jsonb_build_object('id', channel.id, 'name', channel.name), 'marketplace', store,
    'firstDay', first_day::text, 'lastDay', last_day::text, 'ratio', ratio, 'usualRatio', usual_ratio))
  FROM reported JOIN channels AS channel ON channel.id = reported.channel_id
$$;

-- The worker sees the address of a user only when an email is due. One that could not be sent for a week is not news.
CREATE FUNCTION due_channel_notices(max_count integer)
  RETURNS TABLE (channel_id integer, marketplace text, name text, email text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
  SELECT failing.channel_id, failing.marketplace, channel.name, users.email
  FROM failing_channels AS failing JOIN channels AS channel ON channel.id = failing.channel_id
  JOIN users ON users.id = channel.user_id
  WHERE failing.notice_due AND failing.since > now() - interval '7 days' AND users.state = 'enabled' AND users.email_is_verified
    AND NOT EXISTS (SELECT FROM account_deletions AS deletion WHERE deletion.user_id = users.id)
    AND NOT EXISTS (SELECT FROM failed_items AS item
      WHERE item.kind = 'channel-notices' AND item.key = failing.channel_id || ' ' || failing.marketplace
        AND item.retry_at > now())
  ORDER BY failing.since, failing.channel_id, failing.marketplace LIMIT due_channel_notices.max_count
$$;

GRANT SELECT ON channel_arrivals TO tapthru_api;
GRANT SELECT ON channel_moves TO tapthru_worker;
GRANT SELECT, INSERT ON channel_arrivals TO tapthru_worker;
GRANT SELECT, UPDATE, DELETE ON failing_channels TO tapthru_worker;
GRANT EXECUTE ON FUNCTION report_failing_channel, due_channel_notices TO tapthru_worker;
