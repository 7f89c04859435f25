-- Labels that a user puts on their links. At most 100; the api counts them while it holds a lock on the user's row.
CREATE TABLE labels (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
  name text COLLATE names_in_order NOT NULL,
  name_key text NOT NULL, -- Proto's labelKey of the name: two names of a user that differ in case only have the same.
  colour text NOT NULL,
  CONSTRAINT labels_user_id_name_key_key UNIQUE (user_id, name_key)
);

-- Label and link have the same owner. The api locks the links before it writes rows, in the order of their ids.
CREATE TABLE link_labels (
  link_id bigint NOT NULL REFERENCES all_links ON DELETE CASCADE,
  label_id integer NOT NULL,
  PRIMARY KEY (link_id, label_id)
);
-- For the links of a label.
CREATE INDEX link_labels_label_id_link_id_idx ON link_labels (label_id, link_id);

GRANT SELECT ON labels TO tapthru_worker;
GRANT SELECT, INSERT, DELETE ON link_labels TO tapthru_api, tapthru_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON labels TO tapthru_api;
