-- Links that their users deleted, for a day in which they can be restored. Their codes are retired meanwhile, and their clicks stay.
CREATE TABLE deleted_links (
  id bigint PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users ON DELETE RESTRICT,
  deleted_at timestamptz NOT NULL DEFAULT now(),
  link jsonb NOT NULL, -- The row.
  dependents jsonb NOT NULL -- Rows that referred to it, by table.
);
CREATE INDEX deleted_links_deleted_at_idx ON deleted_links (deleted_at);
CREATE INDEX deleted_links_user_id_idx ON deleted_links (user_id, id);

-- What a restored link gets back. Its health is determined again.
CREATE FUNCTION dependents_of_link(link bigint, code text) RETURNS jsonb LANGUAGE sql SET search_path FROM CURRENT AS $$
  SELECT jsonb_strip_nulls(jsonb_build_object(
    'idempotency_keys', (SELECT jsonb_agg(keys) FROM idempotency_keys AS keys WHERE short_code = code),
    'link_destinations', (SELECT jsonb_agg(earlier) FROM link_destinations AS earlier WHERE link_id = link),
    'link_labels', (SELECT jsonb_agg(labelled) FROM link_labels AS labelled WHERE link_id = link),
    'abuse_reports', (SELECT jsonb_agg(report) FROM abuse_reports AS report WHERE short_code = code),
    'shared_pages', (SELECT jsonb_agg(page) FROM shared_pages AS page WHERE link_id = link)))
$$;

-- Whether a code is on a domain that is not the user's, or is off.
CREATE FUNCTION is_on_lost_domain(owner_id integer, code text) RETURNS boolean LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
  SELECT position('@' IN code) > 0 AND NOT EXISTS (SELECT FROM domains WHERE host = split_part(code, '@', 2)
    AND user_id = owner_id AND verified_at IS NOT NULL AND off_at IS NULL)
$$;

-- Restores deleted links of a user, as they were. What was deleted since, such as a label, stays deleted. Codes on domains that the
-- user lost stay retired: the link gets that of `codes` at the place of its id. Of shared pages, the user then has max_pages at most.
-- Returns, by id of those that can be restored, the code of the error for which one was not; null: it was.
CREATE FUNCTION restore_links(owner_id integer, ids bigint[], codes text[], max_pages integer) RETURNS jsonb
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
#variable_conflict use_column
DECLARE
  found jsonb; -- What is returned.
  restored bigint[];
