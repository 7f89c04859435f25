-- Written by pnpm fix from a migrated database, to be read. The migrations have comments.

CREATE TABLE shared_pages (
  id integer NOT NULL GENERATED ALWAYS AS IDENTITY,
  user_id integer NOT NULL,
  link_id bigint,
  label_id integer,
  name text NOT NULL,
  token_hash bytea NOT NULL,
  ends_on date NOT NULL,
  made_by integer,
  CONSTRAINT shared_pages_label_id_fkey FOREIGN KEY (label_id) REFERENCES labels(id) ON DELETE CASCADE,
  CONSTRAINT shared_pages_link_id_fkey FOREIGN KEY (link_id) REFERENCES links(id) ON DELETE CASCADE,
  CONSTRAINT shared_pages_one_object CHECK (num_nonnulls(link_id, label_id) = 1),
  CONSTRAINT shared_pages_pkey PRIMARY KEY (id),
  CONSTRAINT shared_pages_token_hash_key UNIQUE (token_hash),
  CONSTRAINT shared_pages_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX shared_pages_label_id_idx ON shared_pages (label_id);
CREATE INDEX shared_pages_link_id_idx ON shared_pages (link_id);
CREATE INDEX shared_pages_user_id_idx ON shared_pages (user_id);
CREATE TRIGGER shared_pages_record_change AFTER INSERT OR DELETE OR UPDATE ON shared_pages FOR EACH ROW WHEN (pg_trigger_depth() = 0 AND current_setting('tapthru.actor'::text, true) <> ''::text) EXECUTE FUNCTION record_change('shared-page', 'id', 'name', 'user_id', 'name,ends_on', '');
GRANT DELETE, INSERT, SELECT ON shared_pages TO tapthru_api;
GRANT DELETE, SELECT (id, ends_on) ON shared_pages TO tapthru_worker;

CREATE TABLE statement_keys (
  public_key text NOT NULL,
  CONSTRAINT statement_keys_pkey PRIMARY KEY (public_key)
);
GRANT INSERT, SELECT ON statement_keys TO tapthru_api;
