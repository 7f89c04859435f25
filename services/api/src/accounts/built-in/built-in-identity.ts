import type { Component } from "@tapthru/core/platform/lifecycle";
import { type Db, PostgresUnavailableError } from "@tapthru/core/platform/postgres/postgres";
import { decodeProtectedHeader, errors, importJWK, jwtVerify } from "jose";
import * as z from "zod/mini";
import type { Identity, IdentityProvider } from "../identity.ts";
import { deleteIdentity, findKey, findLogin, findUsable, revokeLogins } from "./queries.ts";

const Claims = z.object({ sub: z.string(), sid: z.string() });

/** As the library signs tokens. */
const ALGORITHM = "EdDSA";

interface BuiltInIdentityOptions {
  db: Db<"any" | "maybeOne" | "maybeOneFirst" | "query" | "transaction">;
  /** Issuer and audience of the tokens. */
  publicBaseUrl: string;
}

/**
 * The api as its own identity provider. A token is valid as long as its login, so that logging out everywhere ends both. Postgres
 * is the provider's only dependency.
 */
export function createBuiltInIdentity({
  db,
  publicBaseUrl,
}: BuiltInIdentityOptions): IdentityProvider & Component {
  /** @returns null for a token that this provider did not issue, or that has expired */
  async function readClaims(token: string): Promise<z.infer<typeof Claims> | null> {
    try {
      const { kid } = decodeProtectedHeader(token);
      const jwk = kid === undefined ? null : await findKey(db, kid);
      if (jwk === null) return null;
      const key = await importJWK(JSON.parse(jwk), ALGORITHM);
      const { payload } = await jwtVerify(token, key, {
        issuer: publicBaseUrl,
        audience: publicBaseUrl,
        algorithms: [ALGORITHM],
      });
      return Claims.parse(payload);
    } catch (error) {
      // jose throws a TypeError for a header that cannot be decoded.
      if (error instanceof errors.JOSEError || error instanceof TypeError) return null;
      throw error;
    }
  }

  async function findIdentity(token: string): Promise<Identity | null> {
    const claims = await readClaims(token);
    return claims && findLogin(db, { sessionId: claims.sid, userId: claims.sub });
  }

  return {
    name: "built-in identity provider",
    async verify(token) {
      const identity = await orUnavailable(findIdentity(token));
      if (identity === "unavailable") return { kind: "unavailable" };
      return identity === null ? { kind: "refused" } : { kind: "verified", identity };
    },
    async findUsable(uids) {
      const rows = await orUnavailable(findUsable(db, uids));
      if (rows === "unavailable") return rows;
      return new Map(rows.map(({ id, loginsValidFrom }) => [id, loginsValidFrom]));
    },
    revoke: (uid) => orUnavailable(revokeLogins(db, uid).then(() => "revoked")),
    remove: (uid) => orUnavailable(deleteIdentity(db, uid).then(() => "removed")),
  };
}

async function orUnavailable<T>(work: Promise<T>): Promise<T | "unavailable"> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof PostgresUnavailableError) return "unavailable";
    throw error;
  }
}
