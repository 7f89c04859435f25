import type { Browser, Page } from "@playwright/test";
import { Accounts, expect, test } from "./accounts.ts";
import { confirmEmail } from "./database.ts";
import { Home } from "./home.ts";
import { Links } from "./links.ts";
import type { Account } from "./new-account.ts";

const headers = (page: Page) => ({ Origin: new URL(page.url()).origin });

async function userId(page: Page): Promise<number> {
  return (await new Accounts(page).fetchApi("/api/session")).body.login.user.id;
}

/** Another user, who invites the one of the page as an editor. @returns their page, and where the pages of their account begin */
async function joinAnother(browser: Browser, member: Page): Promise<{ owner: Page; account: Account; base: string }> {
  const owner = await (await browser.newContext()).newPage();
  const account = await new Accounts(owner).signUp();
  await confirmEmail(account.email);
  const data = { name: "Ben", role: "editor" };
  const invited = await owner.request.post("/api/members", { data, headers: headers(owner) });
  const { url } = await invited.json();
  await member.goto(url);
  await member.getByRole("button", { name: "Accept the invitation" }).click();
  const base = `/a/${await userId(owner)}`;
  await expect(member).toHaveURL(`${base}/dashboard`);
  return { owner, account, base };
}

const bar = (page: Page) => page.getByRole("region", { name: "Account", exact: true });

test("two tabs work in two accounts, also after reloads, going back and in new tabs of their links", async ({
  accounts,
  browser,
  context,
  page,
}) => {
  await accounts.signUp();
  const { owner, account, base } = await joinAnother(browser, page);
  await expect(bar(page)).toContainText(account.username);
  const own = await context.newPage();
  await own.goto("/dashboard");
  await expect(new Accounts(own).dashboard).toBeVisible();
  await expect(bar(own)).toBeHidden();

  await page.bringToFront();
  await new Home(page).paste("https://www.amazon.com/dp/B0MEMBER01");
  await expect(new Links(page).newLinks).toContainText("1 link is ready");
  await page.reload();
  await expect(accounts.cards).toHaveCount(1);
  const path = await accounts.cards.getByRole("link").first().getAttribute("href");
  expect(path).toMatch(new RegExp(`^${base}/link/`));
  const inNewTab = await context.newPage();
  await inNewTab.goto(path ?? "");
  await expect(bar(inNewTab)).toContainText(account.username);
  await inNewTab.getByText("< Back to List").click();
  await expect(inNewTab).toHaveURL(`${base}/dashboard`);

  await own.reload();
  await expect(own.getByText("You haven't created any links yet.")).toBeVisible();
  await owner.goto(path ?? "");
  await expect(owner).toHaveURL(path?.slice(base.length) ?? "");
  await owner.context().close();
});

test("a link of an email opens in its account after a login, and says so to a user without access", async ({
  accounts,
  browser,
  page,
}) => {
  const member = await accounts.signUp();
  const { owner, account, base } = await joinAnother(browser, page);
  const path = `${base}/link/${await new Links(owner).create()}`;
  await page.context().clearCookies();
  await page.goto(path);
  await expect(page).toHaveURL(`${base}/login?${new URLSearchParams({ from: path.slice(base.length) })}`);
  await accounts.fillLogin(member);
  await accounts.button("Login").click();
  await expect(page).toHaveURL(path);
  await expect(bar(page)).toContainText(account.username);

  const stranger = await (await browser.newContext()).newPage();
  await new Accounts(stranger).signUp();
  await stranger.goto(path);
  await expect(stranger.getByRole("heading", { name: "You have no access to this account" })).toBeVisible();
  await stranger.getByRole("link", { name: "Go to your account" }).click();
  await expect(stranger).toHaveURL("/dashboard");

  const [{ id }] = await (await owner.request.get("/api/members")).json();
  await owner.request.delete(`/api/members/${id}`, { headers: headers(owner) });
  await page.getByText("< Back to List").click();
  await expect(page.getByRole("heading", { name: "You have no access to this account" })).toBeVisible();
  for (const each of [owner, stranger]) await each.context().close();
});
