import { MARKETPLACES } from "@tapthru/proto/rules/amazon/marketplaces";
import type { Fault } from "./faults.ts";
import {
  dynamicImage,
  imageElement,
  imageUrl,
  landingImage,
  openGraph,
  productPage,
  renderPage,
  type StorePage,
} from "./pages.ts";
import { gzipBomb, hugePage, type StandInResponse, tagFlood } from "./response.ts";

export type PageHandler = (page: StorePage) => StandInResponse;

export const page =
  (body: string, status = 200): PageHandler =>
  () => ({ status, body });
const file = (name: string, status?: number) => page(renderPage(name), status);
const titled = (title: string) => page(productPage({ title, picture: landingImage("71Lamp") }));
const pictured = (picture: string) => page(productPage({ title: "Desk lamp", picture }));
export const to =
  (location: string, status = 301): PageHandler =>
  () => ({ status, location });
export const fault =
  (fault: Fault): PageHandler =>
  () => ({ fault });

/** The image of a book (`imgBlkFront`) or of a Kindle book (`ebooksImgBlkFront`). */
const coverImage = (id: string, name: string) =>
  imageElement({
    id,
    class: "a-dynamic-image image-stretch-vertical frontImage",
    src: "data:image/webp;base64,UklGRhYAAABXRUJQVlA4TAoAAAAvAAAAAEX/I/of",
    "data-a-dynamic-image": dynamicImage(`${name}._`),
  });

/** Titles in different scripts, by language; English in the others. */
const LAMP_TITLES: Record<string, string> = {
  ar: "مصباح مكتب قابل للتعتيم",
  fr: "Lampe de bureau à intensité réglable, œil-de-bœuf",
  ja: "デスクライト 調光式【2026年版】",
  pl: "Lampka na biurko z możliwością ściemniania",
};

/** Readable product pages, with the elements of real ones. */
const GOOD_PAGES: Record<string, PageHandler> = {
  B0DESKTOP1: titled("Desk lamp,\n          dimmable  &ndash; black"),
  B0DYNAMIC1: pictured(landingImage("71Lamp", { "data-old-hires": "" })),
  B0SRCONLY1: pictured(imageElement({ id: "landingImage", src: imageUrl("71Lamp._AC_SX300_") })),
  B0BOOKPAGE: page(productPage({ title: "A book", picture: coverImage("imgBlkFront", "51Book") })),
  B0KINDLE01: page(productPage({ title: "A Kindle book", picture: coverImage("ebooksImgBlkFront", "41Kindle") })),
  B0NOIMAGE1: pictured(""),
  B0BOTHWAYS: page(
    productPage({
      title: "Desk lamp",
      picture: landingImage("71Lamp"),
      head: openGraph({ title: "Amazon.com: Desk lamp", image: imageUrl("71Other._SL500_") }),
    }),
  ),
  B0LANGUAGE: ({ marketplace }) => {
    const [language = "en"] = MARKETPLACES[marketplace].languages;
    const title = LAMP_TITLES[language] ?? "Desk lamp, dimmable";
    const body = productPage({ language, title, picture: landingImage("71Lamp") });
    return { status: 200, body };
  },
  B0COOKIES1: page(
    productPage({
      title: "Schreibtischlampe",
      more: '<form id="sp-cc" action="/privacyprefs/retail/v1/acceptall"><button id="sp-cc-accept">Akzeptieren</button></form>',
    }),
  ),
  B0QUOTES01: page(
    productPage({
      title: "Robot Check: the board game",
      more: "<p>Looking for something? Enter the characters you see: the Dogs of Amazon.</p>",
    }),
  ),
  B0MOVEDONE: to("/dp/B0DESKTOP1?th=1"),
  B0MOVEDTWO: ({ marketplace }) => ({
    status: 302,
    location: `https://amazon.${marketplace}/dp/B0MOVEDONE`,
  }),
};

/** Pages with titles that must be cleaned. */
const TITLE_PAGES: Record<string, PageHandler> = {
  B0SCRIPT01: titled("Lamp <script>alert(document.domain)</script><b onclick=alert(1)>black</b>"),
  B0ENTITIES: titled("&lt;script&gt;alert(1)&lt;/script&gt; &quot;Lamp&quot; &amp;amp; &#128161;"),
  B0RTLTITLE: titled("Lamp \u202egnp.exe\u202c \u2066مصباح\u2069 \u200fdesk"),
  B0CONTROLS: titled("La\u0001mp \u0007desk\u007f\u0085 &#x1b;&#1;light"),
  B0LONGNAME: titled("Lamp \u{1f4a1} ".repeat(1_429)),
  B0LONGWORD: titled("\u{1f4a1}".repeat(10_000)),
  B0BLANKTTL: page(productPage({ title: "\u200e &nbsp; \u3000\u202e " })),
};

