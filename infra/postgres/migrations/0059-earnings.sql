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
  days datemultirange NOT NULL DEFAULT '{}'
);
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
-- The reports of a removed import count for no day.
GRANT SELECT, UPDATE (days) ON earnings_reports TO tapthru_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON earnings_imports, earnings_file_parts, earnings_reports, earnings_rows, earnings_products
  TO tapthru_worker;
GRANT SELECT, UPDATE ON earnings_connections TO tapthru_worker;
-- Whose tracking ids rows have.
GRANT SELECT ON channel_tags, earlier_channel_tags, pool_tags, link_destinations TO tapthru_worker;

-- A channel whose clicks arrive at Amazon less often than before, and whether its owner is to get an email.
CREATE TABLE failing_channels (
  channel_id integer CONSTRAINT failing_channels_pkey PRIMARY KEY
    CONSTRAINT failing_channels_channel_id_fkey REFERENCES channels (id) ON DELETE CASCADE,
  -- The last day of the report that shows it.
  last_day date NOT NULL,
  since timestamptz NOT NULL DEFAULT now(),
  notice_due boolean NOT NULL DEFAULT true
);

-- Calculates for which days the stored reports of an account in a store count, of one kind: each for those of its period that no
-- report that was stored later has. Of the reports of one import the last one is the latest.
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
    SELECT id, own - coalesce(replaced, '{}') AS days FROM stored
  )
  UPDATE earnings_reports AS report SET days = calculated.days FROM calculated
  WHERE report.id = calculated.id AND report.days <> calculated.days;
END
$$;
REVOKE ALL ON FUNCTION calculate_earnings_days FROM PUBLIC;
GRANT EXECUTE ON FUNCTION calculate_earnings_days TO tapthru_api, tapthru_worker;

-- For figures.
GRANT SELECT ON earnings_reports, earnings_rows, earnings_products TO tapthru_api;
GRANT SELECT, INSERT, UPDATE ON earnings_rates TO tapthru_api;
GRANT SELECT ON channels, channel_tags, earlier_channel_tags, pool_tags TO tapthru_api, tapthru_worker;
