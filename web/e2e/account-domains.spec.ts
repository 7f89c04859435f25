import { runSql } from "./database.ts";
import { expect, newProduct, testWithOwnAccount } from "./links.ts";

const test = testWithOwnAccount();

test("a domain is added by keyboard, works, gets links and is removed", async ({ links, page }) => {
  const id = Date.now().toString(36);
  const [host, name] = [`go-${id}.anna.example`, `mug-${id}`];
  await page.goto("/account/domains");
  await links.button("Add domain").press("Enter");
  await expect(page.locator(":focus")).toHaveAccessibleName("Domain");
  await page.keyboard.type(host.toUpperCase());
  await page.keyboard.press("Enter");
  const item = page.getByRole("list", { name: "Your domains" }).getByRole("listitem").filter({ hasText: host }).first();
  await expect(item).toContainText("Waiting for DNS");
  await expect(item.getByRole("region", { name: "The record to set" })).toContainText(/CNAME.*localhost/);
  await letDomainWork(host);
  await page.reload();
  await expect(item).toContainText(`Links open under https://${host}.`);
  await links.button(`Use for new links ${host}`).press("Enter");
  await expect(item).toContainText("New links are on this domain.");
  await links.button(`Change start page of ${host}`).press("Enter");
  await page.keyboard.type(newProduct().url);
  await page.keyboard.press("Enter");
  await expect(item).toContainText("The domain itself leads to");

  await page.goto("/link-creation");
  await links.button("Options").press("Enter");
  await expect(page.getByLabel("Domain of new links")).toHaveValue(host);
  await page.getByLabel("Short link name").fill(name);
  await links.field.fill(newProduct().url);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/link/${name}@${host}`);
  await page.goto(`/link/${name}@${host}/settings`);
  for (const [domain, path] of [
    ["", name],
    [host, `${name}@${host}`],
  ] as const) {
    await page.getByLabel("Domain", { exact: true }).selectOption(domain);
    await links.button("Save").press("Enter");
    await expect(page).toHaveURL(`/link/${path}/settings`);
  }

  await page.goto("/account/domains");
  await links.button(`Remove ${host}`).press("Enter");
  await expect(links.dialog).toContainText(`links end at ${host}`);
  await links.dialog.getByRole("button", { name: "Remove" }).press("Enter");
  await expect(links.toast).toContainText("The domain was removed.");
  await expect(page.getByText("You have no domains.")).toBeVisible();
});

/** Lets a domain work, instead of the DNS and a certificate authority. The worker does not check it. */
async function letDomainWork(host: string): Promise<void> {
  await runSql(
    `UPDATE domains SET verified_at = now(), checked_at = now(), problem = NULL, next_check_at = 'infinity'
     WHERE host = $1`,
    [host],
  );
  await runSql(
    `INSERT INTO certificates (host, chain, encrypted_key, not_after, issued_at, order_at)
     VALUES ($1, '', '', now() + interval '90 days', now(), 'infinity')`,
    [host],
  );
}
