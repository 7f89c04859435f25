-- The tag that a user last added to a link of an Amazon store.
CREATE TABLE store_tags (
  user_id integer NOT NULL
    CONSTRAINT store_tags_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
  -- What follows `amazon.` in the host of the store.
  marketplace text NOT NULL,
  tag text NOT NULL,
  CONSTRAINT store_tags_pkey PRIMARY KEY (user_id, marketplace)
);

GRANT SELECT, INSERT, UPDATE ON store_tags TO tapthru_api;
