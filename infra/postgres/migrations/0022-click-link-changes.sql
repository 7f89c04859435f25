-- Claims and deletions of links that a store of clicks outside of Postgres has to follow. `to_user_id` is null for a
-- deletion; 0 means no owner. Without such a store, the worker deletes them after a day.
CREATE TABLE click_link_changes (
  id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT click_link_changes_pkey PRIMARY KEY,
  link_id bigint NOT NULL,
  from_user_id bigint NOT NULL,
  to_user_id bigint,
  changed_at timestamptz NOT NULL DEFAULT now(),
  is_followed boolean NOT NULL DEFAULT false
);

CREATE FUNCTION record_deleted_links_for_clicks() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO click_link_changes (link_id, from_user_id)
  SELECT id, coalesce(user_id, 0) FROM deleted ORDER BY id;
  RETURN NULL;
END
$$;
CREATE TRIGGER links_record_deleted_for_clicks AFTER DELETE ON links
  REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION record_deleted_links_for_clicks();

CREATE FUNCTION record_claimed_link_for_clicks() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO click_link_changes (link_id, from_user_id, to_user_id)
  VALUES (NEW.id, coalesce(OLD.user_id, 0), coalesce(NEW.user_id, 0));
  RETURN NULL;
END
$$;
CREATE TRIGGER links_record_claimed_for_clicks AFTER UPDATE OF user_id ON links
  FOR EACH ROW WHEN (NEW.user_id IS DISTINCT FROM OLD.user_id) EXECUTE FUNCTION record_claimed_link_for_clicks();

-- A run of rows that is being moved to ClickHouse, with the token of its insert, so that it is moved once.
CREATE TABLE click_moves (
  source text NOT NULL,
  first_link_id bigint NOT NULL,
  token uuid NOT NULL DEFAULT gen_random_uuid(),
  CONSTRAINT click_moves_pkey PRIMARY KEY (source, first_link_id)
);

REVOKE ALL ON FUNCTION record_deleted_links_for_clicks, record_claimed_link_for_clicks FROM PUBLIC;
GRANT SELECT, UPDATE, DELETE ON click_link_changes TO tapthru_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON click_moves TO tapthru_worker;
