import { check } from "k6";
import http from "k6/http";
import { BASE_URL } from "../load.js";

const DESKTOP =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";

const PERSON = { "User-Agent": DESKTOP, "Accept-Language": "en" };

/** One visit of each class, and visits that do not count. */
const VISITS = [
  { headers: PERSON },
  { headers: { "User-Agent": "facebookexternalhit/1.1" } },
  { headers: { "User-Agent": "curl/8.5.0" } },
  { headers: { "User-Agent": "Mozilla/5.0 (compatible; ChatGPT-User/1.0; +https://openai.com/bot)" } },
  { headers: { ...PERSON, "Sec-Purpose": "prefetch" } },
  { method: "HEAD", headers: PERSON },
  { query: "?tt_esc=1", headers: PERSON },
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
