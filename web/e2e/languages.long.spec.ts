import { androidIntent, iosAppLink } from "@tapthru/proto/rules/app-opening/app-link";
import { watchAppAttempts } from "./app-attempts.ts";
import { expectNoViolations } from "./axe.ts";
import { createLink, expect, PRODUCT, test } from "./home.ts";
import { newPhone } from "./phones.ts";

const PHONES = [
  {
    name: "an iPhone in German",
    strategy: "browser-ios",
    locale: "de-AT",
    appAddress: iosAppLink(PRODUCT),
    html: { lang: "de", dir: "ltr" },
    heading: "Amazon wird geöffnet …",
    links: [
      "Erneut in der Amazon-App öffnen",
      "amazon.com im Browser öffnen",
      "App herunterladen",
      "Diesen Link melden",
    ],
  },
  {
    name: "an Android phone in Arabic",
    strategy: "browser-android",
    locale: "ar-EG",
    appAddress: androidIntent(PRODUCT, "com"),
    html: { lang: "ar", dir: "rtl" },
    heading: "جارٍ فتح أمازون…",
    links: [
      "إعادة المحاولة في تطبيق أمازون",
      "فتح amazon.com في المتصفح",
      "تنزيل من Google Play",
      "الإبلاغ عن هذا الرابط",
    ],
  },
] as const;

for (const { name, strategy, locale, appAddress, html, heading, links } of PHONES) {
  test(`${name} shows the page in its language and opens the app`, async ({ browser, request }) => {
    const phone = await newPhone(browser, strategy, { locale });
    const page = await phone.newPage();
    const attempts = await watchAppAttempts(page);
    await page.goto(await createLink(request), { waitUntil: "commit" });
    await expect.poll(attempts).toEqual([appAddress]);

    await expect(page).toHaveTitle(heading);
    await expect(page.getByRole("heading")).toHaveText(heading);
    await expect(page.getByRole("link")).toHaveText([...links]);
    const root = page.locator("html");
    await expect(root).toHaveAttribute("lang", html.lang);
    await expect(root).toHaveAttribute("dir", html.dir);
    await expectNoViolations(page);

    await page.getByRole("link", { name: links[1] }).dispatchEvent("click");
    await expect(page).toHaveURL(PRODUCT);
    await phone.close();
  });
}
