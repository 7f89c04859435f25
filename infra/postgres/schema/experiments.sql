-- Written by pnpm fix from a migrated database, to be read. The migrations have comments.

CREATE TABLE experiments (
  id integer NOT NULL GENERATED ALWAYS AS IDENTITY,
  user_id integer NOT NULL,
  channel_id integer NOT NULL,
  marketplace text NOT NULL,
  os text NOT NULL,
  arms jsonb NOT NULL,
  starts_at timestamp with time zone NOT NULL DEFAULT now(),
  ends_at timestamp with time zone NOT NULL,
  adopted text,
  CONSTRAINT experiments_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id) ON DELETE CASCADE,
  CONSTRAINT experiments_pkey PRIMARY KEY (id),
  CONSTRAINT experiments_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX experiments_channel_id_idx ON experiments (channel_id);
CREATE INDEX experiments_user_id_idx ON experiments (user_id);
CREATE TRIGGER experiments_record_change AFTER INSERT OR DELETE OR UPDATE ON experiments FOR EACH ROW WHEN (pg_trigger_depth() = 0 AND current_setting('tapthru.actor'::text, true) <> ''::text) EXECUTE FUNCTION record_change('experiment', 'id', 'id', 'user_id', 'channel,marketplace,os,arms,ends_at,adopted', '');
GRANT DELETE, INSERT, SELECT, UPDATE ON experiments TO tapthru_api;

CREATE FUNCTION experiments_of_link(link links)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$
BEGIN
  IF link.channel_tag IS NULL THEN RETURN '{}'; END IF;
  RETURN coalesce((SELECT jsonb_build_object('experiments', jsonb_agg(jsonb_build_object('id', id, 'os', os, 'arms', arms,
      'adopted', adopted, 'to', floor(extract(epoch FROM ends_at) * 1000)::bigint)))
    FROM experiments
    WHERE channel_id = link.channel_id AND marketplace = link.marketplace
      AND CASE WHEN adopted IS NULL THEN ends_at > now() ELSE arms -> adopted ->> 'way' <> 'app' END
    HAVING count(*) > 0), '{}');
END
$function$;
GRANT EXECUTE ON FUNCTION experiments_of_link TO tapthru_api, tapthru_redirect, tapthru_worker;
