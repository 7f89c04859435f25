-- The tables of the built-in identity provider, with the names that the library better-auth gives them.
CREATE SCHEMA identity;
GRANT USAGE ON SCHEMA identity TO tapthru_api, tapthru_worker;

CREATE TABLE identity."user" (
  id text PRIMARY KEY,
  name text NOT NULL,
  email text NOT NULL UNIQUE,
  "emailVerified" boolean NOT NULL,
  image text,
  "createdAt" timestamptz NOT NULL DEFAULT now(),
  "updatedAt" timestamptz NOT NULL DEFAULT now(),
  "twoFactorEnabled" boolean,
  address text NOT NULL,
  "isOperator" boolean,
  logins_valid_from timestamptz NOT NULL DEFAULT '-infinity'
);
-- Several people can sign up with an address that none of them has confirmed.
CREATE INDEX user_address_idx ON identity."user" (address);

CREATE TABLE identity.session (
  id text PRIMARY KEY,
  "expiresAt" timestamptz NOT NULL,
  token text NOT NULL UNIQUE,
  "createdAt" timestamptz NOT NULL DEFAULT now(),
  "updatedAt" timestamptz NOT NULL,
  "ipAddress" text,
  "userAgent" text,
  "userId" text NOT NULL,
  CONSTRAINT session_user_fkey FOREIGN KEY ("userId") REFERENCES identity."user" ON DELETE CASCADE
);
CREATE INDEX session_expiry_idx ON identity.session ("expiresAt");
CREATE INDEX session_user_idx ON identity.session ("userId");

-- A password, or a login at an OpenID provider.
CREATE TABLE identity.account (
  id text PRIMARY KEY,
  "accountId" text NOT NULL,
  "providerId" text NOT NULL,
  "userId" text NOT NULL,
  "accessToken" text,
  "refreshToken" text,
  "idToken" text,
  "accessTokenExpiresAt" timestamptz,
  "refreshTokenExpiresAt" timestamptz,
  scope text,
  password text,
  "createdAt" timestamptz NOT NULL DEFAULT now(),
  "updatedAt" timestamptz NOT NULL,
  CONSTRAINT account_key UNIQUE ("providerId", "accountId"),
  CONSTRAINT account_user_fkey FOREIGN KEY ("userId") REFERENCES identity."user" ON DELETE CASCADE
);
CREATE INDEX account_user_idx ON identity.account ("userId");

-- Started logins, and the links of emails.
CREATE TABLE identity.verification (
  id text PRIMARY KEY,
  identifier text NOT NULL,
  value text NOT NULL,
  "expiresAt" timestamptz NOT NULL,
  "createdAt" timestamptz NOT NULL DEFAULT now(),
  "updatedAt" timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX verification_expiry_idx ON identity.verification ("expiresAt");
CREATE INDEX verification_identifier_idx ON identity.verification (identifier);
CREATE INDEX verification_value_idx ON identity.verification (value);

-- The keys that sign tokens; the private ones are encrypted.
CREATE TABLE identity.jwks (
  id text PRIMARY KEY,
  "publicKey" text NOT NULL,
  "privateKey" text NOT NULL,
  "createdAt" timestamptz NOT NULL,
  "expiresAt" timestamptz,
  alg text,
  crv text
);

CREATE TABLE identity."twoFactor" (
  id text NOT NULL,
  secret text NOT NULL,
  "backupCodes" text NOT NULL,
  "userId" text NOT NULL,
  verified boolean,
  "failedVerificationCount" integer,
  "lockedUntil" timestamptz,
  CONSTRAINT two_factor_pkey PRIMARY KEY (id),
  CONSTRAINT two_factor_user_fkey FOREIGN KEY ("userId") REFERENCES identity."user" ON DELETE CASCADE
);
CREATE INDEX two_factor_user_idx ON identity."twoFactor" ("userId");

CREATE TABLE identity.passkey (
  id text PRIMARY KEY,
  name text,
  "publicKey" text NOT NULL,
  "userId" text NOT NULL,
  "credentialID" text NOT NULL,
  counter integer NOT NULL,
  "deviceType" text NOT NULL,
  "backedUp" boolean NOT NULL,
  transports text,
  "createdAt" timestamptz,
  aaguid text,
  -- The host of PUBLIC_BASE_URL when the passkey was created, the only one at which it works.
  host text NOT NULL,
  CONSTRAINT passkey_credential_key UNIQUE ("credentialID"),
  CONSTRAINT passkey_user_fkey FOREIGN KEY ("userId") REFERENCES identity."user" ON DELETE CASCADE
);
CREATE INDEX passkey_user_idx ON identity.passkey ("userId");

GRANT SELECT (id, "expiresAt"), DELETE ON identity.session, identity.verification, identity.jwks TO tapthru_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON identity."user", identity.session, identity.account, identity.verification, identity.jwks, identity."twoFactor", identity.passkey TO tapthru_api;
