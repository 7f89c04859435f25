-- Commits that notify wait for each other, so one that finds rows waiting leaves it to those who wrote
-- them: the relay looks again until it finds none.
DROP TRIGGER link_changes_notify ON link_changes;

CREATE OR REPLACE FUNCTION notify_link_changes() RETURNS trigger LANGUAGE plpgsql
  -- Whoever may write rows need not be able to read them.
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
