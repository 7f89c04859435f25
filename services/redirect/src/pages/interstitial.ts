import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import type { OwnerRecord } from "@tapthru/proto/redirect/owner";
import { IMAGE_HOSTS, productImage } from "@tapthru/proto/rules/amazon/images";
import {
  type AppChoice,
  appChoices,
  appHeading,
  appHint,
  appStoreText,
} from "@tapthru/proto/rules/app-opening/app-page";
import { APP_OPENING_WAIT_MS } from "@tapthru/proto/rules/limits";
import { escapeHtml } from "@tapthru/proto/rules/page-style";
import { type Language, PAGE_MESSAGES, perLanguage, textDirection } from "@tapthru/proto/rules/pages/languages";
import type { PageMessages } from "@tapthru/proto/rules/pages/page-messages";
import { shortenText } from "@tapthru/proto/rules/shorten-text";
import type { AppPage, RoutedPage } from "../choose-destination.ts";
import { contentSecurityPolicy } from "./content-security-policy.ts";
import { PAGE_STYLE } from "./page-style.ts";

// The animated line under the heading is decoration. It lasts as long as the app may take to open; the choices follow it.
const STYLE = `${PAGE_STYLE}
h1::after{content:"";display:block;height:3px;margin:20px auto 0;border-radius:2px;background:linear-gradient(var(--accent),var(--accent)) no-repeat var(--line);background-size:0}
[dir=rtl] h1::after{background-position:100%}
.opening h1::after{animation:line ${APP_OPENING_WAIT_MS}ms ease-out}
.opening h1~:not(.product,.creator){animation:show 0s ${APP_OPENING_WAIT_MS}ms backwards}
.product{color:var(--ink)}
.creator{margin-top:12px}
.creator+.creator{margin-top:0}
.picture{display:block;width:6.5rem;height:6.5rem;margin:0 auto 16px;padding:8px;border-radius:14px;background:#fff;object-fit:contain}
.host{margin:0 0 8px}
.text{display:block;margin:20px auto 0}
button{border:0;background:none;color:var(--accent);font:inherit;text-decoration:underline}
.text[hidden],.browser .hint{display:none}
.small{font-size:.875rem}
.small a{color:inherit}
@keyframes line{to{background-size:100%}}
@keyframes show{from{visibility:hidden}}
@media (prefers-reduced-motion:reduce){.opening h1::after{animation:none}}`;

/** Without types, comments and most blanks. */
const SCRIPT = stripTypeScriptTypes(readFileSync(join(import.meta.dirname, "app-page-script.ts"), "utf8"))
  .replace(/^\s*(?:\/\/.*)?\n?/gm, "")
  .replace(/ *([={}(),;?:&|>]+)\s*/g, "$1")
  .replace("APP_OPENING_WAIT_MS", String(APP_OPENING_WAIT_MS));

const INLINE = { style: STYLE, script: SCRIPT };
export const INTERSTITIAL_POLICY = contentSecurityPolicy(INLINE);
const POLICY_WITH_PICTURE = contentSecurityPolicy({ ...INLINE, imageHosts: IMAGE_HOSTS });

/** The policy of a page that may show the picture. */
export function interstitialPolicy(imageUrl: string | null): string {
  return productImage(imageUrl) === null ? INTERSTITIAL_POLICY : POLICY_WITH_PICTURE;
}

/** Escaped once at startup. */
const MESSAGES_HTML = perLanguage((language) => {
  const texts = Object.entries(PAGE_MESSAGES[language]).map(([name, text]) => [
    name,
    typeof text === "string" ? escapeHtml(text) : text,
  ]);
  return Object.fromEntries(texts) as PageMessages;
});

interface OutcomeReport {
  path: string;
  /** Name of the strategy with the version of its table. */
  strategy: string;
  proof: string;
}

export interface PageContext extends Pick<OwnerRecord, "creatorName" | "showsDisclosure"> {
  reportUrl: string;
  report: OutcomeReport;
  language: Language;
  /** Title and picture of the product, if known. */
  title: string | null;
  imageUrl: string | null;
  /** The own domain of the link, which names its owner; null on the site's host. */
  host: string | null;
}

