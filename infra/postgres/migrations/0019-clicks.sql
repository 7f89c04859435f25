-- Clicks are counted for each link and day in UTC. `counts` has, for each key of proto/src/clicks/keys.ts, its
-- quarter-hours of the day. Nothing identifies a visitor: `visitors` is a HyperLogLog sketch over salted hashes.
CREATE TABLE clicks (
  link_id bigint NOT NULL,
  day date NOT NULL,
  counts jsonb NOT NULL,
  visitors bytea,
  CONSTRAINT clicks_pkey PRIMARY KEY (link_id, day)
) PARTITION BY RANGE (day);

-- The rows of a past month, rolled up: quarter-hours are counted from the start of the month. `visitors` has the estimate
-- of each day, from 1.
CREATE TABLE monthly_clicks (
  link_id bigint NOT NULL,
  month date NOT NULL,
  counts jsonb NOT NULL,
  visitors jsonb NOT NULL,
  CONSTRAINT monthly_clicks_pkey PRIMARY KEY (link_id, month)
) PARTITION BY RANGE (month);

-- The batches that were applied in the last day: a batch that arrives again is ignored.
CREATE TABLE click_batches (
  id uuid CONSTRAINT click_batches_pkey PRIMARY KEY,
  applied_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX click_batches_applied_at_idx ON click_batches (applied_at);

-- Until when all clicks are counted; one row.
CREATE TABLE click_progress (
  only_row boolean NOT NULL DEFAULT true CONSTRAINT click_progress_pkey PRIMARY KEY
    CONSTRAINT click_progress_one_row CHECK (only_row),
  complete_until timestamptz NOT NULL
);
INSERT INTO click_progress (complete_until) VALUES (now());

-- Creates the partitions of a month. The worker has no right to create tables.
CREATE FUNCTION create_click_partitions(day date) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  first_day date := date_trunc('month', day);
  next_month date := first_day + interval '1 month';
  suffix text := to_char(first_day, 'YYYY_MM');
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('create_click_partitions'));
  IF to_regclass('clicks_' || suffix) IS NULL THEN
    EXECUTE format(
      'CREATE TABLE %I PARTITION OF clicks FOR VALUES FROM (%L) TO (%L) WITH (fillfactor = 80)',
      'clicks_' || suffix, first_day, next_month
    );
  END IF;
  IF to_regclass('monthly_clicks_' || suffix) IS NULL THEN
    EXECUTE format(
      'CREATE TABLE %I PARTITION OF monthly_clicks FOR VALUES FROM (%L) TO (%L)',
      'monthly_clicks_' || suffix, first_day, next_month
    );
  END IF;
END
$$;

-- Drops the partitions of a month, with all clicks in them.
CREATE FUNCTION drop_click_partition(parent text, month date) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  IF parent NOT IN ('clicks', 'monthly_clicks') THEN
    RAISE EXCEPTION 'not a table of clicks';
  END IF;
  SET LOCAL lock_timeout = '500ms';
  EXECUTE format('DROP TABLE IF EXISTS %I', parent || to_char(month, '_YYYY_MM'));
END
$$;

SELECT create_click_partitions(current_date), create_click_partitions((current_date + interval '1 month')::date);

-- The clicks of a deleted link. A foreign key would lock `links` whenever a partition is created or dropped. The worker
-- locks a link before it inserts clicks, so none are left behind.
CREATE FUNCTION delete_clicks_of_links() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  DELETE FROM clicks WHERE link_id IN (SELECT id FROM deleted);
  DELETE FROM monthly_clicks WHERE link_id IN (SELECT id FROM deleted);
  RETURN NULL;
END
$$;
CREATE TRIGGER links_delete_clicks AFTER DELETE ON links
  REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION delete_clicks_of_links();

REVOKE ALL ON FUNCTION create_click_partitions, drop_click_partition, delete_clicks_of_links FROM PUBLIC;
GRANT EXECUTE ON FUNCTION create_click_partitions, drop_click_partition TO tapthru_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON clicks, monthly_clicks TO tapthru_worker;
GRANT SELECT, INSERT, DELETE ON click_batches TO tapthru_worker;
GRANT SELECT, UPDATE ON click_progress TO tapthru_worker;
GRANT SELECT ON clicks, monthly_clicks, click_progress TO tapthru_api;
