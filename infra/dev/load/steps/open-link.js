import { check, fail } from "k6";
import http from "k6/http";
import { codeOf, urlOf } from "../../bench/src/redirect/codes.ts";
import { chooseAgent } from "../src/agents.ts";

const { agents } = JSON.parse(open(import.meta.resolve("../agents.json")));

const IS_EXPECTED = {
  redirect: (response, number) =>
    response.status === 302 && response.headers.Location === urlOf(number),
  page: (response) => response.status === 200,
  card: (response) => response.status === 200,
};

/** Visits a link of the data set with a random device. */
export function openLink(number) {
  const { expected, userAgent } = chooseAgent(agents, Math.random());
  const response = http.get(`${__ENV.BASE_URL}/l/${codeOf(number)}`, {
    headers: { "User-Agent": userAgent },
    redirects: 0,
    responseType: "none",
    tags: { name: "open" },
  });
  check(response, { "the response fits the device": (r) => IS_EXPECTED[expected](r, number) });
}

/** Aborts the run when the data set is missing. */
export function requireLinks(count) {
  for (const number of [0, count - 1]) {
    const url = `${__ENV.BASE_URL}/l/${codeOf(number)}`;
    const { status } = http.get(url, { redirects: 0, tags: { name: "check-data" } });
    if (status !== 302) {
      fail(
        `Link ${number} of ${count} returned status ${status}. Insert the data set with pnpm load seed.`,
      );
    }
  }
}
