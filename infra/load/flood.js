import { check } from "k6";
import http from "k6/http";
import { BASE_URL, RUN, steady } from "./load.js";
import { newUrl } from "./steps/links.js";

// 100 (RATE) creates a second without an account, from 1,000 addresses. k6 must be a proxy that the gateway trusts.
export const options = {
  scenarios: { flood: steady(100) },
  thresholds: { ...RUN, checks: ["rate>0.95"] },
};

const ADDRESSES = 1_000;
const START = Date.now();

export default function flood() {
  const number = __ITER * ADDRESSES + __VU;
  const address = Math.floor(Math.random() * ADDRESSES);
  const response = http.post(`${BASE_URL}/api/generate`, JSON.stringify({ url: newUrl(`${START}`, number) }), {
    headers: {
      Accept: "application/problem+json",
      "Content-Type": "application/json",
      "X-Forwarded-For": `198.18.${address >> 8}.${address & 255}`,
    },
  });
  check(response, {
    "the link is created or refused": ({ status }) => status === 201 || status === 429,
  });
}
