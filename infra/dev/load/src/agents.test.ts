import { readFileSync } from "node:fs";
import { parseUserAgent } from "@tapthru/proto/rules/agents/agent";
import { BUILT_IN_OPENING_TABLE } from "@tapthru/proto/rules/app-opening/built-in-app-opening";
import { expect, it } from "vitest";
import { type Agent, chooseAgent } from "./agents.ts";

const file = new URL("../agents.json", import.meta.url);
const { agents }: { agents: Agent[] } = JSON.parse(readFileSync(file, "utf8"));

const EXPECTED: Record<string, Agent["expected"]> = {
  ios: "page",
  android: "page",
  desktop: "redirect",
  "preview-crawler": "card",
};

it("has shares whose sum is 1", () => {
  expect(agents.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1);
});

it.each(agents)("expects the response of the rules for $name", ({ userAgent, expected }) => {
  const { device } = parseUserAgent(userAgent, BUILT_IN_OPENING_TABLE.apps);
  expect(EXPECTED[device]).toBe(expected);
});

it("chooses each agent according to its share", () => {
  const counts = new Map<string, number>();
  for (let step = 0; step < 10_000; step++) {
    const { name } = chooseAgent(agents, step / 10_000);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  for (const { name, share } of agents) expect((counts.get(name) ?? 0) / 10_000).toBeCloseTo(share);
});
