-- The stores in which Amazon OneLink pays the user's tag of amazon.com, as the user said.
CREATE TABLE onelink_stores (
  user_id integer NOT NULL
    CONSTRAINT onelink_stores_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
  -- What follows `amazon.` in the host of the store.
  marketplace text NOT NULL,
  CONSTRAINT onelink_stores_pkey PRIMARY KEY (user_id, marketplace)
);

GRANT SELECT, INSERT, DELETE ON onelink_stores TO tapthru_api;
-- A user can remove the tag of a store.
GRANT DELETE ON store_tags TO tapthru_api;
