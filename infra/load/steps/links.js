import { check } from "k6";
import http from "k6/http";
import { BASE_URL } from "../load.js";
import { call, newCaller, replyOf } from "./api.js";

const { agents } = JSON.parse(open(import.meta.resolve("../agents.json")));
/** The agents without crawlers. */
export const PEOPLE = agents.filter(({ expected }) => expected !== "card");
const CODES = __ENV.CODES ? readCodes(__ENV.CODES) : null;
const LINKS = Number(__ENV.LINKS) || 1_000;
/** As many as a request may create or delete. */
const BATCH = 100;
/** The number of products, few so that their pages are read once. */
const PRODUCTS = 1_000;
/** The nickname of links that a run creates in an account. */
export const NICKNAME = "k6 load test";

const IS_EXPECTED = {
  redirect: ({ status, headers }, url) => status === 302 && (!url || headers.Location === url),
  page: ({ status }) => status === 200,
  card: ({ status }) => status === 200,
};

/** One short code in each line. A relative path is one of the working directory. */
function readCodes(path) {
  const text = open(path.startsWith("/") ? path : `${__ENV.PWD}/${path}`);
  return text.split(/\s+/).filter((code) => code !== "");
}

/** An address that no other link of this or another run has. */
export function newUrl(run, number) {
  const asin = `B${String(number % PRODUCTS).padStart(9, "0")}`;
  return `https://www.amazon.com/dp/${asin}?tag=load-20&run=${run}-${number}`;
}

/** k6's setup: the links of CODES, or LINKS new ones. */
export function createLinks() {
  return CODES === null ? createMany(LINKS) : { codes: CODES, urls: [], ids: [] };
}

/** Creates links in an account for visitors to open. */
export function createMany(count) {
  const caller = newCaller();
  const run = Date.now();
  const urls = Array.from({ length: count }, (_, number) => newUrl(run, number));
  const links = batchesOf(urls).flatMap((batch) => {
    const body = { links: batch.map((url) => ({ url, nickname: NICKNAME })) };
    const { results } = replyOf(call("POST", "create-many", "/api/links/bulk", body, caller));
    return results.map(({ link }) => link);
  });
  return { caller, urls, codes: links.map((l) => l.shortCode), ids: links.map((l) => l.id) };
}

/** k6's teardown, also of an interrupted run: deletes the links that its setup created. */
export function deleteLinks({ caller, ids }) {
  for (const batch of batchesOf(ids)) {
    replyOf(call("DELETE", "delete-many", "/api/links/bulk", { ids: batch }, caller));
  }
}

function batchesOf(list) {
  const starts = Array.from({ length: Math.ceil(list.length / BATCH) }, (_, i) => i * BATCH);
  return starts.map((start) => list.slice(start, start + BATCH));
}

/** The number of a link by Zipf's law: the first is visited most, the second half as often, and so on. */
export function popularLink({ codes }) {
  return Math.floor((codes.length + 1) ** Math.random()) - 1;
}

/** Visits a link with a random device. */
export function openLink({ codes, urls }, number, among = agents) {
  const { expected, userAgent } = randomAgent(among);
  const response = http.get(`${BASE_URL}/l/${codes[number]}`, {
    headers: { "User-Agent": userAgent, "Accept-Language": "en" },
    redirects: 0,
    responseType: "none",
    tags: { name: "open" },
  });
  check(response, {
    "the response fits the device": (r) => IS_EXPECTED[expected](r, urls[number]),
  });
}

/** By the agents' shares. */
function randomAgent(among) {
  let left = Math.random() * among.reduce((sum, { share }) => sum + share, 0);
  for (const agent of among) {
    left -= agent.share;
    if (left < 0) return agent;
  }
  return among[0];
}
