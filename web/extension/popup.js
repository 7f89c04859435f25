import { callApi } from "./api.js";

/** The api decides; this only keeps the addresses of other pages in the browser. */
const AMAZON = /^https:\/\/(?:[a-z0-9-]+\.)*(?:amazon(?:\.[a-z]{2,3}){1,2}|amzn\.[a-z]{2,4}|a\.co|link\.amazon)\//;

const form = document.querySelector("form");
const status = document.querySelector("[role=status]");
const { channel } = form.elements;
const say = (text) => {
  status.textContent = text;
};

document.querySelector("#settings").addEventListener("click", () => {
  chrome.runtime.openOptionsPage();
});

async function prepare() {
  const [tab] = await chrome.tabs.query({ active: true, lastFocusedWindow: true });
  const settings = await chrome.storage.local.get(["address", "key", "channelId"]);
  if (!settings.key) return say("First enter the address of your Tapthru and a key under Settings.");
  // The browser hides the addresses of some pages, such as its own.
  if (!AMAZON.test(tab?.url ?? "")) return say("Open a page of Amazon first.");
  const channels = await callApi(settings, "GET", "/api/channels");
  for (const { id, name } of channels) {
    channel.add(new Option(name, id, false, id === settings.channelId));
  }
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    run(() => create(settings, tab.url, Number(channel.value)));
  });
  form.hidden = false;
  say("");
}

async function create(settings, url, channelId) {
  const button = form.querySelector("button");
  button.disabled = true;
  say("Creating...");
  try {
    const link = { url, channelId, usesChannelTag: true };
    const { shortUrl, webUrl } = await callApi(settings, "POST", "/api/links", link);
    await chrome.storage.local.set({ channelId });
    const isCopied = await navigator.clipboard.writeText(shortUrl).then(
      () => true,
      () => false,
    );
    // The channel has no tag for this store: the link earns nothing.
    const untagged = new URL(webUrl).searchParams.has("tag") ? "" : ", without a tag";
    say(`${isCopied ? "Copied" : "Copy the link"}${untagged}: ${shortUrl}`);
  } finally {
    button.disabled = false;
  }
}

const run = (work) => work().catch((error) => say(error.message));
run(prepare);
