import {
  type AppChoice,
  appChoices,
  appHeading,
  appHint,
  appStoreText,
} from "@tapthru/proto/rules/app-opening/app-page";
import { APP_OPENING_WAIT_MS } from "@tapthru/proto/rules/limits";
import {
  type Language,
  PAGE_MESSAGES,
  perLanguage,
  textDirection,
} from "@tapthru/proto/rules/messages/pages/languages";
import type { AppOpeningMessages } from "@tapthru/proto/rules/messages/pages/page-messages";
import { escapeHtml } from "@tapthru/proto/rules/page-style";
import { shortenText } from "@tapthru/proto/rules/shorten-text";
import type { AppPage, RoutedPage } from "../choose-destination.ts";
import { contentSecurityPolicy } from "./content-security-policy.ts";
import { INTERSTITIAL_SCRIPT } from "./interstitial-script.ts";
import { PAGE_STYLE } from "./page-style.ts";

// The animated line under the heading is decoration. It lasts as long as the app may take to open.
const STYLE = `${PAGE_STYLE}
h1::after{content:"";display:block;height:3px;margin:20px auto 0;border-radius:2px;background:linear-gradient(var(--accent),var(--accent)) no-repeat var(--line);background-size:0}
[dir=rtl] h1::after{background-position:100%}
.opening h1::after{animation:opening ${APP_OPENING_WAIT_MS}ms ease-out}
.product{color:var(--ink)}
.small{font-size:.875rem}
.small a{color:inherit}
@keyframes opening{to{background-size:100%}}
@media (prefers-reduced-motion:reduce){.opening h1::after{animation:none}}`;

export const INTERSTITIAL_POLICY = contentSecurityPolicy({
  style: STYLE,
  script: INTERSTITIAL_SCRIPT,
});

/** Escaped once at startup. */
const MESSAGES_HTML = perLanguage((language) => escapeMessages(PAGE_MESSAGES[language]));

/** What the page needs to report its outcome. */
interface OutcomeReport {
  path: string;
  /** Name of the strategy with the version of its table. */
  strategy: string;
  /** The proof from `OutcomeProofs`. */
  proof: string;
}

interface PageContext {
  /** Where visitors report the link. */
  reportUrl: string;
  report: OutcomeReport;
  language: Language;
  /** Title of the product, if known. */
  title: string | null;
}

/** Longer titles are cut, because their bytes count towards the page's limit of 6 KB. */
const TITLE_MAX_LENGTH = 80;

/** The page that opens the Amazon app. Without scripts, its choices are plain links. */
export function interstitial(
  page: AppPage,
  { reportUrl, report, language, title }: PageContext,
): string {
  const { strategy } = page;
  const messages = MESSAGES_HTML[language];
  const heading = appHeading(strategy, messages);
  const data = {
    row: report.strategy,
    report: report.path,
    proof: report.proof,
    // On Android, a system dialog, a fallback page or the store also hides the page.
    hidden: strategy.os === "ios" ? "opened" : "unknown",
    ...(page.isAutomatic && { automatic: "" }),
  };
  const attributes = Object.entries(data)
    .map(([name, value]) => ` data-${name}="${escapeHtml(value)}"`)
    .join("");
  const [first, ...others] = appChoices(page, messages);
  const hint = appHint(strategy, messages);

  return `<!doctype html>
<html lang="${language}" dir="${textDirection(language)}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${heading}</title>
<style>${STYLE}</style>
<body${attributes}>
<main>
<h1>${heading}</h1>
${title === null ? "" : `<p class="product" dir="auto">${escapeHtml(shortenText(title, TITLE_MAX_LENGTH))}</p>\n`}${hint === null ? "" : `<p>${hint}</p>\n`}${anchor("button primary", first)}
${others.map((choice) => anchor("button", choice)).join("\n")}
${page.routed === null ? "" : `${storeNote(page.routed, language)}\n`}<p>${messages.noAmazonApp}<br><a href="${escapeHtml(page.storeUrl)}">${appStoreText(strategy, messages)}</a></p>
<p class="small"><a href="${escapeHtml(reportUrl)}">${messages.reportThisLink}</a></p>
</main>
<script>${INTERSTITIAL_SCRIPT}</script>
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
function anchor(classes: string, choice: AppChoice): string {
  const { kind, text, url } = choice;
  return `<a class="${classes}"${kind === "app" ? ' id="app"' : ""} href="${escapeHtml(url)}">${text}</a>`;
}

function escapeMessages(messages: AppOpeningMessages): AppOpeningMessages {
  return {
    openingAmazon: escapeHtml(messages.openingAmazon),
    continueToAmazon: escapeHtml(messages.continueToAmazon),
    appDidNotOpen: escapeHtml(messages.appDidNotOpen),
    openInApp: escapeHtml(messages.openInApp),
    tryAgainInApp: escapeHtml(messages.tryAgainInApp),
    openInBrowser: escapeHtml(messages.openInBrowser),
    openInSafari: escapeHtml(messages.openInSafari),
    openOutsideApp: escapeHtml(messages.openOutsideApp),
    openByHand: escapeHtml(messages.openByHand),
    noAmazonApp: escapeHtml(messages.noAmazonApp),
    getFromAppStore: escapeHtml(messages.getFromAppStore),
    getFromGooglePlay: escapeHtml(messages.getFromGooglePlay),
    reportThisLink: escapeHtml(messages.reportThisLink),
  };
}
