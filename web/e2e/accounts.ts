import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test as base, expect, Site } from "./home.ts";
import { type Account, newAccount } from "./new-account.ts";

const { TAPTHRU_DATA_DIR = join(import.meta.dirname, "../../.data") } = process.env;
/** The emails that the stack's mail server has received. */
const EMAILS_FILE = join(TAPTHRU_DATA_DIR, "logs", "emails.jsonl");

/** The account forms, and the elements that only a signed-in user sees. */
export class Accounts extends Site {
  readonly dashboard = this.page.getByRole("heading", { name: "Your Links" });

  field(label: string) {
    return this.page.getByLabel(label, { exact: true });
  }

  card(shortCode: string) {
    return this.cards.locator(`a[href="/link/${shortCode}"]`).first();
  }

  async fillSignUp({ username, email, password }: Account) {
    await this.field("Username").fill(username);
    await this.field("Email").fill(email);
    await this.field("Password").fill(password);
    await this.field("Confirm password").fill(password);
  }

  async signUp(account = newAccount()): Promise<Account> {
    await this.page.goto("/signup");
    await this.fillSignUp(account);
    await this.button("Sign up").click();
    await expect(this.dashboard).toBeVisible();
    return account;
  }

  async fillLogin({ email, password }: Pick<Account, "email" | "password">) {
    await this.field("Email").fill(email);
    await this.field("Password").fill(password);
  }

  async logIn(account: Account) {
    await this.page.goto("/login");
    await this.fillLogin(account);
    await this.button("Login").click();
    await expect(this.dashboard).toBeVisible();
  }

  async logOut() {
    await this.button("Log out").click();
    await expect(this.page).toHaveURL("/");
  }

  /** Sends a GET request to the api with the page's session. `body` is null for an error. */
  async fetchApi(path: string) {
    return this.page.evaluate(async (address) => {
      const response = await fetch(address);
      return { status: response.status, body: response.ok ? await response.json() : null };
    }, path);
  }
}

/** The link to this page in the latest email to an address. */
export async function getEmailLink(email: string, path: string): Promise<string> {
  let link = "";
  const findLink = async () => {
    const lines = (await readFile(EMAILS_FILE, "utf8").catch(() => "")).trim().split("\n");
    const emails: { to: string; text: string }[] = lines.flatMap((line) => (line ? [JSON.parse(line)] : []));
    const links = emails.filter(({ to }) => to === email).flatMap(({ text }) => text.match(/https?:\/\/\S+/g) ?? []);
    link = links.findLast((each) => new URL(each).pathname === path) ?? "";
    return link;
  };
  await expect.poll(findLink).not.toBe("");
  return link;
}

export const test = base.extend<{ accounts: Accounts }>({
  accounts: ({ page }, use) => use(new Accounts(page)),
});

export { expect, newAccount };
