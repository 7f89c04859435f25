import { join } from "node:path";
import { execa } from "execa";
import { expect, it } from "vitest";
import { CHECKOUT } from "../stack/settings.ts";

/** A reserved port without a listener. */
const UNUSED_PORT = "1";

it.each([
  ["database-command.ts", ["migrate"]],
  ["database-command.ts", ["seed"]],
  ["links-command.ts", ["reports"]],
  ["links-command.ts", ["take-down", "abc2345"]],
])("%s %j prints one sentence when Postgres is unavailable", async (command, words) => {
  const env = {
    DATABASE_URL: `postgres://unknown@127.0.0.1:${UNUSED_PORT}/nothing`,
    EMULATOR_PORT: UNUSED_PORT,
  };
  const { exitCode, stderr } = await execa(
    process.execPath,
    [join(CHECKOUT, "infra", "dev", "stack", "src", "commands", command), ...words],
    { env, reject: false },
  );
  expect(stderr).toBe(
    "Postgres is unavailable: start the stack (pnpm start), or set DATABASE_URL.",
  );
  expect(exitCode).toBe(1);
});
