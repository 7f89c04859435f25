-- contract: unused since 0015
-- Postgres refuses to delete a user who has links: each link has to leave a retired code and an outbox entry. Existing
-- rows are not checked here, as both tables are locked; validate-foreign-keys.ts does so after the migrations.
ALTER TABLE links
  DROP CONSTRAINT links_user_id_fkey,
  ADD CONSTRAINT links_user_id_fkey
    FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE RESTRICT NOT VALID;
