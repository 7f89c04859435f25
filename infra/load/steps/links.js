import { check, fail } from "k6";
import http from "k6/http";
import { BASE_URL } from "../load.js";

const { agents } = JSON.parse(open(import.meta.resolve("../agents.json")));
const LINKS = Number(__ENV.LINKS) || 1_000;
const BATCH = 20;
/** Of the products, so that pages of products are read once. */
const PRODUCTS = 1_000;

const IS_EXPECTED = {
  redirect: (response, url) => response.status === 302 && response.headers.Location === url,
  page: (response) => response.status === 200,
  card: (response) => response.status === 200,
};

/** An address that no other link of this or another run has. */
export function newUrl(run, number) {
  const asin = `B${String(number % PRODUCTS).padStart(9, "0")}`;
  return `https://www.amazon.com/dp/${asin}?tag=load-20&run=${run}-${number}`;
}

/** A request that creates a link without an account. */
export function creation(url) {
  const headers = { "Content-Type": "application/json", Origin: BASE_URL };
  const params = { headers, tags: { name: "create" } };
  return ["POST", `${BASE_URL}/api/generate`, JSON.stringify({ url }), params];
}

/** Creates LINKS links for visitors to open; k6's setup passes them on. Ends the run if one cannot be created. */
export function createLinks() {
  const run = Date.now();
  const codes = [];
  while (codes.length < LINKS) {
    const numbers = Array.from({ length: Math.min(BATCH, LINKS - codes.length) }, (_, i) => i);
    const requests = numbers.map((number) => creation(newUrl(run, codes.length + number)));
    for (const created of http.batch(requests)) {
      if (created.status !== 201) fail(`A link was not created: ${created.status} ${created.body}`);
      codes.push(created.json("shortCode"));
    }
  }
  return { run, codes };
}

/** The number of a link by Zipf's law: the first is visited most, the second half as often, and so on. */
export function popularLink({ codes }) {
  return Math.floor((codes.length + 1) ** Math.random()) - 1;
}

/** Visits a link with a random device. */
export function openLink({ run, codes }, number) {
  const { expected, userAgent } = randomAgent();
  const response = http.get(`${BASE_URL}/l/${codes[number]}`, {
    headers: { "User-Agent": userAgent },
    redirects: 0,
    responseType: "none",
    tags: { name: "open" },
  });
  const url = newUrl(run, number);
  check(response, { "the response fits the device": (r) => IS_EXPECTED[expected](r, url) });
}

/** By the agents' shares, whose sum is 1. */
function randomAgent() {
  let left = Math.random();
  for (const agent of agents) {
    left -= agent.share;
    if (left < 0) return agent;
  }
  return agents[0];
}
