-- Commits that notify wait for each other, so a transaction notifies only if no earlier row is pending: the relay reads
-- until no row is left.
DROP TRIGGER link_changes_notify ON link_changes;

CREATE OR REPLACE FUNCTION notify_link_changes() RETURNS trigger LANGUAGE plpgsql
  -- Roles that insert rows need no right to read them.
  SECURITY DEFINER SET search_path FROM CURRENT
AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM link_changes
    WHERE projected_at IS NULL AND id < (SELECT min(id) FROM added)
  ) THEN
    PERFORM pg_notify('link_changes', '');
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER link_changes_notify AFTER INSERT ON link_changes
  REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION notify_link_changes();
