-- Written by pnpm fix from a migrated database, to be read. The migrations have comments.

CREATE TABLE app_openings (
  day date NOT NULL,
  row_id text NOT NULL,
  app text NOT NULL,
  os text NOT NULL,
  opened bigint NOT NULL,
  stayed bigint NOT NULL,
  unknown bigint NOT NULL,
  CONSTRAINT app_openings_pkey PRIMARY KEY (day, row_id, app, os)
);
GRANT DELETE, INSERT, SELECT, UPDATE ON app_openings TO tapthru_worker;
GRANT SELECT ON app_openings TO tapthru_api;

CREATE TABLE click_batches (
  id uuid NOT NULL,
  applied_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT click_batches_pkey PRIMARY KEY (id)
);
CREATE INDEX click_batches_applied_at_idx ON click_batches (applied_at);
GRANT DELETE, INSERT, SELECT ON click_batches TO tapthru_worker;

CREATE TABLE click_progress (
  only_row boolean NOT NULL DEFAULT true,
  complete_until timestamp with time zone NOT NULL,
  CONSTRAINT click_progress_one_row CHECK (only_row),
  CONSTRAINT click_progress_pkey PRIMARY KEY (only_row)
);
GRANT SELECT ON click_progress TO tapthru_api;
GRANT SELECT, UPDATE ON click_progress TO tapthru_worker;

CREATE TABLE clicks (
  link_id bigint NOT NULL,
  day date NOT NULL,
  counts jsonb NOT NULL,
  visitors bytea,
  people integer NOT NULL DEFAULT 0,
  CONSTRAINT clicks_pkey PRIMARY KEY (link_id, day) INCLUDE (people)
) PARTITION BY RANGE (day);
CREATE INDEX clicks_busy_idx ON clicks (day, link_id) WHERE (people >= 50);
GRANT DELETE, INSERT, SELECT, UPDATE ON clicks TO tapthru_worker;
GRANT SELECT ON clicks TO tapthru_api;

CREATE TABLE monthly_clicks (
  link_id bigint NOT NULL,
  month date NOT NULL,
  counts jsonb NOT NULL,
  visitors jsonb NOT NULL,
  people jsonb NOT NULL DEFAULT '{}'::jsonb,
  CONSTRAINT monthly_clicks_pkey PRIMARY KEY (link_id, month)
) PARTITION BY RANGE (month);
GRANT DELETE, INSERT, SELECT, UPDATE ON monthly_clicks TO tapthru_worker;
GRANT SELECT ON monthly_clicks TO tapthru_api;

CREATE TABLE user_clicks (
  user_id integer NOT NULL,
  day date NOT NULL,
  counts jsonb NOT NULL,
  visitors bytea,
  people integer NOT NULL DEFAULT 0,
  CONSTRAINT user_clicks_pkey PRIMARY KEY (user_id, day)
) PARTITION BY RANGE (day);
GRANT DELETE, INSERT, SELECT, UPDATE ON user_clicks TO tapthru_worker;
GRANT SELECT ON user_clicks TO tapthru_api;

CREATE FUNCTION create_click_partitions(day date)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
AS $function$
DECLARE
  first_day date := date_trunc('month', day);
  next_month date := first_day + interval '1 month';
  suffix text := to_char(first_day, '_YYYY_MM');
  parent text;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('create_click_partitions'));
  FOREACH parent IN ARRAY ARRAY['clicks', 'monthly_clicks', 'user_clicks'] LOOP
    IF to_regclass(parent || suffix) IS NULL THEN
      EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L) WITH (fillfactor = %s)',
        parent || suffix, parent, first_day, next_month, CASE parent WHEN 'monthly_clicks' THEN 100 ELSE 80 END);
    END IF;
  END LOOP;
END
$function$;
GRANT EXECUTE ON FUNCTION create_click_partitions TO tapthru_worker;

CREATE FUNCTION drop_click_partition(parent text, month date)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
AS $function$
BEGIN
  IF parent NOT IN ('clicks', 'monthly_clicks', 'user_clicks') THEN
    RAISE EXCEPTION 'not a table of clicks';
  END IF;
  SET LOCAL lock_timeout = '500ms';
  EXECUTE format('DROP TABLE IF EXISTS %I', parent || to_char(month, '_YYYY_MM'));
END
$function$;
GRANT EXECUTE ON FUNCTION drop_click_partition TO tapthru_worker;

CREATE FUNCTION report_unusual_clicks(busy bigint, clicks jsonb)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
AS $function$
  SELECT add_event_once(link.user_id, 'clicks.unusual', link_event_data(link) || clicks, link.id || ' ' || current_date)
  FROM links AS link WHERE link.id = busy
$function$;
GRANT EXECUTE ON FUNCTION report_unusual_clicks TO tapthru_worker;
