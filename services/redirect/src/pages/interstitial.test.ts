import vm from "node:vm";
import { IMAGE_HOSTS } from "@tapthru/proto/rules/amazon/images";
import type { AppOpeningStrategy } from "@tapthru/proto/rules/app-opening/app-opening";
import { BUILT_IN_OPENING_TABLE as TABLE } from "@tapthru/proto/rules/app-opening/built-in-app-opening";
import { type Language, PAGE_MESSAGES, perLanguage } from "@tapthru/proto/rules/pages/languages";
import { Event } from "happy-dom";
import { describe, expect, it } from "vitest";
import type { AppPage } from "../choose-destination.ts";
import { parseHtml as parse } from "../testing/start-world.ts";
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
  proof: "p".repeat(63),
};
const interstitial = (appPage: AppPage, { language = "en" as Language, ...known }: Partial<PageContext> = {}) =>
  page(appPage, {
    reportUrl: "/report?code=abc2345",
    report: REPORT,
    language,
    title: null,
    imageUrl: null,
    host: null,
    ...known,
  });

function strategyOf(id: string): AppOpeningStrategy {
  const strategy = TABLE.rows.find((candidate) => candidate.id === id);
  if (strategy === undefined) throw new Error(`no strategy ${id}`);
  return strategy;
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

  const APP = "Open in the Amazon app";
  const WEB = "Open amazon.com in the browser";
  const SAFARI = "x-safari-https://go.example/l/abc2345?tt_esc=1";
  const KAKAO = "kakaotalk://web/openExternal?url=x";

  it.each([
    ["pinterest-ios", {}, null, { links: [APP, WEB], others: [], first: PAGE.appLink }],
    ["tiktok-ios", { open: "web" }, SAFARI, { links: [WEB, APP], others: ["Open in Safari"], first: PAGE.webUrl }],
    ["kakaotalk-ios", {}, KAKAO, { links: ["Open outside this app", APP], others: [WEB], first: KAKAO }],
    ["wechat-android", {}, null, { links: [WEB, APP], others: [], first: PAGE.webUrl }],
  ] as const)("has for %s %o its choices in their order, if a tap opens the app", (id, rest, escapeUrl, expected) => {
    expect(texts({ ...TAP, escapeUrl, strategy: { ...strategyOf(id), ...rest } })).toMatchObject(expected);
  });

  it("mentions no attempt if a tap opens the app, and explains in WeChat how to leave it", () => {
    const paragraphsOf = (id: string) => texts({ ...TAP, strategy: strategyOf(id) }).paragraphs;
    const others = ["Don't have the Amazon app?Get it from the App Store", "Report this link"];
    expect(paragraphsOf("pinterest-ios")).toEqual(others);
    expect(paragraphsOf("wechat-android")[0]).toBe(
      'To open the Amazon app, first tap the menu (⋯) at the top and choose "Open in browser".',
    );
  });

  it("shows the product's title, shortened and as text", () => {
    const title = (text: string) => parse(interstitial(PAGE, { title: text })).querySelector("h1 + p")?.textContent;
    expect(title("<b>A lamp</b> & more")).toBe("<b>A lamp</b> & more");
    expect(title("x".repeat(81))).toBe(`${"x".repeat(80)}...`);
  });

  const HOSTILE = "<script>alert(1)</script> \u05d0\u05e0\u05d4";

  it("names who shared it under the heading, as text of its own direction, and says what Amazon asks affiliates to say", () => {
    const creatorOf = (known: Partial<PageContext>) =>
      [...parse(interstitial(PAGE, known)).querySelectorAll(".creator")].map((p) => p.textContent);
    expect(creatorOf({ creatorName: HOSTILE })).toEqual([`Shared by \u2068${HOSTILE}\u2069`]);
    expect(creatorOf({ creatorName: "Anna", showsDisclosure: true, language: "de" })).toEqual([
      "Geteilt von \u2068Anna\u2069",
      "Als Amazon-Partner verdiene ich an qualifizierten Verkäufen.",
    ]);
    expect(creatorOf({ showsDisclosure: true })).toEqual([PAGE_MESSAGES.en.amazonAssociate]);
    expect(creatorOf({})).toEqual([]);
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

  it("is right-to-left only in Arabic", () => {
    const directions = perLanguage((language) => parse(interstitial(PAGE, { language })).documentElement.dir);
    const { ar, ...others } = directions;
    expect(ar).toBe("rtl");
    expect(new Set(Object.values(others))).toEqual(new Set(["ltr"]));
  });

  it.each(Object.keys(PAGE_MESSAGES) as Language[])("takes less than 6.5 KB without addresses, in %s", (language) => {
    for (const strategy of TABLE.rows) {
      const empty = { ...PAGE, strategy, appLink: "", webUrl: "", escapeUrl: "" };
      const html = interstitial(empty, {
        language,
        title: "あ".repeat(200),
        creatorName: "あ".repeat(60),
        showsDisclosure: true,
      });
      expect(Buffer.byteLength(html)).toBeLessThan(6_500);
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
    const reports: [path: string, report: Record<string, unknown>][] = [];
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
    const show = (state: string) => {
      visibilityState = state;
      document.dispatchEvent(new Event("visibilitychange"));
    };
    const focus = (isFocused: boolean) => {
      hasFocus = isFocused;
      if (isFocused) listeners.focus?.();
    };
    /** The event of the page, or the text that is tapped. */
    const acts: Record<string, () => void> = {
      hide: () => show("hidden"),
      show: () => show("visible"),
      "wait ends": () => timers.shift()?.run(),
      "dialog opens": () => focus(false),
      "dialog closes": () => focus(true),
      "picture fails": () => void document.querySelector("img")?.dispatchEvent(new Event("error")),
    };
    const tap = (text: string) => {
      const link = [...document.querySelectorAll("a, button")].find(({ textContent }) => textContent === text);
      if (link === undefined) throw new Error(`no link ${text}`);
      link.dispatchEvent(new Event("click", { bubbles: true }));
    };
    return {
      opened,
      timers,
      heading: document.querySelector("h1")?.textContent,
      buttons: [...document.querySelectorAll("a.button")].map((a) => a.textContent),
      choices: shown.map((button) => button.textContent),
      pictures: () => document.querySelectorAll("img").length,
      act(...steps: string[]) {
        for (const step of steps) (acts[step] ?? (() => tap(step)))();
      },
      /** The outcomes that were reported. */
      outcomes: () =>
        reports.map(([path, { outcome, ...report }]) => {
          expect([path, report]).toEqual([REPORT.path, { row: REPORT.strategy, proof: REPORT.proof }]);
          return outcome;
        }),
    };
  }

  const APP = [PAGE.appLink];
  const TRY_AGAIN = "Try again in the Amazon app";
  const WEB = "Open amazon.com in the browser";
  const ALWAYS = "Always open in the browser";
  const TAP_FIRST: Partial<AppPage> = { isAutomatic: false, strategy: strategyOf("pinterest-ios") };
  const ANDROID: Partial<AppPage> = { strategy: strategyOf("browser-android") };
  const TELEGRAM = { TelegramWebviewProxy: {} };

  it.each<[PageLoad, string[], opened: string[], outcomes: string[]]>([
    [{}, ["hide", "show"], APP, ["opened"]],
    [{ page: ANDROID }, ["hide"], APP, ["unknown"]],
    [{}, ["wait ends", "hide"], APP, ["stayed"]],
    [{}, ["dialog opens", "wait ends"], APP, []],
    [{}, ["dialog opens", "wait ends", "hide"], APP, ["opened"]],
    [{}, ["dialog opens", "wait ends", "dialog closes"], APP, ["stayed"]],
    [{}, [WEB], APP, ["stayed"]],
    [{ navigation: "back_forward" }, [], [], []],
    [{ navigation: "reload" }, [], [], []],
    [{ navigation: "prerender" }, [], [], []],
    [{ visibility: "hidden" }, [], [], []],
    [{ visibility: "hidden" }, ["show"], APP, []],
    [{ page: { isAutomatic: false } }, [], [], []],
    [{ page: TAP_FIRST }, [WEB, "hide"], [], []],
    [{ page: TAP_FIRST }, ["Open in the Amazon app", "hide"], [], ["opened"]],
    // Its User-Agent is Safari's.
    [{ globals: TELEGRAM }, [TRY_AGAIN, "hide"], [], []],
    [{ globals: { localStorage: null } }, ["wait ends"], APP, ["stayed"]],
  ])("a page with %j, %j: opens %j and reports %j", (load, steps, opened, outcomes) => {
    const page = loadPage(load);
    page.act(...steps);
    expect([page.opened, page.outcomes()]).toEqual([opened, outcomes]);
  });

  it("waits for one and a half seconds", () => {
    expect(loadPage({}).timers.map(({ ms }) => ms)).toEqual([1500]);
  });

  it("offers the browser for later links, and skips the attempt once it was chosen", () => {
    const stored = new Map<string, string>();
    const first = loadPage({ stored });
    expect(first.choices).toEqual([ALWAYS]);
    first.act(ALWAYS, "hide");
    expect(first.opened).toEqual([PAGE.appLink, PAGE.webUrl]);
    const later = loadPage({ stored });
    expect([later.opened, later.outcomes(), later.choices]).toEqual([[], [], []]);
    expect([later.heading, later.buttons]).toEqual(["Continue to Amazon", [WEB, TRY_AGAIN]]);
    later.act(TRY_AGAIN, "hide");
    expect(later.outcomes()).toEqual(["opened"]);
    expect(loadPage({ stored }).opened).toEqual(APP);
  });

  it.each([
    ["is skipped after an attempt that did not open the app", ["wait ends", WEB, "hide"], []],
    ["is skipped if a tap does not open the app either", ["wait ends", TRY_AGAIN, "wait ends"], []],
    ["follows if the app opened, but at a wrong page", ["hide", "show", WEB], APP],
    ["follows if the app opens late", ["wait ends", "hide"], APP],
    ["follows if the app is installed", ["wait ends", "Get it from the App Store"], APP],
  ])("the next page's attempt %s", (_title, steps, opened) => {
    const stored = new Map<string, string>();
    loadPage({ stored }).act(...steps);
    expect(loadPage({ stored }).opened).toEqual(opened);
  });

  it("removes a picture that cannot be loaded", () => {
    const page = loadPage({ known: { imageUrl: "https://m.media-amazon.com/images/I/71abc.jpg" } });
    expect(page.pictures()).toBe(1);
    page.act("picture fails");
    expect(page.pictures()).toBe(0);
  });

  it("has no such choice where only a tap opens the app", () => {
    const stored = new Map([["opens-in-browser", "1"]]);
    const { choices, heading } = loadPage({ stored, page: TAP_FIRST });
    expect([choices, heading]).toEqual([[], "Continue to Amazon"]);
  });
});
