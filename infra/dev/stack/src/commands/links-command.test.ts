import { join } from "node:path";
import { execa } from "execa";
import { expect, it } from "vitest";

it("prints one sentence when Postgres is unavailable", async () => {
  const command = join(import.meta.dirname, "links-command.ts");
  // A reserved port without a listener.
  const env = { DATABASE_URL: "postgres://unknown@127.0.0.1:1/nothing" };
  const { exitCode, stderr } = await execa(process.execPath, [command, "reports"], {
    env,
    reject: false,
  });
  expect(stderr).toBe("Postgres is unavailable: start the stack (pnpm start), or set DATABASE_URL.");
  expect(exitCode).toBe(1);
});
