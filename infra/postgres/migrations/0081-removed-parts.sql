-- contract: unused since 0080
-- Open rates are by row of the strategy table alone.
DROP TABLE app_openings, app_opening_tables;
CREATE TABLE app_openings (
  day date NOT NULL,
  row_id text NOT NULL,
  app text NOT NULL,
  os text NOT NULL,
  opened bigint NOT NULL,
  stayed bigint NOT NULL,
  -- On Android: the page was left, for the app or for something else.
  unknown bigint NOT NULL,
  CONSTRAINT app_openings_pkey PRIMARY KEY (day, row_id, app, os)
);
GRANT SELECT ON app_openings TO tapthru_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON app_openings TO tapthru_worker;

-- Amazon Ads: no regions, advertising profiles and checks.
DROP TRIGGER amazon_ads_connections_record_change ON amazon_ads_connections;
DELETE FROM amazon_ads_connections WHERE sealed_refresh_token IS NULL;
ALTER TABLE amazon_ads_connections DROP region, DROP profiles, DROP checked_at, ALTER sealed_refresh_token SET NOT NULL;
CREATE TRIGGER amazon_ads_connections_record_change AFTER INSERT OR UPDATE OR DELETE ON amazon_ads_connections FOR EACH ROW
  WHEN (pg_trigger_depth() = 0 AND current_setting('tapthru.actor', true) <> '')
  EXECUTE FUNCTION record_change('amazon-ads-connection', 'user_id', 'account_name', 'user_id',
    'account_name,account_email', 'sealed_refresh_token');

-- Reports of earnings are files.
DROP TABLE earnings_connections;
UPDATE earnings_imports SET state = 'removed' WHERE source = 'amazon' AND state <> 'stored';
DROP TRIGGER earnings_imports_record_change ON earnings_imports;
ALTER TABLE earnings_imports DROP source;
CREATE TRIGGER earnings_imports_record_change AFTER INSERT OR UPDATE OR DELETE ON earnings_imports FOR EACH ROW
  WHEN (pg_trigger_depth() = 0 AND current_setting('tapthru.actor', true) <> '')
  EXECUTE FUNCTION record_change('earnings-import', 'id', 'file_name', 'user_id',
    'file_name,state,marketplace,store_id,date_order', '');
