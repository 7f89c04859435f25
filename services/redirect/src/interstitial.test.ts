import vm from "node:vm";
import type { AppOpeningStrategy } from "@tapthru/proto/rules/app-opening";
import { BUILT_IN_OPENING_TABLE as TABLE } from "@tapthru/proto/rules/built-in-app-opening";
import {
  type Language,
  PAGE_MESSAGES,
  perLanguage,
} from "@tapthru/proto/rules/messages/pages/languages";
import { Event, Window } from "happy-dom";
import { describe, expect, it } from "vitest";
import type { AppPage } from "./choose-destination.ts";
import { contentSecurityPolicy } from "./content-security-policy.ts";
import { INTERSTITIAL_POLICY, interstitial as page } from "./interstitial.ts";

const PAGE: AppPage = {
  appLink: "com.amazon.mobile.shopping.web://www.amazon.com/dp/B000000001?tag=me-20&th=1",
  webUrl: "https://www.amazon.com/dp/B000000001?tag=me-20&th=1",
  storeUrl: "https://apps.apple.com/app/id297606951",
  escapeUrl: null,
  isAutomatic: true,
  strategy: rowOf("browser-ios"),
  tableVersion: TABLE.version,
};
const REPORT = { path: "/l/abc2345/outcome", row: "2026-11-20/browser-ios", proof: "p".repeat(43) };
const interstitial = (appPage: AppPage, language: Language = "en") =>
  page(appPage, { shortCode: "abc2345", report: REPORT, language });

