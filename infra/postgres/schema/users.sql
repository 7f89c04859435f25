-- Written by pnpm fix from a migrated database, to be read. The migrations have comments.

CREATE TABLE account_deletions (
  firebase_uid text NOT NULL,
  user_id integer NOT NULL,
  requested_at timestamp with time zone NOT NULL DEFAULT now(),
  done_at timestamp with time zone,
  CONSTRAINT account_deletions_pkey PRIMARY KEY (firebase_uid)
);
GRANT DELETE, INSERT, SELECT, UPDATE ON account_deletions TO tapthru_api;
GRANT SELECT ON account_deletions TO tapthru_worker;

CREATE TABLE api_keys (
  id integer NOT NULL GENERATED ALWAYS AS IDENTITY,
  user_id integer NOT NULL,
  name text NOT NULL,
  key_hash bytea NOT NULL,
  start text NOT NULL,
  scopes text[] NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  expires_at timestamp with time zone,
  last_used_at timestamp with time zone,
  account_id integer,
  owner_id integer GENERATED ALWAYS AS (COALESCE(account_id, user_id)) STORED,
  CONSTRAINT api_keys_account_id_fkey FOREIGN KEY (account_id) REFERENCES users(id) ON DELETE CASCADE,
  CONSTRAINT api_keys_account_id_user_id_fkey FOREIGN KEY (account_id, user_id) REFERENCES members(account_id, member_id) ON DELETE CASCADE,
  CONSTRAINT api_keys_key_hash_key UNIQUE (key_hash),
  CONSTRAINT api_keys_pkey PRIMARY KEY (id),
  CONSTRAINT api_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX api_keys_account_id_idx ON api_keys (account_id) WHERE (account_id IS NOT NULL);
CREATE INDEX api_keys_expires_at_idx ON api_keys (expires_at) WHERE (expires_at IS NOT NULL);
CREATE INDEX api_keys_user_id_idx ON api_keys (user_id);
CREATE TRIGGER api_keys_record_change AFTER INSERT OR DELETE OR UPDATE ON api_keys FOR EACH ROW WHEN (pg_trigger_depth() = 0 AND current_setting('tapthru.actor'::text, true) <> ''::text) EXECUTE FUNCTION record_change('key', 'id', 'name', 'owner_id', 'name,start,scopes,expires_at', '');
GRANT DELETE, INSERT, SELECT, UPDATE (last_used_at) ON api_keys TO tapthru_api;
GRANT DELETE, SELECT (id, expires_at) ON api_keys TO tapthru_worker;

CREATE TABLE invitations (
  id integer NOT NULL GENERATED ALWAYS AS IDENTITY,
  token_hash bytea NOT NULL,
  makes_operator boolean NOT NULL DEFAULT false,
  email text,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT invitations_pkey PRIMARY KEY (id),
  CONSTRAINT invitations_token_hash_key UNIQUE (token_hash),
  CONSTRAINT invitations_token_hash_sha256 CHECK (octet_length(token_hash) = 32)
);
CREATE TRIGGER invitations_record_change AFTER INSERT OR DELETE OR UPDATE ON invitations FOR EACH ROW WHEN (pg_trigger_depth() = 0 AND current_setting('tapthru.actor'::text, true) <> ''::text) EXECUTE FUNCTION record_change('invitation', 'id', 'id', '', 'makes_operator,expires_at', '');
GRANT DELETE, INSERT, SELECT ON invitations TO tapthru_api;
GRANT DELETE, SELECT (id, expires_at) ON invitations TO tapthru_worker;

CREATE TABLE members (
  id integer NOT NULL GENERATED ALWAYS AS IDENTITY,
  account_id integer NOT NULL,
  member_id integer,
  name text NOT NULL,
  role text NOT NULL,
  joined_at timestamp with time zone,
  token_hash bytea,
  expires_at timestamp with time zone,
  invited_by integer,
  CONSTRAINT members_account_id_fkey FOREIGN KEY (account_id) REFERENCES users(id) ON DELETE CASCADE,
  CONSTRAINT members_account_id_member_id_key UNIQUE (account_id, member_id),
  CONSTRAINT members_expire CHECK ((token_hash IS NULL) = (expires_at IS NULL)),
  CONSTRAINT members_joined CHECK (num_nulls(member_id, joined_at) =
CASE
    WHEN token_hash IS NULL THEN 0
    ELSE 2
END),
  CONSTRAINT members_member_id_fkey FOREIGN KEY (member_id) REFERENCES users(id) ON DELETE CASCADE,
  CONSTRAINT members_of_others CHECK (account_id <> member_id),
  CONSTRAINT members_pkey PRIMARY KEY (id),
  CONSTRAINT members_role_known CHECK (role = ANY (ARRAY['viewer'::text, 'editor'::text, 'owner'::text])),
  CONSTRAINT members_token_hash_key UNIQUE (token_hash)
);
CREATE INDEX members_expires_at_idx ON members (expires_at) WHERE (expires_at IS NOT NULL);
CREATE INDEX members_member_id_idx ON members (member_id);
CREATE TRIGGER members_end_ways AFTER DELETE ON members FOR EACH ROW WHEN (old.member_id IS NOT NULL) EXECUTE FUNCTION end_ways_of_member();
CREATE TRIGGER members_end_ways_of_role AFTER UPDATE OF role ON members FOR EACH ROW WHEN (old.member_id IS NOT NULL AND new.role <> old.role AND new.role <> 'owner'::text) EXECUTE FUNCTION end_ways_of_member();
CREATE TRIGGER members_record_change AFTER INSERT OR DELETE OR UPDATE ON members FOR EACH ROW WHEN (pg_trigger_depth() = 0 AND current_setting('tapthru.actor'::text, true) <> ''::text) EXECUTE FUNCTION record_change('member', 'id', 'name', 'account_id', 'name,role,joined_at', '');
GRANT DELETE, INSERT, SELECT, UPDATE ON members TO tapthru_api;
GRANT DELETE, SELECT (id, expires_at) ON members TO tapthru_worker;

CREATE TABLE users (
  id integer NOT NULL GENERATED ALWAYS AS IDENTITY,
  username text NOT NULL,
  email text NOT NULL,
  firebase_uid text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  username_lookalike_key text,
  email_is_verified boolean NOT NULL DEFAULT false,
  is_operator boolean NOT NULL DEFAULT false,
  state text NOT NULL DEFAULT 'enabled'::text,
  last_login_at timestamp with time zone,
  displayed_name text,
  shows_disclosure boolean NOT NULL DEFAULT false,
  CONSTRAINT users_firebase_uid_key UNIQUE (firebase_uid),
  CONSTRAINT users_pkey PRIMARY KEY (id),
  CONSTRAINT users_state_known CHECK (state = ANY (ARRAY['enabled'::text, 'disabled'::text, 'blocked'::text])),
  CONSTRAINT users_username_key UNIQUE (username),
  CONSTRAINT users_username_lookalike_key UNIQUE (username_lookalike_key)
);
CREATE UNIQUE INDEX users_email_key ON users (email) WHERE email_is_verified;
CREATE TRIGGER users_add_default_channel AFTER INSERT ON users FOR EACH ROW EXECUTE FUNCTION add_default_channel();
CREATE TRIGGER users_delete_clicks AFTER DELETE ON users REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION delete_clicks_of_users();
CREATE TRIGGER users_record_change AFTER INSERT OR DELETE OR UPDATE ON users FOR EACH ROW WHEN (pg_trigger_depth() = 0 AND current_setting('tapthru.actor'::text, true) <> ''::text) EXECUTE FUNCTION record_change('account', 'id', 'username', 'id', 'username,email,is_operator,state,displayed_name,shows_disclosure', '');
GRANT DELETE, INSERT, SELECT, UPDATE ON users TO tapthru_api;
GRANT SELECT (id, state) ON users TO tapthru_worker;

CREATE FUNCTION add_default_channel()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
AS $function$
BEGIN
  INSERT INTO channels (user_id, name, name_key, is_default) VALUES (NEW.id, 'Main', 'main', true);
  RETURN NULL;
END
$function$;

CREATE FUNCTION delete_clicks_of_users()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
AS $function$
BEGIN
  DELETE FROM user_clicks WHERE user_id IN (SELECT id FROM deleted);
  RETURN NULL;
END
$function$;

CREATE FUNCTION end_ways_of_member()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
AS $function$
BEGIN
  DELETE FROM members WHERE account_id = OLD.account_id AND invited_by = OLD.member_id AND token_hash IS NOT NULL;
  UPDATE webhooks SET disabled_at = now()
  WHERE user_id = OLD.account_id AND made_by = OLD.member_id AND disabled_at IS NULL;
  IF TG_OP = 'DELETE' OR to_jsonb(NEW) ->> 'role' = 'viewer' THEN
    DELETE FROM shared_pages WHERE user_id = OLD.account_id AND made_by = OLD.member_id;
  END IF;
  RETURN NULL;
END
$function$;
GRANT EXECUTE ON FUNCTION end_ways_of_member TO PUBLIC;

CREATE FUNCTION lock_enabled_user(user_id integer)
 RETURNS boolean
 LANGUAGE sql
 SECURITY DEFINER
AS $function$
  SELECT coalesce((SELECT state = 'enabled' FROM users WHERE id = user_id FOR SHARE), true)
$function$;
GRANT EXECUTE ON FUNCTION lock_enabled_user TO tapthru_api, tapthru_worker;
