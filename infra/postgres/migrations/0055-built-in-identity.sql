-- The tables of the built-in identity provider, with the names that the library better-auth gives them.
CREATE SCHEMA identity;

CREATE TABLE identity."user" (
  id text CONSTRAINT user_pkey PRIMARY KEY,
  name text NOT NULL,
  -- Identifies a login: `address`, or a placeholder while another user has that address.
  email text NOT NULL CONSTRAINT user_email_key UNIQUE,
  "emailVerified" boolean NOT NULL,
  image text,
  "createdAt" timestamptz NOT NULL DEFAULT now(),
  "updatedAt" timestamptz NOT NULL DEFAULT now(),
  "twoFactorEnabled" boolean,
  address text NOT NULL,
  "isOperator" boolean,
  -- Logins before this time were revoked.
  logins_valid_from timestamptz NOT NULL DEFAULT '-infinity'
);

CREATE TABLE identity.session (
  id text CONSTRAINT session_pkey PRIMARY KEY,
  "expiresAt" timestamptz NOT NULL,
  token text NOT NULL CONSTRAINT session_token_key UNIQUE,
  "createdAt" timestamptz NOT NULL DEFAULT now(),
  "updatedAt" timestamptz NOT NULL,
  "ipAddress" text,
  "userAgent" text,
  "userId" text NOT NULL CONSTRAINT session_user_fkey REFERENCES identity."user" (id) ON DELETE CASCADE
);
CREATE INDEX session_user_idx ON identity.session ("userId");
CREATE INDEX session_expiry_idx ON identity.session ("expiresAt");

-- A password, or a login at an OpenID provider.
CREATE TABLE identity.account (
  id text CONSTRAINT account_pkey PRIMARY KEY,
  "accountId" text NOT NULL,
  "providerId" text NOT NULL,
  "userId" text NOT NULL CONSTRAINT account_user_fkey REFERENCES identity."user" (id) ON DELETE CASCADE,
  "accessToken" text,
  "refreshToken" text,
  "idToken" text,
  "accessTokenExpiresAt" timestamptz,
  "refreshTokenExpiresAt" timestamptz,
  scope text,
  password text,
  "createdAt" timestamptz NOT NULL DEFAULT now(),
  "updatedAt" timestamptz NOT NULL,
  CONSTRAINT account_key UNIQUE ("providerId", "accountId")
);
CREATE INDEX account_user_idx ON identity.account ("userId");

-- Started logins, and the links of emails.
CREATE TABLE identity.verification (
  id text CONSTRAINT verification_pkey PRIMARY KEY,
  identifier text NOT NULL,
  value text NOT NULL,
  "expiresAt" timestamptz NOT NULL,
  "createdAt" timestamptz NOT NULL DEFAULT now(),
  "updatedAt" timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX verification_identifier_idx ON identity.verification (identifier);
CREATE INDEX verification_value_idx ON identity.verification (value);
CREATE INDEX verification_expiry_idx ON identity.verification ("expiresAt");

-- The keys that sign tokens; the private ones are encrypted.
CREATE TABLE identity.jwks (
  id text CONSTRAINT jwks_pkey PRIMARY KEY,
  "publicKey" text NOT NULL,
  "privateKey" text NOT NULL,
  "createdAt" timestamptz NOT NULL,
  "expiresAt" timestamptz,
  alg text,
  crv text
);

CREATE TABLE identity."twoFactor" (
  id text CONSTRAINT two_factor_pkey PRIMARY KEY,
  secret text NOT NULL,
  "backupCodes" text NOT NULL,
  "userId" text NOT NULL CONSTRAINT two_factor_user_fkey REFERENCES identity."user" (id) ON DELETE CASCADE,
  verified boolean,
  "failedVerificationCount" integer,
  "lockedUntil" timestamptz
);
CREATE INDEX two_factor_user_idx ON identity."twoFactor" ("userId");

CREATE TABLE identity.passkey (
  id text CONSTRAINT passkey_pkey PRIMARY KEY,
  name text,
  "publicKey" text NOT NULL,
  "userId" text NOT NULL CONSTRAINT passkey_user_fkey REFERENCES identity."user" (id) ON DELETE CASCADE,
  "credentialID" text NOT NULL CONSTRAINT passkey_credential_key UNIQUE,
  counter integer NOT NULL,
  "deviceType" text NOT NULL,
  "backedUp" boolean NOT NULL,
  transports text,
  "createdAt" timestamptz,
  aaguid text
);
CREATE INDEX passkey_user_idx ON identity.passkey ("userId");

GRANT USAGE ON SCHEMA identity TO tapthru_api, tapthru_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA identity TO tapthru_api;
-- To delete what has expired.
GRANT SELECT (id, "expiresAt"), DELETE ON identity.session, identity.verification, identity.jwks TO tapthru_worker;
