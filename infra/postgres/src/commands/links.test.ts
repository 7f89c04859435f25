import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { createThrowawayDatabase } from "../testing/throwaway-database.ts";

const MAIN = join(import.meta.dirname, "../main.ts");

it("lists reports by reason, the most frequent first, until the link is taken down", async () => {
  const database = await createThrowawayDatabase();
  onTestFinished(() => database.drop());
  const settings = { TAPTHRU_ENV: "local", PUBLIC_BASE_URL: "https://go.example" };
  const env = { ...process.env, ...settings, DATABASE_URL: database.url };
  const links = async (...args: string[]) =>
    (await promisify(execFile)(process.execPath, [MAIN, "links", ...args], { env })).stdout;
  await database.rows(`
    INSERT INTO links (short_code, original_url, web_url, deep_link)
      VALUES ('2222222', 'x', 'https://www.amazon.com/', 'https://t.example/redirect?product_id=x');
    INSERT INTO reports (short_code, reason, count, last_reported_at)
      VALUES ('2222222', 'harmful', 1, '2026-11-18Z'), ('2222222', 'spam', 2, '2026-11-19Z');
  `);

  expect(await links("reports")).toBe(
    "2222222  spam 2, harmful 1  last 2026-11-19T00:00:00.000Z\n  https://www.amazon.com/\n",
  );
  expect(await links("take-down", "2222222")).toBe("Took down 2222222.\n");
  expect(await links("reports")).toBe("No link was reported.\n");
  expect(await links("reinstate", "https://go.example/l/2222222")).toBe("Reinstated 2222222.\n");
  await database.rows("DELETE FROM reports; UPDATE links SET short_code = 'mug@go.anna.example'");
  const tookDown = "Took down mug@go.anna.example.\n";
  expect(await links("take-down", "https://go.anna.example/mug")).toBe(tookDown);
  await expect(links("take-down", "2222222")).rejects.toMatchObject({
    code: 1,
    stderr: "Nothing to change: check the code 2222222.\n",
  });
});
