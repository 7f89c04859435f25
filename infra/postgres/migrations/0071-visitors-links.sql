-- The destination of a link that nobody owns leaves the audit log with the link. Takedowns by operators stay: they do not have it.
CREATE FUNCTION delete_activity_of_links() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  DELETE FROM audit_log USING deleted
  WHERE deleted.user_id IS NULL AND object_id = deleted.id::text
    AND action IN ('link.created', 'link.deleted');
  RETURN NULL;
END
$$;
CREATE TRIGGER links_delete_activity AFTER DELETE ON links
  REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION delete_activity_of_links();
REVOKE ALL ON FUNCTION delete_activity_of_links FROM PUBLIC;
