import { randomUUID } from "node:crypto";
import type { Agent } from "node:http";
import { createDependencyState } from "@tapthru/core/platform/dependency-state";
import type { Component } from "@tapthru/core/platform/lifecycle";
import type { Logger } from "@tapthru/core/platform/logger";
import { withDeadline } from "@tapthru/core/platform/waiting";
import { applicationDefault, deleteApp, initializeApp } from "firebase-admin/app";
import { type Auth, getAuth } from "firebase-admin/auth";
import type { IdentityProvider } from "../../callers/identity.ts";

interface FirebaseOptions {
  projectId: string;
  /** firebase-admin reads the address of the emulator from the environment. */
  usesEmulator: boolean;
  logger: Logger;
  httpAgent?: Agent;
}

/** The retries of firebase-admin take longer than a request may wait. */
const DEADLINE_MS = 3_000;

export function createFirebaseIdentity(options: FirebaseOptions): IdentityProvider & Component {
  const { projectId, usesEmulator, logger, httpAgent } = options;
  const app = initializeApp(
    {
      projectId,
      ...(httpAgent && { httpAgent }),
      ...(!usesEmulator && { credential: applicationDefault(httpAgent) }),
    },
    randomUUID(),
  );
  const auth = getAuth(app);
  const state = createDependencyState(logger, "identity provider");

  async function call<T>(operation: (auth: Auth) => Promise<T>): Promise<{ value: T } | "refused" | "unavailable"> {
    try {
      const error = () => new Error("The identity provider did not respond in time");
      const value = await withDeadline(operation(auth), DEADLINE_MS, error);
      state.available();
      return { value };
    } catch (error) {
      if (isTokenRejected(error)) return "refused";
      state.unavailable(error);
      return "unavailable";
    }
  }

  return {
    name: "identity provider",
    stop: () => deleteApp(app),
    async verify(token, { checkRevoked } = { checkRevoked: false }) {
      const result = await call((auth) => auth.verifyIdToken(token, checkRevoked));
      if (typeof result === "string") return { kind: result };
      const { uid, email = null, email_verified: isEmailVerified = false } = result.value;
      const { auth_time: authTime } = result.value;
      return {
        kind: "verified",
        identity: { uid, email, isEmailVerified, authTime, isOperator: null },
      };
    },
    async findUsable(uids) {
      const result = await call((auth) => auth.getUsers(uids.map((uid) => ({ uid }))));
      if (typeof result === "string") return "unavailable";
      const usable = result.value.users.filter(({ disabled }) => !disabled);
      return new Map(usable.map(({ uid, tokensValidAfterTime: time }) => [uid, time ? Date.parse(time) : 0]));
    },
    async revoke(uid) {
      const result = await call((auth) => auth.revokeRefreshTokens(uid));
      // Refused means that the account no longer exists, so it has no logins.
      return result === "unavailable" ? result : "revoked";
    },
    async remove(uid) {
      const result = await call((auth) => auth.deleteUser(uid));
      // Refused means that the account no longer exists.
      return result === "unavailable" ? result : "removed";
    },
  };
}

const REJECTION_CODES = new Set([
  "auth/id-token-expired",
  "auth/id-token-revoked",
  "auth/invalid-uid",
  "auth/user-disabled",
  "auth/user-not-found",
]);

/**
 * firebase-admin uses the code `auth/argument-error` both for malformed tokens and for a failure to fetch
 * Google's public keys. These are its messages for malformed tokens.
 */
const INVALID_TOKEN_MESSAGE =
  /^(Firebase ID token has |Decoding Firebase ID token failed|verifyIdToken\(\) expects |First argument to )/;

/** Returns true if the error rejects the token or its account. Every other error is an outage. */
function isTokenRejected(error: unknown): boolean {
  if (!(error instanceof Error) || !("code" in error)) return false;
  if (error.code === "auth/argument-error") return INVALID_TOKEN_MESSAGE.test(error.message);
  return REJECTION_CODES.has(String(error.code));
}
