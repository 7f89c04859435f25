-- A file of Amazon's reports. Nothing of it counts before it is stored.
CREATE TABLE earnings_imports (
  id uuid NOT NULL DEFAULT gen_random_uuid() CONSTRAINT earnings_imports_pkey PRIMARY KEY,
  user_id integer NOT NULL
    CONSTRAINT earnings_imports_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
  file_name text,
  source text NOT NULL DEFAULT 'file'
    CONSTRAINT earnings_imports_source CHECK (source IN ('file', 'amazon')),
  -- Proto's EARNINGS_IMPORT_STATES; also `receiving`, until the whole file arrived, and `removed`, until the worker deleted its rows.
  state text NOT NULL DEFAULT 'reading',
  -- What the user said, or the file says.
  marketplace text,
  -- An Associates account of the user in the store; empty: the only one.
  store_id text NOT NULL DEFAULT '',
  date_order text,
  question text,
  -- {reason, fileName, line, text}
  refusal jsonb,
  ignored_files text[] NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT now(),
  stored_at timestamptz,
  -- How often it is to be read, and how often the worker began to since. `reader`: the run that reads it; any other run stops.
  reads integer NOT NULL DEFAULT 0,
  attempts integer NOT NULL DEFAULT 0,
  reader uuid
);
CREATE INDEX earnings_imports_user_id_idx ON earnings_imports (user_id, created_at);
CREATE INDEX earnings_imports_open_idx ON earnings_imports (created_at) WHERE state <> 'stored';

-- The file, until its import is stored or refused.
CREATE TABLE earnings_file_parts (
  import_id uuid NOT NULL
    CONSTRAINT earnings_file_parts_import_id_fkey REFERENCES earnings_imports (id) ON DELETE CASCADE,
  part integer NOT NULL,
  bytes bytea NOT NULL,
  CONSTRAINT earnings_file_parts_pkey PRIMARY KEY (import_id, part)
);

-- One report of a file. Amounts are in the smallest unit of the currency.
CREATE TABLE earnings_reports (
  id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT earnings_reports_pkey PRIMARY KEY,
  import_id uuid NOT NULL
    CONSTRAINT earnings_reports_import_id_fkey REFERENCES earnings_imports (id) ON DELETE CASCADE,
  user_id integer NOT NULL,
  marketplace text NOT NULL,
  store_id text NOT NULL,
  file_name text NOT NULL,
  -- Proto's REPORT_KINDS.
  kind text NOT NULL,
  -- Of the report, or of its rows if it does not say them.
  first_day date NOT NULL,
  last_day date NOT NULL,
  currency text NOT NULL,
  row_count integer NOT NULL,
  -- Rows with a tracking id that no channel and no link of the user had when it was read.
  unmatched_row_count integer NOT NULL DEFAULT 0,
  -- {earnings, revenue, ordered, shipped, returned, clicks}
  sums jsonb NOT NULL,
  -- The days for which its rows count: none before it is stored, and none for which a report of the same store, account and
  -- kind was stored later.
  days datemultirange NOT NULL DEFAULT '{}',
  -- Whether the worker has compared the clicks of a stored tracking report with people, and kept both in channel_arrivals.
  is_compared boolean NOT NULL DEFAULT false
);
CREATE INDEX earnings_reports_not_compared_idx ON earnings_reports (user_id) WHERE kind = 'tracking' AND NOT is_compared;
CREATE INDEX earnings_reports_import_id_idx ON earnings_reports (import_id);
CREATE INDEX earnings_reports_user_id_idx ON earnings_reports (user_id);

-- What a report says about a day, tracking id and product: rows of the file that agree in these are added up as they are
-- inserted, in batches, so there may be several. The rows of a tracking report have its first day, and count while all its days do.
CREATE TABLE earnings_rows (
  report_id bigint NOT NULL
    CONSTRAINT earnings_rows_report_id_fkey REFERENCES earnings_reports (id) ON DELETE CASCADE,
  day date NOT NULL,
  -- Tracking id; empty in reports without.
  tag text NOT NULL,
  -- Empty in reports without products.
  asin text NOT NULL,
  -- Whether visitors bought what they had opened; null: the report does not say.
  is_direct boolean,
  earnings bigint,
  revenue bigint,
  ordered integer,
  shipped integer,
  returned integer,
  clicks integer
);
CREATE INDEX earnings_rows_report_id_idx ON earnings_rows (report_id, day);

