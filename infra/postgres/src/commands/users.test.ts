import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createThrowawayDatabase, type ThrowawayDatabase } from "../testing/throwaway-database.ts";

const MAIN = join(import.meta.dirname, "../main.ts");

let database: ThrowawayDatabase;
beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());

async function users(...args: string[]): Promise<string> {
  const env = { ...process.env, TAPTHRU_ENV: "local", DATABASE_URL: database.url };
  const { stdout } = await promisify(execFile)(process.execPath, [MAIN, "users", ...args], { env });
  return stdout;
}

describe("users make-operator", () => {
  beforeAll(async () => {
    await database.rows(`
      INSERT INTO users (firebase_uid, email, email_is_verified, username) VALUES
        ('1', 'only@x', false, 'only'), ('2', 'ann@x', false, 'squatter'), ('3', 'ann@x', true, 'ann'),
        ('4', 'two@x', false, 'two'), ('5', 'two@x', false, 'too')`);
  });

  it("makes the user of an address an operator, of several the one who has confirmed it", async () => {
    expect(await users("make-operator", "Only@x")).toBe("only is an operator now.\n");
    expect(await users("make-operator", "ann@x")).toBe("ann is an operator now.\n");
    const operators = await database.rows("SELECT username FROM users WHERE is_operator");
    expect(operators.map(({ username }) => username).sort()).toEqual(["ann", "only"]);
  });

  it.each(["two@x", "unknown@x"])(
    "changes nothing if it is not certain who %s is",
    async (email) => {
      await expect(users("make-operator", email)).rejects.toMatchObject({
        code: 1,
        stderr: `No user has the address ${email}, or several have it and none has confirmed it.\n`,
      });
    },
  );
});

it("users reset-password refuses the address of no login", async () => {
  await expect(users("reset-password", "unknown@x")).rejects.toMatchObject({
    stderr: "No user logs in with the address unknown@x.\n",
  });
});

it.each([[], ["make-operator"], ["operator-link", "extra"], ["toString"]])(
  "users %s %s prints how to use it",
  async (...args) => {
    await expect(users(...args)).rejects.toMatchObject({
      stderr: expect.stringMatching("^Usage:"),
    });
  },
);
