import { readFileSync } from "node:fs";
import { join } from "node:path";
import { onPath } from "@tapthru/local/programs/on-path";
import { CHECKOUT } from "@tapthru/local/stack/settings";
import { skipWithout } from "@tapthru/local/testing/skip-tests";
import { execa } from "execa";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { exposedMetrics, metricsIn, processMetrics, recordsIn } from "./exposed-metrics.ts";
import { type Alert, PROMETHEUS_CONFIG, readRules, readRuleTests, ruleTestFiles } from "./rules.ts";

const rules = readRules();
const alerts = rules.filter((rule) => "alert" in rule);
const objectives = new Set(
  rules.flatMap((rule) => ("record" in rule && rule.labels?.slo ? [rule.labels.slo] : [])),
);

describe.each(alerts)("$alert", ({ alert, labels, annotations }) => {
  it("pages or is a ticket", () => {
    expect(["page", "ticket"]).toContain(labels.severity);
  });

  it("leads to what it means, where to look and what to do", () => {
    const operations = readFileSync(join(CHECKOUT, "docs", "OPERATIONS.md"), "utf8");
    for (const anchor of anchorsOf(annotations)) {
      const section = sectionOf(operations, anchor);
      for (const part of ["**Means**", "**Look**", "**Do**"]) expect(section).toContain(part);
    }
  });

  it("is tried where it tells and where it is silent", () => {
    const trials = readRuleTests()
      .flatMap((test) => test.alert_rule_test ?? [])
      .filter(({ alertname }) => alertname === alert)
      .map(({ exp_alerts }) => exp_alerts.length > 0);
    expect(new Set(trials)).toEqual(new Set([true, false]));
  });
});

it("names only metrics that the services have", () => {
  const exposed = new Set([...exposedMetrics(), ...processMetrics()]);
  const named = rules.flatMap(({ expr }) => metricsIn(expr));
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((name) => !exposed.has(name))).toEqual([]);
});

it("names only what other rules record", () => {
  const recorded = rules.flatMap((rule) => ("record" in rule ? [rule.record] : []));
  const named = rules.flatMap(({ expr }) => recordsIn(expr));
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !recorded.includes(name))).toEqual([]);
});

it("knows the services by the names of jobs under which Prometheus reads them", () => {
  const { scrape_configs } = parse(readFileSync(PROMETHEUS_CONFIG, "utf8")) as {
    scrape_configs: { job_name: string }[];
  };
  const read = new Set(scrape_configs.map(({ job_name }) => job_name));
  const named = rules.flatMap(({ expr }) => expr.match(/(?<=job=")[\w-]+/g) ?? []);
  expect(named.length).toBeGreaterThan(3);
  expect(named.filter((job) => !read.has(job))).toEqual([]);
});

const promtool = onPath("promtool");
describe("promtool", () => {
  skipWithout("promtool");

  it("finds configuration and rules sound", async () => {
    const { stdout } = await execa(String(promtool), ["check", "config", PROMETHEUS_CONFIG]);
    expect(stdout).toMatch(/\d+ rules found/);
  });

  it("sees each alert tell and be silent as it should", async () => {
    await execa(String(promtool), ["test", "rules", ...ruleTestFiles()]);
  }, 600_000);
});

/** An alert of the objectives leads to the section of the one it is about. */
function anchorsOf({ runbook_url }: Alert["annotations"]): string[] {
  const [page, anchor = ""] = runbook_url.split("#");
  expect(page).toBe("docs/OPERATIONS.md");
  return anchor === "{{ $labels.slo }}" ? [...objectives] : [anchor];
}

function sectionOf(text: string, anchor: string): string {
  const sections = text.split(/^### /m).slice(1);
  return sections.find((section) => section.split("\n", 1)[0]?.toLowerCase() === anchor) ?? "";
}
