import type { Page } from "@playwright/test";
import { Accounts, newcomer } from "./accounts.ts";
import { expect, makeLink, test } from "./home.ts";
import { Links } from "./links.ts";
import { expectRoomForText } from "./room-for-text.ts";

const HOST = `${"short-links-of-a-large-company".repeat(2)}.example`;
const CONTACT = `${"customerservice".repeat(4)}@${HOST}`;
const PRODUCT_NAME = "Donaudampfschifffahrtslinks";
const WORD = "Wirelessnoisecancellingheadphones".repeat(4);

/** Long words without a hyphen: an account whose username and address have nowhere to break. */
function longNamed() {
  const { username, email, password } = newcomer();
  const name = username.replace(/\W/g, "").toLowerCase();
  return {
    username: `${name}${"x".repeat(50)}`.slice(0, 50),
    email: `${"x".repeat(60 - name.length)}${name}@${"subdomain.".repeat(12)}${email.split("@")[1]}`,
    password,
  };
}

/** Shows the stack as another installation, with a long product name, host and contact address. */
async function renameInstallation(page: Page, origin: string) {
  await page.route("/config.json", async (route) => {
    const config = await (await route.fetch()).json();
    const changes = {
      productName: PRODUCT_NAME,
      publicBaseUrl: `https://${HOST}`,
      contactEmail: CONTACT,
    };
    await route.fulfill({ json: { ...config, ...changes } });
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

for (const path of ["/", "/login", "/signup", "/privacy", "/privacy/amazon-ads-api", "/nowhere"]) {
  test(`${path} has room for long names and addresses`, async ({ page }) => {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.getByText(PRODUCT_NAME).first()).toBeVisible();
    await expectRoomForText(page);
  });
}

test("a result has room for a long short link", async ({ home, page }) => {
  await home.makeLink();
  await expect(home.shortLink).toContainText(HOST);
  await expectRoomForText(page);
});

test("the report has room for a long short link", async ({ page, request }) => {
  const code = (await makeLink(request)).split("/").at(-1);
  await page.goto(`/report?code=${code}`);
  await expect(page.getByLabel("Short link")).toHaveValue(`https://${HOST}/l/${code}`);
  await page.getByLabel("Short link").fill("x");
  await page.getByRole("button", { name: "Send report" }).click();
  await expect(page.getByLabel("Short link")).toHaveAttribute("aria-invalid", "true");
  await expectRoomForText(page);
});

test("a user's pages have room for long names and addresses", async ({ page, baseURL }) => {
  const accounts = new Accounts(page);
  const { email } = await accounts.signUp(longNamed());
  const links = new Links(page);
  const url = `https://www.amazon.com/dp/B0CX23V2ZK?tag=me-20&keywords=${WORD}`;
  const shortCode = await links.make(url);
  const reply = await page.request.patch(`/api/links/${shortCode}`, {
    data: { nickname: WORD },
    headers: { Origin: new URL(baseURL ?? "").origin },
  });
  expect(reply.ok()).toBe(true);

  await page.goto("/dashboard");
  await expect(links.cards).toHaveCount(1);
  await expectRoomForText(page);

  await page.goto(`/link/${shortCode}`);
  await expect(page.getByText(HOST).first()).toBeVisible();
  await expectRoomForText(page);
  await links.button("Edit title").click();
  await expectRoomForText(page);
  await page.keyboard.press("Escape");
  await links.button("Show QR code").click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await expectRoomForText(page);

  await page.goto("/account");
  await expect(page.getByText(email, { exact: true })).toBeVisible();
  await expectRoomForText(page);
  await accounts.button("Delete account").click();
  await expect(page.getByLabel(`Type ${email} to confirm`)).toBeVisible();
  await expectRoomForText(page);
});

test("a connected Amazon Ads account has room for long names", async ({ page }) => {
  const accounts = new Accounts(page);
  await accounts.signUp();
  const connection = {
    region: "na",
    accountName: WORD,
    accountEmail: CONTACT,
    connectedAt: "2026-09-30T12:00:00.000Z",
    hasEnded: true,
    profiles: [{ id: "1".repeat(60), name: WORD, countryCode: "US" }],
  };
  await page.route(/\/api\/amazon-ads\/connection$/, (route) =>
    route.fulfill({ json: { connection } }),
  );
  await page.goto("/amazon-ads-auth");
  await expect(page.getByText(WORD).first()).toBeVisible();
  await expectRoomForText(page);
});
