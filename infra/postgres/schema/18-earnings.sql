-- A file of Amazon's reports. Nothing of it counts before it is stored.
CREATE TABLE earnings_imports (
  id uuid DEFAULT gen_random_uuid() PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
  file_name text,
  -- Proto's EARNINGS_IMPORT_STATES; also `receiving`, until the whole file arrived, and `removed`, until the worker deleted its rows.
  state text NOT NULL DEFAULT 'reading',
  marketplace text, -- The store that the user or the file named.
  store_id text NOT NULL DEFAULT '', -- An Associates account of the user in the store; empty: the only one.
  date_order text,
  question text,
  refusal jsonb, -- {reason, fileName, line, text}
  ignored_files text[] NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT now(),
  stored_at timestamptz,
  attempts integer NOT NULL DEFAULT 0, -- Runs of the worker that failed, or ended without saying so.
  -- The run that reads the file, and until when no other run begins; any other run stops. Null: the next one begins at once.
  reader uuid,
  reader_until timestamptz
);
CREATE INDEX earnings_imports_open_idx ON earnings_imports (created_at) WHERE state <> 'stored';
CREATE INDEX earnings_imports_user_id_idx ON earnings_imports (user_id, created_at);

-- The file, until its import is stored or refused.
CREATE TABLE earnings_file_parts (
  import_id uuid NOT NULL REFERENCES earnings_imports ON DELETE CASCADE,
  part integer NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (import_id, part)
);

-- One report of a file. Amounts are in the smallest unit of the currency.
CREATE TABLE earnings_reports (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  import_id uuid NOT NULL REFERENCES earnings_imports ON DELETE CASCADE,
  user_id integer NOT NULL,
  marketplace text NOT NULL,
  store_id text NOT NULL,
  file_name text NOT NULL,
  kind text NOT NULL, -- Proto's REPORT_KINDS.
  first_day date NOT NULL, -- The days of the report, or of its rows if it does not state them.
  last_day date NOT NULL,
  currency text NOT NULL,
  row_count integer NOT NULL,
  -- Rows with a tracking id that no channel and no link of the user had when it was read.
  unmatched_row_count integer NOT NULL DEFAULT 0,
  sums jsonb NOT NULL, -- {earnings, revenue, ordered, shipped, returned, clicks}
  unread_lines jsonb NOT NULL DEFAULT '[]', -- {line, text} of what the sums do not have.
  -- The days for which its rows count: none before it is stored, and none for which a report of the same store, account and
  -- kind was stored later.
  days datemultirange NOT NULL DEFAULT '{}'
);
CREATE INDEX earnings_reports_import_id_idx ON earnings_reports (import_id);
CREATE INDEX earnings_reports_user_id_idx ON earnings_reports (user_id);

-- The figures of a report for a day, tracking id and product: rows of the file that agree in these are added up as they are
-- inserted, in batches, so there may be several. The rows of a tracking report have its first day, and count while all its days do.
CREATE TABLE earnings_rows (
  report_id bigint NOT NULL REFERENCES earnings_reports ON DELETE CASCADE,
  day date NOT NULL,
  tag text NOT NULL, -- Tracking id; empty in reports without.
  asin text NOT NULL, -- Empty in reports without products.
  is_direct boolean, -- True if visitors bought what they had opened; null if the report does not say.
  earnings bigint,
  revenue bigint,
  ordered integer,
  shipped integer,
  returned integer,
  clicks integer
);
CREATE INDEX earnings_rows_report_id_idx ON earnings_rows (report_id, day);

-- The names of products in the user's reports, and Amazon's categories.
CREATE TABLE earnings_products (
  user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
  asin text NOT NULL,
  name text NOT NULL,
  category text NOT NULL DEFAULT '', -- Empty: the reports do not say it.
  PRIMARY KEY (user_id, asin)
);

-- The user's currency, and what a unit of others is worth in it.
CREATE TABLE earnings_rates (
  user_id integer PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  currency text,
  rates jsonb NOT NULL DEFAULT '[]' -- [{currency, rate}]
);

-- The value of one euro by the last reference rates of the European Central Bank.
CREATE TABLE exchange_rates (
  currency text PRIMARY KEY,
  rate double precision NOT NULL,
  day date NOT NULL,
  read_at timestamptz NOT NULL DEFAULT now()
);

-- Calculates for which days the stored reports of an account in a store count, of one kind: each for those of its period that no
-- report that was stored later has, none if it is not stored. Of the reports of one import the last one is the latest. Call it after
-- the import was changed, and change no reports before: others may wait for them here.
CREATE FUNCTION calculate_earnings_days(owner_id integer, store text, account text, report_kind text)
  RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  -- Another import that is stored meanwhile waits here, and sees this one afterwards.
  PERFORM pg_advisory_xact_lock(hashtext('earnings'), owner_id);
  WITH stored AS (SELECT report.id, datemultirange(daterange(first_day, last_day, '[]')) AS own,
      range_agg(daterange(first_day, last_day, '[]')) OVER (
        ORDER BY import.stored_at DESC, report.id DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS replaced
    FROM earnings_reports AS report JOIN earnings_imports AS import ON import.id = report.import_id
    WHERE report.user_id = owner_id AND report.marketplace = store AND report.store_id = account
      AND report.kind = report_kind AND import.state = 'stored'), calculated AS (
    SELECT report.id, coalesce(stored.own - coalesce(stored.replaced, '{}'), '{}') AS days
    FROM earnings_reports AS report LEFT JOIN stored ON stored.id = report.id
    WHERE report.user_id = owner_id AND report.marketplace = store AND report.store_id = account AND report.kind = report_kind)
  UPDATE earnings_reports AS report SET days = calculated.days FROM calculated
  WHERE report.id = calculated.id AND report.days <> calculated.days;
END
$$;

-- The rows that count. Orders are those of orders reports, and all else of the others, so that nothing counts twice; tracking and
-- daily-trends reports repeat what the others say. `asin` is empty for a sale of another product than the one that was opened.
CREATE VIEW counted_earnings AS
  SELECT report.user_id, report.marketplace, report.store_id, report.currency, report.kind, item.report_id, item.day,
    lower(item.tag) AS tag, item.asin AS product, item.is_direct,
    CASE WHEN item.is_direct IS NOT FALSE THEN item.asin ELSE '' END AS asin,
    CASE WHEN report.kind <> 'orders' THEN item.earnings END AS earnings,
    CASE WHEN report.kind <> 'orders' THEN item.revenue END AS revenue,
    CASE WHEN report.kind = 'orders' THEN item.ordered END AS ordered,
    CASE WHEN report.kind <> 'orders' THEN item.shipped END AS shipped,
    CASE WHEN report.kind <> 'orders' THEN item.returned END AS returned
  FROM earnings_rows AS item JOIN earnings_reports AS report ON report.id = item.report_id AND CASE WHEN report.days @> item.day THEN true ELSE false END
  WHERE report.kind IN ('orders', 'earnings', 'bounties');

GRANT INSERT ON earnings_file_parts TO tapthru_api;
GRANT SELECT ON earnings_reports, exchange_rates, counted_earnings TO tapthru_api;
GRANT SELECT, DELETE ON earnings_rows, earnings_products TO tapthru_api;
GRANT SELECT, INSERT, UPDATE ON earnings_rates TO tapthru_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON earnings_imports TO tapthru_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON earnings_imports, earnings_file_parts, earnings_reports, earnings_rows, earnings_products, exchange_rates
  TO tapthru_worker;
GRANT EXECUTE ON FUNCTION calculate_earnings_days TO tapthru_api, tapthru_worker;
