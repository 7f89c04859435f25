-- contract: unused since 0039
-- Only a verified address is unique: anyone can enter that of somebody else. The index refuses less than
-- the constraint and has its name, which the api, also of the previous release, maps to a message. It is created first,
-- under a lock that blocks no reads.
CREATE UNIQUE INDEX users_verified_email_key ON users (email) WHERE email_is_verified;
ALTER TABLE users DROP CONSTRAINT users_email_key;
ALTER INDEX users_verified_email_key RENAME TO users_email_key;
