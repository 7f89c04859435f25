import vm from "node:vm";
import { IMAGE_HOSTS } from "@tapthru/proto/rules/amazon/images";
import type { AppOpeningStrategy } from "@tapthru/proto/rules/app-opening/app-opening";
import { BUILT_IN_OPENING_TABLE as TABLE } from "@tapthru/proto/rules/app-opening/built-in-app-opening";
import { type Language, PAGE_MESSAGES, perLanguage } from "@tapthru/proto/rules/messages/pages/languages";
import { Event, Window } from "happy-dom";
import { describe, expect, it } from "vitest";
import type { AppPage } from "../choose-destination.ts";
import { contentSecurityPolicy } from "./content-security-policy.ts";
import { INTERSTITIAL_POLICY, interstitialPolicy, type PageContext, interstitial as page } from "./interstitial.ts";

const PAGE: AppPage = {
  appLink: "com.amazon.mobile.shopping.web://www.amazon.com/dp/B000000001?tag=me-20&th=1",
  webUrl: "https://www.amazon.com/dp/B000000001?tag=me-20&th=1",
  storeUrl: "https://apps.apple.com/app/id297606951",
  escapeUrl: null,
  isAutomatic: true,
  routed: null,
  strategy: strategyOf("browser-ios"),
  tableVersion: TABLE.version,
};
const REPORT = {
  path: "/l/abc2345/outcome",
  strategy: "2026-11-20/browser-ios",
  proof: "p".repeat(43),
};
const interstitial = (appPage: AppPage, { language = "en" as Language, ...known }: Partial<PageContext> = {}) =>
  page(appPage, {
    ...{ reportUrl: "/report?code=abc2345", report: REPORT, language },
    ...{ title: null, imageUrl: null, host: null },
    ...known,
  });

function strategyOf(id: string): AppOpeningStrategy {
  const strategy = TABLE.rows.find((candidate) => candidate.id === id);
  if (strategy === undefined) throw new Error(`no strategy ${id}`);
  return strategy;
}

function parse(html: string) {
  const { document } = new Window();
  document.write(html);
  return document;
}

