-- The earlier destinations of links whose destination was changed, at most 50 of each link.
CREATE TABLE link_destinations (
  id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT link_destinations_pkey PRIMARY KEY,
  link_id bigint NOT NULL
    CONSTRAINT link_destinations_link_id_fkey REFERENCES links (id) ON DELETE CASCADE,
  original_url text NOT NULL,
  web_url text NOT NULL,
  replaced_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX link_destinations_link_id_id_idx ON link_destinations (link_id, id);

GRANT SELECT, INSERT, DELETE ON link_destinations TO tapthru_api;
