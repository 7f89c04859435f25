import type { Browser, Page, Request } from "@playwright/test";
import { type Call, ROLES, type Role, roleOf } from "@tapthru/proto/call";
import { CALLS } from "@tapthru/proto/calls";
import { LINK_TABS, paths } from "@tapthru/proto/rules/paths";
import { E2E_BASE_URL } from "../browser-options.ts";
import { fillAccount } from "./filled-account.ts";
import { expect, test } from "./home.ts";
import { Links, signUp } from "./links.ts";
import { newAccount } from "./new-account.ts";

const PATTERNS = Object.values(CALLS).map((call: Call) => ({
  call,
  matches: new RegExp(`^${call.path.replaceAll(/:\w+/g, "[^/]+")}$`),
}));

/** The call of a request. Of two that match, that with fewer parameters. */
function callOf(request: Request): Call | undefined {
  const { pathname } = new URL(request.url());
  return PATTERNS.filter(({ call, matches }) => call.method === request.method() && matches.test(pathname))
    .map(({ call }) => call)
    .sort((one, other) => one.path.split(":").length - other.path.split(":").length)[0];
}

/** Opens the account of the page's user as a new member. @returns what precedes the paths of its pages */
async function joinAs(role: Role, owner: Page, browser: Browser, baseURL: string) {
  const headers = { Origin: baseURL };
  const { url } = await (await owner.request.post("/api/members", { headers, data: { name: role, role } })).json();
  const context = await browser.newContext({ baseURL, storageState: await signUp(browser, baseURL, newAccount()) });
  const page = await context.newPage();
  await page.goto(new URL(url).pathname + new URL(url).hash);
  await page.getByRole("button", { name: "Accept the invitation" }).click();
  await page.waitForURL(/\/dashboard$/);
  await expect(page.getByText(`as ${role}`)).toBeVisible();
  return { page, prefix: new URL(page.url()).pathname.replace(paths.dashboard, "") };
}

/** Presses the first control that was not pressed before, in the open dialog if there is one. @returns its name */
function pressNext(pressed: string[]): string | null {
  const texts = { url: "https://www.amazon.com/dp/B0CX23V2ZL", date: "2030-01-01" };
  const isShown = (element: Element) => element.checkVisibility({ visibilityProperty: true });
  const area = [...document.querySelectorAll("[role=menu], dialog[open]")].at(-1) ?? document.querySelector("main");
  for (const folded of area?.querySelectorAll("details") ?? []) folded.open = true;
  const fields = area?.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
    "input:is([type=text], [type=url], [type=date], :not([type])), textarea",
  );
  for (const [at, field] of [...(fields ?? [])].entries()) {
    // Also a tag of the store.
    const value = field.name === "url" ? texts.url : (texts[field.type as keyof typeof texts] ?? `a${at}-20`);
    if (field.value || field.disabled || !isShown(field)) continue;
    const prototype = field instanceof HTMLInputElement ? HTMLInputElement.prototype : HTMLTextAreaElement.prototype;
    Object.getOwnPropertyDescriptor(prototype, "value")?.set?.call(field, value);
    field.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "insertText" }));
  }
  const controls = "button, [role=menuitem], [role=radio], input[type=checkbox], input[type=radio], select";
  for (const control of area?.querySelectorAll<HTMLElement>(controls) ?? []) {
    const label = control.ariaLabel || control.closest("label")?.textContent || control.textContent;
    const form = control instanceof HTMLButtonElement ? (control.form?.id ?? "") : "";
    // A menu is opened again for its next item.
    const times = control.ariaHasPopup === "menu" ? pressed.filter((one) => / (DIV|A) /.test(one)).length : "";
    const dialog = document.querySelector("dialog[open]")?.textContent?.slice(0, 30) ?? "";
    const name = `${dialog} ${control.tagName} ${label}${form}${times}`;
    // The choice of the account, and what closes a form before it is sent: Escape does so in the end.
    const leaves = control.ariaCurrent !== null || ["Go to your account", "Close", "Cancel"].includes(label ?? "");
    if (leaves || pressed.includes(name) || control.matches(":disabled, [hidden]") || !isShown(control)) continue;
    if (control instanceof HTMLSelectElement) {
      control.selectedIndex = control.selectedIndex === 0 ? control.options.length - 1 : 0;
      control.dispatchEvent(new Event("change", { bubbles: true }));
    } else {
      if (times !== "") control.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
      control.click();
    }
    return name;
  }
  return null;
}

/** Presses every control of a page, and of the forms and dialogs that they open. A page that leads to another one has none. */
async function pressAll(page: Page, path: string) {
  async function open() {
    await page.goto(path);
    await expect(page.locator("[data-loading]")).toHaveCount(0);
    return new URL(page.url()).pathname === path;
  }
  const pressed: string[] = [];
  let isOpen = await open();
  while (isOpen && pressed.length < 150) {
    const name = await page.evaluate(pressNext, pressed).catch(() => null);
    const hasEscaped = pressed.at(-1) === "Escape";
    const isInside = (await page.locator("dialog[open], [role=menu]").count()) > 0;
    if (name === null && !isInside && hasEscaped) return;
    // What was pressed last may have loaded others.
    if (name === null) await expect(page.locator("[data-loading]")).toHaveCount(0);
    if (name === null) await page.keyboard.press("Escape");
    pressed.push(name ?? "Escape");
    // React has rendered what the press changed, unless the page was left.
    await page
      .evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
      .catch(() => {});
    // The page was left, or a dialog stays open.
    if (new URL(page.url()).pathname !== path || (name === null && hasEscaped && isInside)) isOpen = await open();
  }
}

const PAGES = Object.values(paths).filter((path) => typeof path === "string");

for (const role of ROLES) {
  test(`no control that members with the role ${role} see sends what the api would refuse them`, async ({
    browser,
  }) => {
    test.setTimeout(1_200_000);
    // Each role has an account of its own, which is filled once.
    const storageState = await signUp(browser, E2E_BASE_URL);
    const owner = await browser.newContext({ baseURL: E2E_BASE_URL, storageState });
    const links = new Links(await owner.newPage());
    await links.page.goto(paths.dashboard);
    const shortCode = await fillAccount(links, E2E_BASE_URL);
    const { page, prefix } = await joinAs(role, links.page, browser, E2E_BASE_URL);
    const refused = new Set<string>();
    const sent = new Set<string>();
    let path = "";
    await page.route("**/api/**", (route) => {
      const call = callOf(route.request());
      if (call === undefined) return route.continue();
      const needed = roleOf(call);
      const name = `${call.method} ${call.path}`;
      if (needed !== null && call.method !== "GET") sent.add(name);
      if (needed !== null && ROLES.indexOf(role) < ROLES.indexOf(needed)) refused.add(`${path}: ${name}`);
      // Nothing changes, so that what a control does hides no other.
      return call.method === "GET" || call.access === "anyone" ? route.continue() : route.abort();
    });
    for (path of [...PAGES, paths.link(shortCode), ...LINK_TABS.map((tab) => paths.link(shortCode, tab))]) {
      await pressAll(page, prefix + path);
    }
    await page.goto(prefix + paths.dashboard);
    await new Links(page).paste("https://www.amazon.com/dp/B0CX23V2ZM");
    await page.waitForLoadState("networkidle");
    expect([...refused]).toEqual([]);
    // Each role reaches what it may do.
    expect(sent.size).toBeGreaterThan({ viewer: 0, editor: 15, owner: 20 }[role]);
    await page.context().close();
    await owner.close();
  });
}
