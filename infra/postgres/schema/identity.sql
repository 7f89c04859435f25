-- Written by pnpm fix from a migrated database, to be read. The migrations have comments.

CREATE TABLE identity."twoFactor" (
  id text NOT NULL,
  secret text NOT NULL,
  "backupCodes" text NOT NULL,
  "userId" text NOT NULL,
  verified boolean,
  "failedVerificationCount" integer,
  "lockedUntil" timestamp with time zone,
  CONSTRAINT two_factor_pkey PRIMARY KEY (id),
  CONSTRAINT two_factor_user_fkey FOREIGN KEY ("userId") REFERENCES identity."user"(id) ON DELETE CASCADE
);
CREATE INDEX two_factor_user_idx ON identity."twoFactor" ("userId");
GRANT DELETE, INSERT, SELECT, UPDATE ON identity."twoFactor" TO tapthru_api;

CREATE TABLE identity."user" (
  id text NOT NULL,
  name text NOT NULL,
  email text NOT NULL,
  "emailVerified" boolean NOT NULL,
  image text,
  "createdAt" timestamp with time zone NOT NULL DEFAULT now(),
  "updatedAt" timestamp with time zone NOT NULL DEFAULT now(),
  "twoFactorEnabled" boolean,
  address text NOT NULL,
  "isOperator" boolean,
  logins_valid_from timestamp with time zone NOT NULL DEFAULT '-infinity'::timestamp with time zone,
  CONSTRAINT user_email_key UNIQUE (email),
  CONSTRAINT user_pkey PRIMARY KEY (id)
);
CREATE INDEX user_address_idx ON identity."user" (address);
GRANT DELETE, INSERT, SELECT, UPDATE ON identity."user" TO tapthru_api;

CREATE TABLE identity.account (
  id text NOT NULL,
  "accountId" text NOT NULL,
  "providerId" text NOT NULL,
  "userId" text NOT NULL,
  "accessToken" text,
  "refreshToken" text,
  "idToken" text,
  "accessTokenExpiresAt" timestamp with time zone,
  "refreshTokenExpiresAt" timestamp with time zone,
  scope text,
  password text,
  "createdAt" timestamp with time zone NOT NULL DEFAULT now(),
  "updatedAt" timestamp with time zone NOT NULL,
  CONSTRAINT account_key UNIQUE ("providerId", "accountId"),
  CONSTRAINT account_pkey PRIMARY KEY (id),
  CONSTRAINT account_user_fkey FOREIGN KEY ("userId") REFERENCES identity."user"(id) ON DELETE CASCADE
);
CREATE INDEX account_user_idx ON identity.account ("userId");
GRANT DELETE, INSERT, SELECT, UPDATE ON identity.account TO tapthru_api;

CREATE TABLE identity.jwks (
  id text NOT NULL,
  "publicKey" text NOT NULL,
  "privateKey" text NOT NULL,
  "createdAt" timestamp with time zone NOT NULL,
  "expiresAt" timestamp with time zone,
  alg text,
  crv text,
  CONSTRAINT jwks_pkey PRIMARY KEY (id)
);
GRANT DELETE, INSERT, SELECT, UPDATE ON identity.jwks TO tapthru_api;
GRANT DELETE, SELECT (id, expiresAt) ON identity.jwks TO tapthru_worker;

CREATE TABLE identity.passkey (
  id text NOT NULL,
  name text,
  "publicKey" text NOT NULL,
  "userId" text NOT NULL,
  "credentialID" text NOT NULL,
  counter integer NOT NULL,
  "deviceType" text NOT NULL,
  "backedUp" boolean NOT NULL,
  transports text,
  "createdAt" timestamp with time zone,
  aaguid text,
  host text,
  CONSTRAINT passkey_credential_key UNIQUE ("credentialID"),
  CONSTRAINT passkey_pkey PRIMARY KEY (id),
  CONSTRAINT passkey_user_fkey FOREIGN KEY ("userId") REFERENCES identity."user"(id) ON DELETE CASCADE
);
CREATE INDEX passkey_user_idx ON identity.passkey ("userId");
GRANT DELETE, INSERT, SELECT, UPDATE ON identity.passkey TO tapthru_api;

CREATE TABLE identity.session (
  id text NOT NULL,
  "expiresAt" timestamp with time zone NOT NULL,
  token text NOT NULL,
  "createdAt" timestamp with time zone NOT NULL DEFAULT now(),
  "updatedAt" timestamp with time zone NOT NULL,
  "ipAddress" text,
  "userAgent" text,
  "userId" text NOT NULL,
  CONSTRAINT session_pkey PRIMARY KEY (id),
  CONSTRAINT session_token_key UNIQUE (token),
  CONSTRAINT session_user_fkey FOREIGN KEY ("userId") REFERENCES identity."user"(id) ON DELETE CASCADE
);
CREATE INDEX session_expiry_idx ON identity.session ("expiresAt");
CREATE INDEX session_user_idx ON identity.session ("userId");
GRANT DELETE, INSERT, SELECT, UPDATE ON identity.session TO tapthru_api;
GRANT DELETE, SELECT (id, expiresAt) ON identity.session TO tapthru_worker;

CREATE TABLE identity.verification (
  id text NOT NULL,
  identifier text NOT NULL,
  value text NOT NULL,
  "expiresAt" timestamp with time zone NOT NULL,
  "createdAt" timestamp with time zone NOT NULL DEFAULT now(),
  "updatedAt" timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT verification_pkey PRIMARY KEY (id)
);
CREATE INDEX verification_expiry_idx ON identity.verification ("expiresAt");
CREATE INDEX verification_identifier_idx ON identity.verification (identifier);
CREATE INDEX verification_value_idx ON identity.verification (value);
GRANT DELETE, INSERT, SELECT, UPDATE ON identity.verification TO tapthru_api;
GRANT DELETE, SELECT (id, expiresAt) ON identity.verification TO tapthru_worker;
