-- Clicks are counted for each link and day in UTC, in a partition for each month. `counts` has, for each key of
-- proto/src/clicks/keys.ts, its quarter-hours of the day. Nothing identifies a visitor: `visitors` is a HyperLogLog sketch over
-- salted hashes.
CREATE TABLE clicks (
  link_id bigint NOT NULL,
  day date NOT NULL,
  counts jsonb NOT NULL,
  visitors bytea,
  -- The sum of the counts of people.
  people integer NOT NULL DEFAULT 0,
  -- Whose link it is, or was when it was deleted; null: nobody's. A claim sets it for all days of the link.
  user_id integer,
  PRIMARY KEY (link_id, day)
) PARTITION BY RANGE (day);
-- Sums by link of a user, and what follows from them, read this index and no rows.
CREATE INDEX clicks_user_id_day_idx ON clicks (user_id, day) INCLUDE (link_id, people) WHERE user_id IS NOT NULL;

-- As in `clicks`, of the links that a user had at the time of each click.
CREATE TABLE user_clicks (
  user_id integer NOT NULL,
  day date NOT NULL,
  counts jsonb NOT NULL,
  visitors bytea,
  people integer NOT NULL DEFAULT 0,
  PRIMARY KEY (user_id, day)
) PARTITION BY RANGE (day);

-- The batches that were applied in the last day: a batch that arrives again is ignored.
CREATE TABLE click_batches (
  id uuid PRIMARY KEY,
  applied_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX click_batches_applied_at_idx ON click_batches (applied_at);

-- Until when all clicks are counted; one row.
CREATE TABLE click_progress (
  only_row boolean DEFAULT true PRIMARY KEY,
  complete_until timestamptz NOT NULL,
  CONSTRAINT click_progress_one_row CHECK (only_row)
);

-- Counts the reports of app-opening pages on a day in UTC, by row of the strategy table, for the public page about app opening.
-- Nothing is known about links or visitors.
CREATE TABLE app_openings (
  day date NOT NULL,
  row_id text NOT NULL,
  app text NOT NULL,
  os text NOT NULL,
  opened bigint NOT NULL,
  stayed bigint NOT NULL,
  unknown bigint NOT NULL, -- On Android: the page was left, for the app or for something else.
  PRIMARY KEY (day, row_id, app, os)
);

-- Creates the partitions of a month. The worker has no right to create tables.
CREATE FUNCTION create_click_partitions(day date) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  first_day date := date_trunc('month', day);
  next_month date := first_day + interval '1 month';
  suffix text := to_char(first_day, '_YYYY_MM');
  parent text;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('create_click_partitions'));
  FOREACH parent IN ARRAY ARRAY['clicks', 'user_clicks'] LOOP
    IF to_regclass(parent || suffix) IS NULL THEN
      EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L) WITH (fillfactor = 80)',
        parent || suffix, parent, first_day, next_month);
    END IF;
  END LOOP;
END
$$;

-- Drops the partitions of the months before one, with all clicks in them. Fails soon while clicks are read: what waits for the
-- lock would hold up all others.
CREATE FUNCTION drop_click_partitions(first_kept date) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET lock_timeout = '500ms' AS $$
DECLARE
  partition regclass;
BEGIN
  FOR partition IN SELECT oid FROM pg_inherits JOIN pg_class ON oid = inhrelid
    WHERE inhparent IN ('clicks'::regclass, 'user_clicks'::regclass) AND right(relname, 7) < to_char(first_kept, 'YYYY_MM')
  LOOP
    EXECUTE format('DROP TABLE %s', partition);
  END LOOP;
END
$$;

CREATE FUNCTION delete_clicks_of_users() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  DELETE FROM user_clicks WHERE user_id IN (SELECT id FROM deleted);
  RETURN NULL;
END
$$;
CREATE TRIGGER users_delete_clicks AFTER DELETE ON users
  REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION delete_clicks_of_users();

INSERT INTO click_progress (complete_until) VALUES (now());
SELECT create_click_partitions(current_date), create_click_partitions((current_date + interval '1 month')::date);

-- Deletes the clicks of links that are purged: a foreign key of clicks would lock `all_links` whenever a partition is created or
-- dropped. The worker locks a link before it inserts clicks, so none are left behind. The destination of a link that nobody owns
-- leaves the audit log too. Takedowns by operators stay: they do not have it.
CREATE FUNCTION follow_purged_links() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  DELETE FROM clicks WHERE link_id = ANY (ARRAY(SELECT id FROM purged));
  DELETE FROM audit_log WHERE object_id = ANY (ARRAY(SELECT id::text FROM purged WHERE user_id IS NULL))
    AND action IN ('link.created', 'link.deleted');
  RETURN NULL;
END
$$;
CREATE TRIGGER links_follow_purged AFTER DELETE ON all_links
  REFERENCING OLD TABLE AS purged FOR EACH STATEMENT EXECUTE FUNCTION follow_purged_links();

GRANT SELECT ON clicks, user_clicks, click_progress, app_openings TO tapthru_api;
GRANT UPDATE (user_id) ON clicks TO tapthru_api;
GRANT SELECT, INSERT, DELETE ON click_batches TO tapthru_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON clicks, user_clicks, app_openings TO tapthru_worker;
GRANT SELECT, UPDATE ON click_progress TO tapthru_worker;
GRANT EXECUTE ON FUNCTION create_click_partitions, drop_click_partitions TO tapthru_worker;
