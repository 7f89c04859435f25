-- The public ids with which visits of /go create links of a user. A revoked pattern is deleted.
CREATE TABLE link_patterns (
  id text CONSTRAINT link_patterns_pkey PRIMARY KEY,
  user_id integer NOT NULL
    CONSTRAINT link_patterns_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
  name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX link_patterns_user_id_idx ON link_patterns (user_id);

-- The link of each address that was visited through a pattern.
CREATE TABLE pattern_links (
  pattern_id text NOT NULL
    CONSTRAINT pattern_links_pattern_id_fkey REFERENCES link_patterns (id) ON DELETE CASCADE,
  -- SHA-256 of the link's web_url.
  address_hash bytea NOT NULL,
  link_id bigint NOT NULL
    CONSTRAINT pattern_links_link_id_fkey REFERENCES links (id) ON DELETE CASCADE,
  CONSTRAINT pattern_links_pkey PRIMARY KEY (pattern_id, address_hash)
);
CREATE INDEX pattern_links_link_id_idx ON pattern_links (link_id);

GRANT SELECT, INSERT, DELETE ON link_patterns, pattern_links TO tapthru_api;
