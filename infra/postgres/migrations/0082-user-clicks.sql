-- contract: unused since 0081
-- The clicks of all links of a user by day are counted as they arrive.
DROP TRIGGER links_claim_clicks ON links;
DROP FUNCTION claim_clicks_of_link, lock_owner_clicks, invalidate_owner_clicks, click_days, sum_of_series;
DROP TABLE owner_clicks;
ALTER TABLE click_progress DROP owner_days_until;

-- As in `clicks`, of the links that a user had at the time of each click.
CREATE TABLE user_clicks (
  user_id integer NOT NULL,
  day date NOT NULL,
  counts jsonb NOT NULL,
  visitors bytea,
  people integer NOT NULL DEFAULT 0,
  CONSTRAINT user_clicks_pkey PRIMARY KEY (user_id, day)
) PARTITION BY RANGE (day);

-- The sum of the counts of people: of the day, and by day of the month from 1. The order of links by clicks is that of these sums;
-- with `people` in the index it reads no rows.
ALTER TABLE clicks ADD people integer NOT NULL DEFAULT 0;
ALTER TABLE clicks DROP CONSTRAINT clicks_pkey;
ALTER TABLE clicks ADD CONSTRAINT clicks_pkey PRIMARY KEY (link_id, day) INCLUDE (people);
ALTER TABLE monthly_clicks ADD people jsonb NOT NULL DEFAULT '{}';

CREATE OR REPLACE FUNCTION create_click_partitions(day date) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  first_day date := date_trunc('month', day);
  next_month date := first_day + interval '1 month';
  suffix text := to_char(first_day, '_YYYY_MM');
  parent text;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('create_click_partitions'));
  FOREACH parent IN ARRAY ARRAY['clicks', 'monthly_clicks', 'user_clicks'] LOOP
    IF to_regclass(parent || suffix) IS NULL THEN
      EXECUTE format(
        'CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L) WITH (fillfactor = %s)',
        parent || suffix, parent, first_day, next_month, CASE parent WHEN 'monthly_clicks' THEN 100 ELSE 80 END
      );
    END IF;
  END LOOP;
END
$$;

CREATE OR REPLACE FUNCTION drop_click_partition(parent text, month date) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  IF parent NOT IN ('clicks', 'monthly_clicks', 'user_clicks') THEN
    RAISE EXCEPTION 'not a table of clicks';
  END IF;
  SET LOCAL lock_timeout = '500ms';
  EXECUTE format('DROP TABLE IF EXISTS %I', parent || to_char(month, '_YYYY_MM'));
END
$$;

SELECT create_click_partitions(to_date(right(relname, 7), 'YYYY_MM'))
FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
WHERE inhparent IN ('clicks'::regclass, 'monthly_clicks'::regclass);

CREATE OR REPLACE FUNCTION delete_clicks_of_links() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  DELETE FROM clicks WHERE link_id IN (SELECT id FROM deleted);
  DELETE FROM monthly_clicks WHERE link_id IN (SELECT id FROM deleted);
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION delete_clicks_of_users() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  DELETE FROM user_clicks WHERE user_id IN (SELECT id FROM deleted);
  RETURN NULL;
END
$$;

GRANT SELECT, INSERT, UPDATE, DELETE ON user_clicks TO tapthru_worker;
GRANT SELECT ON user_clicks TO tapthru_api;
