import { check } from "k6";
import http from "k6/http";
import { BASE_URL } from "../load.js";

const DESKTOP =
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15";

/** One visit of each class, and visits that do not count. */
const VISITS = [
  { headers: { "User-Agent": DESKTOP } },
  { headers: { "User-Agent": "facebookexternalhit/1.1" } },
  { headers: { "User-Agent": "curl/8.5.0" } },
  { headers: { "User-Agent": "Mozilla/5.0 (compatible; ChatGPT-User/1.0; +https://openai.com/bot)" } },
  { headers: { "User-Agent": DESKTOP, "Sec-Purpose": "prefetch" } },
  { method: "HEAD", headers: { "User-Agent": DESKTOP } },
  { query: "?tt_esc=1", headers: { "User-Agent": DESKTOP } },
];

/** Visits a link once in each class, and in ways that do not count. */
export function clickLink(shortCode) {
  for (const { method = "GET", query = "", headers } of VISITS) {
    const url = `${BASE_URL}/l/${shortCode}${query}`;
    const parameters = { headers, redirects: 0, responseType: "none", tags: { name: "open" } };
    const response = http.request(method, url, null, parameters);
    check(response, { "the visit is served": ({ status }) => status === 200 || status === 302 });
  }
}
