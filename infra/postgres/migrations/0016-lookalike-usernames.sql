-- Equal for user names that look alike: proto's usernameLookalikeKey, which Postgres cannot calculate. Null until it is
-- assigned after the migrations (assign-lookalike-keys.ts), and where another user has the same key already.
ALTER TABLE users ADD username_lookalike_key text
  CONSTRAINT users_username_lookalike_key UNIQUE;