-- The names of products in the user's reports.
CREATE TABLE earnings_products (
  user_id integer NOT NULL
    CONSTRAINT earnings_products_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
  asin text NOT NULL,
  name text NOT NULL,
  CONSTRAINT earnings_products_pkey PRIMARY KEY (user_id, asin)
);

-- The user's currency, and what a unit of others is worth in it.
CREATE TABLE earnings_rates (
  user_id integer CONSTRAINT earnings_rates_pkey PRIMARY KEY
    CONSTRAINT earnings_rates_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
  currency text,
  -- [{currency, rate}]
  rates jsonb NOT NULL DEFAULT '[]'
);

-- Users' credentials of Amazon's Creators API, with which the worker fetches their reports.
CREATE TABLE earnings_connections (
  user_id integer NOT NULL
    CONSTRAINT earnings_connections_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
  marketplace text NOT NULL,
  store_id text NOT NULL,
  client_id text NOT NULL,
  sealed_secret text NOT NULL,
  version text NOT NULL,
  -- Reports of Amazon that were fetched, by name and when they were last modified.
  fetched jsonb NOT NULL DEFAULT '[]',
  fetched_at timestamptz,
  error text,
  next_fetch_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT earnings_connections_pkey PRIMARY KEY (user_id, marketplace)
);
CREATE INDEX earnings_connections_next_fetch_at_idx ON earnings_connections (next_fetch_at);

-- The api receives files and the worker reads them.
GRANT SELECT, INSERT, UPDATE, DELETE ON earnings_imports, earnings_connections TO tapthru_api;
GRANT INSERT ON earnings_file_parts TO tapthru_api;
GRANT SELECT ON earnings_reports TO tapthru_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON earnings_imports, earnings_file_parts, earnings_reports, earnings_rows, earnings_products
  TO tapthru_worker;
GRANT SELECT, UPDATE ON earnings_connections TO tapthru_worker;
-- Whose tracking ids rows have.
GRANT SELECT ON channel_tags, earlier_channel_tags, pool_tags, link_destinations TO tapthru_worker;

-- Amazon's clicks in a tracking report by tags of a channel, and the people who opened its store by these tags in the same days, as
-- links and channels were when the report was compared.
CREATE TABLE channel_arrivals (
  report_id bigint NOT NULL
    CONSTRAINT channel_arrivals_report_id_fkey REFERENCES earnings_reports (id) ON DELETE CASCADE,
  channel_id integer NOT NULL
    CONSTRAINT channel_arrivals_channel_id_fkey REFERENCES channels (id) ON DELETE CASCADE,
  amazon_clicks integer NOT NULL,
  people integer NOT NULL,
  CONSTRAINT channel_arrivals_pkey PRIMARY KEY (report_id, channel_id)
);
CREATE INDEX channel_arrivals_channel_id_idx ON channel_arrivals (channel_id);
GRANT SELECT ON channel_arrivals TO tapthru_api;
GRANT SELECT, INSERT ON channel_arrivals TO tapthru_worker;

-- A channel whose clicks arrive at Amazon less often than before in a store, and whether its owner is to get an email.
CREATE TABLE failing_channels (
  channel_id integer NOT NULL
    CONSTRAINT failing_channels_channel_id_fkey REFERENCES channels (id) ON DELETE CASCADE,
  marketplace text NOT NULL,
  since timestamptz NOT NULL DEFAULT now(),
  notice_due boolean NOT NULL DEFAULT true,
  CONSTRAINT failing_channels_pkey PRIMARY KEY (channel_id, marketplace)
);

