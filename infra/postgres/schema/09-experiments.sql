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

GRANT SELECT, INSERT, UPDATE, DELETE ON experiments TO tapthru_api;
GRANT EXECUTE ON FUNCTION experiments_of_link TO tapthru_api, tapthru_redirect, tapthru_worker;