/** Pages with an invalid image, or with other images besides the product's. */
const IMAGE_PAGES: Record<string, PageHandler> = {
  B0GREYPIX1: pictured(
    imageElement({
      id: "landingImage",
      src: "https://m.media-amazon.com/images/G/01/x-locale/common/grey-pixel.gif",
      "data-old-hires": "",
    }),
  ),
  B0SPRITE01: page(
    renderPage("open-graph", {
      head: openGraph({
        title: "Desk lamp",
        image: "https://m.media-amazon.com/images/G/01/nav-sprite.png",
      }),
    }),
  ),
  B0ALIENIMG: pictured(imageElement({ id: "landingImage", src: "https://evil.example/images/I/71Lamp.jpg" })),
  B0SCRIPTIM: pictured(imageElement({ id: "landingImage", src: "javascript:alert(document.domain)" })),
  B0BADJSON1: pictured(landingImage("71Lamp", { "data-old-hires": "", "data-a-dynamic-image": '{"https:' })),
  B0ALIENDYN: pictured(
    landingImage("71Lamp", {
      "data-old-hires": "http://m.media-amazon.com/images/I/71Lamp.jpg",
      "data-a-dynamic-image": JSON.stringify({
        "https://evil.example/huge.jpg": [9_000, 9_000],
        ...JSON.parse(dynamicImage("71Lamp._AC_")),
      }),
    }),
  ),
};

/** Responses that a server gets instead of the product page. */
const OBSTACLES: Record<string, PageHandler> = {
  B0CAPTCHA1: file("captcha"),
  B0CAPTCHA2: file("captcha", 503),
  B0CONTINUE: file("captcha-button"),
  B0ROBOTCHK: file("robot-check"),
  B0NAMEONLY: file("name-only"),
  B0WAFTOKEN: file("firewall", 202),
  B0BOTMANAG: file("bot-manager"),
  B0DRESSEDC: file("disguised-captcha"),
  B0CONSENT1: file("cookie-consent"),
  B0ERROR503: file("error", 503),
  B0ERROR200: file("error"),
  B0ERROR500: page("", 500),
  B0GONE0404: file("not-found", 404),
  B0GONE0200: file("not-found"),
  B0REFUSED1: page("<h1>Forbidden</h1>", 403),
  B0TOOMANY1: page("<h1>Too many requests</h1>", 429),
  B0OUTOFTWN: to("https://evil.example/dp/B0DESKTOP1"),
  B0OTHERSTR: ({ marketplace }) => ({
    status: 301,
    location: `https://www.amazon.${marketplace === "de" ? "fr" : "de"}/dp/B0DESKTOP1`,
  }),
  B0INSECURE: ({ marketplace }) => ({
    status: 301,
    location: `http://www.amazon.${marketplace}/dp/B0DESKTOP1`,
  }),
  B0LOOPHERE: to("/dp/B0LOOPHERE"),
  B0NOWHERE1: () => ({ status: 302 }),
  B0PICTURE1: () => ({ status: 200, contentType: "image/jpeg", body: "\xff\xd8" }),
  B0NOTHING1: page(""),
  B0WORDLESS: page("<!doctype html><title>A page of another kind</title><p>Hello.</p>"),
};

/** Responses that slow a reader down or exhaust its memory. */
const HOSTILE_PAGES: Record<string, PageHandler> = {
  B0HANGS001: fault("hangs"),
  B0DRIPHEAD: fault("slow headers"),
  B0DRIPBODY: fault("slow page"),
  B0ENDLESSH: fault("endless headers"),
  B0ENDLESS1: fault("endless page"),
  B0BREAKOFF: fault("closes early"),
  B0BREAKPAG: fault("closes within the page"),
  B0NOHTTP01: fault("sends no HTTP"),
  B0HUGEPAGE: () => ({ status: 200, body: hugePage(productPage({ title: "Desk lamp" })) }),
  B0GZIPBOMB: gzipBomb,
  B0NESTEDIV: () => ({ status: 200, body: tagFlood("<div>") }),
  B0PARAGRPH: () => ({ status: 200, body: tagFlood("<p>") }),
};

/** Pages by ASIN. Any other ASIN has a plain product page. */
export const PRODUCT_PAGES: Readonly<Record<string, PageHandler>> = {
  ...GOOD_PAGES,
  ...TITLE_PAGES,
  ...IMAGE_PAGES,
  ...OBSTACLES,
  ...HOSTILE_PAGES,
};
