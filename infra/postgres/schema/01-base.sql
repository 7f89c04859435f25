-- The group roles of the services. All databases of a server share its roles, so they may exist already.
DO $$
DECLARE
  role_name text;
BEGIN
  FOREACH role_name IN ARRAY ARRAY['tapthru_api', 'tapthru_worker', 'tapthru_redirect'] LOOP
    BEGIN
      EXECUTE format('CREATE ROLE %I NOLOGIN', role_name);
    EXCEPTION WHEN duplicate_object OR unique_violation THEN
      NULL;
    END;
  END LOOP;
  EXECUTE format('GRANT USAGE ON SCHEMA %I TO tapthru_api, tapthru_worker, tapthru_redirect', current_schema());
END
$$;

-- A service may call only the functions that a file grants it.
ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;

CREATE COLLATION names_in_order (provider = icu, locale = 'und-u-kn-true');

-- Rows, users, domains or files whose work in a job failed. They are skipped until their next attempt, and the others continue. A row is
-- deleted when its item succeeds, or some time after no round tried it again, because the item is gone.
CREATE TABLE failed_items (
  kind text NOT NULL, -- The kind of item: mostly the name of the job.
  key text NOT NULL,
  error text NOT NULL,
  attempts integer NOT NULL DEFAULT 1,
  first_failed_at timestamptz NOT NULL DEFAULT now(),
  retry_at timestamptz NOT NULL,
  PRIMARY KEY (kind, key),
  CONSTRAINT failed_items_error_length CHECK (char_length(error) <= 500)
);

-- As the api writes times.
CREATE FUNCTION utc_text(at timestamptz) RETURNS text LANGUAGE sql STABLE
RETURN to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

GRANT SELECT, INSERT, UPDATE, DELETE ON failed_items TO tapthru_api, tapthru_worker;
GRANT EXECUTE ON FUNCTION utc_text TO PUBLIC;
