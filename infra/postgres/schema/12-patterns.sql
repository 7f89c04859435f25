-- The public ids with which visits of /go create links of a user. A revoked pattern is deleted.
CREATE TABLE link_patterns (
  id text PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
  name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  tags text[] NOT NULL DEFAULT '{}', -- Only addresses with one of these tags get links; empty: all.
  channel_id integer REFERENCES channels ON DELETE SET NULL,
  uses_channel_tag boolean NOT NULL DEFAULT false
);
CREATE INDEX link_patterns_channel_id_idx ON link_patterns (channel_id) WHERE channel_id IS NOT NULL;
CREATE INDEX link_patterns_user_id_idx ON link_patterns (user_id);

-- The link of each address that was visited through a pattern.
CREATE TABLE pattern_links (
  pattern_id text NOT NULL REFERENCES link_patterns ON DELETE CASCADE,
  address_hash bytea NOT NULL, -- SHA-256 of the link's web_url.
  link_id bigint NOT NULL REFERENCES links ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- Set for a link that was visited again: it is not deleted to make room for another.
  was_visited_again boolean NOT NULL DEFAULT false,
  PRIMARY KEY (pattern_id, address_hash)
);
CREATE INDEX pattern_links_link_id_idx ON pattern_links (link_id);

GRANT SELECT, INSERT, DELETE, UPDATE (tags, channel_id, uses_channel_tag) ON link_patterns TO tapthru_api;
GRANT SELECT, INSERT, DELETE, UPDATE (was_visited_again) ON pattern_links TO tapthru_api;
