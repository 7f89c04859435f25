import type { LinkExperiment } from "@tapthru/proto/redirect/link-experiment";
import { BUILT_IN_OPENING_TABLE } from "@tapthru/proto/rules/app-opening/built-in-app-opening";
import type { OPENING_WAYS } from "@tapthru/proto/rules/experiments";
import { describe, expect, it } from "vitest";
import { appPageFor, chooseDestination } from "./choose-destination.ts";
import { type LiveLink, linkFrom } from "./link.ts";
import { ANDROID, CRAWLER, DESKTOP, IPHONE, liveRecord } from "./testing/test-service.ts";
import { createClientParser, visitorFrom } from "./visitor/visitor.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");
const PAGE = "https://www.amazon.de/dp/B0ZZ1Y2X3W";
const webUrl = `${PAGE}?tag=me-21&th=1`;
const TIKTOK = `${IPHONE.replace("Version/17.5 ", "")} musical_ly_34.0.0`;
const parseClient = createClientParser(() => BUILT_IN_OPENING_TABLE);

type Way = (typeof OPENING_WAYS)[number];

function experiment(a: Way, b: Way, changes: Partial<LinkExperiment> = {}): LinkExperiment {
  const arms = { a: { tag: "a-21", way: a }, b: { tag: "b-21", way: b } };
  return { id: 7, os: "ios", arms, adopted: null, to: NOW + 1, ...changes };
}

function linkIn(one: LinkExperiment, isUntagged = false): LiveLink {
  const link = linkFrom(liveRecord({ webUrl, experiments: [one], isUntagged }));
  if (link?.state !== "live") throw new Error("no link");
  return link;
}

interface TestVisit {
  agent?: string;
  headers?: object;
  query?: string;
  random?: number;
}

/** What opens: the page's automatic way, its arm and address. */
function visit(link: LiveLink, { agent = IPHONE, headers = {}, query = "", random = 0 }: TestVisit = {}, now = NOW) {
  const request = { url: `/l/x${query}`, headers: { "user-agent": agent, ...headers } };
  const visitor = visitorFrom(request, parseClient);
  const decision = chooseDestination(link, { visitor, now, country: "unknown", random: () => random });
  if (decision.kind === "redirect") return ["302", decision.arm?.key, decision.location];
  if (decision.kind !== "app-page") return [decision.kind];
  const page = appPageFor(decision, "https://go.example/l/x");
  return [page.isAutomatic ? "auto" : "tap", decision.arm?.key, page.webUrl, page.escapeUrl];
}

const taggedWith = (tag: string) => webUrl.replace("me-21", tag);

describe("a visit of a link in an experiment", () => {
  it("opens as one half or the other, with its tag, by chance", () => {
    const link = linkIn(experiment("app", "browser"));
    expect(visit(link)).toEqual(["auto", "7a", taggedWith("a-21"), null]);
    expect(visit(link, { random: 0.5 })).toEqual(["302", "7b", taggedWith("b-21")]);
    expect(visit(linkIn(experiment("tap", "app")))).toEqual(["tap", "7a", taggedWith("a-21"), null]);
  });

  it.each<[string, TestVisit & { now?: number }]>([
    ["on another system", { agent: ANDROID }],
    ["on a desktop", { agent: DESKTOP }],
    ["of a crawler", { agent: CRAWLER }],
    ["that is prefetched", { headers: { "sec-purpose": "prefetch" } }],
    ["from the end on", { now: NOW + 1 }],
  ])("opens as usual %s", (_title, { now = NOW, ...of }) => {
    const usual = linkFrom(liveRecord({ webUrl })) as LiveLink;
    expect(visit(linkIn(experiment("tap", "browser")), of, now)).toEqual(visit(usual, of, now));
  });

  it("stays in its half after it has left an in-app browser", () => {
    const link = linkIn(experiment("app", "app"));
    const escapeUrl = "x-safari-https://go.example/l/x?tt_arm=7b&tt_esc=1";
    expect(visit(link, { agent: TIKTOK, random: 0.9 })).toEqual(["tap", "7b", taggedWith("b-21"), escapeUrl]);
    expect(visit(link, { query: "?tt_arm=7b&tt_esc=1" })).toEqual(["auto", "7b", taggedWith("b-21"), null]);
    expect(visit(link, { query: "?tt_arm=7c&tt_esc=1" })).toEqual(["auto", undefined, webUrl, null]);
  });

  it("opens as adopted, with the channel's tag and without end", () => {
    const link = linkIn(experiment("app", "browser", { adopted: "b" }));
    for (const random of [0, 0.9]) {
      expect(visit(link, { random }, NOW + 9e9)).toEqual(["302", "7-adopted", webUrl]);
    }
  });

  it("opens without tag by an untagged code, and in other stores with the tag there", () => {
    expect(visit(linkIn(experiment("browser", "browser"), true))).toEqual(["auto", undefined, `${PAGE}?th=1`, null]);
    const routed = linkFrom(
      liveRecord({
        ...{ webUrl, experiments: [experiment("browser", "browser")] },
        routing: { stores: [{ marketplace: "fr", tag: "fr-21", isSold: true }], oneLink: [], searchTitle: null },
      }),
    ) as LiveLink;
    const visitor = visitorFrom({ url: "/l/x", headers: { "user-agent": IPHONE } }, parseClient);
    const decision = chooseDestination(routed, { visitor, now: NOW, country: "FR", random: () => 0 });
    expect(decision).toMatchObject({ kind: "app-page", arm: undefined, route: { marketplace: "fr" } });
  });
});
