import { callApi } from "./api.js";

const form = document.querySelector("form");
const status = document.querySelector("[role=status]");
const { address, key } = form.elements;
const saved = await chrome.storage.local.get(["address", "key"]);
address.value = saved.address ?? "";
key.value = saved.key ?? "";

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const settings = { address: new URL(address.value).origin, key: key.value.trim() };
  status.textContent = "Checking...";
  try {
    await callApi(settings, "GET", "/api/channels");
    await chrome.storage.local.set(settings);
    address.value = settings.address;
    status.textContent = "Saved. Open a page of Amazon and click the extension.";
  } catch (error) {
    status.textContent = error.message;
  }
});
