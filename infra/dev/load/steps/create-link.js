import { check } from "k6";
import exec from "k6/execution";
import http from "k6/http";

const PRODUCTS = 1_000;
const RUN = Date.now();

/** Somebody makes a link, signed out, and opens it at once. */
export function createLink() {
  const url = newAddress();
  const made = http.post(`${__ENV.BASE_URL}/api/generate`, JSON.stringify({ url }), {
    headers: { "Content-Type": "application/json" },
    tags: { name: "create" },
  });
  if (!check(made, { "the link is made": ({ status }) => status === 201 })) return;
  const opened = http.get(`${__ENV.BASE_URL}/l/${made.json("shortCode")}`, {
    redirects: 0,
    tags: { name: "open-new" },
  });
  check(opened, {
    "it opens at once": ({ status, headers }) => status === 302 && headers.Location === url,
  });
}

/** Of one of a thousand products, in words that nobody has pasted before. */
export function newAddress() {
  const number = exec.scenario.iterationInTest;
  const asin = `B${String(number % PRODUCTS).padStart(9, "0")}`;
  return `https://www.amazon.com/dp/${asin}?tag=load-20&run=${RUN}-${exec.vu.idInTest}-${number}`;
}
