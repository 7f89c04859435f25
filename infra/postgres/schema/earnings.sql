-- Written by pnpm fix from a migrated database, to be read. The migrations have comments.

CREATE TABLE amazon_ads_connections (
  user_id integer NOT NULL,
  sealed_refresh_token text NOT NULL,
  account_name text,
  account_email text,
  connected_at timestamp with time zone NOT NULL DEFAULT now(),
  next_read_at timestamp with time zone NOT NULL DEFAULT now(),
  read_at timestamp with time zone,
  has_attribution boolean,
  is_revoked boolean NOT NULL DEFAULT false,
  CONSTRAINT amazon_ads_connections_pkey PRIMARY KEY (user_id),
  CONSTRAINT amazon_ads_connections_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX amazon_ads_connections_next_read_at_idx ON amazon_ads_connections (next_read_at) WHERE (NOT is_revoked);
CREATE TRIGGER amazon_ads_connections_record_change AFTER INSERT OR DELETE OR UPDATE ON amazon_ads_connections FOR EACH ROW WHEN (pg_trigger_depth() = 0 AND current_setting('tapthru.actor'::text, true) <> ''::text) EXECUTE FUNCTION record_change('amazon-ads-connection', 'user_id', 'account_name', 'user_id', 'account_name,account_email', 'sealed_refresh_token');
GRANT DELETE, INSERT, SELECT, UPDATE ON amazon_ads_connections TO tapthru_api;
GRANT SELECT (user_id, sealed_refresh_token, next_read_at, read_at, is_revoked), UPDATE (next_read_at, read_at, has_attribution, is_revoked) ON amazon_ads_connections TO tapthru_worker;

CREATE TABLE amazon_ads_figures (
  user_id integer NOT NULL,
  day date NOT NULL,
  advertiser text NOT NULL,
  currency text NOT NULL,
  campaign_id text NOT NULL,
  ad_group_id text NOT NULL,
  clicks integer NOT NULL,
  detail_page_views integer NOT NULL,
  cart_additions integer NOT NULL,
  purchases integer NOT NULL,
  sales bigint NOT NULL,
  CONSTRAINT amazon_ads_figures_user_id_fkey FOREIGN KEY (user_id) REFERENCES amazon_ads_connections(user_id) ON DELETE CASCADE
);
CREATE INDEX amazon_ads_figures_user_id_idx ON amazon_ads_figures (user_id, day);
GRANT DELETE, INSERT, SELECT ON amazon_ads_figures TO tapthru_worker;
GRANT DELETE, SELECT ON amazon_ads_figures TO tapthru_api;

CREATE TABLE earnings_file_parts (
  import_id uuid NOT NULL,
  part integer NOT NULL,
  bytes bytea NOT NULL,
  CONSTRAINT earnings_file_parts_import_id_fkey FOREIGN KEY (import_id) REFERENCES earnings_imports(id) ON DELETE CASCADE,
  CONSTRAINT earnings_file_parts_pkey PRIMARY KEY (import_id, part)
);
GRANT DELETE, INSERT, SELECT, UPDATE ON earnings_file_parts TO tapthru_worker;
GRANT INSERT ON earnings_file_parts TO tapthru_api;

CREATE TABLE earnings_imports (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  user_id integer NOT NULL,
  file_name text,
  state text NOT NULL DEFAULT 'reading'::text,
  marketplace text,
  store_id text NOT NULL DEFAULT ''::text,
  date_order text,
  question text,
  refusal jsonb,
  ignored_files text[] NOT NULL DEFAULT '{}'::text[],
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  stored_at timestamp with time zone,
  reads integer NOT NULL DEFAULT 0,
  attempts integer NOT NULL DEFAULT 0,
  reader uuid,
  reader_until timestamp with time zone,
  CONSTRAINT earnings_imports_pkey PRIMARY KEY (id),
  CONSTRAINT earnings_imports_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX earnings_imports_open_idx ON earnings_imports (created_at) WHERE (state <> 'stored'::text);
CREATE INDEX earnings_imports_user_id_idx ON earnings_imports (user_id, created_at);
CREATE TRIGGER earnings_imports_record_change AFTER INSERT OR DELETE OR UPDATE ON earnings_imports FOR EACH ROW WHEN (pg_trigger_depth() = 0 AND current_setting('tapthru.actor'::text, true) <> ''::text) EXECUTE FUNCTION record_change('earnings-import', 'id', 'file_name', 'user_id', 'file_name,state,marketplace,store_id,date_order', '');
GRANT DELETE, INSERT, SELECT, UPDATE ON earnings_imports TO tapthru_api, tapthru_worker;

CREATE TABLE earnings_products (
  user_id integer NOT NULL,
  asin text NOT NULL,
  name text NOT NULL,
  CONSTRAINT earnings_products_pkey PRIMARY KEY (user_id, asin),
  CONSTRAINT earnings_products_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
GRANT DELETE, INSERT, SELECT, UPDATE ON earnings_products TO tapthru_worker;
GRANT DELETE, SELECT ON earnings_products TO tapthru_api;

CREATE TABLE earnings_rates (
  user_id integer NOT NULL,
  currency text,
  rates jsonb NOT NULL DEFAULT '[]'::jsonb,
  CONSTRAINT earnings_rates_pkey PRIMARY KEY (user_id),
  CONSTRAINT earnings_rates_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE TRIGGER earnings_rates_record_change AFTER INSERT OR DELETE OR UPDATE ON earnings_rates FOR EACH ROW WHEN (pg_trigger_depth() = 0 AND current_setting('tapthru.actor'::text, true) <> ''::text) EXECUTE FUNCTION record_change('earnings-rates', 'user_id', '', 'user_id', 'currency,rates', '');
GRANT INSERT, SELECT, UPDATE ON earnings_rates TO tapthru_api;

CREATE TABLE earnings_reports (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  import_id uuid NOT NULL,
  user_id integer NOT NULL,
  marketplace text NOT NULL,
  store_id text NOT NULL,
  file_name text NOT NULL,
  kind text NOT NULL,
  first_day date NOT NULL,
  last_day date NOT NULL,
  currency text NOT NULL,
  row_count integer NOT NULL,
  unmatched_row_count integer NOT NULL DEFAULT 0,
  sums jsonb NOT NULL,
  days datemultirange NOT NULL DEFAULT '{}'::datemultirange,
  is_compared boolean NOT NULL DEFAULT false,
  CONSTRAINT earnings_reports_import_id_fkey FOREIGN KEY (import_id) REFERENCES earnings_imports(id) ON DELETE CASCADE,
  CONSTRAINT earnings_reports_pkey PRIMARY KEY (id)
);
CREATE INDEX earnings_reports_import_id_idx ON earnings_reports (import_id);
CREATE INDEX earnings_reports_not_compared_idx ON earnings_reports (user_id) WHERE ((kind = 'tracking'::text) AND (NOT is_compared));
CREATE INDEX earnings_reports_user_id_idx ON earnings_reports (user_id);
GRANT DELETE, INSERT, SELECT, UPDATE ON earnings_reports TO tapthru_worker;
GRANT SELECT ON earnings_reports TO tapthru_api;

CREATE TABLE earnings_rows (
  report_id bigint NOT NULL,
  day date NOT NULL,
  tag text NOT NULL,
  asin text NOT NULL,
  is_direct boolean,
  earnings bigint,
  revenue bigint,
  ordered integer,
  shipped integer,
  returned integer,
  clicks integer,
  CONSTRAINT earnings_rows_report_id_fkey FOREIGN KEY (report_id) REFERENCES earnings_reports(id) ON DELETE CASCADE
);
CREATE INDEX earnings_rows_report_id_idx ON earnings_rows (report_id, day);
GRANT DELETE, INSERT, SELECT, UPDATE ON earnings_rows TO tapthru_worker;
GRANT DELETE, SELECT ON earnings_rows TO tapthru_api;

CREATE FUNCTION calculate_earnings_days(owner_id integer, store text, account text, report_kind text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
AS $function$
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
$function$;
GRANT EXECUTE ON FUNCTION calculate_earnings_days TO tapthru_api, tapthru_worker;
