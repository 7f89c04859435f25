-- Written by pnpm fix from a migrated database, to be read. The migrations have comments.

CREATE TABLE link_patterns (
  id text NOT NULL,
  user_id integer NOT NULL,
  name text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  tags text[] NOT NULL DEFAULT '{}'::text[],
  channel_id integer,
  uses_channel_tag boolean NOT NULL DEFAULT false,
  CONSTRAINT link_patterns_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id) ON DELETE SET NULL,
  CONSTRAINT link_patterns_pkey PRIMARY KEY (id),
  CONSTRAINT link_patterns_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX link_patterns_channel_id_idx ON link_patterns (channel_id) WHERE (channel_id IS NOT NULL);
CREATE INDEX link_patterns_user_id_idx ON link_patterns (user_id);
CREATE TRIGGER link_patterns_record_change AFTER INSERT OR DELETE OR UPDATE ON link_patterns FOR EACH ROW WHEN (pg_trigger_depth() = 0 AND current_setting('tapthru.actor'::text, true) <> ''::text) EXECUTE FUNCTION record_change('pattern', 'id', 'name', 'user_id', 'name,tags,channel,uses_channel_tag', '');
GRANT DELETE, INSERT, SELECT, UPDATE (tags, channel_id, uses_channel_tag) ON link_patterns TO tapthru_api;

CREATE TABLE pattern_links (
  pattern_id text NOT NULL,
  address_hash bytea NOT NULL,
  link_id bigint NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  was_visited_again boolean NOT NULL DEFAULT false,
  CONSTRAINT pattern_links_link_id_fkey FOREIGN KEY (link_id) REFERENCES links(id) ON DELETE CASCADE,
  CONSTRAINT pattern_links_pattern_id_fkey FOREIGN KEY (pattern_id) REFERENCES link_patterns(id) ON DELETE CASCADE,
  CONSTRAINT pattern_links_pkey PRIMARY KEY (pattern_id, address_hash)
);
CREATE INDEX pattern_links_link_id_idx ON pattern_links (link_id);
GRANT DELETE, INSERT, SELECT, UPDATE (was_visited_again) ON pattern_links TO tapthru_api;

CREATE FUNCTION report_full_pattern(full_pattern text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
AS $function$
  SELECT add_event_once(user_id, 'limit.reached', jsonb_build_object('patternId', pattern.id, 'name', name),
    pattern.id || ' ' || current_date)
  FROM link_patterns AS pattern JOIN users ON users.id = user_id WHERE pattern.id = full_pattern AND state = 'enabled'
$function$;
GRANT EXECUTE ON FUNCTION report_full_pattern TO tapthru_api;
