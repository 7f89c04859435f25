import { join } from "node:path";
import { execa } from "execa";
import getPort from "get-port";
import { expect, it } from "vitest";
import { CHECKOUT } from "./settings.ts";

const COMMAND = join(CHECKOUT, "infra", "local", "src", "database-command.ts");

it.each(["migrate", "seed"])("%s says in one sentence that no Postgres answers", async (verb) => {
  const env = {
    DATABASE_URL: `postgres://nobody@127.0.0.1:${await getPort()}/nothing`,
    EMULATOR_PORT: String(await getPort()),
  };
  const { exitCode, stderr } = await execa(process.execPath, [COMMAND, verb], {
    env,
    reject: false,
  });
  expect(stderr).toBe(
    "Postgres does not answer: start the stack (pnpm start), or set DATABASE_URL.",
  );
  expect(exitCode).toBe(1);
});
