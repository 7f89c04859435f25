import { randomBytes } from "node:crypto";
import { ERRORS } from "@tapthru/proto/errors";
import { startFirebaseEmulator } from "@tapthru/stack/testing/firebase-emulator";
import { afterAll, beforeAll, describe } from "vitest";
import * as z from "zod/mini";
import { checkAccess } from "../../testing/access-checks.ts";
import { PROJECT_ID, startFirebaseApi } from "../../testing/firebase-api.ts";
import type { ProviderAccount } from "../../testing/test-accounts.ts";
import { bearer } from "../../testing/test-user.ts";

const SignUpResponse = z.object({ localId: z.string(), idToken: z.string() });

let emulator: Awaited<ReturnType<typeof startFirebaseEmulator>>;
beforeAll(async () => {
  emulator = await startFirebaseEmulator(PROJECT_ID);
}, 610_000);
afterAll(() => emulator?.stop());

async function call(path: string, body: object, headers: Record<string, string>) {
  const url = `http://${emulator.host}/identitytoolkit.googleapis.com/v1/${path}`;
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

async function administer(method: string, { uid }: ProviderAccount, change: object = {}) {
  const body = { localId: uid, ...change };
  await call(`projects/${PROJECT_ID}/accounts:${method}`, body, { authorization: "Bearer owner" });
}

describe("the api with Firebase", () => {
  checkAccess({
    startApi: () => startFirebaseApi(emulator.host),
    async createAccount(): Promise<ProviderAccount> {
      const email = `${randomBytes(6).toString("hex")}@example.com`;
      const body = { email, password: "correct horse", returnSecureToken: true };
      const response = await call("accounts:signUp?key=any", body, {});
      const { localId: uid, idToken: token } = SignUpResponse.parse(response);
      return { uid, email, token };
    },
    proofOf: ({ token }) => bearer(token),
    ended: ERRORS["bad-token"].message,
    ends: [
      [
        "revoked",
        (_api, account) => {
          const validSince = String(Math.floor(Date.now() / 1_000) + 1);
          return administer("update", account, { validSince });
        },
      ],
      ["disabled", (_api, account) => administer("update", account, { disableUser: true })],
      ["deleted", (_api, account) => administer("delete", account)],
    ],
  });
});
