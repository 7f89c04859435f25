-- Written by pnpm fix from a migrated database, to be read. The migrations have comments.

CREATE TABLE import_lines (
  import_id uuid NOT NULL,
  line integer NOT NULL,
  url text NOT NULL,
  slug text,
  title text,
  nickname text,
  labels text[] NOT NULL,
  expires_at timestamp with time zone,
  state text NOT NULL,
  refusal text,
  replacement text,
  short_code text,
  attempts smallint NOT NULL DEFAULT 0,
  retry_at timestamp with time zone,
  domain text,
  repaired jsonb,
  fallback_url text,
  opening text,
  unclear_expiry text,
  image_url text,
  starts_at timestamp with time zone,
  CONSTRAINT import_lines_created_once UNIQUE (short_code),
  CONSTRAINT import_lines_import_id_fkey FOREIGN KEY (import_id) REFERENCES imports(id) ON DELETE CASCADE,
  CONSTRAINT import_lines_pkey PRIMARY KEY (import_id, line),
  CONSTRAINT import_lines_state CHECK (state = ANY (ARRAY['pending'::text, 'created'::text, 'refused'::text]))
);
CREATE INDEX import_lines_due_idx ON import_lines (import_id, retry_at NULLS FIRST, line) WHERE (state = 'pending'::text);
CREATE INDEX import_lines_lost_idx ON import_lines (import_id) WHERE ((slug IS NOT NULL) AND ((replacement IS NOT NULL) OR (refusal <> ALL (ARRAY['already-yours'::text, 'repeated-line'::text]))));
CREATE INDEX import_lines_repaired_idx ON import_lines (import_id) WHERE (repaired IS NOT NULL);
CREATE INDEX import_lines_retryable_idx ON import_lines (import_id) WHERE (refusal = 'short-link-failed'::text);
GRANT DELETE, INSERT, SELECT, UPDATE ON import_lines TO tapthru_api;
GRANT DELETE, SELECT, UPDATE ON import_lines TO tapthru_worker;

CREATE TABLE imports (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  user_id integer NOT NULL,
  file_name text,
  format text NOT NULL,
  state text NOT NULL DEFAULT 'ready'::text,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  started_at timestamp with time zone,
  progressed_at timestamp with time zone,
  ended_at timestamp with time zone,
  line_count integer NOT NULL,
  link_count integer NOT NULL,
  replaced_count integer NOT NULL,
  refused_count integer NOT NULL,
  created_count integer NOT NULL DEFAULT 0,
  running_user_id integer GENERATED ALWAYS AS (
CASE
    WHEN (state = 'running'::text) THEN user_id
    ELSE NULL::integer
END) STORED,
  domain text,
  channel_id integer,
  uses_channel_tag boolean NOT NULL DEFAULT false,
  file_domains jsonb NOT NULL DEFAULT '[]'::jsonb,
  reading jsonb,
  CONSTRAINT imports_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id) ON DELETE SET NULL,
  CONSTRAINT imports_pkey PRIMARY KEY (id),
  CONSTRAINT imports_running_key UNIQUE (running_user_id),
  CONSTRAINT imports_state CHECK (state = ANY (ARRAY['ready'::text, 'running'::text, 'finished'::text, 'cancelled'::text])),
  CONSTRAINT imports_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX imports_channel_id_idx ON imports (channel_id) WHERE (channel_id IS NOT NULL);
CREATE INDEX imports_created_at_idx ON imports (created_at);
CREATE INDEX imports_user_id_created_at_idx ON imports (user_id, created_at);
CREATE TRIGGER imports_add_finished_event AFTER UPDATE ON imports FOR EACH ROW WHEN (new.state = 'finished'::text AND old.state <> 'finished'::text) EXECUTE FUNCTION add_event_of_finished_import();
CREATE TRIGGER imports_record_change AFTER INSERT OR DELETE OR UPDATE ON imports FOR EACH ROW WHEN (pg_trigger_depth() = 0 AND current_setting('tapthru.actor'::text, true) <> ''::text) EXECUTE FUNCTION record_change('import', 'id', 'file_name', 'user_id', 'file_name,format,state,domain,channel,uses_channel_tag', '');
GRANT DELETE, INSERT, SELECT, UPDATE ON imports TO tapthru_api;
GRANT DELETE, SELECT, UPDATE ON imports TO tapthru_worker;

CREATE FUNCTION add_event_of_finished_import()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
AS $function$
BEGIN
  PERFORM add_event(NEW.user_id, 'import.finished', jsonb_build_object('id', NEW.id, 'fileName', NEW.file_name,
    'counts', jsonb_build_object('lines', NEW.line_count, 'links', NEW.link_count, 'replaced', NEW.replaced_count,
      'refused', NEW.refused_count, 'created', NEW.created_count)));
  RETURN NULL;
END
$function$;
