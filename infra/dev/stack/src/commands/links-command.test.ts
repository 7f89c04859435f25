import { join } from "node:path";
import { createThrowawayDatabase } from "@tapthru/postgres/testing/throwaway-database";
import { execa } from "execa";
import { expect, it, onTestFinished } from "vitest";

const COMMAND = join(import.meta.dirname, "links-command.ts");

function links(databaseUrl: string, ...args: string[]) {
  const env = { DATABASE_URL: databaseUrl };
  return execa(process.execPath, [COMMAND, ...args], { env, reject: false });
}

it("lists reports by reason, the most frequent first, until the link is taken down", async () => {
  const database = await createThrowawayDatabase();
  onTestFinished(() => database.drop());
  await database.rows(`
    INSERT INTO links (short_code, original_url, web_url, deep_link)
      VALUES ('2222222', 'x', 'https://www.amazon.com/', 'https://t.example/redirect?product_id=x');
    INSERT INTO reports (short_code, reason, count, last_reported_at)
      VALUES ('2222222', 'harmful', 1, '2026-11-18Z'), ('2222222', 'spam', 2, '2026-11-19Z');
  `);
  expect((await links(database.url, "reports")).stdout).toBe(
    "2222222  spam 2, harmful 1  last 2026-11-19T00:00:00.000Z\n  https://www.amazon.com/",
  );
  expect((await links(database.url, "take-down", "2222222")).stdout).toBe("Took down 2222222.");
  expect((await links(database.url, "reports")).stdout).toBe("No link was reported.");
});

it("prints one sentence when Postgres is unavailable", async () => {
  // A reserved port without a listener.
  const { exitCode, stderr } = await links("postgres://unknown@127.0.0.1:1/nothing", "reports");
  expect(stderr).toBe(
    "Postgres is unavailable: start the stack (pnpm start), or set DATABASE_URL.",
  );
  expect(exitCode).toBe(1);
});
