import { check, fail } from "k6";
import http from "k6/http";
import { addressOf, codeOf } from "../../bench/src/redirect/codes.ts";
import { chooseAgent } from "../src/agents.ts";

const { agents } = JSON.parse(open(import.meta.resolve("../agents.json")));

const IS_RIGHT = {
  redirect: (response, number) =>
    response.status === 302 && response.headers.Location === addressOf(number),
  page: (response) => response.status === 200,
  card: (response) => response.status === 200,
};

/** Somebody opens a link of the data set, on a device as they are mixed. */
export function openLink(number) {
  const { answer, userAgent } = chooseAgent(agents, Math.random());
  const response = http.get(`${__ENV.BASE_URL}/l/${codeOf(number)}`, {
    headers: { "User-Agent": userAgent },
    redirects: 0,
    responseType: "none",
    tags: { name: "open" },
  });
  check(response, { "the link opens as the device wants it": (r) => IS_RIGHT[answer](r, number) });
}

/** Breaks the run off where the data set is not there. */
export function requireLinks(count) {
  for (const number of [0, count - 1]) {
    const url = `${__ENV.BASE_URL}/l/${codeOf(number)}`;
    const { status } = http.get(url, { redirects: 0, tags: { name: "look" } });
    if (status !== 302) {
      fail(`Link ${number} of ${count} is answered ${status}: has the data set been put there?`);
    }
  }
}
