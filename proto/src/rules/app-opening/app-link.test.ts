import { describe, expect, it } from "vitest";
import { androidIntent, androidPackage, appStoreUrl, iosAppLink, playStoreUrl } from "./app-link.ts";

const WEB_URL = "https://www.amazon.de/dp/B0ZZ1Y2X3W?tag=me-21&k=a;b'c";

describe("app links", () => {
  it("app links have the app's own scheme on iOS", () => {
    expect(iosAppLink(WEB_URL)).toBe("com.amazon.mobile.shopping.web://www.amazon.de/dp/B0ZZ1Y2X3W?tag=me-21&k=a;b'c");
  });

  it("app links on Android are intents that fall back to the web address", () => {
    expect(androidIntent(WEB_URL, "de")).toBe(
      "intent://www.amazon.de/dp/B0ZZ1Y2X3W?tag=me-21&k=a;b'c" +
        "#Intent;scheme=https;package=com.amazon.mShop.android.shopping" +
        ";S.browser_fallback_url=https%3A%2F%2Fwww.amazon.de%2Fdp%2FB0ZZ1Y2X3W%3Ftag%3Dme-21%26k%3Da%3Bb'c;end",
    );
  });

  it("app links open India's own app for amazon.in", () => {
    expect(androidPackage("in")).toBe("in.amazon.mShop.android.shopping");
    expect(androidIntent("https://www.amazon.in/", "in")).toContain(";package=in.amazon.mShop.android.shopping;");
  });

  it("each app has a page in the App Store and in Google Play", () => {
    expect(appStoreUrl("com")).toBe("https://apps.apple.com/app/id297606951");
    expect(appStoreUrl("in")).toBe("https://apps.apple.com/app/id1478350915");
    expect(playStoreUrl("co.jp")).toBe(
      "https://play.google.com/store/apps/details?id=com.amazon.mShop.android.shopping",
    );
    expect(playStoreUrl("in")).toBe("https://play.google.com/store/apps/details?id=in.amazon.mShop.android.shopping");
  });
});
