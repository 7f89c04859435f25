import vm from "node:vm";
import { Event, Window } from "happy-dom";
import { describe, expect, it } from "vitest";
import type { AppPage } from "./choose-destination.ts";
import { contentSecurityPolicy } from "./html.ts";
import { INTERSTITIAL_POLICY, interstitial } from "./interstitial.ts";

const PAGE: AppPage = {
  appLink: "com.amazon.mobile.shopping.web://www.amazon.com/dp/B000000001?tag=me-20&th=1",
  webUrl: "https://www.amazon.com/dp/B000000001?tag=me-20&th=1",
  storeUrl: "https://apps.apple.com/app/id297606951",
  isAutomatic: true,
};

function parse(html: string) {
  const { document } = new Window();
  document.write(html);
  return document;
}

describe("interstitial", () => {
  it("says the specification's words, with a real link behind each choice", () => {
    const document = parse(interstitial(PAGE));
    expect(document.title).toBe("Opening Amazon...");
    expect(document.querySelector("h1")?.textContent).toBe("Opening Amazon...");
    expect(document.querySelector("p")?.textContent).toBe(
      "If the Amazon app didn't open automatically or opened to the wrong page, please use one of the options below:",
    );
    const links = [...document.querySelectorAll("a")];
    expect(links.map((link) => [link.textContent, link.getAttribute("href")])).toEqual([
      ["Try Again to Open in Amazon App", PAGE.appLink],
      ["Open in Web Browser", PAGE.webUrl],
      ["Get it from the App Store", PAGE.storeUrl],
    ]);
    expect(document.querySelector("main")?.textContent).toContain("Don't have the Amazon app?");
  });

  it.each([
    `https://www.amazon.com/dp/B000000001?a="><script>alert(1)</script>`,
    "https://www.amazon.com/dp/B000000001?a='%20onclick='alert(1)",
    "https://www.amazon.com/dp/B000000001?a=&quot;&lt;&amp;amp;&#39;",
    "https://www.amazon.com/dp/B000000001?a=</a></main><!--",
  ])("keeps %s inside its attribute, byte for byte", (hostile) => {
    const document = parse(interstitial({ ...PAGE, appLink: hostile, webUrl: hostile }));
    expect(document.querySelectorAll("script")).toHaveLength(1);
    const [app, web] = document.querySelectorAll("a");
    expect([app?.getAttribute("href"), web?.getAttribute("href")]).toEqual([hostile, hostile]);
    expect(app?.getAttributeNames()).toEqual(["class", "id", "href", "data-automatic"]);
  });

  it("takes less than 6 KB without the address", () => {
    const empty = { appLink: "", webUrl: "", storeUrl: PAGE.storeUrl, isAutomatic: true };
    expect(Buffer.byteLength(interstitial(empty))).toBeLessThan(6000);
  });

  it("names no file outside itself, and its policy allows just what is in it", () => {
    const document = parse(interstitial(PAGE));
    expect(document.querySelectorAll("link, img, iframe, [src], [style], [onclick]")).toHaveLength(
      0,
    );
    expect(INTERSTITIAL_POLICY).toBe(
      contentSecurityPolicy({
        style: document.querySelector("style")?.textContent ?? "",
        script: document.querySelector("script")?.textContent ?? "",
      }),
    );
  });
});

describe("the interstitial's script", () => {
  /** Runs the script in a browser reduced to what the script may touch. */
  function arrive({ isAutomatic = true, navigation = "navigate", visibility = "visible" }) {
    const document = parse(interstitial({ ...PAGE, isAutomatic }));
    const opened: string[] = [];
    let visibilityState = visibility;
    Object.defineProperty(document, "visibilityState", { get: () => visibilityState });
    vm.runInNewContext(document.querySelector("script")?.textContent ?? "", {
      document,
      addEventListener: (_type: "load", listener: () => void) => listener(),
      performance: { getEntriesByType: () => [{ type: navigation }] },
      location: {
        set href(address: string) {
          opened.push(address);
        },
      },
    });
    return {
      opened,
      become(state: string) {
        visibilityState = state;
        document.dispatchEvent(new Event("visibilitychange"));
      },
    };
  }

  it("opens the app once on arrival", () => {
    const { opened, become } = arrive({});
    expect(opened).toEqual([PAGE.appLink]);
    become("hidden");
    become("visible");
    expect(opened).toHaveLength(1);
  });

  it.each(["back_forward", "reload", "prerender"])("lets the app be after a %s", (navigation) => {
    expect(arrive({ navigation }).opened).toEqual([]);
  });

  it("waits until somebody sees the page", () => {
    const { opened, become } = arrive({ visibility: "hidden" });
    expect(opened).toEqual([]);
    become("visible");
    expect(opened).toEqual([PAGE.appLink]);
  });

  it("lets the app be on a page that was fetched ahead", () => {
    expect(arrive({ isAutomatic: false }).opened).toEqual([]);
  });
});
