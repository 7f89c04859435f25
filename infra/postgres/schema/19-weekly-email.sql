-- The worker, which reads foreign pages, sees the address of a user only when an email is due. Users with links that need attention
-- are the first.
CREATE FUNCTION due_weekly_emails(max_count integer) RETURNS TABLE (user_id integer, email text, token uuid)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
  SELECT id, email, weekly_email_token FROM users
  -- With LIMIT and OFFSET, Postgres looks for one reason of each user, and not for all of all users.
  CROSS JOIN LATERAL (SELECT
    CASE
      -- Their owners may be changing those that need attention since today.
      WHEN (SELECT TRUE FROM link_health AS health JOIN links AS link ON link.id = health.link_id
        WHERE health.user_id = users.id AND health.state NOT IN ('ok', 'unknown') AND health.since < now() - interval '1 day'
          AND link.taken_down_at IS NULL AND (link.expires_at IS NULL OR link.expires_at > now()) LIMIT 1) THEN 1
      -- A new tracking report may say that a channel's clicks at Amazon fell.
      WHEN (SELECT TRUE FROM earnings_reports AS report JOIN earnings_imports AS import ON import.id = report.import_id
        WHERE report.user_id = users.id AND kind = 'tracking' AND import.state = 'stored'
          AND stored_at > now() - interval '1 day' LIMIT 1) THEN 2
    END AS place OFFSET 0) AS reason
  WHERE state = 'enabled' AND email_is_verified AND weekly_email = 'on' AND place IS NOT NULL
    AND (weekly_email_at IS NULL OR weekly_email_at <= now() - interval '7 days')
    AND NOT EXISTS (SELECT FROM account_deletions AS deletion WHERE deletion.user_id = users.id)
  ORDER BY place, id LIMIT max_count
$$;

GRANT EXECUTE ON FUNCTION due_weekly_emails TO tapthru_worker;
