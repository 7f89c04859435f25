import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runUsersCommand } from "@tapthru/postgres/commands/users";
import { createThrowawayDatabase } from "@tapthru/postgres/testing/throwaway-database";
import { resetPassword } from "@tapthru/proto/identity";
import { send, signInAtProvider } from "@tapthru/stack/stack/built-in-identity";
import { startService } from "@tapthru/stack/testing/service-process";
import { afterAll, expect, it, vi } from "vitest";

/** The example in the README of firebase/scrypt. */
const HASH_PARAMETERS =
  "firebase-scrypt$14$8$Bw==$jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==";
const IMPORTED = {
  localId: "vhs4PkTzTzQyXSWnKyiPnaKQUWf2",
  email: "Ann@t.example",
  emailVerified: true,
  passwordHash: "lSrfV15cpx95_sZS2W9c9Kp6i_LVgQNDNC_qzrCnh1SAyZvqmZqAjTdn3aoItz-VHjoZilo78198JAdRuid5lQ==",
  salt: "42xEC-ixf3L2lw==",
  createdAt: "1486324759000",
  providerUserInfo: [],
};
const LOGIN = { email: "ann@t.example", password: "user1password" };

const FIREBASE_DOCUMENT = join(import.meta.dirname, "../../../../docs/FIREBASE.md");
const database = await createThrowawayDatabase();
const redisUrl = process.env.TEST_REDIS_URL;
const api = await startService("api", {
  REDIS_CACHE_URL: redisUrl,
  REDIS_QUEUE_URL: redisUrl,
  DATABASE_URL: await database.urlAs("tapthru_api"),
});
afterAll(async () => {
  await api.stop();
  await database.drop();
});

async function users(...args: string[]): Promise<string> {
  const print = vi.spyOn(console, "log").mockImplementation(() => {});
  await runUsersCommand(database.url, api.url, args);
  const output = String(print.mock.calls[0]?.[0]);
  print.mockRestore();
  return output;
}

/** Executes the statement of docs/FIREBASE.md, with parameters instead of psql's variables. */
async function importAccounts(accounts: object[]): Promise<void> {
  const [, statement = ""] = /(WITH given.*?;)\n/s.exec(readFileSync(FIREBASE_DOCUMENT, "utf8")) ?? [];
  const prepared = statement.replace(":'accounts'", "$1").replace(":'scrypt'", "$2::text");
  await database.rows(prepared, [JSON.stringify({ users: accounts }), HASH_PARAMETERS]);
}

it("users that are imported from Firebase, as docs/FIREBASE.md says, keep uid and password", async () => {
  const others = [
    { ...IMPORTED, localId: "disabled", email: "off@t.example", disabled: true },
    { localId: "phone", phoneNumber: "+1" },
    { localId: "google", email: "google@t.example", providerUserInfo: [{}] },
  ];
  await importAccounts([IMPORTED, ...others]);
  await importAccounts([IMPORTED]);
  const imported = await database.rows('SELECT id, "emailVerified" AS "isVerified" FROM identity."user" ORDER BY id');
  expect(imported).toEqual([
    { id: "google", isVerified: false },
    { id: IMPORTED.localId, isVerified: true },
  ]);
  expect(await signInAtProvider(api.url, LOGIN)).toMatchObject({ identity: { uid: IMPORTED.localId } });
  expect(await signInAtProvider(api.url, { ...LOGIN, password: "user2password" })).toBeNull();
});

it("the link of reset-password sets a new password once", async () => {
  const [, token = ""] = /#token=(.+)$/.exec(await users("reset-password", LOGIN.email)) ?? [];
  const password = randomBytes(8).toString("hex");
  const reset = () => send(api.url, resetPassword, { body: { token, password } });
  await reset();
  await expect(reset()).rejects.toThrow("410");
  expect(await signInAtProvider(api.url, LOGIN)).toBeNull();
  expect(await signInAtProvider(api.url, { ...LOGIN, password })).not.toBeNull();
});
