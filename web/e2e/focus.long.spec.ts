import type { Page } from "@playwright/test";
import { paths } from "@tapthru/proto/rules/paths";
import { fillAccount } from "./filled-account.ts";
import { expect, testWithOwnAccount } from "./links.ts";

const test = testWithOwnAccount({ isOperator: true });

/** They end the login, or lead to another site. */
const NOT_PRESSED = /^(Log out|Allow|Connect)|Login with Amazon|Google/;
const PATHS = Object.values(paths).filter((path) => typeof path === "string" && path !== paths.redirect);

const dayBefore = (count: number) => new Date(Date.now() - count * 86_400_000).toISOString().slice(0, 10);

/** The account of a worker is filled once. */
let shortCode = "";

const isIdle = (page: Page) =>
  page.waitForFunction(() => document.querySelector("[data-loading], [aria-busy=true]") === null);
const focused = (page: Page) => page.evaluate(() => document.activeElement?.tagName);

const OF_CHOSEN_DAYS = `${paths.clicks}?${new URLSearchParams({ period: "custom", from: dayBefore(9), to: dayBefore(2) })}`;

for (const path of [
  ...PATHS,
  OF_CHOSEN_DAYS,
  "a link's page",
  "a link's clicks",
  "a link's opening",
  "a link's settings",
]) {
  test(`each button of ${path} leaves the focus on a control`, async ({ links, page, baseURL }) => {
    shortCode ||= await fillAccount(links, baseURL ?? "");
    const address = path.startsWith("/") ? path : `/link/${shortCode}/${path.split("'s ")[1]?.replace("page", "")}`;
    const open = async () => {
      await page.goto(address);
      await isIdle(page);
    };
    await open();
    const buttons = page.getByRole("main").getByRole("button");
    const names = [
      ...new Set(await buttons.evaluateAll((all) => all.map((each) => each.ariaLabel ?? each.textContent ?? ""))),
    ];
    const lost: string[] = [];
    for (const name of names.slice(0, 30)) {
      if (NOT_PRESSED.test(name)) continue;
      const button = buttons.and(page.getByRole("button", { name, exact: true })).first();
      if (!(await button.isVisible()) || (await button.isDisabled())) continue;
      await button.focus();
      const isLeft = () => page.url() !== new URL(address, page.url()).href;
      for (const key of ["Enter", "Escape"]) {
        await page.keyboard.press(key);
        await isIdle(page);
        if (isLeft()) break;
        if ((await focused(page)) === "BODY") lost.push(`${name}, by ${key}`);
      }
      if (isLeft()) await open();
    }
    expect(lost).toEqual([]);
  });
}
