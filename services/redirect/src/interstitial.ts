import { type AppChoice, appChoices, appHint } from "@tapthru/proto/rules/app-page";
import { escapeHtml } from "@tapthru/proto/rules/escape-html";
import { APP_OPENING_WAIT_MS } from "@tapthru/proto/rules/limits";
import {
  type Language,
  PAGE_MESSAGES,
  perLanguage,
  textDirection,
} from "@tapthru/proto/rules/messages/pages/languages";
import type { AppOpeningMessages } from "@tapthru/proto/rules/messages/pages/page-messages";
import { reportPagePath } from "@tapthru/proto/rules/report-page";
import type { AppPage } from "./choose-destination.ts";
import { contentSecurityPolicy } from "./content-security-policy.ts";
import { INTERSTITIAL_SCRIPT } from "./interstitial-script.ts";
import { PAGE_STYLE } from "./page-style.ts";

// The line under the heading runs as long as the app may take to open. Nothing hangs on it: the
// choices stand there from the beginning.
const STYLE = `${PAGE_STYLE}
h1::after{content:"";display:block;height:3px;margin:20px auto 0;border-radius:2px;background:linear-gradient(var(--accent),var(--accent)) no-repeat var(--line);background-size:0}
[dir=rtl] h1::after{background-position:100%}
.opening h1::after{animation:opening ${APP_OPENING_WAIT_MS}ms ease-out}
@keyframes opening{to{background-size:100%}}
@media (prefers-reduced-motion:reduce){.opening h1::after{animation:none}}`;

export const INTERSTITIAL_POLICY = contentSecurityPolicy({
  style: STYLE,
  script: INTERSTITIAL_SCRIPT,
});

/** Escaped once, not at each tap. */
const SENTENCES_HTML = perLanguage((language) => sentencesHtml(PAGE_MESSAGES[language]));

/** Where the page tells what came of it, and by what it proves that it may. */
interface OutcomeReport {
  path: string;
  row: string;
  proof: string;
}

interface Shown {
  shortCode: string;
  report: OutcomeReport;
  language: Language;
}

/** The page that opens the Amazon app; with scripts off its choices are plain links. */
export function interstitial(page: AppPage, { shortCode, report, language }: Shown): string {
  const { strategy: row } = page;
  const sentences = SENTENCES_HTML[language];
  const data = {
    row: report.row,
    report: report.path,
    proof: report.proof,
    // On Android a page is also hidden by a question, a fallback or the store.
    hidden: row.os === "ios" ? "opened" : "unknown",
    ...(page.isAutomatic && { automatic: "" }),
  };
  const attributes = Object.entries(data)
    .map(([name, value]) => ` data-${name}="${escapeHtml(value)}"`)
    .join("");
  const [first, ...others] = appChoices(page, sentences);
  const hint = appHint(row, sentences);

  return `<!doctype html>
<html lang="${language}" dir="${textDirection(language)}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${sentences.openingAmazon}</title>
<style>${STYLE}</style>
<body${attributes}>
<main>
<h1>${sentences.openingAmazon}</h1>
${hint === null ? "" : `<p>${hint}</p>\n`}${anchor("button primary", first)}
${others.map((choice) => anchor("button", choice)).join("\n")}
<p>${sentences.noAmazonApp}<br><a href="${escapeHtml(page.storeUrl)}">${sentences.getFromAppStore}</a></p>
<p><a href="${reportPagePath(shortCode)}">${sentences.reportThisLink}</a></p>
</main>
<script>${INTERSTITIAL_SCRIPT}</script>
</html>
`;
}

/** Of a choice that speaks HTML already. */
function anchor(classes: string, { kind, text, url }: AppChoice): string {
  return `<a class="${classes}"${kind === "app" ? ' id="app"' : ""} href="${escapeHtml(url)}">${text}</a>`;
}

function sentencesHtml(sentences: AppOpeningMessages): AppOpeningMessages {
  return {
    openingAmazon: escapeHtml(sentences.openingAmazon),
    appDidNotOpen: escapeHtml(sentences.appDidNotOpen),
    openInApp: escapeHtml(sentences.openInApp),
    tryAgainInApp: escapeHtml(sentences.tryAgainInApp),
    openInBrowser: escapeHtml(sentences.openInBrowser),
    openInSafari: escapeHtml(sentences.openInSafari),
    openOutsideApp: escapeHtml(sentences.openOutsideApp),
    openByHand: escapeHtml(sentences.openByHand),
    noAmazonApp: escapeHtml(sentences.noAmazonApp),
    getFromAppStore: escapeHtml(sentences.getFromAppStore),
    reportThisLink: escapeHtml(sentences.reportThisLink),
  };
}
