-- Labels that a user puts on their links. At most 100; the api counts them while it holds a lock on the user's row.
CREATE TABLE labels (
  id integer GENERATED ALWAYS AS IDENTITY CONSTRAINT labels_pkey PRIMARY KEY,
  user_id integer NOT NULL CONSTRAINT labels_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
  name text COLLATE names_in_order NOT NULL,
  -- Proto's labelKey of the name: two names of a user that differ in case only have the same.
  name_key text NOT NULL,
  colour text NOT NULL,
  CONSTRAINT labels_user_id_name_key_key UNIQUE (user_id, name_key)
);

-- Label and link have the same owner. The api locks the links before it writes rows, in the order of their ids.
CREATE TABLE link_labels (
  link_id bigint NOT NULL
    CONSTRAINT link_labels_link_id_fkey REFERENCES links (id) ON DELETE CASCADE,
  label_id integer NOT NULL
    CONSTRAINT link_labels_label_id_fkey REFERENCES labels (id) ON DELETE CASCADE,
  CONSTRAINT link_labels_pkey PRIMARY KEY (link_id, label_id)
);

-- For the links of a label.
CREATE INDEX link_labels_label_id_link_id_idx ON link_labels (label_id, link_id);

GRANT SELECT, INSERT, UPDATE, DELETE ON labels TO tapthru_api;
GRANT SELECT, INSERT, DELETE ON link_labels TO tapthru_api;
