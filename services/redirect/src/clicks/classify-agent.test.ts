import { readFileSync } from "node:fs";
import { parseUserAgent } from "@tapthru/proto/rules/agents/agent";
import { BUILT_IN_OPENING_TABLE } from "@tapthru/proto/rules/app-opening/built-in-app-opening";
import crawlers from "crawler-user-agents";
import { describe, expect, it } from "vitest";
import { CLASSIFIER_VERSION, classifyAgent } from "./classify-agent.ts";

function classOf(userAgent: string) {
  return classifyAgent(userAgent, parseUserAgent(userAgent, BUILT_IN_OPENING_TABLE.apps));
}

const AGENTS = readFileSync(
  new URL("../../../../proto/src/rules/agents/testing/agents.tsv", import.meta.url),
  "utf8",
)
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => line.split("\t"));

const IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15";
const PIXEL = "Mozilla/5.0 (Linux; Android 15; Pixel 9; wv) AppleWebKit/537.36 Chrome/138.0.0.0";

describe("classifyAgent", () => {
  it("recognizes 99 % of the agents of crawler-user-agents", () => {
    const agents = crawlers.flatMap(({ instances }) => instances);
    expect(agents.length).toBeGreaterThan(2_000);
    const people = agents.filter((agent) => classOf(agent) === "person");
    expect(people.length / agents.length).toBeLessThan(0.01);
  });

  it("takes people in known in-app browsers for people", () => {
    const inApps = AGENTS.filter(
      ([device = "", app = ""]) =>
        /^(ios|android|desktop)$/.test(device) && !/^(browser|other-view|-)$/.test(app),
    );
    expect(inApps.length).toBeGreaterThan(50);
    for (const [, , , agent = ""] of inApps)
      expect([agent, classOf(agent)]).toEqual([agent, "person"]);
  });

  it.each([
    [
      "person",
      `${PIXEL} Mobile Safari/537.36 Instagram 406.0.0.58.159 Android (35/15; Google; Pixel 9)`,
    ],
    ["person", `${IPHONE} Version/18.6 Mobile/15E148 Safari/604.1`],
    ["preview", "facebookexternalhit/1.1"],
    ["preview", "WhatsApp/2.24.9.78 A"],
    ["bot", "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"],
    ["bot", "UptimeRobot/2.0"],
    ["bot", "GuzzleHttp/7"],
    ["bot", "curl/8.5.0"],
    ["bot", ""],
  ])("is %s: %s", (expected, agent) => {
    expect(classOf(agent)).toBe(expected);
  });

  it("has a version that names the version of isbot in use", () => {
    const { version } = JSON.parse(
      readFileSync(new URL(import.meta.resolve("isbot/package.json")), "utf8"),
    );
    expect(CLASSIFIER_VERSION).toContain(`isbot ${version}`);
  });
});
