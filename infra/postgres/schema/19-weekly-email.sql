-- The worker, which reads foreign pages, sees the address of a user only when an email is due: to users with links that need
-- attention.
CREATE FUNCTION due_weekly_emails(max_count integer) RETURNS TABLE (user_id integer, email text, token uuid)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
  SELECT id, email, weekly_email_token FROM users
  -- With LIMIT, Postgres looks for one such link of each user, and not for all of all users. Owners may be changing those that need
  -- attention since today.
  CROSS JOIN LATERAL (
    SELECT FROM link_health AS health JOIN links AS link ON link.id = health.link_id
    WHERE health.user_id = users.id AND health.state NOT IN ('ok', 'unknown') AND health.since < now() - interval '1 day'
      AND link.taken_down_at IS NULL AND (link.expires_at IS NULL OR link.expires_at > now()) LIMIT 1
  ) AS link
  WHERE state = 'enabled' AND email_is_verified AND weekly_email = 'on'
    AND (weekly_email_at IS NULL OR weekly_email_at <= now() - interval '7 days')
    AND NOT EXISTS (SELECT FROM account_deletions AS deletion WHERE deletion.user_id = users.id)
  ORDER BY weekly_email_at NULLS FIRST, id LIMIT max_count
$$;

GRANT EXECUTE ON FUNCTION due_weekly_emails TO tapthru_worker;
