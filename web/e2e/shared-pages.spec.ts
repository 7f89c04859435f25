import { readFile } from "node:fs/promises";
import { runSql } from "./database.ts";
import { expect, test } from "./links.ts";

test("a sponsor without an account downloads a statement, which is valid until it is changed", async ({
  links,
  page,
  browser,
  baseURL,
}) => {
  const { shortCode } = await links.openNew("/clicks");
  const today = new Date();
  const last = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - 1, 5));
  const day = last.toISOString().slice(0, 10);
  await runSql("SELECT create_click_partitions($1::date)", [day]);
  await runSql(`INSERT INTO clicks SELECT id, $1, '{"p": "48:1234"}', NULL, 1234 FROM links WHERE short_code = $2`, [
    day,
    shortCode,
  ]);
  await links.button("Share clicks").click();
  await page.getByLabel("Name of the page").fill("Camping Co.");
  await page.getByLabel("Last day on which the link works").fill(today.toISOString().slice(0, 10));
  await links.button("Create secret link").click();
  const url = (await page.getByText(/\/shared#/).textContent()) ?? "";
  await links.button("I have saved the link").click();

  const context = await browser.newContext({ ...(baseURL && { baseURL }), storageState: { cookies: [], origins: [] } });
  const sponsor = await context.newPage();
  await sponsor.goto(url);
  const month = last.toLocaleString("en", { month: "long", year: "numeric", timeZone: "UTC" });
  await sponsor.getByLabel("Month").selectOption(month);
  const downloaded = sponsor.waitForEvent("download");
  await sponsor.getByRole("button", { name: `Download the statement of ${month}` }).click();
  const statement = await readFile(await (await downloaded).path(), "utf8");

  await sponsor.getByRole("link", { name: "anyone can check" }).click();
  const choose = (text: string) =>
    sponsor
      .getByLabel("Choose a statement")
      .setInputFiles({ name: "statement.jws", mimeType: "text/plain", buffer: Buffer.from(text) });
  await choose(statement);
  await expect(sponsor.getByRole("heading", { name: "The signature is valid." })).toBeVisible();
  await expect(sponsor.getByText(`${month}: Camping Co.`)).toContainText(`/l/${shortCode}`);
  await expect(sponsor.getByRole("main")).toContainText("1,234");
  const [header, payload = "", signature] = statement.split(".");
  const more = Buffer.from(payload, "base64url").toString().replaceAll("1234", "9234");
  await choose([header, Buffer.from(more).toString("base64url"), signature].join("."));
  await expect(sponsor.getByRole("alert")).toHaveText(/^This statement was changed or is not by /);
  await expect(sponsor.getByRole("main")).not.toContainText("9,234");

  await links.button("Revoke Camping Co.").click();
  await links.dialog.getByRole("button", { name: "Revoke" }).click();
  await expect(links.button("Revoke Camping Co.")).toHaveCount(0);
  await sponsor.goto(url);
  await expect(sponsor.getByRole("heading", { name: "This link does not work" })).toBeVisible();
  await context.close();
});
