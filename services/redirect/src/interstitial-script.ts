import { APP_OPENING_WAIT_MS } from "@tapthru/proto/rules/limits";

/**
 * Tries the app once, on a first arrival, as soon as the page is whole and somebody can see it: never
 * after a reload or on the way back, nor while a browser prerenders (the page is hidden then).
 * Telegram on iOS, whose agent does not name it, opens apps by a tap only.
 *
 * Once tells what came of the first attempts: the page was hidden, or still stands there when the
 * wait is over and no question of the system has the focus.
 */
export const INTERSTITIAL_SCRIPT = `{
const app=document.getElementById("app");
const {row,report,proof,hidden,automatic}=document.body.dataset;
const arrival=performance.getEntriesByType("navigation")[0];
const isTelegram="TelegramWebviewProxy" in globalThis;
let isAttempted=false,isTold=isTelegram;
const tell=(outcome)=>{
if(isTold||!isAttempted)return;
isTold=true;
navigator.sendBeacon(report,JSON.stringify({row,outcome,proof}));
};
const stayed=()=>tell("stayed");
const attempted=()=>{
isAttempted=true;
setTimeout(()=>document.hasFocus()?stayed():addEventListener("focus",stayed),${APP_OPENING_WAIT_MS});
};
document.addEventListener("visibilitychange",()=>{
if(document.visibilityState==="hidden")tell(hidden);
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
