-- contract: unused since 0039
-- Only a verified address is unique: anyone can enter that of somebody else. The index refuses less than
-- the constraint and has its name, which the api, also of the previous release, maps to a message.
ALTER TABLE users DROP CONSTRAINT users_email_key;
CREATE UNIQUE INDEX users_email_key ON users (email) WHERE email_is_verified;
