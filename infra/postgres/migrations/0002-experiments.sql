-- Half of a channel's phone visitors in a store, on one system, get one way of opening with one tracking id, half the other. The
-- ids are earlier tags of the channel too, so that their sales are the channel's.
CREATE TABLE experiments (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
  channel_id integer NOT NULL REFERENCES channels ON DELETE CASCADE,
  marketplace text NOT NULL,
  os text NOT NULL,
  arms jsonb NOT NULL, -- {"a": {"tag": …, "way": …}, "b": …}
  starts_at timestamptz NOT NULL DEFAULT now(),
  ends_at timestamptz NOT NULL,
  adopted text -- The arm whose way of opening all visitors get, with the channel's own tag. Null: none.
);
CREATE INDEX experiments_channel_id_idx ON experiments (channel_id);
CREATE INDEX experiments_user_id_idx ON experiments (user_id);
CREATE TRIGGER experiments_change_records AFTER INSERT OR UPDATE OR DELETE ON experiments
  FOR EACH ROW EXECUTE FUNCTION add_mass_change('routing', '{}', 'channelId', 'channel_id');
CREATE TRIGGER experiments_record_change AFTER INSERT OR UPDATE OR DELETE ON experiments FOR EACH ROW
  WHEN (pg_trigger_depth() = 0 AND current_setting('tapthru.actor', true) <> '')
  EXECUTE FUNCTION record_change('experiment', 'id', 'id', 'user_id', 'channel,marketplace,os,arms,ends_at,adopted', '');

-- Of a link that follows its channel's tag. The app, if adopted, opens as for other links.
CREATE FUNCTION experiments_of_link(link links) RETURNS jsonb
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  IF link.channel_tag IS NULL THEN RETURN '{}'; END IF;
  RETURN coalesce((SELECT jsonb_build_object('experiments', jsonb_agg(jsonb_build_object('id', id, 'os', os, 'arms', arms,
      'adopted', adopted, 'to', floor(extract(epoch FROM ends_at) * 1000)::bigint)))
    FROM experiments
    WHERE channel_id = link.channel_id AND marketplace = link.marketplace
      AND CASE WHEN adopted IS NULL THEN ends_at > now() ELSE arms -> adopted ->> 'way' <> 'app' END
    HAVING count(*) > 0), '{}');
END
$$;

CREATE OR REPLACE FUNCTION redirect_record(link links, product products) RETURNS jsonb LANGUAGE sql STABLE
RETURN CASE WHEN link.taken_down_at IS NULL THEN
  jsonb_set_lax(jsonb_set_lax(jsonb_build_object('state', 'live', 'revision', link.revision, 'webUrl', link.web_url,
    'expiresAt', floor(extract(epoch FROM link.expires_at) * 1000)::bigint,
    'title', coalesce(link.title, product.title, link.page_title),
    'description', coalesce(link.description, product.description),
    'imageUrl', coalesce(link.image_url, product.image_url),
    'siteName', coalesce(link.site_name, product.site_name)), '{routing}',
  routing_of_link(link.user_id, link.channel_id, link.routing, link.canonical_url, link.title), true,
  'return_target'), '{fallback}',
  CASE WHEN link.user_id IS NOT NULL AND (link.expires_at IS NOT NULL OR product.check_state = 'product-gone') THEN
    fallback_of_link(link, product)
  END, true, 'return_target')
  || CASE WHEN assistants_get_tag(link.user_id) THEN '{"assistantsGetTag": true}'::jsonb ELSE '{}' END
  || experiments_of_link(link)
ELSE
  jsonb_build_object('state', 'gone', 'revision', link.revision, 'reason', 'taken-down')
END;

REVOKE ALL ON FUNCTION experiments_of_link FROM PUBLIC;
GRANT EXECUTE ON FUNCTION experiments_of_link TO tapthru_api, tapthru_worker, tapthru_redirect;
GRANT SELECT, INSERT, UPDATE, DELETE ON experiments TO tapthru_api;
GRANT INSERT, UPDATE ON earlier_channel_tags TO tapthru_api;
