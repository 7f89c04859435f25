import { check } from "k6";
import exec from "k6/execution";
import http from "k6/http";

const PRODUCTS = 1_000;
const RUN = Date.now();

/** Creates a link without an account and visits it. */
export function createLink() {
  const url = newUrl();
  const created = http.post(`${__ENV.BASE_URL}/api/generate`, JSON.stringify({ url }), {
    headers: { "Content-Type": "application/json" },
    tags: { name: "create" },
  });
  if (!check(created, { "the link is created": ({ status }) => status === 201 })) return;
  const opened = http.get(`${__ENV.BASE_URL}/l/${created.json("shortCode")}`, {
    redirects: 0,
    tags: { name: "open-new" },
  });
  check(opened, {
    "the new link redirects": ({ status, headers }) => status === 302 && headers.Location === url,
  });
}

/** A new URL of one of a thousand products. */
export function newUrl() {
  const number = exec.scenario.iterationInTest;
  const asin = `B${String(number % PRODUCTS).padStart(9, "0")}`;
  return `https://www.amazon.com/dp/${asin}?tag=load-20&run=${RUN}-${exec.vu.idInTest}-${number}`;
}
