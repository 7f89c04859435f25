import { join } from "node:path";
import { execa } from "execa";
import { expect, it } from "vitest";
import { CHECKOUT } from "../stack/settings.ts";

/** A port that is reserved, and at which nobody listens. */
const NOBODYS_PORT = "1";

it.each([
  ["database-command.ts", ["migrate"]],
  ["database-command.ts", ["seed"]],
  ["links-command.ts", ["reports"]],
  ["links-command.ts", ["take-down", "abc2345"]],
])("%s %j says in one sentence that no Postgres answers", async (command, words) => {
  const env = {
    DATABASE_URL: `postgres://nobody@127.0.0.1:${NOBODYS_PORT}/nothing`,
    EMULATOR_PORT: NOBODYS_PORT,
  };
  const { exitCode, stderr } = await execa(
    process.execPath,
    [join(CHECKOUT, "infra", "dev", "local", "src", "commands", command), ...words],
    { env, reject: false },
  );
  expect(stderr).toBe(
    "Postgres does not answer: start the stack (pnpm start), or set DATABASE_URL.",
  );
  expect(exitCode).toBe(1);
});
