import type { Page } from "@playwright/test";
import { Accounts, newAccount } from "./accounts.ts";
import { changeConfig } from "./change-config.ts";
import { createLink, expect, test } from "./home.ts";
import { Links } from "./links.ts";
import { expectTextFits } from "./text-fits.ts";

const HOST = `${"short-links-of-a-large-company".repeat(2)}.example`;
const CONTACT = `${"customerservice".repeat(4)}@${HOST}`;
const PRODUCT_NAME = "Donaudampfschifffahrtslinks";
const WORD = "Wirelessnoisecancellingheadphones".repeat(4);

/** An account whose username and email are long words that cannot wrap. */
function newLongNamedAccount() {
  const { username, email, password } = newAccount();
  const name = username.replace(/\W/g, "").toLowerCase();
  return {
    username: `${name}${"x".repeat(50)}`.slice(0, 50),
    email: `${"x".repeat(60 - name.length)}${name}@${"subdomain.".repeat(12)}${email.split("@")[1]}`,
    password,
  };
}

/** Gives the installation a long product name, host and contact address. */
async function renameInstallation(page: Page, origin: string) {
  await changeConfig(page, {
    productName: PRODUCT_NAME,
    publicBaseUrl: `https://${HOST}`,
    contactEmail: CONTACT,
  });
  await page.route(/\/api\/(generate|links)/, async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replaceAll(origin, `https://${HOST}`);
    await route.fulfill({ response, body });
  });
}

test.beforeEach(async ({ page, baseURL }) => {
  test.slow();
  await renameInstallation(page, baseURL ?? "");
});

for (const path of [
  "/",
  "/login",
  "/signup",
  "/share",
  "/status/app-opening",
  "/privacy",
  "/privacy/amazon-ads-api",
  "/nowhere",
]) {
  test(`long names and addresses fit on ${path}`, async ({ page }) => {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.getByText(PRODUCT_NAME).first()).toBeVisible();
    await expectTextFits(page);
  });
}

test("a long short link fits in the result", async ({ home, page }) => {
  await home.createLink();
  await expect(home.shortLink).toContainText(HOST);
  await expectTextFits(page);
});

test("a long short link fits in the report form", async ({ page, request }) => {
  const code = (await createLink(request)).split("/").at(-1);
  await page.goto(`/report?code=${code}`);
  await expect(page.getByLabel("Short link")).toHaveValue(`https://${HOST}/l/${code}`);
  await page.getByLabel("Short link").fill("x");
  await page.getByRole("button", { name: "Send report" }).click();
  await expect(page.getByLabel("Short link")).toHaveAttribute("aria-invalid", "true");
  await expectTextFits(page);
});

test("long names and addresses fit on a user's pages", async ({ page, baseURL }) => {
  const accounts = new Accounts(page);
  const { email } = await accounts.signUp(newLongNamedAccount());
  const links = new Links(page);
  const url = `https://www.amazon.com/dp/B0CX23V2ZK?tag=me-20&keywords=${WORD}`;
  const shortCode = await links.create(url);
  const response = await page.request.patch(`/api/links/${shortCode}`, {
    data: { nickname: WORD },
    headers: { Origin: new URL(baseURL ?? "").origin },
  });
  expect(response.ok()).toBe(true);

  await page.goto("/dashboard");
  await expect(links.cards).toHaveCount(1);
  await expectTextFits(page);

  await page.goto(`/link/${shortCode}`);
  await expect(page.getByText(HOST).first()).toBeVisible();
  await expectTextFits(page);
  await links.button("Edit title").click();
  await expectTextFits(page);
  await page.keyboard.press("Escape");
  await links.button("Show QR code").click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await expectTextFits(page);

  await page.goto("/account");
  await expect(page.getByRole("main").getByText(email, { exact: true })).toBeVisible();
  await expectTextFits(page);
  await page.goto("/account/data");
  await accounts.button("Delete account").click();
  await expect(page.getByLabel(`Type ${email} to confirm`)).toBeVisible();
  await expectTextFits(page);
});

test("long names fit on the page of an Amazon Ads connection", async ({ page }) => {
  const accounts = new Accounts(page);
  await accounts.signUp();
  const connection = {
    accountName: WORD,
    accountEmail: CONTACT,
    connectedAt: "2026-09-30T12:00:00.000Z",
  };
  await page.route(/\/api\/amazon-ads\/connection$/, (route) => route.fulfill({ json: { connection } }));
  await page.goto("/amazon-ads-auth");
  await expect(page.getByText(WORD).first()).toBeVisible();
  await expectTextFits(page);
});
