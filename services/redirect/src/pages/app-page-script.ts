// Opens the app once, when the page is loaded and visible: not after a reload or on back navigation, and not during
// prerendering (the page is hidden then). Telegram on iOS, whose User-Agent is Safari's, opens apps only on a tap.
//
// Reports the outcome of the first attempt once: the page was hidden, or it is still visible after the wait and no
// system dialog has the focus.
//
// Remembers on this phone that the app did not open, or that the visitor chose the browser. Later pages then offer the
// browser first, until a tap on the app's button, or an attempt that hides the page, ends it. Nothing of it is sent.
//
// The page has it without the blanks around punctuation, also in texts.

declare const APP_OPENING_WAIT_MS: number;

{
  const KEY = "opens-in-browser";
  const byId = (id: string) => document.getElementById(id) as HTMLAnchorElement;
  const app = byId("app");
  const { row, report = "", proof, hidden = "", automatic, otherwise = "" } = document.body.dataset;
  const [arrival] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  const isTelegram = "TelegramWebviewProxy" in globalThis;
  let isAttempted = false;
  let isLeaving = false;
  let isReported = isTelegram;
  let isSkipped = false;

  // Browsers may refuse the storage.
  try {
    isSkipped = automatic !== undefined && localStorage.getItem(KEY) === "1";
  } catch {}
  const remember = (isBrowser: boolean) => {
    try {
      if (isBrowser) localStorage.setItem(KEY, "1");
      else localStorage.removeItem(KEY);
    } catch {}
  };

  const send = (outcome: string) => {
    if (isReported || !isAttempted) return;
    isReported = true;
    navigator.sendBeacon(report, JSON.stringify({ row, outcome, proof }));
  };
  const stayed = () => {
    if (isAttempted) remember(true);
    send("stayed");
  };
  const attempted = () => {
    isAttempted = true;
    setTimeout(() => (document.hasFocus() ? stayed() : addEventListener("focus", stayed)), APP_OPENING_WAIT_MS);
  };

  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState !== "hidden") return;
    if (isAttempted && !isLeaving) remember(false);
    send(hidden);
    isAttempted = false;
  });
  document.addEventListener("click", ({ target }) => {
    const link = (target as Element).closest("a,button");
    if (!link) return;
    isLeaving = link !== app;
    if (isLeaving) stayed();
    if (link.id === "always") {
      remember(true);
      location.href = byId("web").href;
    }
    if (link === app || link.id === "store") remember(false);
    if (link === app) attempted();
  });
  document.querySelector("img")?.addEventListener("error", ({ target }) => (target as Element).remove());

  const open = () => {
    if (document.visibilityState !== "visible") return;
    document.removeEventListener("visibilitychange", open);
    document.body.className = "opening";
    attempted();
    location.href = app.href;
  };
  if (automatic !== undefined && !isSkipped) byId("always").hidden = false;
  if (isSkipped) {
    const browser = document.querySelector(".button:not(#app)") as Element;
    app.before(browser);
    app.className = "button";
    browser.className = "button primary";
    document.body.className = "browser";
    document.title = otherwise;
    (document.querySelector("h1") as Element).textContent = otherwise;
  } else if (automatic !== undefined && !isTelegram && (!arrival || arrival.type === "navigate")) {
    addEventListener("load", () => {
      document.addEventListener("visibilitychange", open);
      open();
    });
  }
}
