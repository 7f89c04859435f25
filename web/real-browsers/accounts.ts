import { type Account, newAccount } from "../e2e/new-account.ts";
import { button, field, heading } from "./elements.ts";
import type { Page } from "./page.ts";

export const DASHBOARD = heading("Your Links");

export async function signUp(page: Page, account = newAccount()): Promise<Account> {
  await page.open("/signup");
  await page.fill(field("Username"), account.username);
  await page.fill(field("Email"), account.email);
  await page.fill(field("Password"), account.password);
  await page.fill(field("Confirm password"), account.password);
  await page.click(button("Sign up"));
  await page.find(DASHBOARD);
  return account;
}

export async function fillLogin(page: Page, { email, password }: Omit<Account, "username">) {
  await page.fill(field("Email"), email);
  await page.fill(field("Password"), password);
  await page.click(button("Login"));
}
