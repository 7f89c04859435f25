import { keepToastOpen } from "./accessible-page.ts";
import { Accounts, newAccount } from "./accounts.ts";
import { changeConfig } from "./change-config.ts";
import { expect, type Home } from "./home.ts";
import { newProduct } from "./product.ts";
import type { States } from "./states.ts";

const STATUS = "/status/app-opening";
const ROWS = [
  { row: "instagram-ios", app: "instagram", os: "ios", tried: 1_240_040, opened: 1_116_036 },
  { row: "browser-android", app: "browser", os: "android", tried: 900, opened: 810 },
  { row: "kakaotalk-ios", app: "kakaotalk", os: "ios", tried: 51, opened: 46 },
];

async function pasteSeveral(home: Home, urls: string[], status: string) {
  await home.paste(urls.join("\n"));
  await expect(home.page.getByRole("region", { name: "New links" }).getByRole("status")).toHaveText(status);
}

/** From Home, to states of pages that need no account. */
export const VISITOR_STATES: States<Home> = {
  "the start page": async () => {},
  "a validation message": async (home) => {
    await home.submitNothing();
    await keepToastOpen(home.page);
  },
  "a link that is being created": async ({ page, field }) => {
    await page.route("/api/generate", () => {});
    await field.fill("https://www.amazon.com/dp/B0CX23V2ZK");
    await expect(field).toBeDisabled();
  },
  "a result with a doubtful tag, and its toast": async (home) => {
    await home.createLink("https://www.amazon.com/dp/B0CX23V2ZK?tag=me-21");
    await expect(home.result.getByText(/^Tags for amazon\.com usually end in -20\./)).toBeVisible();
    await keepToastOpen(home.page);
  },
  "the form for a missing tag": async (home) => {
    await home.createLink(newProduct().url.replace(/\?.*/, ""));
    await home.page.getByLabel("Your tag for amazon.com").fill("me-21");
    await expect(home.page.getByText(/^Tags for amazon.com usually end in/)).toBeVisible();
    await expect(home.toast).toHaveCount(0);
  },
  "results and errors of several links": async (home) => {
    const urls = [newProduct().url, "https://example.com/lamp", "https://amzn.to/missing", newProduct().url];
    await pasteSeveral(home, urls, "2 links are ready, 2 failed");
    await expect(home.page.getByText("Please enter a valid Amazon URL")).toBeVisible();
  },
  "recent links after a reload": async (home) => {
    await pasteSeveral(
      home,
      Array.from({ length: 4 }, () => newProduct().url),
      "4 links are ready",
    );
    await home.page.reload();
    await expect(home.page.getByRole("region", { name: "Recent links in this browser" })).toBeVisible();
  },
  "the start page after the login has ended": async ({ page }) => {
    await page.evaluate(() => localStorage.setItem("signed_in", "ended"));
    await page.reload();
    await expect(page.getByText("You were logged out. Log in to continue.")).toBeVisible();
  },
  "the login over it": async (home) => {
    await home.page.evaluate(() => localStorage.setItem("signed_in", "ended"));
    await home.page.reload();
    await home.button("Log in").click();
    await expect(home.page.getByRole("dialog", { name: "Your login has ended" })).toBeVisible();
  },
  "a page whose script fails to load": async ({ page }) => {
    await page.route(/\/assets\/site-policy-.*\.js$/, (route) => route.abort());
    // The page reloads once by itself.
    const isReloaded = page.waitForEvent("domcontentloaded");
    await page.getByRole("contentinfo").getByRole("link", { name: "Privacy policy" }).click();
    await isReloaded;
    await expect(page.getByRole("heading", { name: "Something went wrong" })).toBeVisible();
  },
  "a login with validation messages": async (home) => {
    await home.page.goto("/login");
    await home.button("Login").click();
    await expect(home.page.locator("[aria-invalid=true]").first()).toBeVisible();
  },
  "a failed login": async (home) => {
    await home.page.goto("/login");
    await new Accounts(home.page).fillLogin(newAccount());
    await home.button("Login").click();
    await expect(home.page.getByRole("alert")).toHaveText("Invalid email or password.");
  },
  "a login that failed at an OpenID provider": async ({ page }) => {
    await changeConfig(page, { openIdConnect: { name: "Example Corp", iconUrl: null } });
    await page.goto("/login?login_error=failed");
    await expect(page.getByText("Continue with Example Corp")).toBeVisible();
    await expect(page.getByRole("alert")).toBeVisible();
  },
  "the page that ends the weekly email": async ({ page }) => {
    await page.goto("/api/unsubscribe?token=00000000-0000-4000-8000-000000000000");
    await expect(page.getByRole("heading")).toHaveText("Stop these emails?");
  },
  "the open rates": async ({ page }) => {
    await page.route(`**/api${STATUS}`, (route) => route.fulfill({ json: { since: "2026-10-24", rows: ROWS } }));
    await page.goto(STATUS);
    await expect(page.getByRole("rowheader", { name: "Instagram on iPhone" })).toBeVisible();
  },
  "open rates that could not be loaded": async ({ page }) => {
    await page.route(`**/api${STATUS}`, (route) => route.fulfill({ status: 503, body: "Unavailable." }));
    await page.goto(STATUS);
    await expect(page.getByText("The open rates could not be loaded.")).toBeVisible();
  },
  "links in a file that pay nothing": async ({ page }) => {
    await page.goto("/lost-commission");
    const buffer = Buffer.from(`${newProduct().url}\nhttps://www.amazon.com/dp/B0CX23V2ZK`);
    const input = page.getByLabel("Choose files");
    await input.focus();
    await input.setInputFiles({ name: "blog.txt", mimeType: "text/plain", buffer });
    await expect(page.getByText("It has no tag.").first()).toBeVisible();
    await expect(input).toBeFocused();
  },
};
