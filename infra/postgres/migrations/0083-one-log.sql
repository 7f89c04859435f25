-- contract: unused since 0082
-- What happened to keys is in the audit log.
DROP TABLE api_key_events;
