-- How many rows of a table a user may have, and until their address is confirmed. The migration sets those of links by its settings.
CREATE TABLE row_limits (
  relation text PRIMARY KEY,
  confirmed integer NOT NULL,
  unconfirmed integer NOT NULL
);
INSERT INTO row_limits VALUES ('all_links', 1000000, 100), ('api_keys', 420, 420), ('channels', 50, 50), ('domains', 20, 20),
  ('earlier_channel_tags', 2000, 2000), ('earnings_imports', 500, 0), ('labels', 100, 100), ('onelink_stores', 50, 50),
  ('shared_pages', 50, 50), ('webhooks', 10, 10);

-- How many they have. Whoever inserts links locks the user before, so that these rows are locked last.
CREATE TABLE row_counts (
  user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
  relation text NOT NULL REFERENCES row_limits,
  count integer NOT NULL,
  PRIMARY KEY (user_id, relation)
) WITH (fillfactor = 50);

CREATE FUNCTION add_rows(owner integer, of_relation text, added bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  total integer;
BEGIN
  UPDATE row_counts SET count = count + added WHERE user_id = owner AND relation = of_relation RETURNING count INTO total;
  IF NOT FOUND AND added > 0 THEN
    INSERT INTO row_counts VALUES (owner, of_relation, added)
    ON CONFLICT (user_id, relation) DO UPDATE SET count = row_counts.count + added RETURNING count INTO total;
  END IF;
  IF added > 0 AND EXISTS (SELECT FROM row_limits WHERE relation = of_relation
      AND (total > confirmed OR total > unconfirmed AND NOT email_is_confirmed(owner))) THEN
    RAISE 'too many rows' USING ERRCODE = 'check_violation', TABLE = of_relation, CONSTRAINT = of_relation || '_row_limit';
  END IF;
END
$$;

CREATE FUNCTION count_rows() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  IF TG_LEVEL = 'ROW' THEN
    PERFORM add_rows(owner, TG_TABLE_NAME, added) FROM (VALUES (OLD.user_id, -1), (NEW.user_id, 1)) AS change (owner, added)
    WHERE owner IS NOT NULL ORDER BY owner;
  ELSE
    PERFORM add_rows(user_id, TG_TABLE_NAME, CASE TG_OP WHEN 'DELETE' THEN -count ELSE count END)
    FROM (SELECT user_id, count(*) FROM changed WHERE user_id IS NOT NULL GROUP BY 1 ORDER BY 1) AS change;
  END IF;
  RETURN NULL;
END
$$;

DO $$
DECLARE
  name text;
BEGIN
  FOR name IN SELECT relation FROM row_limits LOOP
    EXECUTE format('CREATE TRIGGER %1$s_count_inserted AFTER INSERT ON %1$I REFERENCING NEW TABLE AS changed
      FOR EACH STATEMENT EXECUTE FUNCTION count_rows()', name);
    EXECUTE format('CREATE TRIGGER %1$s_count_deleted AFTER DELETE ON %1$I REFERENCING OLD TABLE AS changed
      FOR EACH STATEMENT EXECUTE FUNCTION count_rows()', name);
    EXECUTE format('CREATE TRIGGER %1$s_count_moved AFTER UPDATE OF user_id ON %1$I
      FOR EACH ROW WHEN (OLD.user_id IS DISTINCT FROM NEW.user_id) EXECUTE FUNCTION count_rows()', name);
  END LOOP;
END
$$;
