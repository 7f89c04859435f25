-- Written by pnpm fix from a migrated database, to be read. The migrations have comments.

CREATE TABLE labels (
  id integer NOT NULL GENERATED ALWAYS AS IDENTITY,
  user_id integer NOT NULL,
  name text NOT NULL,
  name_key text NOT NULL,
  colour text NOT NULL,
  CONSTRAINT labels_pkey PRIMARY KEY (id),
  CONSTRAINT labels_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  CONSTRAINT labels_user_id_name_key_key UNIQUE (user_id, name_key)
);
CREATE TRIGGER labels_record_change AFTER INSERT OR DELETE OR UPDATE ON labels FOR EACH ROW WHEN (pg_trigger_depth() = 0 AND current_setting('tapthru.actor'::text, true) <> ''::text) EXECUTE FUNCTION record_change('label', 'id', 'name', 'user_id', 'name,colour', '');
GRANT DELETE, INSERT, SELECT, UPDATE ON labels TO tapthru_api;
GRANT SELECT ON labels TO tapthru_worker;

CREATE TABLE link_labels (
  link_id bigint NOT NULL,
  label_id integer NOT NULL,
  CONSTRAINT link_labels_link_id_fkey FOREIGN KEY (link_id) REFERENCES links(id) ON DELETE CASCADE,
  CONSTRAINT link_labels_pkey PRIMARY KEY (link_id, label_id)
);
CREATE INDEX link_labels_label_id_link_id_idx ON link_labels (label_id, link_id);
CREATE TRIGGER link_labels_add_events_of_added AFTER INSERT ON link_labels REFERENCING NEW TABLE AS labelled FOR EACH STATEMENT EXECUTE FUNCTION add_events_of_labelled_links();
CREATE TRIGGER link_labels_add_events_of_removed AFTER DELETE ON link_labels REFERENCING OLD TABLE AS labelled FOR EACH STATEMENT EXECUTE FUNCTION add_events_of_labelled_links();
CREATE TRIGGER link_labels_record_added AFTER INSERT ON link_labels REFERENCING NEW TABLE AS labelled FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0 AND current_setting('tapthru.actor'::text, true) <> ''::text) EXECUTE FUNCTION record_labels_of_links();
CREATE TRIGGER link_labels_record_removed AFTER DELETE ON link_labels REFERENCING OLD TABLE AS labelled FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0 AND current_setting('tapthru.actor'::text, true) <> ''::text) EXECUTE FUNCTION record_labels_of_links();
GRANT DELETE, INSERT, SELECT ON link_labels TO tapthru_api, tapthru_worker;

CREATE FUNCTION add_events_of_labelled_links()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
AS $function$
DECLARE
  ids bigint[];
BEGIN
  SELECT array_agg(DISTINCT link.id) INTO ids
  FROM labelled JOIN links AS link ON link.id = labelled.link_id
  WHERE EXISTS (SELECT FROM webhooks WHERE webhooks.user_id = link.user_id);
  IF ids IS NOT NULL THEN PERFORM add_link_events(ids, 'link.changed'); END IF;
  RETURN NULL;
END
$function$;

CREATE FUNCTION record_labels_of_links()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
AS $function$
BEGIN
  PERFORM add_to_audit_log('link', 'changed', changed.id::text, changed.short_code, changed.user_id,
    jsonb_build_object('labels', CASE TG_OP WHEN 'INSERT' THEN changed.others ELSE changed.all_names END),
    jsonb_build_object('labels', CASE TG_OP WHEN 'INSERT' THEN changed.all_names ELSE changed.others END))
  FROM (SELECT link.id, link.short_code, link.user_id, jsonb_agg(label.name ORDER BY label.name) AS all_names,
      coalesce(jsonb_agg(label.name ORDER BY label.name) FILTER (WHERE NOT named.is_changed), '[]') AS others
    FROM (SELECT link_id, label_id, bool_or(is_changed) AS is_changed FROM (
        SELECT link_id, label_id, true AS is_changed FROM labelled
        UNION ALL SELECT link_id, label_id, false FROM link_labels WHERE link_id IN (SELECT link_id FROM labelled)
      ) AS of_links GROUP BY link_id, label_id) AS named
    JOIN links AS link ON link.id = named.link_id JOIN labels AS label ON label.id = named.label_id
    GROUP BY link.id ORDER BY link.id) AS changed;
  RETURN NULL;
END
$function$;
