-- A key of a member, also one that is being created, ends with the membership.
DELETE FROM api_keys WHERE account_id IS NOT NULL AND NOT EXISTS (
  SELECT FROM members WHERE members.account_id = api_keys.account_id AND member_id = api_keys.user_id
);
ALTER TABLE api_keys ADD FOREIGN KEY (account_id, user_id) REFERENCES members (account_id, member_id)
  ON DELETE CASCADE NOT VALID;
-- The user of the account in which the key acts. They see it in their activity, too.
ALTER TABLE api_keys ADD COLUMN owner_id integer GENERATED ALWAYS AS (coalesce(account_id, user_id)) STORED;
CREATE OR REPLACE TRIGGER api_keys_record_change AFTER INSERT OR UPDATE OR DELETE ON api_keys FOR EACH ROW
  WHEN (pg_trigger_depth() = 0 AND current_setting('tapthru.actor', true) <> '')
  EXECUTE FUNCTION record_change('key', 'id', 'name', 'owner_id', 'name,start,scopes,expires_at', '');

-- The member who made it; null: the user of the account.
ALTER TABLE members ADD COLUMN invited_by integer;
ALTER TABLE shared_pages ADD COLUMN made_by integer;
ALTER TABLE webhooks ADD COLUMN made_by integer;

-- What a member made ends when their role does not allow it any more. A webhook is only disabled: its log remains.
CREATE FUNCTION end_ways_of_member() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  DELETE FROM members WHERE account_id = OLD.account_id AND invited_by = OLD.member_id AND token_hash IS NOT NULL;
  UPDATE webhooks SET disabled_at = now()
  WHERE user_id = OLD.account_id AND made_by = OLD.member_id AND disabled_at IS NULL;
  IF TG_OP = 'DELETE' OR to_jsonb(NEW) ->> 'role' = 'viewer' THEN
    DELETE FROM shared_pages WHERE user_id = OLD.account_id AND made_by = OLD.member_id;
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER members_end_ways AFTER DELETE ON members FOR EACH ROW
  WHEN (OLD.member_id IS NOT NULL) EXECUTE FUNCTION end_ways_of_member();
CREATE TRIGGER members_end_ways_of_role AFTER UPDATE OF role ON members FOR EACH ROW
  WHEN (OLD.member_id IS NOT NULL AND NEW.role <> OLD.role AND NEW.role <> 'owner') EXECUTE FUNCTION end_ways_of_member();

-- Several people can sign up with an address that none of them has confirmed.
CREATE INDEX user_address_idx ON identity."user" (address);