BEGIN
  -- While the user is locked, no label of theirs is deleted.
  IF NOT lock_enabled_user(owner_id) THEN RETURN '{}'; END IF;
  PERFORM FROM deleted_links AS kept WHERE kept.id = ANY (ids) AND kept.user_id = owner_id ORDER BY kept.id FOR UPDATE;
  SELECT jsonb_object_agg(kept.id, CASE
      -- Of the one at `/` of a domain, of which several may have been deleted.
      WHEN NOT is_on_lost_domain(owner_id, kept.link ->> 'short_code') AND EXISTS (
        SELECT FROM links WHERE short_code = kept.link ->> 'short_code' UNION ALL
        SELECT FROM deleted_links AS later WHERE later.id = ANY (ids) AND later.id > kept.id
          AND later.user_id = kept.user_id AND later.link -> 'short_code' = kept.link -> 'short_code') THEN 'slug-taken'
      WHEN EXISTS (SELECT FROM audit_log AS decision
        WHERE action = 'links.taken-down' AND action NOT LIKE 'link.%' AND at >= deleted_at
          AND (decision.owner_id = kept.user_id OR address_hash IN (SELECT address_hash FROM audit_log AS creation
            WHERE object_id = kept.id::text AND creation.action = 'link.created'))) THEN 'link-taken-down' END)
  INTO found FROM deleted_links AS kept WHERE kept.id = ANY (ids) AND kept.user_id = restore_links.owner_id;
  SELECT array_agg(key::bigint ORDER BY key::bigint) INTO restored FROM jsonb_each_text(found) WHERE value IS NULL;

  UPDATE deleted_links AS kept SET link = jsonb_set(link, '{short_code}', to_jsonb(code)),
    dependents = replace(dependents::text, (link -> 'short_code')::text, to_jsonb(code)::text)::jsonb
  FROM unnest(ids, codes) AS given (link_id, code)
  WHERE kept.id = link_id AND kept.id = ANY (restored) AND is_on_lost_domain(owner_id, link ->> 'short_code');
  DELETE FROM link_codes WHERE link_id = ANY (restored) AND is_on_lost_domain(owner_id, short_code);
  INSERT INTO links SELECT link.*
  FROM deleted_links AS kept
  LEFT JOIN channels ON channels.id = (kept.link ->> 'channel_id')::integer AND channels.user_id = kept.user_id
  LEFT JOIN retired_codes AS retired ON retired.short_code = kept.link ->> 'short_code'
  -- The record of a deleted link has the revision after that of the link, or of a later one with its code.
  CROSS JOIN LATERAL jsonb_populate_record(NULL::links, kept.link) AS past
  CROSS JOIN LATERAL jsonb_populate_record(past, jsonb_build_object(
    'revision', greatest(past.revision + 2, retired.revision + 1), 'channel_id', channels.id) || CASE WHEN channels.id IS NULL
    THEN jsonb_build_object('follows_channel', false, 'tag', lower(link_tag(past)), 'web_url', link_url(past, past.web_url),
      'original_url', link_url(past, past.original_url)) ELSE '{}' END) AS link
  WHERE kept.id = ANY (restored) ORDER BY kept.id;
  WITH code AS (SELECT short_code, revision FROM links WHERE links.id = ANY (restored)
    UNION SELECT earlier.short_code, revision FROM links JOIN link_codes AS earlier ON link_id = links.id
    WHERE links.id = ANY (restored)), back AS (
    DELETE FROM retired_codes USING code WHERE retired_codes.short_code = code.short_code)
  INSERT INTO link_changes (short_code, revision) SELECT short_code, revision FROM code;

  INSERT INTO idempotency_keys SELECT each.* FROM deleted_links AS kept,
    jsonb_populate_recordset(NULL::idempotency_keys, kept.dependents -> 'idempotency_keys') AS each
  WHERE kept.id = ANY (restored) ON CONFLICT DO NOTHING;
  INSERT INTO link_destinations OVERRIDING SYSTEM VALUE SELECT each.* FROM deleted_links AS kept,
    jsonb_populate_recordset(NULL::link_destinations, kept.dependents -> 'link_destinations') AS each
  WHERE kept.id = ANY (restored);
  INSERT INTO link_labels SELECT each.* FROM deleted_links AS kept,
    jsonb_populate_recordset(NULL::link_labels, kept.dependents -> 'link_labels') AS each
  WHERE kept.id = ANY (restored) AND EXISTS (SELECT FROM labels WHERE labels.id = label_id);
  INSERT INTO abuse_reports SELECT each.* FROM deleted_links AS kept,
    jsonb_populate_recordset(NULL::abuse_reports, kept.dependents -> 'abuse_reports') AS each
  WHERE kept.id = ANY (restored);
  -- What a member made ends when their role does not allow it any more.
  INSERT INTO shared_pages OVERRIDING SYSTEM VALUE SELECT each.* FROM deleted_links AS kept,
    jsonb_populate_recordset(NULL::shared_pages, kept.dependents -> 'shared_pages') AS each
  WHERE kept.id = ANY (restored) AND (made_by IS NULL OR EXISTS (SELECT FROM members
    WHERE account_id = kept.user_id AND member_id = made_by AND role <> 'viewer'))
  ORDER BY each.id DESC
  LIMIT greatest(0, max_pages - (SELECT count(*) FROM shared_pages WHERE shared_pages.user_id = restore_links.owner_id));

  DELETE FROM deleted_links AS kept WHERE kept.id = ANY (restored);
  RETURN coalesce(found, '{}');
END
$$;

CREATE FUNCTION end_deleted_links() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  ended bigint[] := ARRAY(SELECT id FROM purged WHERE NOT EXISTS (SELECT FROM links WHERE links.id = purged.id));
BEGIN
  DELETE FROM clicks WHERE link_id = ANY (ended);
  RETURN NULL;
END
$$;
CREATE TRIGGER deleted_links_end AFTER DELETE ON deleted_links
  REFERENCING OLD TABLE AS purged FOR EACH STATEMENT EXECUTE FUNCTION end_deleted_links();

-- Deletes the clicks of deleted links: a foreign key of clicks would lock `links` whenever a partition is created or dropped. The worker locks a link before it inserts clicks, so none are left behind. The destination of a link that nobody owns leaves the audit log too. Takedowns by operators stay: they do not have it.
CREATE FUNCTION follow_deleted_links() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  ended bigint[] := ARRAY(SELECT id FROM deleted WHERE NOT EXISTS (SELECT FROM deleted_links AS kept WHERE kept.id = deleted.id));
BEGIN
  DELETE FROM clicks WHERE link_id = ANY (ended);
  DELETE FROM audit_log WHERE object_id = ANY (ARRAY(SELECT id::text FROM deleted WHERE user_id IS NULL))
    AND action IN ('link.created', 'link.deleted');
  RETURN NULL;
END
$$;
CREATE TRIGGER links_follow_deleted AFTER DELETE ON links
  REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION follow_deleted_links();

GRANT SELECT (id, deleted_at), DELETE ON deleted_links TO tapthru_worker;
GRANT SELECT, INSERT, DELETE ON deleted_links TO tapthru_api;
GRANT EXECUTE ON FUNCTION dependents_of_link, restore_links TO tapthru_api;
