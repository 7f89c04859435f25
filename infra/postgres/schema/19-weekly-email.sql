-- The worker, which reads foreign pages, sees the address of a user only when an email is due.
CREATE FUNCTION due_digests(after integer, max_count integer, begun_before timestamptz, unhealthy_before timestamptz
) RETURNS TABLE (user_id integer, email text) LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
  SELECT users.id, users.email FROM users
  WHERE users.id > due_digests.after AND users.state = 'enabled' AND users.email_is_verified AND (users.id IN (
    SELECT link.user_id FROM link_health AS health JOIN links AS link ON link.id = health.link_id
    WHERE health.state NOT IN ('ok', 'unknown') AND health.since < due_digests.unhealthy_before
      AND link.taken_down_at IS NULL AND (link.expires_at IS NULL OR link.expires_at > now()))
    -- A new tracking report may say that a channel's clicks at Amazon fell.
    OR users.id IN (SELECT report.user_id FROM earnings_reports AS report
      JOIN earnings_imports AS import ON import.id = report.import_id
      WHERE kind = 'tracking' AND import.state = 'stored' AND stored_at > now() - interval '1 day'))
  AND NOT EXISTS (SELECT FROM digests WHERE digests.user_id = users.id AND (
      digests.unsubscribed_at IS NOT NULL OR digests.begun_at > due_digests.begun_before))
  AND NOT EXISTS (SELECT FROM account_deletions AS deletion WHERE deletion.user_id = users.id)
  ORDER BY users.id LIMIT due_digests.max_count
$$;

GRANT EXECUTE ON FUNCTION due_digests TO tapthru_worker;
