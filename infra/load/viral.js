import { check, sleep } from "k6";
import exec from "k6/execution";
import http from "k6/http";
import { BASE_URL, OPEN, RUN, rising } from "./load.js";
import { call, replyOf } from "./steps/api.js";
import { createMany, deleteLinks, openLink, PEOPLE } from "./steps/links.js";

// A post goes viral: within 20 seconds 578 servers fetch its link for a preview, as many requests as one post of an account with
// 1,500 followers caused (github.com/mastodon/mastodon/issues/4486). Meanwhile people's taps rise to 200 (PEAK) a second. Then the
// counts of the api are compared with the visits. Nobody else may visit links of the account meanwhile.
const SERVERS = 578;
const AT_ONCE = 29; // Each fetches for a second: 20 seconds for all.
const peak = Number(__ENV.PEAK) || 200;
const COUNTED_WITHIN_SECONDS = 30;

export const options = {
  scenarios: {
    previews: { executor: "shared-iterations", vus: AT_ONCE, iterations: SERVERS, exec: "preview" },
    taps: {
      ...rising([
        { target: 1, duration: "5s" },
        { target: peak, duration: "20s" },
        { target: peak, duration: "20s" },
      ]),
      exec: "tap",
    },
    compare: { executor: "shared-iterations", vus: 1, iterations: 1, startTime: "50s", exec: "compare" },
  },
  thresholds: { ...OPEN, checks: ["rate==1"], ...RUN },
};
export { deleteLinks as teardown };

const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1";
const CHROME =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";
const DISCORD = "Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)";
const FIREFOX_OF_DISCORD = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.10; rv:38.0) Gecko/20100101 Firefox/38.0";

/** Method and agent of each request of a server. Requests with HEAD do not count. */
const X = [["GET", "Twitterbot/1.0"], ...[IPHONE, CHROME, ""].map((agent) => ["HEAD", agent])];
const DISCORDS = [DISCORD, FIREFOX_OF_DISCORD].map((agent) => ["GET", agent]);
const mastodon = (number) =>
  ["HEAD", "GET"].map((method) => [method, `Mastodon/4.5.0 (http.rb/5.3.1; +https://${number}.example/) Bot`]);

export function setup() {
  const links = createMany(1);
  return { ...links, before: countClicks(links) };
}

export function preview({ codes }) {
  const number = exec.scenario.iterationInTest;
  for (const [method, agent] of [X, DISCORDS][number] ?? mastodon(number)) {
    const parameters = { headers: { "User-Agent": agent }, redirects: 0, responseType: "none", tags: { name: "open" } };
    const { status } = http.request(method, `${BASE_URL}/l/${codes[0]}`, null, parameters);
    check(status, { "a server gets 200 or 302": () => status === 200 || status === 302 });
  }
  sleep(1);
}

export function tap(links) {
  openLink(links, 0, PEOPLE);
}

/** The clicks of the account, by class. */
function countClicks({ caller }) {
  return replyOf(call("GET", "clicks", "/api/clicks", undefined, caller)).totals;
}

/** Runs after all visits. */
export function compare(links) {
  const taps = exec.instance.iterationsCompleted - SERVERS;
  let counts = [];
  for (let second = 0; second < COUNTED_WITHIN_SECONDS && !(counts[0] >= taps); second++) {
    sleep(1);
    const totals = countClicks(links);
    counts = ["person", "preview", "bot"].map((name) => totals[name] - links.before[name]);
  }
  const [people, previews, bots] = counts;
  console.log(`${taps} taps; counted: ${people} people, ${previews} previews, ${bots} bots`);
  check(null, {
    "people are as many as taps": () => people === taps,
    "each server is one preview": () => previews === SERVERS,
    "Discord's second fetch is a bot": () => bots === 1,
  });
}
