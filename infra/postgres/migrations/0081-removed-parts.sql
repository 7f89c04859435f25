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
