import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createThrowawayDatabase } from "../testing/throwaway-database.ts";

const MAIN = join(import.meta.dirname, "../main.ts");

const database = await createThrowawayDatabase();
afterAll(() => database.drop());

async function users(...args: string[]): Promise<string> {
  const env = { ...process.env, TAPTHRU_ENV: "local", DATABASE_URL: database.url };
  const { stdout } = await promisify(execFile)(process.execPath, [MAIN, "users", ...args], { env });
  return stdout;
}

const refuses = (args: readonly string[], stderr: unknown) =>
  expect(users(...args)).rejects.toMatchObject({ code: 1, stderr });

const audited = () => database.rows("SELECT actor_name, action, object, after FROM audit_log WHERE actor = 'command'");

describe("users make-operator", () => {
  beforeAll(async () => {
    await database.rows(`
      INSERT INTO users (firebase_uid, email, email_is_verified, username) VALUES
        ('1', 'only@x', false, 'only'), ('2', 'ann@x', false, 'squatter'), ('3', 'ann@x', true, 'ann'),
        ('4', 'two@x', false, 'two'), ('5', 'two@x', false, 'too')`);
  });

  it("makes the user of an address an operator, or of several users the one who has confirmed it", async () => {
    expect(await users("make-operator", "Only@x")).toBe("only is an operator now.\n");
    expect(await users("make-operator", "ann@x")).toBe("ann is an operator now.\n");
    const operators = await database.rows("SELECT username FROM users WHERE is_operator");
    expect(operators.map(({ username }) => username).sort()).toEqual(["ann", "only"]);
  });

  it("enables the account and its links, and is in the audit log", async () => {
    await database.rows("UPDATE users SET is_operator = false, state = 'blocked' WHERE id = 1");
    await database.rows("DELETE FROM audit_log; DELETE FROM link_changes");
    await users("make-operator", "only@x");
    expect(await database.rows("SELECT short_code FROM link_changes")).toEqual([{ short_code: "~1" }]);
    expect(await database.rows("SELECT FROM bulk_updates")).toEqual([]);
    expect(await audited()).toEqual([
      {
        actor_name: "users make-operator",
        action: "account.changed",
        object: "only",
        after: { is_operator: true, state: "enabled" },
      },
    ]);
  });

  it.each(["two@x", "unknown@x"])("changes nothing if it is not certain who %s is", async (email) => {
    const message = `No user has the address ${email}, or several have it and none has confirmed it.\n`;
    await refuses(["make-operator", email], message);
  });
});

it("users remove-operator takes the role from an operator, but not from the last one", async () => {
  await database.rows("UPDATE users SET is_operator = username IN ('only', 'ann', 'two')");
  await database.rows("UPDATE users SET state = 'disabled' WHERE username = 'two'");
  expect(await users("remove-operator", "only@x")).toBe("only is not an operator any more.\n");
  for (const email of ["ann@x", "only@x"]) {
    const message = `No operator has the address ${email}, or no other operator can log in.\n`;
    await refuses(["remove-operator", email], message);
  }
  const operators = await database.rows("SELECT username FROM users WHERE is_operator");
  expect(operators.map(({ username }) => username).sort()).toEqual(["ann", "two"]);
});

it("users reset-password refuses the address of no login", async () => {
  await refuses(["reset-password", "unknown@x"], "No user logs in with the address unknown@x.\n");
});

it("users reset-password and operator-link are in the audit log, without what they print", async () => {
  await database.rows(`
    INSERT INTO identity."user" (id, name, email, address, "emailVerified") VALUES ('4', 'two', 'two@x', 'two@x', true);
    DELETE FROM audit_log;
  `);
  const links = [await users("reset-password", "two@x"), await users("operator-link")];
  expect(await audited()).toEqual([
    {
      actor_name: "users reset-password",
      action: "password-link.created",
      object: "two",
      after: null,
    },
    expect.objectContaining({ actor_name: "users operator-link", action: "invitation.created" }),
  ]);
  const log = JSON.stringify(await database.rows("SELECT * FROM audit_log"));
  for (const link of links) expect(log).not.toContain(link.trim().split("=").at(-1));
});

it.each([[], ["make-operator"], ["operator-link", "extra"], ["toString"]])(
  "users %s %s prints how to use it",
  (...args) => refuses(args, expect.stringMatching("^Usage:")),
);
