import { sleep } from "k6";
import { call, replyOf } from "./api.js";

const COUNTED_WITHIN_SECONDS = 30;

/** The clicks of the account, by class. */
export function countClicks({ caller }) {
  return replyOf(call("GET", "clicks", "/api/clicks", undefined, caller)).totals;
}

/** The clicks in each of `classes` since `links.before`, as soon as there are as many of the first as `expected`. */
export function newClicks(links, classes, expected) {
  let counts;
  for (let second = 0; second < COUNTED_WITHIN_SECONDS; second++) {
    const totals = countClicks(links);
    counts = classes.map((name) => totals[name] - links.before[name]);
    if (counts[0] >= expected) break;
    sleep(1);
  }
  return counts;
}
