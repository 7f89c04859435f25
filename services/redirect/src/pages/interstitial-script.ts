import { APP_OPENING_WAIT_MS } from "@tapthru/proto/rules/limits";

/**
 * Opens the app once, when the page is loaded and visible: not after a reload or on back navigation, and not during
 * prerendering (the page is hidden then). Telegram on iOS, whose User-Agent is Safari's, opens apps only on a tap.
 *
 * Reports the outcome of the first attempt once: the page was hidden, or it is still visible after the wait and no
 * system dialog has the focus.
 */
export const INTERSTITIAL_SCRIPT = `{
const app=document.getElementById("app");
const {row,report,proof,hidden,automatic}=document.body.dataset;
const arrival=performance.getEntriesByType("navigation")[0];
const isTelegram="TelegramWebviewProxy" in globalThis;
let isAttempted=false,isReported=isTelegram;
const send=(outcome)=>{
if(isReported||!isAttempted)return;
isReported=true;
navigator.sendBeacon(report,JSON.stringify({row,outcome,proof}));
};
const stayed=()=>send("stayed");
const attempted=()=>{
isAttempted=true;
setTimeout(()=>document.hasFocus()?stayed():addEventListener("focus",stayed),${APP_OPENING_WAIT_MS});
};
document.addEventListener("visibilitychange",()=>{
if(document.visibilityState==="hidden")send(hidden);
});
document.addEventListener("click",(event)=>{
const link=event.target.closest("a");
if(link===app)attempted();
else if(link)stayed();
});
const open=()=>{
if(document.visibilityState!=="visible")return;
document.removeEventListener("visibilitychange",open);
document.body.className="opening";
attempted();
location.href=app.href;
};
if(automatic!==undefined&&!isTelegram&&(!arrival||arrival.type==="navigate"))addEventListener("load",()=>{
document.addEventListener("visibilitychange",open);
open();
});
}`;