function rowOf(id: string): AppOpeningStrategy {
  const row = TABLE.rows.find((candidate) => candidate.id === id);
  if (row === undefined) throw new Error(`no row ${id}`);
  return row;
}

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
      ["Report this link", "/report?code=abc2345"],
    ]);
    expect(document.querySelector("main")?.textContent).toContain("Don't have the Amazon app?");
  });

  const TAP: Partial<AppPage> = { isAutomatic: false };
  const texts = (fields: Partial<AppPage>) => {
    const document = parse(interstitial({ ...PAGE, ...fields }));
    return {
      paragraphs: [...document.querySelectorAll("p")].map((p) => p.textContent),
      links: [...document.querySelectorAll("a.button")].map((link) => link.textContent),
      first: document.querySelector("a.primary")?.getAttribute("href"),
    };
  };

  it("speaks of no attempt where the app opens by a tap", () => {
    const { paragraphs, links, first } = texts({ ...TAP, strategy: rowOf("pinterest-ios") });
    expect(paragraphs).toEqual([
      "Don't have the Amazon app?Get it from the App Store",
      "Report this link",
    ]);
    expect(links).toEqual(["Open in Amazon App", "Open in Web Browser"]);
    expect(first).toBe(PAGE.appLink);
  });

  it("offers the web first where the app hardly opens, and the way out last", () => {
    const escapeUrl = "x-safari-https://go.example/l/abc2345?tt_esc=1";
    const { links, first } = texts({ ...TAP, strategy: rowOf("tiktok-ios"), escapeUrl });
    expect(links).toEqual(["Open in Web Browser", "Open in Amazon App", "Open in Safari"]);
    expect(first).toBe(PAGE.webUrl);
  });

  it("offers the way out first where the row says so", () => {
    const escapeUrl = "kakaotalk://web/openExternal?url=x";
    const { links, first } = texts({ ...TAP, strategy: rowOf("kakaotalk-ios"), escapeUrl });
    expect(links).toEqual(["Open outside this app", "Open in Amazon App", "Open in Web Browser"]);
    expect(first).toBe(escapeUrl);
  });

  it("says in WeChat how to leave it", () => {
    const { paragraphs, links } = texts({ ...TAP, strategy: rowOf("wechat-android") });
    expect(paragraphs[0]).toBe(
      'To open the Amazon app, first tap the menu (⋯) at the top and choose "Open in browser".',
    );
    expect(links).toEqual(["Open in Web Browser", "Open in Amazon App"]);
  });

  it("has a real link to the app and to the web by every row", () => {
    for (const row of TABLE.rows) {
      const document = parse(
        interstitial({ ...PAGE, strategy: row, escapeUrl: "https://go.example/" }),
      );
      const addresses = [...document.querySelectorAll("a")].map((link) =>
        link.getAttribute("href"),
      );
      expect(addresses).toEqual(expect.arrayContaining([PAGE.appLink, PAGE.webUrl, PAGE.storeUrl]));
    }
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
    expect(app?.getAttributeNames()).toEqual(["class", "id", "href"]);
  });

  it("says all of it in German", () => {
    const document = parse(interstitial(PAGE, "de"));
    expect(document.documentElement.lang).toBe("de");
    expect(document.title).toBe("Amazon wird geöffnet …");
    expect([...document.querySelectorAll("a")].map((link) => link.textContent)).toEqual([
      "Erneut in der Amazon-App öffnen",
      "Im Webbrowser öffnen",
      "App herunterladen",
      "Diesen Link melden",
    ]);
    expect(document.querySelector("main")?.textContent).not.toMatch(/\b(open|the|Don't)\b/i);
  });

  it("runs from right to left in Arabic alone", () => {
    const directions = perLanguage(
      (language) => parse(interstitial(PAGE, language)).documentElement.dir,
    );
    const { ar, ...others } = directions;
    expect(ar).toBe("rtl");
    expect(new Set(Object.values(others))).toEqual(new Set(["ltr"]));
  });

  it.each(Object.keys(PAGE_MESSAGES) as Language[])(
    "takes less than 6 KB without the address, in %s",
    (language) => {
      for (const row of TABLE.rows) {
        const empty = { ...PAGE, row, appLink: "", webUrl: "", escapeUrl: "" };
        expect(Buffer.byteLength(interstitial(empty, language))).toBeLessThan(6000);
      }
    },
  );

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
  interface Arrival {
    page?: Partial<AppPage>;
    navigation?: string;
    visibility?: string;
    globals?: Record<string, unknown>;
  }

  /** Runs the script in a browser reduced to what the script may touch. */
  function arrive({
    page = {},
    navigation = "navigate",
    visibility = "visible",
    globals,
  }: Arrival) {
    const document = parse(interstitial({ ...PAGE, ...page }));
    const opened: string[] = [];
    const told: unknown[] = [];
    const timers: { run: () => void; ms: number }[] = [];
    const listeners: Record<string, () => void> = {};
    let visibilityState = visibility;
    let hasFocus = true;
    Object.defineProperty(document, "visibilityState", { get: () => visibilityState });
    Object.defineProperty(document, "hasFocus", { value: () => hasFocus });
    vm.runInNewContext(document.querySelector("script")?.textContent ?? "", {
      document,
      addEventListener: (type: string, listener: () => void) => {
        listeners[type] = listener;
      },
      performance: { getEntriesByType: () => [{ type: navigation }] },
      setTimeout: (run: () => void, ms: number) => timers.push({ run, ms }),
      navigator: {
        sendBeacon: (path: string, body: string) => told.push([path, JSON.parse(body)]),
      },
      location: {
        set href(address: string) {
          opened.push(address);
        },
      },
      ...globals,
    });
    listeners.load?.();
    return {
      opened,
      told,
      timers,
      passWait: () => timers.shift()?.run(),
      become(state: string) {
        visibilityState = state;
        document.dispatchEvent(new Event("visibilitychange"));
      },
      setFocus(isThere: boolean) {
        hasFocus = isThere;
        if (isThere) listeners.focus?.();
      },
      tap(text: string) {
        const link = [...document.querySelectorAll("a")].find((a) => a.textContent === text);
        link?.dispatchEvent(new Event("click", { bubbles: true }));
      },
    };
  }

  const reported = (outcome: string) => [
    REPORT.path,
    { row: REPORT.row, outcome, proof: REPORT.proof },
  ];
  const TAP_FIRST: Partial<AppPage> = { isAutomatic: false, strategy: rowOf("pinterest-ios") };

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

  it("lets the app be on a page that was fetched ahead, and where a tap opens it", () => {
    expect(arrive({ page: { isAutomatic: false } }).opened).toEqual([]);
    expect(arrive({ page: TAP_FIRST }).opened).toEqual([]);
  });

  it("lets the app be in Telegram, whose agent says Safari, and tells nothing of Safari's row", () => {
    const { opened, told, tap, become } = arrive({ globals: { TelegramWebviewProxy: {} } });
    tap("Try Again to Open in Amazon App");
    become("hidden");
    expect([opened, told]).toEqual([[], []]);
  });

  it("tells that the app opened when iOS hides the page", () => {
    const { told, become } = arrive({});
    become("hidden");
    expect(told).toEqual([reported("opened")]);
  });

  it("tells on Android that it does not know what hid the page", () => {
    const { told, become } = arrive({ page: { strategy: rowOf("browser-android") } });
    become("hidden");
    expect(told).toEqual([reported("unknown")]);
  });

  it("tells that the page stayed once the wait is over, and then goes nowhere", () => {
    const { opened, told, timers, passWait, become } = arrive({});
    expect(timers.map(({ ms }) => ms)).toEqual([1500]);
    passWait();
    expect(told).toEqual([reported("stayed")]);
    become("hidden");
    expect(told).toHaveLength(1);
    expect(opened).toEqual([PAGE.appLink]);
  });

  it("waits for the answer to a question that lies over the page", () => {
    const accepted = arrive({});
    accepted.setFocus(false);
    accepted.passWait();
    expect(accepted.told).toEqual([]);
    accepted.become("hidden");
    expect(accepted.told).toEqual([reported("opened")]);

    const refused = arrive({});
    refused.setFocus(false);
    refused.passWait();
    refused.setFocus(true);
    expect(refused.told).toEqual([reported("stayed")]);
  });

  it("tells that the page stayed when another choice is taken", () => {
    const { told, tap } = arrive({});
    tap("Open in Web Browser");
    expect(told).toEqual([reported("stayed")]);
  });

  it("tells nothing of an app that nobody tried", () => {
    const { told, tap, become } = arrive({ page: TAP_FIRST });
    tap("Open in Web Browser");
    become("hidden");
    expect(told).toEqual([]);
  });

  it("tells what came of a tap", () => {
    const { told, tap, become } = arrive({ page: TAP_FIRST });
    tap("Open in Amazon App");
    become("hidden");
    expect(told).toEqual([reported("opened")]);
  });
});
