-- Secret links that show the clicks of one link, or of the links of one label, without an account.
CREATE TABLE shared_pages (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
  link_id bigint REFERENCES all_links ON DELETE CASCADE,
  label_id integer REFERENCES labels ON DELETE CASCADE,
  name text NOT NULL,
  token_hash bytea NOT NULL UNIQUE, -- SHA-256 of the token.
  ends_on date NOT NULL, -- The last day in UTC.
  made_by integer,
  CONSTRAINT shared_pages_one_object CHECK (num_nonnulls(link_id, label_id) = 1)
);
CREATE INDEX shared_pages_label_id_idx ON shared_pages (label_id);
CREATE INDEX shared_pages_link_id_idx ON shared_pages (link_id);
CREATE INDEX shared_pages_user_id_idx ON shared_pages (user_id);

GRANT SELECT (id, user_id, name, ends_on), DELETE ON shared_pages TO tapthru_worker;
GRANT SELECT, INSERT, DELETE ON shared_pages TO tapthru_api;
