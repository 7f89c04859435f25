import { readFileSync } from "node:fs";
import { parseUserAgent } from "@tapthru/proto/rules/agents/agent";
import { BUILT_IN_OPENING_TABLE } from "@tapthru/proto/rules/built-in-app-opening";
import { expect, it } from "vitest";
import { type Agent, chooseAgent } from "./agents.ts";

const file = new URL("../agents.json", import.meta.url);
const { agents }: { agents: Agent[] } = JSON.parse(readFileSync(file, "utf8"));

const ANSWERS: Record<string, Agent["answer"]> = {
  ios: "page",
  android: "page",
  desktop: "redirect",
  "preview-crawler": "card",
};

it("has shares that make one whole", () => {
  expect(agents.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1);
});

it.each(agents)("expects what the rules answer to $name", ({ userAgent, answer }) => {
  const { device } = parseUserAgent(userAgent, BUILT_IN_OPENING_TABLE.apps);
  expect(ANSWERS[device]).toBe(answer);
});

it("takes each agent as often as its share says", () => {
  const counts = new Map<string, number>();
  for (let step = 0; step < 10_000; step++) {
    const { name } = chooseAgent(agents, step / 10_000);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  for (const { name, share } of agents) expect((counts.get(name) ?? 0) / 10_000).toBeCloseTo(share);
});
