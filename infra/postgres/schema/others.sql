-- Written by pnpm fix from a migrated database, to be read. The migrations have comments.

CREATE TABLE failed_items (
  kind text NOT NULL,
  key text NOT NULL,
  error text NOT NULL,
  attempts integer NOT NULL DEFAULT 1,
  first_failed_at timestamp with time zone NOT NULL DEFAULT now(),
  retry_at timestamp with time zone NOT NULL,
  CONSTRAINT failed_items_error_length CHECK (char_length(error) <= 500),
  CONSTRAINT failed_items_pkey PRIMARY KEY (kind, key)
);
GRANT DELETE, INSERT, SELECT, UPDATE ON failed_items TO tapthru_api, tapthru_worker;

CREATE FUNCTION utc_text(at timestamp with time zone)
 RETURNS text
 LANGUAGE sql
 STABLE
RETURN to_char((at AT TIME ZONE 'UTC'::text), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'::text);
GRANT EXECUTE ON FUNCTION utc_text TO PUBLIC;
