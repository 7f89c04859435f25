import { login, logout } from "@tapthru/proto/http/accounts";
import { generate } from "@tapthru/proto/http/generate";
import { listLinks, updateLink } from "@tapthru/proto/http/links";
import type { Dispatcher } from "undici";
import type { Random } from "../../random.ts";
import { AGENTS } from "../clicks/visit-kinds.ts";
import { productPages } from "../creates.ts";
import { destinationOf, newCode } from "../insert-links.ts";
import type { OperationGroup, SoakOwner, SoakPlan } from "./soak-load.ts";

export interface SoakRequest {
  method: Dispatcher.HttpMethod;
  path: string;
  headers: Record<string, string>;
  body?: string;
}

export interface SoakResponse {
  status: number;
  location: string | null;
  /** The cookies it sets, as a client sends them back. */
  cookie: string;
  body: string;
}

export type Send = (request: SoakRequest) => Promise<SoakResponse>;

/** One or more requests of a client. */
export interface Operation {
  group: OperationGroup;
  /** Returns what was wrong; null if all responses were correct. */
  run(send: Send): Promise<string | null>;
}

const PAGES = productPages(100);
const JSON_TYPE = { "content-type": "application/json" };

/** Parts of the visits of links; phones have the largest part. */
const VISITS = [
  { agent: AGENTS.desktop, share: 0.35, status: 302 },
  { agent: AGENTS.instagram, share: 0.3, status: 200 },
  { agent: AGENTS.iphone, share: 0.25, status: 200 },
  { agent: AGENTS.crawler, share: 0.1, status: 200 },
] as const;

/** By Zipf's law: the first link is visited most, the second half as often, and so on. */
function visitLink({ codes, warmLinks }: SoakPlan, random: Random): Operation {
  const rank = Math.floor((codes.length + 1) ** random()) - 1;
  const code = codes[rank] as string;
  const { agent, status } = chooseVisit(random());
  return {
    group: rank < warmLinks ? "warm" : "cold",
    async run(send) {
      const response = await send(visit(code, agent));
      if (response.status !== status) return unexpected(`/l/${code}`, response);
      if (status === 302 && response.location !== destinationOf(code))
        return `${code} redirects to ${response.location}`;
      return status === 302 || response.body.includes(code) ? null : `wrong page of ${code}`;
    },
  };
}

function chooseVisit(chance: number): (typeof VISITS)[number] {
  let below = 0;
  const chosen = VISITS.find(({ share }) => {
    below += share;
    return chance < below;
  });
  return chosen ?? VISITS[0];
}

function visitUnknown(random: Random): Operation {
  const code = newCode(random);
  return {
    group: "unknown",
    run: async (send) => expectStatus(404, `/l/${code}`, await send(visit(code, AGENTS.desktop))),
  };
}

function visit(code: string, agent: string): SoakRequest {
  return { method: "GET", path: `/l/${code}`, headers: { "user-agent": agent } };
}

type ApiCall = (owner: SoakOwner, random: Random) => Operation["run"];

/** Without a cookie each create comes from a new visitor and makes a new link. */
const create: ApiCall =
  ({ publicOrigin }, random) =>
  async (send) => {
    const body = JSON.stringify({ url: PAGES[Math.floor(random() * PAGES.length)] });
    const headers = { ...JSON_TYPE, origin: publicOrigin };
    return expectStatus(201, "create", await send({ ...pick(generate), headers, body }));
  };

const edit: ApiCall = (owner, random) => async (send) => {
  const code = owner.codes[Math.floor(random() * owner.codes.length)] ?? "";
  const path = updateLink.path.replace(":shortCode", code);
  const body = JSON.stringify({ title: `Title ${random()}` });
  const headers = { ...JSON_TYPE, ...session(owner) };
  return expectStatus(200, "edit", await send({ method: updateLink.method, path, headers, body }));
};

const list: ApiCall = (owner) => async (send) =>
  expectStatus(200, "list", await send({ ...pick(listLinks), headers: session(owner) }));

const logInAndOut: ApiCall = (owner) => async (send) => {
  const { publicOrigin: origin, authorization, firebaseUid } = owner;
  const loggedIn = await send({
    ...pick(login),
    headers: { ...JSON_TYPE, origin, authorization },
    body: JSON.stringify({ firebaseUid }),
  });
  const headers = { origin, cookie: loggedIn.cookie };
  return (
    expectStatus(200, "login", loggedIn) ??
    expectStatus(200, "logout", await send({ ...pick(logout), headers }))
  );
};

function pick({ method, path }: Pick<SoakRequest, "method" | "path">) {
  return { method, path };
}

function session({ publicOrigin, cookie }: SoakOwner) {
  return { origin: publicOrigin, cookie };
}

function expectStatus(status: number, what: string, response: SoakResponse): string | null {
  return response.status === status ? null : unexpected(what, response);
}

function unexpected(what: string, { status, body }: SoakResponse): string {
  return `${what}: ${status} ${body.trim().slice(0, 80)}`;
}

/** Parts of all operations; the others are visits of links. */
const UNKNOWN_SHARE = 0.05;
const API_CALLS = [
  { share: 0.02, make: create },
  { share: 0.005, make: edit },
  { share: 0.02, make: list },
  { share: 0.005, make: logInAndOut },
] as const;

export function chooseOperation(plan: SoakPlan, random: Random): Operation {
  if (plan.owner === null) return visitLink(plan, random);
  let rest = random();
  for (const { share, make } of API_CALLS) {
    if (rest < share) return { group: "api", run: make(plan.owner, random) };
    rest -= share;
  }
  return rest < UNKNOWN_SHARE ? visitUnknown(random) : visitLink(plan, random);
}