describe("interstitial", () => {
  it("says what it does, with a real link for each choice", () => {
    const document = parse(interstitial(PAGE));
    expect(document.title).toBe("Opening Amazon...");
    expect(document.querySelector("h1")?.textContent).toBe("Opening Amazon...");
    expect(document.querySelector("p")?.textContent).toBe(
      "If the Amazon app didn't open automatically or opened to the wrong page, please use one of the options below:",
    );
    const links = [...document.querySelectorAll("a")];
    expect(links.map((link) => [link.textContent, link.getAttribute("href")])).toEqual([
      ["Try again in the Amazon app", PAGE.appLink],
      ["Open amazon.com in the browser", PAGE.webUrl],
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
      others: [...document.querySelectorAll("a.text")].map((link) => link.textContent),
      first: document.querySelector("a.primary")?.getAttribute("href"),
    };
  };

  it("does not mention an attempt if the app opens on a tap", () => {
    const { paragraphs, links, first } = texts({ ...TAP, strategy: strategyOf("pinterest-ios") });
    expect(paragraphs).toEqual(["Don't have the Amazon app?Get it from the App Store", "Report this link"]);
    expect(links).toEqual(["Open in the Amazon app", "Open amazon.com in the browser"]);
    expect(first).toBe(PAGE.appLink);
  });

  it("offers the web first if the app rarely opens, and leaving the in-app browser as a small link", () => {
    const escapeUrl = "x-safari-https://go.example/l/abc2345?tt_esc=1";
    const strategy = { ...strategyOf("tiktok-ios"), open: "web" } as const;
    const { links, first, others } = texts({ ...TAP, strategy, escapeUrl });
    expect(links).toEqual(["Open amazon.com in the browser", "Open in the Amazon app"]);
    expect(others).toEqual(["Open in Safari"]);
    expect(first).toBe(PAGE.webUrl);
  });

  it("offers leaving the in-app browser first if the strategy says so, and the web as a small link", () => {
    const escapeUrl = "kakaotalk://web/openExternal?url=x";
    const strategy = strategyOf("kakaotalk-ios");
    const { links, first, others } = texts({ ...TAP, strategy, escapeUrl });
    expect(links).toEqual(["Open outside this app", "Open in the Amazon app"]);
    expect(others).toEqual(["Open amazon.com in the browser"]);
    expect(first).toBe(escapeUrl);
  });

  it("says 'Continue to Amazon' if the app opens on a tap", () => {
    const document = parse(interstitial({ ...PAGE, ...TAP, strategy: strategyOf("pinterest-ios") }));
    expect(document.title).toBe("Continue to Amazon");
    expect(document.querySelector("h1")?.textContent).toBe("Continue to Amazon");
  });

  it("names Google Play on Android", () => {
    const { paragraphs } = texts({ strategy: strategyOf("browser-android") });
    expect(paragraphs).toContain("Don't have the Amazon app?Get it on Google Play");
  });

  it("shows the product's title, shortened and as text", () => {
    const title = (text: string) => parse(interstitial(PAGE, { title: text })).querySelector("h1 + p")?.textContent;
    expect(title("<b>A lamp</b> & more")).toBe("<b>A lamp</b> & more");
    expect(title("x".repeat(81))).toBe(`${"x".repeat(80)}...`);
  });

  it("shows the product's picture, which does not delay the app, and the own domain", () => {
    const imageUrl = "https://m.media-amazon.com/images/I/71abc.jpg";
    const document = parse(interstitial(PAGE, { imageUrl, host: "go.anna.example" }));
    const image = document.querySelector("img");
    expect(image?.getAttribute("src")).toBe(imageUrl);
    expect(image?.getAttribute("loading")).toBe("lazy");
    expect(image?.getAttribute("referrerpolicy")).toBe("no-referrer");
    expect(interstitialPolicy(imageUrl)).toContain(`img-src 'self' ${IMAGE_HOSTS.join(" ")};`);
    expect(document.querySelector(".host")?.textContent).toBe("go.anna.example");
  });

  it("shows no picture of another host than Amazon's", () => {
    const imageUrl = "https://evil.example/images/I/71abc.jpg";
    expect(parse(interstitial(PAGE, { imageUrl })).querySelector("img, .host")).toBeNull();
    expect(interstitialPolicy(imageUrl)).toBe(INTERSTITIAL_POLICY);
  });

  it("explains in WeChat how to leave it", () => {
    const { paragraphs, links } = texts({ ...TAP, strategy: strategyOf("wechat-android") });
    expect(paragraphs[0]).toBe(
      'To open the Amazon app, first tap the menu (⋯) at the top and choose "Open in browser".',
    );
    expect(links).toEqual(["Open amazon.com in the browser", "Open in the Amazon app"]);
  });

  it("has a real link to the app, the web and the store with every strategy", () => {
    for (const strategy of TABLE.rows) {
      const document = parse(interstitial({ ...PAGE, strategy, escapeUrl: "https://go.example/" }));
      const addresses = [...document.querySelectorAll("a")].map((link) => link.getAttribute("href"));
      expect(addresses).toEqual(expect.arrayContaining([PAGE.appLink, PAGE.webUrl, PAGE.storeUrl]));
    }
  });

  it.each([
    `https://www.amazon.com/dp/B000000001?a="><script>alert(1)</script>`,
    "https://www.amazon.com/dp/B000000001?a='%20onclick='alert(1)",
    "https://www.amazon.com/dp/B000000001?a=&quot;&lt;&amp;amp;&#39;",
    "https://www.amazon.com/dp/B000000001?a=</a></main><!--",
  ])("keeps %s unchanged inside its attribute", (hostile) => {
    const document = parse(interstitial({ ...PAGE, appLink: hostile, webUrl: hostile }));
    expect(document.querySelectorAll("script")).toHaveLength(1);
    const [app, web] = document.querySelectorAll("a");
    expect([app?.getAttribute("href"), web?.getAttribute("href")]).toEqual([hostile, hostile]);
    expect(app?.getAttributeNames()).toEqual(["class", "id", "href"]);
  });

  it("is completely in German", () => {
    const document = parse(interstitial(PAGE, { language: "de" }));
    expect(document.documentElement.lang).toBe("de");
    expect(document.title).toBe("Amazon wird geöffnet …");
    expect([...document.querySelectorAll("a")].map((link) => link.textContent)).toEqual([
      "Erneut in der Amazon-App öffnen",
      "amazon.com im Browser öffnen",
      "App herunterladen",
      "Diesen Link melden",
    ]);
    expect(document.querySelector("main")?.textContent).not.toMatch(/\b(open|the|Don't)\b/i);
  });

  it("is right-to-left only in Arabic", () => {
    const directions = perLanguage((language) => parse(interstitial(PAGE, { language })).documentElement.dir);
    const { ar, ...others } = directions;
    expect(ar).toBe("rtl");
    expect(new Set(Object.values(others))).toEqual(new Set(["ltr"]));
  });

  it.each(Object.keys(PAGE_MESSAGES) as Language[])("takes less than 6 KB without addresses, in %s", (language) => {
    for (const strategy of TABLE.rows) {
      const empty = { ...PAGE, strategy, appLink: "", webUrl: "", escapeUrl: "" };
      const html = interstitial(empty, { language, title: "あ".repeat(200) });
      expect(Buffer.byteLength(html)).toBeLessThan(6000);
    }
  });

  it("loads no other file, and its policy allows only its inline style and script", () => {
    const document = parse(interstitial(PAGE));
    expect(document.querySelectorAll("link, img, iframe, [src], [style], [onclick]")).toHaveLength(0);
    expect(INTERSTITIAL_POLICY).toBe(
      contentSecurityPolicy({
        style: document.querySelector("style")?.textContent ?? "",
        script: document.querySelector("script")?.textContent ?? "",
      }),
    );
  });
});

describe("interstitial script", () => {
  interface PageLoad {
    page?: Partial<AppPage>;
    navigation?: string;
    visibility?: string;
    globals?: Record<string, unknown>;
    /** The phone's storage. */
    stored?: Map<string, string>;
    known?: Partial<PageContext>;
  }

  /** Runs the script with only the browser APIs it uses. */
  function loadPage({
    page = {},
    navigation = "navigate",
    visibility = "visible",
    globals,
    stored = new Map(),
    known,
  }: PageLoad) {
    const document = parse(interstitial({ ...PAGE, ...page }, known));
    const opened: string[] = [];
    const reports: unknown[] = [];
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
      localStorage: {
        getItem: (key: string) => stored.get(key) ?? null,
        setItem: (key: string, value: string) => stored.set(key, value),
        removeItem: (key: string) => stored.delete(key),
      },
      performance: { getEntriesByType: () => [{ type: navigation }] },
      setTimeout: (run: () => void, ms: number) => timers.push({ run, ms }),
      navigator: {
        sendBeacon: (path: string, body: string) => reports.push([path, JSON.parse(body)]),
      },
      location: {
        set href(address: string) {
          opened.push(address);
        },
      },
      ...globals,
    });
    listeners.load?.();
    const shown = [...document.querySelectorAll("button")].filter((a) => !a.hasAttribute("hidden"));
    return {
      opened,
      reports,
      timers,
      heading: document.querySelector("h1")?.textContent,
      buttons: [...document.querySelectorAll("a.button")].map((a) => a.textContent),
      choices: shown.map((button) => button.textContent),
      pictures: () => document.querySelectorAll("img").length,
      failPicture: () => document.querySelector("img")?.dispatchEvent(new Event("error")),
      endWait: () => timers.shift()?.run(),
      setVisibility(state: string) {
        visibilityState = state;
        document.dispatchEvent(new Event("visibilitychange"));
      },
      setFocus(isFocused: boolean) {
        hasFocus = isFocused;
        if (isFocused) listeners.focus?.();
      },
      tap(text: string) {
        const link = [...document.querySelectorAll("a, button")].find(({ textContent }) => textContent === text);
        link?.dispatchEvent(new Event("click", { bubbles: true }));
      },
    };
  }

  const expectedReport = (outcome: string) => [REPORT.path, { row: REPORT.strategy, outcome, proof: REPORT.proof }];
  const TAP_FIRST: Partial<AppPage> = { isAutomatic: false, strategy: strategyOf("pinterest-ios") };

  it("opens the app once on load", () => {
    const { opened, setVisibility } = loadPage({});
    expect(opened).toEqual([PAGE.appLink]);
    setVisibility("hidden");
    setVisibility("visible");
    expect(opened).toHaveLength(1);
  });

  it.each(["back_forward", "reload", "prerender"])("does not open the app after a %s", (navigation) => {
    expect(loadPage({ navigation }).opened).toEqual([]);
  });

  it("waits until the page is visible", () => {
    const { opened, setVisibility } = loadPage({ visibility: "hidden" });
    expect(opened).toEqual([]);
    setVisibility("visible");
    expect(opened).toEqual([PAGE.appLink]);
  });

  it("does not open the app on a prefetched page, or if a tap opens it", () => {
    expect(loadPage({ page: { isAutomatic: false } }).opened).toEqual([]);
    expect(loadPage({ page: TAP_FIRST }).opened).toEqual([]);
  });

  it("neither opens the app nor reports in Telegram, whose User-Agent is Safari's", () => {
    const { opened, reports, tap, setVisibility } = loadPage({
      globals: { TelegramWebviewProxy: {} },
    });
    tap("Try again in the Amazon app");
    setVisibility("hidden");
    expect([opened, reports]).toEqual([[], []]);
  });

  it("reports `opened` when iOS hides the page", () => {
    const { reports, setVisibility } = loadPage({});
    setVisibility("hidden");
    expect(reports).toEqual([expectedReport("opened")]);
  });

  it("reports `unknown` when Android hides the page", () => {
    const { reports, setVisibility } = loadPage({
      page: { strategy: strategyOf("browser-android") },
    });
    setVisibility("hidden");
    expect(reports).toEqual([expectedReport("unknown")]);
  });

  it("reports `stayed` after the wait, and does nothing more", () => {
    const { opened, reports, timers, endWait, setVisibility } = loadPage({});
    expect(timers.map(({ ms }) => ms)).toEqual([1500]);
    endWait();
    expect(reports).toEqual([expectedReport("stayed")]);
    setVisibility("hidden");
    expect(reports).toHaveLength(1);
    expect(opened).toEqual([PAGE.appLink]);
  });

  it("waits while a system dialog covers the page", () => {
    const accepted = loadPage({});
    accepted.setFocus(false);
    accepted.endWait();
    expect(accepted.reports).toEqual([]);
    accepted.setVisibility("hidden");
    expect(accepted.reports).toEqual([expectedReport("opened")]);

    const refused = loadPage({});
    refused.setFocus(false);
    refused.endWait();
    refused.setFocus(true);
    expect(refused.reports).toEqual([expectedReport("stayed")]);
  });

  it("reports `stayed` when another choice is tapped", () => {
    const { reports, tap } = loadPage({});
    tap("Open amazon.com in the browser");
    expect(reports).toEqual([expectedReport("stayed")]);
  });

  it("reports nothing without an attempt to open the app", () => {
    const { reports, tap, setVisibility } = loadPage({ page: TAP_FIRST });
    tap("Open amazon.com in the browser");
    setVisibility("hidden");
    expect(reports).toEqual([]);
  });

  it("reports the outcome of a tap", () => {
    const { reports, tap, setVisibility } = loadPage({ page: TAP_FIRST });
    tap("Open in the Amazon app");
    setVisibility("hidden");
    expect(reports).toEqual([expectedReport("opened")]);
  });

  const ALWAYS = "Always open in the browser";

  it("offers the browser for later links, and skips the attempt once it was chosen", () => {
    const stored = new Map<string, string>();
    const first = loadPage({ stored });
    expect(first.choices).toEqual([ALWAYS]);
    first.tap(ALWAYS);
    expect(first.opened).toEqual([PAGE.appLink, PAGE.webUrl]);
    first.setVisibility("hidden");
    const { opened, reports, heading, choices, buttons } = loadPage({ stored });
    expect([opened, reports]).toEqual([[], []]);
    expect(heading).toBe("Continue to Amazon");
    expect(choices).toEqual([]);
    expect(buttons).toEqual(["Open amazon.com in the browser", "Try again in the Amazon app"]);
  });

  it("opens the app again after one tap", () => {
    const stored = new Map<string, string>();
    loadPage({ stored }).tap(ALWAYS);
    const page = loadPage({ stored });
    page.tap("Try again in the Amazon app");
    page.setVisibility("hidden");
    expect(page.reports).toEqual([expectedReport("opened")]);
    expect(loadPage({ stored }).opened).toEqual([PAGE.appLink]);
  });

  it("goes on with the browser if the tap does not open the app either", () => {
    const stored = new Map<string, string>();
    const page = loadPage({ stored });
    page.endWait();
    page.tap("Try again in the Amazon app");
    page.endWait();
    expect(loadPage({ stored }).opened).toEqual([]);
  });

  it("does not skip the attempt after the app opened, but to a wrong page", () => {
    const stored = new Map<string, string>();
    const page = loadPage({ stored });
    page.setVisibility("hidden");
    page.setVisibility("visible");
    page.tap("Open amazon.com in the browser");
    expect(loadPage({ stored }).opened).toEqual([PAGE.appLink]);
  });

  it("skips the attempt after one that did not open the app", () => {
    const stored = new Map<string, string>();
    const page = loadPage({ stored });
    page.endWait();
    page.tap("Open amazon.com in the browser");
    page.setVisibility("hidden");
    expect(loadPage({ stored }).opened).toEqual([]);
  });

  it.each([
    ["opens late", (page: ReturnType<typeof loadPage>) => page.setVisibility("hidden")],
    ["is installed", (page: ReturnType<typeof loadPage>) => page.tap("Get it from the App Store")],
  ])("tries again after an attempt whose app %s", (_what, act) => {
    const stored = new Map<string, string>();
    const page = loadPage({ stored });
    page.endWait();
    act(page);
    expect(loadPage({ stored }).opened).toEqual([PAGE.appLink]);
  });

  it("opens the app where the browser has no storage", () => {
    const { opened, endWait } = loadPage({ globals: { localStorage: null } });
    endWait();
    expect(opened).toEqual([PAGE.appLink]);
  });

  it("removes a picture that cannot be loaded", () => {
    const { pictures, failPicture } = loadPage({
      known: { imageUrl: "https://m.media-amazon.com/images/I/71abc.jpg" },
    });
    expect(pictures()).toBe(1);
    failPicture();
    expect(pictures()).toBe(0);
  });

  it("has no such choice where only a tap opens the app", () => {
    const stored = new Map([["opens-in-browser", "1"]]);
    const { choices, heading } = loadPage({ stored, page: TAP_FIRST });
    expect([choices, heading]).toEqual([[], "Continue to Amazon"]);
  });
});