-- Calculates for which days the stored reports of an account in a store count, of one kind: each for those of its period that no
-- report that was stored later has, none if it is not stored. Of the reports of one import the last one is the latest. Call it after
-- the import was changed, and change no reports before: others may wait for them here.
CREATE FUNCTION calculate_earnings_days(owner_id integer, store text, account text, report_kind text)
  RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  -- Another import that is stored meanwhile waits here, and sees this one afterwards.
  PERFORM pg_advisory_xact_lock(hashtext('earnings'), owner_id);
  WITH stored AS (
    SELECT report.id, datemultirange(daterange(first_day, last_day, '[]')) AS own,
      range_agg(daterange(first_day, last_day, '[]')) OVER (
        ORDER BY import.stored_at DESC, report.id DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
      ) AS replaced
    FROM earnings_reports AS report JOIN earnings_imports AS import ON import.id = report.import_id
    WHERE report.user_id = owner_id AND report.marketplace = store AND report.store_id = account
      AND report.kind = report_kind AND import.state = 'stored'
  ), calculated AS (
    SELECT report.id, coalesce(stored.own - coalesce(stored.replaced, '{}'), '{}') AS days
    FROM earnings_reports AS report LEFT JOIN stored ON stored.id = report.id
    WHERE report.user_id = owner_id AND report.marketplace = store AND report.store_id = account
      AND report.kind = report_kind
  )
  UPDATE earnings_reports AS report SET days = calculated.days FROM calculated
  WHERE report.id = calculated.id AND report.days <> calculated.days;
END
$$;
REVOKE ALL ON FUNCTION calculate_earnings_days FROM PUBLIC;
GRANT EXECUTE ON FUNCTION calculate_earnings_days TO tapthru_api, tapthru_worker;

-- For figures.
GRANT SELECT ON earnings_rows, earnings_products TO tapthru_api;
-- With the account.
GRANT DELETE ON earnings_rows, earnings_products TO tapthru_api;
GRANT SELECT, INSERT, UPDATE ON earnings_rates TO tapthru_api;
GRANT SELECT ON channels TO tapthru_worker;
GRANT SELECT ON channels, channel_tags, earlier_channel_tags, pool_tags TO tapthru_api;

-- Records that the tags of a channel arrive less often in a store, once: the event for webhooks, and that an email is due.
CREATE FUNCTION report_failing_channel(failing integer, store text, first_day date, last_day date, ratio float8, usual_ratio float8)
  RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
  WITH reported AS (
    INSERT INTO failing_channels (channel_id, marketplace)
    SELECT channel.id, store FROM channels AS channel WHERE channel.id = failing
    ON CONFLICT DO NOTHING RETURNING channel_id
  )
  INSERT INTO webhook_deliveries (webhook_id, type, data)
  SELECT webhook.id, 'channel.failing', jsonb_build_object(
    'channel', jsonb_build_object('id', channel.id, 'name', channel.name),
    'marketplace', store,
    'firstDay', report_failing_channel.first_day::text,
    'lastDay', report_failing_channel.last_day::text,
    'ratio', report_failing_channel.ratio,
    'usualRatio', report_failing_channel.usual_ratio
  )
  FROM reported JOIN channels AS channel ON channel.id = reported.channel_id
  JOIN webhooks AS webhook ON webhook.user_id = channel.user_id
  WHERE webhook.disabled_at IS NULL AND 'channel.failing' = ANY (webhook.events)
$$;

-- The worker sees the address of a user only when an email is due. One that could not be sent for a week is not news.
CREATE FUNCTION due_channel_notices(max_count integer)
  RETURNS TABLE (channel_id integer, marketplace text, name text, email text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
  SELECT failing.channel_id, failing.marketplace, channel.name, users.email
  FROM failing_channels AS failing JOIN channels AS channel ON channel.id = failing.channel_id
  JOIN users ON users.id = channel.user_id
  WHERE failing.notice_due AND failing.since > now() - interval '7 days' AND users.email_is_verified
    AND NOT EXISTS (SELECT FROM account_deletions AS deletion WHERE deletion.user_id = users.id)
  ORDER BY failing.since, failing.channel_id, failing.marketplace LIMIT due_channel_notices.max_count
$$;
REVOKE ALL ON FUNCTION report_failing_channel, due_channel_notices FROM PUBLIC;
GRANT EXECUTE ON FUNCTION report_failing_channel, due_channel_notices TO tapthru_worker;
GRANT SELECT, UPDATE, DELETE ON failing_channels TO tapthru_worker;

-- The api knows the scopes.
ALTER TABLE api_keys DROP CONSTRAINT api_keys_scopes_known;
