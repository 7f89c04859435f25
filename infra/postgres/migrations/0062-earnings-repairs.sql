-- Until when no other run reads the file, unless the one that reads it ends. `attempts`: how many ended without saying so.
ALTER TABLE earnings_imports ADD reader_until timestamptz;

-- Whether Amazon's clicks and our people are of the same links.
ALTER TABLE channel_arrivals ADD is_comparable boolean NOT NULL DEFAULT true;

-- The last day on which a link moved to a channel or store, or from it. People of its earlier clicks moved with it, Amazon's clicks
-- by its earlier tag did not.
CREATE TABLE channel_moves (
  channel_id integer CONSTRAINT channel_moves_pkey PRIMARY KEY
    CONSTRAINT channel_moves_channel_id_fkey REFERENCES channels (id) ON DELETE CASCADE,
  moved_on date NOT NULL
);
GRANT SELECT ON channel_moves TO tapthru_worker;

-- The channel that has the tag of a link, or had it, or else its own. As the worker's and the api's TagMatcher.
CREATE FUNCTION channel_of_address(owner_id integer, own_channel integer, address text) RETURNS integer
LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
  SELECT coalesce((
    SELECT channel_id FROM (
      SELECT channel_id, tag, 1 AS place FROM channel_tags
      WHERE user_id = owner_id AND marketplace = store_of_address(address)
      UNION ALL
      SELECT channel_id, tag, 2 FROM earlier_channel_tags
      WHERE user_id = owner_id AND marketplace = store_of_address(address)
    ) AS known WHERE lower(tag) = tag_of_address(address) ORDER BY place LIMIT 1
  ), own_channel)
$$;

CREATE FUNCTION record_channel_move() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  usual integer := default_channel(NEW.user_id);
  old_own integer := coalesce(OLD.channel_id, usual);
  new_own integer := coalesce(NEW.channel_id, usual);
  old_channel integer := channel_of_address(NEW.user_id, old_own, OLD.web_url);
  new_channel integer := channel_of_address(NEW.user_id, new_own, NEW.web_url);
  today date := (now() AT TIME ZONE 'UTC')::date;
BEGIN
  IF (store_of_address(OLD.web_url), old_own, old_channel)
    IS NOT DISTINCT FROM (store_of_address(NEW.web_url), new_own, new_channel) THEN RETURN NULL; END IF;
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
CREATE TRIGGER links_record_channel_move AFTER UPDATE OF channel_id, web_url ON links FOR EACH ROW
  WHEN (
    NEW.user_id IS NOT NULL AND NEW.user_id = OLD.user_id
    AND (NEW.channel_id, NEW.web_url) IS DISTINCT FROM (OLD.channel_id, OLD.web_url)
    AND (OLD.channel_tag IS NULL OR NEW.channel_tag IS NULL OR NEW.channel_id IS DISTINCT FROM OLD.channel_id)
  )
  EXECUTE FUNCTION record_channel_move();
REVOKE ALL ON FUNCTION channel_of_address, record_channel_move FROM PUBLIC;

-- The channel of the deleted link that had a retired id: later sales belong to it. No foreign key: the channel may be deleted.
ALTER TABLE pool_tags ADD channel_id integer;

CREATE FUNCTION keep_channel_of_pool_tag() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE pool_tags SET channel_id = coalesce(OLD.channel_id, default_channel(OLD.user_id)) WHERE link_id = OLD.id;
  RETURN OLD;
END
$$;
CREATE TRIGGER links_keep_channel_of_pool_tag BEFORE DELETE ON links FOR EACH ROW
  WHEN (OLD.user_id IS NOT NULL) EXECUTE FUNCTION keep_channel_of_pool_tag();
REVOKE ALL ON FUNCTION keep_channel_of_pool_tag FROM PUBLIC;
