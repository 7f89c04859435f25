-- Secret links that show the clicks of one link, or of the links of one label, without an account.
CREATE TABLE shared_pages (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
  link_id bigint,
  label_id integer REFERENCES labels ON DELETE CASCADE,
  name text NOT NULL,
  token_hash bytea NOT NULL UNIQUE, -- SHA-256 of the token.
  ends_on date NOT NULL, -- The last day in UTC.
  CONSTRAINT shared_pages_one_object CHECK (num_nonnulls(link_id, label_id) = 1)
);
ALTER TABLE shared_pages ADD FOREIGN KEY (link_id) REFERENCES links ON DELETE CASCADE NOT VALID;
CREATE INDEX shared_pages_user_id_idx ON shared_pages (user_id);
CREATE INDEX shared_pages_link_id_idx ON shared_pages (link_id);
CREATE INDEX shared_pages_label_id_idx ON shared_pages (label_id);
CREATE TRIGGER shared_pages_record_change AFTER INSERT OR UPDATE OR DELETE ON shared_pages FOR EACH ROW
  WHEN (pg_trigger_depth() = 0 AND current_setting('tapthru.actor', true) <> '')
  EXECUTE FUNCTION record_change('shared-page', 'id', 'name', 'user_id', 'name,ends_on', '');

-- The public keys with which statements were signed.
CREATE TABLE statement_keys (public_key text PRIMARY KEY);

GRANT SELECT, INSERT, DELETE ON shared_pages TO tapthru_api;
GRANT SELECT, INSERT ON statement_keys TO tapthru_api;
GRANT SELECT (id, ends_on), DELETE ON shared_pages TO tapthru_worker;
