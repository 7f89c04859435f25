import { paths } from "@tapthru/proto/rules/paths";
import { Accounts, newAccount } from "./accounts.ts";
import { changeConfig } from "./change-config.ts";
import { createLink, expect, test } from "./home.ts";
import { Links } from "./links.ts";
import { expectTextFits } from "./text-fits.ts";

const HOST = `${"short-links-of-a-large-company".repeat(2)}.example`;
const PRODUCT_NAME = "Donaudampfschifffahrtslinks";
const WORD = "Wirelessnoisecancellingheadphones".repeat(4);

/** The installation has a long product name, host and contact address. */
test.beforeEach(({ page }) =>
  changeConfig(page, {
    productName: PRODUCT_NAME,
    publicBaseUrl: `https://${HOST}`,
    contactEmail: `${"customerservice".repeat(4)}@${HOST}`,
  }),
);

test("long names and addresses fit on the pages of visitors", async ({ page, request }) => {
  const code = (await createLink(request)).split("/").at(-1);
  const { home, login, signup, share, appOpeningStatus, linkAudit, privacy, amazonAdsPrivacy } = paths;
  const pages = [home, login, signup, share, appOpeningStatus, linkAudit, privacy, amazonAdsPrivacy, "/nowhere"];
  for (const path of [...pages, `/report?code=${code}`]) {
    await page.goto(path);
    await expect(page.getByText(PRODUCT_NAME).first()).toBeVisible();
    await expect(page.getByRole("main").getByRole("heading", { level: 1 })).toBeVisible();
    await expectTextFits(page);
  }
});

test("long names and addresses fit on a user's pages", async ({ page }) => {
  const accounts = new Accounts(page);
  const { username, email, password } = newAccount();
  const name = username.replace(/\W/g, "").toLowerCase();
  const address = `${"x".repeat(60 - name.length)}${name}@${"subdomain.".repeat(12)}${email.split("@")[1]}`;
  await accounts.signUp({ username: `${name}${"x".repeat(50)}`.slice(0, 50), email: address, password });
  const links = new Links(page);
  const shortCode = await links.create(`https://www.amazon.com/dp/B0CX23V2ZK?tag=me-20&keywords=${WORD}`);
  const link = { ...(await links.fetch(shortCode)), nickname: WORD, shortUrl: `https://${HOST}/l/${shortCode}` };
  await page.route(/\/api\/links\?/, (route) => route.fulfill({ json: [link] }));
  await page.route(`/api/links/${shortCode}`, (route) => route.fulfill({ json: link }));
  await page.goto("/dashboard");
  await expect(links.cards).toHaveCount(1);
  await expectTextFits(page);
  await page.goto(`/link/${shortCode}`);
  await expect(page.getByText(HOST).first()).toBeVisible();
  await links.button("Edit title").click();
  await expectTextFits(page);
  await page.keyboard.press("Escape");
  await links.button("Show QR code").click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await expectTextFits(page);
  await page.goto("/account");
  await expect(page.getByRole("main").getByText(address, { exact: true })).toBeVisible();
  await expectTextFits(page);
  await page.goto("/account/data");
  await accounts.button("Delete account").click();
  await expect(page.getByLabel(`Type ${address} to confirm`)).toBeVisible();
  await expectTextFits(page);
});
