import { randomUUID } from "node:crypto";
import { chromium } from "@playwright/test";
import { messages } from "@tapthru/proto/rules/messages";

const LINKS = 10;
const PASSWORD = "a long secret";

interface Browser {
  chromePath: string;
  /** Directory of the browser's profile. */
  profile: string;
}

/** Signs up a user with links in a browser profile, and closes the browser. */
export async function signUp(baseUrl: string, { chromePath, profile }: Browser): Promise<void> {
  const browser = await chromium.launchPersistentContext(profile, {
    executablePath: chromePath,
    args: ["--no-sandbox", "--disable-background-networking"],
  });
  const page = await browser.newPage();
  await page.goto(`${baseUrl}/signup`);
  const fill = (label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text);
  await fill(messages.username, "Anna");
  await fill(messages.email, `${randomUUID()}@tapthru.example`);
  await fill(messages.password, PASSWORD);
  await fill(messages.confirmPassword, PASSWORD);
  await page.getByRole("main").getByRole("button", { name: messages.signUp, exact: true }).click();
  await page.getByRole("heading", { name: messages.yourLinks }).waitFor();
  for (let number = 0; number < LINKS; number++) {
    const url = `https://www.amazon.com/dp/B0BENCH${String(number).padStart(3, "0")}?tag=anna-20`;
    await page.evaluate(
      (body) =>
        fetch("/api/generate", {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body,
        }),
      JSON.stringify({ url }),
    );
  }
  await browser.close();
}
