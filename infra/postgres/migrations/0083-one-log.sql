-- contract: unused since 0082
-- What happened to keys is in the audit log.
DROP TABLE api_key_events;

-- The operator's console has failed jobs and what is off.
REVOKE SELECT ON link_changes, schema_migrations FROM tapthru_api;