/** Longer titles are cut, because their bytes count towards the page's limit of 6.5 KB. */
const TITLE_MAX_LENGTH = 80;

/** The page that opens the Amazon app. Without scripts, its choices are plain links. */
export function interstitial(
  page: AppPage,
  { reportUrl, report, language, title, imageUrl, host, creatorName, showsDisclosure }: PageContext,
): string {
  const { strategy } = page;
  const texts = MESSAGES_HTML[language];
  const [, store = "Amazon"] = /^https:\/\/(?:www\.)?([^/]+)/.exec(page.webUrl) ?? [];
  const messages = { ...texts, openInBrowser: escapeHtml(texts.openStoreInBrowser(store)) };
  const heading = appHeading(strategy, messages);
  const picture = productImage(imageUrl);
  const data = {
    row: report.strategy,
    report: report.path,
    proof: report.proof,
    hidden: strategy.os === "ios" ? "opened" : "unknown",
    ...(page.isAutomatic && {
      automatic: "",
      otherwise: PAGE_MESSAGES[language].continueToAmazon,
    }),
  };
  const attributes = Object.entries(data)
    .map(([name, value]) => ` data-${name}="${escapeHtml(value)}"`)
    .join("");
  const choices = appChoices(page, messages);
  // One button for a browser: the other of "the store in this browser" and "this page in another browser" is a small link.
  const [, otherBrowser] = choices.filter(({ kind }) => kind !== "app");
  const buttons = choices.filter((choice) => choice !== otherBrowser);
  const hint = appHint(strategy, messages);
  // Isolated from the text's direction.
  const creator = creatorName && escapeHtml(texts.sharedBy(`\u2068${creatorName}\u2069`));

  return `<!doctype html>
<html lang="${language}" dir="${textDirection(language)}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${heading}</title>
<style>${STYLE}</style>
<body${attributes}>
<main>
${picture === null ? "" : `<img class="picture" src="${escapeHtml(picture)}" alt="" loading="lazy" referrerpolicy="no-referrer">\n`}${host ? `<p class="host">${host}</p>\n` : ""}<h1>${heading}</h1>
${creator ? `<p class="creator small">${creator}</p>\n` : ""}${showsDisclosure ? `<p class="creator small" dir="auto">${texts.amazonAssociate}</p>\n` : ""}${title === null ? "" : `<p class="product" dir="auto">${escapeHtml(shortenText(title, TITLE_MAX_LENGTH))}</p>\n`}${hint === null ? "" : `<p class="hint">${hint}</p>\n`}${buttons.map((choice, index) => anchor(index === 0 ? "button primary" : "button", choice)).join("\n")}
${otherBrowser === undefined ? "" : `${anchor("text", otherBrowser)}\n`}${page.isAutomatic ? `<button class="text" id="always" hidden>${messages.alwaysInBrowser}</button>\n` : ""}${page.routed === null ? "" : `${storeNote(page.routed, language)}\n`}<p>${messages.noAmazonApp}<br><a id="store" href="${escapeHtml(page.storeUrl)}">${appStoreText(strategy, messages)}</a></p>
<p class="small"><a href="${escapeHtml(reportUrl)}">${messages.reportThisLink}</a></p>
</main>
<script>${SCRIPT}</script>
</html>
`;
}

/** Names the store that the page opens, and offers the one of the link. */
function storeNote({ marketplace, original }: RoutedPage, language: Language): string {
  const { opensYourStore, openOriginalStore } = PAGE_MESSAGES[language];
  const text = escapeHtml(openOriginalStore(`amazon.${original.marketplace}`));
  return `<p>${escapeHtml(opensYourStore(`amazon.${marketplace}`))}<br><a href="${escapeHtml(original.webUrl)}">${text}</a></p>`;
}

/** @param choice its text is escaped already */
function anchor(classes: string, { kind, text, url }: AppChoice): string {
  return `<a class="${classes}" id="${kind}" href="${escapeHtml(url)}">${text}</a>`;
}
