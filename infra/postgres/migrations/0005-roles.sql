-- Group roles are shared by all databases of a server, so they may exist already.
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

  EXECUTE format(
    'GRANT USAGE ON SCHEMA %I TO tapthru_api, tapthru_worker, tapthru_redirect',
    current_schema()
  );
END
$$;

GRANT SELECT, INSERT, UPDATE ON users TO tapthru_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON links TO tapthru_api;
GRANT INSERT ON link_changes TO tapthru_api;
GRANT SELECT, INSERT ON retired_codes TO tapthru_api;
GRANT SELECT, INSERT ON products TO tapthru_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON recent_creates TO tapthru_api;
GRANT SELECT, INSERT ON idempotency_keys TO tapthru_api;

GRANT SELECT, UPDATE, DELETE ON links TO tapthru_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON link_changes TO tapthru_worker;
GRANT SELECT, INSERT ON retired_codes TO tapthru_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON products TO tapthru_worker;
GRANT SELECT, DELETE ON recent_creates, idempotency_keys TO tapthru_worker;

GRANT SELECT ON links, link_changes, retired_codes, products TO tapthru_redirect;
