-- What app-opening pages reported on a day in UTC, by row of the strategy table and version of the app, for the public page
-- about app opening. Nothing is known about links or visitors.
CREATE TABLE app_openings (
  day date NOT NULL,
  table_version text NOT NULL,
  row_id text NOT NULL,
  app text NOT NULL,
  os text NOT NULL,
  -- The first number; empty if unknown.
  app_version text NOT NULL,
  opened bigint NOT NULL,
  stayed bigint NOT NULL,
  -- On Android: the page was left, for the app or for something else.
  unknown bigint NOT NULL,
  CONSTRAINT app_openings_pkey PRIMARY KEY (day, table_version, row_id, app, os, app_version)
);

-- The versions of the strategy table that pages reported, with the first and last day.
CREATE TABLE app_opening_tables (
  version text CONSTRAINT app_opening_tables_pkey PRIMARY KEY,
  first_day date NOT NULL,
  last_day date NOT NULL
);

GRANT SELECT ON app_openings, app_opening_tables TO tapthru_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON app_openings TO tapthru_worker;
GRANT SELECT, INSERT, UPDATE ON app_opening_tables TO tapthru_worker;
