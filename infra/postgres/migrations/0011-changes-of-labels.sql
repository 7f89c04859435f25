-- The worker knows the kinds.
ALTER TABLE mass_changes DROP CONSTRAINT mass_changes_kind_known;
-- It was an id of links, and is one of the audit log for network addresses.
UPDATE mass_changes SET after_id = 0 WHERE kind = 'take-down';

-- The relay records the events of a renamed label.
CREATE OR REPLACE FUNCTION add_events_of_renamed_label() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO mass_changes (kind, payload) SELECT 'label', jsonb_build_object('labelId', NEW.id)
  WHERE EXISTS (SELECT FROM webhooks
    WHERE user_id = NEW.user_id AND disabled_at IS NULL AND 'link.changed' = ANY (events));
  RETURN NULL;
END
$$;

-- The relay takes a deleted label off its links. Until then they have rows of a label that does not exist.
ALTER TABLE link_labels DROP CONSTRAINT link_labels_label_id_fkey;
CREATE TRIGGER labels_delete AFTER DELETE ON labels
  FOR EACH ROW EXECUTE FUNCTION add_mass_change('label', '{"isDeleted": true}', 'labelId', 'id');

GRANT EXECUTE ON FUNCTION add_link_events, link_event_data TO tapthru_worker;
GRANT DELETE ON link_labels TO tapthru_worker;
GRANT INSERT ON webhook_deliveries TO tapthru_worker;
GRANT SELECT (id) ON audit_log TO tapthru_worker;
