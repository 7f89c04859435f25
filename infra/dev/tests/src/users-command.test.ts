import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runUsersCommand } from "@tapthru/postgres/commands/users";
import { createThrowawayDatabase } from "@tapthru/postgres/testing/throwaway-database";
import { resetPassword } from "@tapthru/proto/identity";
import { send, signInAtProvider } from "@tapthru/stack/stack/built-in-identity";
import { startService } from "@tapthru/stack/testing/service-process";
import { afterAll, expect, it, vi } from "vitest";

/** The example in the README of firebase/scrypt. */
const HASH_PARAMETERS = `hash_config {
  algorithm: SCRYPT,
  base64_signer_key: jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==,
  base64_salt_separator: Bw==,
  rounds: 8,
  mem_cost: 14,
}`;
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

const folder = await mkdtemp(join(tmpdir(), "tapthru-users-"));
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
  await rm(folder, { recursive: true });
});

async function users(...args: string[]): Promise<string> {
  const print = vi.spyOn(console, "log").mockImplementation(() => {});
  await runUsersCommand(database.url, api.url, args);
  const output = String(print.mock.calls[0]?.[0]);
  print.mockRestore();
  return output;
}

async function importAccounts(accounts: object[]): Promise<string> {
  const [file, parameters] = [join(folder, "accounts.json"), join(folder, "hash.txt")];
  await writeFile(file, JSON.stringify({ users: accounts }));
  await writeFile(parameters, HASH_PARAMETERS);
  return users("import-firebase", file, parameters);
}

it("users imported from Firebase keep uid and password", async () => {
  const others = [
    { ...IMPORTED, localId: "disabled", email: "off@t.example", disabled: true },
    { localId: "phone", phoneNumber: "+1" },
    { localId: "google", email: "google@t.example", providerUserInfo: [{}] },
  ];
  expect(await importAccounts([IMPORTED, ...others])).toMatch("Imported 2 accounts.");
  expect(await importAccounts([IMPORTED])).toMatch("Imported 0 accounts. Not imported: 1 whose uid");
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
