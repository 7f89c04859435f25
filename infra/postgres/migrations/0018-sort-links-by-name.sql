-- By letters in any script, and by numbers as people read them: "Lamp 2" before "Lamp 10".
CREATE COLLATION names_in_order (provider = icu, locale = 'und-u-kn-true');

-- The start of the name that the owner sees: proto's displayName, uncut. A trigger sets it for links with an owner, also
-- for those that the previous release inserts. Existing links get it after the migrations (assign-sort-names.ts).
ALTER TABLE links ADD sort_name text COLLATE names_in_order;

CREATE FUNCTION set_link_sort_name() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  product_id text := substring(
    split_part(split_part(NEW.original_url, '#', 1), '?', 1)
    FROM '/(?:dp|gp/product)/([A-Za-z0-9]+)'
  );
BEGIN
  NEW.sort_name := left(coalesce(
    nullif(NEW.nickname, ''),
    nullif(NEW.title, ''),
    (SELECT nullif(title, '') FROM products WHERE canonical_url = NEW.canonical_url),
    concat_ws(': ', 'Amazon Product', product_id)
  ), 100);
  RETURN NEW;
END
$$;

-- A change of the product's title updates product_revision.
CREATE TRIGGER links_set_sort_name
  BEFORE INSERT OR UPDATE OF user_id, nickname, title, product_revision ON links
  FOR EACH ROW WHEN (NEW.user_id IS NOT NULL) EXECUTE FUNCTION set_link_sort_name();

-- For a user's links by name.
CREATE INDEX links_user_id_sort_name_id_idx ON links (user_id, sort_name, id)
  WHERE user_id IS NOT NULL AND sort_name IS NOT NULL;
