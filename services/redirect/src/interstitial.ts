import { APP_OPENING_WAIT_MS } from "@tapthru/proto/rules/limits";
import { messages } from "@tapthru/proto/rules/messages";
import type { AppPage } from "./choose-destination.ts";
import { contentSecurityPolicy, escapeHtml } from "./html.ts";
import { PAGE_STYLE } from "./page-style.ts";

// The line under the heading runs as long as the app may take to open. Nothing hangs on it: the
// choices stand there from the beginning.
const STYLE = `${PAGE_STYLE}
h1::after{content:"";display:block;height:3px;margin:20px auto 0;border-radius:2px;background:linear-gradient(var(--accent),var(--accent)) no-repeat var(--line);background-size:0}
.opening h1::after{animation:opening ${APP_OPENING_WAIT_MS}ms ease-out}
@keyframes opening{to{background-size:100%}}
@media (prefers-reduced-motion:reduce){.opening h1::after{animation:none}}`;

// One attempt, on a first arrival, as soon as the page is whole and somebody can see it: never after
// a reload or on the way back, nor while a browser prerenders (the page is hidden then).
const SCRIPT = `{
const app=document.getElementById("app");
const arrival=performance.getEntriesByType("navigation")[0];
const open=()=>{
if(document.visibilityState!=="visible")return;
document.removeEventListener("visibilitychange",open);
document.body.className="opening";
location.href=app.href;
};
if("automatic" in app.dataset&&(!arrival||arrival.type==="navigate"))addEventListener("load",()=>{
document.addEventListener("visibilitychange",open);
open();
});
}`;

export const INTERSTITIAL_POLICY = contentSecurityPolicy({ style: STYLE, script: SCRIPT });

/** The page that opens the Amazon app; with scripts off its choices are plain links. */
export function interstitial(page: AppPage): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${messages.openingAmazon}</title>
<style>${STYLE}</style>
<main>
<h1>${messages.openingAmazon}</h1>
<p>${escapeHtml(messages.appDidNotOpen)}</p>
<a class="button primary" id="app" href="${escapeHtml(page.appLink)}"${page.isAutomatic ? " data-automatic" : ""}>${messages.tryAgainInApp}</a>
<a class="button" href="${escapeHtml(page.webUrl)}">${messages.openInBrowser}</a>
<p>${escapeHtml(messages.noAmazonApp)}<br><a href="${escapeHtml(page.storeUrl)}">${messages.getFromAppStore}</a></p>
</main>
<script>${SCRIPT}</script>
</html>
`;
}
