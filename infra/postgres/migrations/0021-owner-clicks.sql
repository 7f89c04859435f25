-- The clicks of all links of a user on a day in UTC that has ended, added up from `clicks` and `monthly_clicks`. Reports
-- of many links read these rows in place of those of each link. Derived: a row with `counts` is exact, else it is to be
-- added up, and reports read the rows of the links.
CREATE TABLE owner_clicks (
  user_id integer NOT NULL,
  day date NOT NULL,
  -- As in `clicks`.
  counts jsonb,
  visitors bytea,
  -- The estimated visitors of links whose days were rolled up and have no sketches.
  rolled_up_visitors integer,
  -- The links that have clicks, and their totals in the same order.
  link_ids bigint[],
  person integer[],
  preview integer[],
  bot integer[],
  prefetch integer[],
  opened integer[],
  link_visitors integer[],
  CONSTRAINT owner_clicks_pkey PRIMARY KEY (user_id, day)
) PARTITION BY RANGE (day);
CREATE INDEX owner_clicks_pending_idx ON owner_clicks (day) WHERE counts IS NULL;

-- The last day for which the worker has inserted the rows of owner_clicks.
ALTER TABLE click_progress ADD owner_days_until date NOT NULL DEFAULT '2000-01-01';

CREATE OR REPLACE FUNCTION create_click_partitions(day date) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  first_day date := date_trunc('month', day);
  next_month date := first_day + interval '1 month';
  suffix text := to_char(first_day, '_YYYY_MM');
  parent text;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('create_click_partitions'));
  FOREACH parent IN ARRAY ARRAY['clicks', 'monthly_clicks', 'owner_clicks'] LOOP
    IF to_regclass(parent || suffix) IS NULL THEN
      EXECUTE format(
        'CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L) WITH (fillfactor = %s)',
        parent || suffix, parent, first_day, next_month, CASE parent WHEN 'clicks' THEN 80 ELSE 100 END
      );
    END IF;
  END LOOP;
END
$$;

CREATE OR REPLACE FUNCTION drop_click_partition(parent text, month date) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  IF parent NOT IN ('clicks', 'monthly_clicks', 'owner_clicks') THEN
    RAISE EXCEPTION 'not a table of clicks';
  END IF;
  SET LOCAL lock_timeout = '500ms';
  EXECUTE format('DROP TABLE IF EXISTS %I', parent || to_char(month, '_YYYY_MM'));
END
$$;

SELECT create_click_partitions(to_date(right(relname, 7), 'YYYY_MM'))
FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
WHERE inhparent IN ('clicks'::regclass, 'monthly_clicks'::regclass);

-- Held by transactions that add up or invalidate the days of a user, until their end, so that no day is added up from
-- clicks that are being deleted or claimed.
CREATE FUNCTION lock_owner_clicks(owner_id integer) RETURNS void LANGUAGE sql AS $$
  SELECT pg_advisory_xact_lock(hashtext('owner_clicks'), owner_id)
$$;

-- The days are added up again.
CREATE FUNCTION invalidate_owner_clicks(owner_ids integer[], days date[]) RETURNS void
  LANGUAGE sql SET search_path FROM CURRENT AS $$
  UPDATE owner_clicks SET
    counts = NULL, visitors = NULL, rolled_up_visitors = NULL, link_ids = NULL, person = NULL, preview = NULL,
    bot = NULL, prefetch = NULL, opened = NULL, link_visitors = NULL
  FROM unnest(owner_ids, days) AS changed (owner_id, changed_day)
  WHERE user_id = owner_id AND day = changed_day AND counts IS NOT NULL
$$;

-- The days on which a link has clicks, at most: a month that was rolled up counts whole.
CREATE FUNCTION click_days(link_ids bigint[]) RETURNS TABLE (link_id bigint, day date)
  LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
  SELECT clicks.link_id, clicks.day FROM clicks WHERE clicks.link_id = ANY(link_ids)
  UNION ALL
  SELECT monthly_clicks.link_id, generate_series(month, month + interval '1 month - 1 day', '1 day')::date
  FROM monthly_clicks WHERE monthly_clicks.link_id = ANY(link_ids)
$$;

CREATE OR REPLACE FUNCTION delete_clicks_of_links() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  ids bigint[] := ARRAY(SELECT id FROM deleted);
BEGIN
  PERFORM lock_owner_clicks(user_id)
  FROM (SELECT DISTINCT user_id FROM deleted WHERE user_id IS NOT NULL ORDER BY user_id) AS owners;
  PERFORM invalidate_owner_clicks(array_agg(user_id), array_agg(day))
  FROM (
    SELECT DISTINCT user_id, day FROM click_days(ids) JOIN deleted ON id = link_id WHERE user_id IS NOT NULL
  ) AS changed;
  DELETE FROM clicks WHERE link_id = ANY(ids);
  DELETE FROM monthly_clicks WHERE link_id = ANY(ids);
  RETURN NULL;
END
$$;

-- The clicks of a link that was claimed count for its new owner.
CREATE FUNCTION claim_clicks_of_link() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM lock_owner_clicks(user_id)
  FROM unnest(ARRAY[OLD.user_id, NEW.user_id]) AS user_id WHERE user_id IS NOT NULL ORDER BY user_id;
  PERFORM invalidate_owner_clicks(array_agg(user_id), array_agg(day))
  FROM click_days(ARRAY[NEW.id]), unnest(ARRAY[OLD.user_id, NEW.user_id]) AS user_id;
  RETURN NULL;
END
$$;
CREATE TRIGGER links_claim_clicks AFTER UPDATE OF user_id ON links
  FOR EACH ROW WHEN (NEW.user_id IS DISTINCT FROM OLD.user_id) EXECUTE FUNCTION claim_clicks_of_link();

CREATE FUNCTION delete_clicks_of_users() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  DELETE FROM owner_clicks WHERE user_id IN (SELECT id FROM deleted);
  RETURN NULL;
END
$$;
CREATE TRIGGER users_delete_clicks AFTER DELETE ON users
  REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION delete_clicks_of_users();

REVOKE ALL ON FUNCTION lock_owner_clicks, invalidate_owner_clicks, click_days FROM PUBLIC;
REVOKE ALL ON FUNCTION claim_clicks_of_link, delete_clicks_of_users FROM PUBLIC;
GRANT EXECUTE ON FUNCTION lock_owner_clicks, invalidate_owner_clicks TO tapthru_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON owner_clicks TO tapthru_worker;
GRANT SELECT ON owner_clicks TO tapthru_api;
