import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { findOnPath } from "@tapthru/stack/programs/on-path";
import { CHECKOUT } from "@tapthru/stack/stack/settings";
import { skipWithout } from "@tapthru/stack/testing/skip-tests";
import { execa } from "execa";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { exposedMetrics, metricsIn, processMetrics, recordedSeriesIn } from "./exposed-metrics.ts";
import { PROMETHEUS_CONFIG, REPOSITORY, readRules, readRuleTests } from "./rules.ts";

const rules = readRules();
const alerts = rules.filter((rule) => "alert" in rule);
const firing = readRuleTests()
  .flatMap(({ promql_expr_test }) => promql_expr_test)
  .flatMap(({ exp_samples }) => exp_samples ?? []);
const runbook = readFileSync(join(CHECKOUT, "docs/runbook.md"), "utf8");

describe.each(alerts)("$alert", ({ alert, labels, annotations }) => {
  it("has the severity page or ticket, or none if it always fires", () => {
    expect(alert === "Watchdog" ? ["none"] : ["page", "ticket"]).toContain(labels.severity);
  });

  it("links to its heading in the runbook", () => {
    const heading = `docs/runbook.md#${alert.toLowerCase()}`;
    expect(annotations.runbook_url).toBe(REPOSITORY + heading);
  });

  it("fires in a rule test", () => {
    expect(firing.some(({ labels }) => labels.includes(`alertname="${alert}"`))).toBe(true);
  });
});

it("the runbook has a heading for each alert, with where to look and what to do", () => {
  const [, ...sections] = runbook.slice(runbook.indexOf("## Watchdog")).split(/^## /m);
  const headings = sections.map((section) => section.split("\n", 1)[0]);
  expect(headings.toSorted()).toEqual([...new Set(alerts.map(({ alert }) => alert))].toSorted());
  for (const section of sections) {
    expect(section).toMatch(/\*\*Look\*\*.+\*\*Do\*\*/s);
  }
});

it("the runbook names only metrics, records of the log, columns and settings that exist", () => {
  const sources = "{services/*,infra/{gateway,postgres}}/{src,schema}/**/*.{ts,sql}";
  const files = [
    ...globSync(sources, { cwd: CHECKOUT }),
    ".env.example",
    ...globSync("infra/{compose/*,monitoring/**/alerts.yml}", { cwd: CHECKOUT }),
  ];
  const words = new Set(files.flatMap((file) => readFileSync(join(CHECKOUT, file), "utf8").match(/\w+/g) ?? []));
  const named = [...runbook.replaceAll(/^```.*?^```$/gms, "").matchAll(/`([^`]+)`/g)].flatMap(
    ([, code = ""]) => code.match(/\b[A-Za-z]+(?:_[A-Za-z\d]+)+\b/g) ?? [],
  );
  const foreign = /^(pg|redis|nodejs|rmem|slot)_|_count$/;
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((name) => !words.has(name) && !foreign.test(name))).toEqual([]);
});

/** The alerts of each row of the table in docs/resilience.md, which has words of the key. Empty: it ends by itself. */
const FAILURES: Record<string, readonly string[]> = {
  "Redis is killed": ["RedisDown"],
  emptied: [],
  "Postgres is killed": ["PostgresDown"],
  "Postgres is unresponsive": ["PostgresDown", "ErrorBudgetFastBurn"],
  "Redis and Postgres": ["RedisDown", "PostgresDown"],
  "all redirects restart": ["PostgresDown", "ErrorBudgetFastBurn"],
  "any process": ["ServiceDown", "WorkerDown", "ProcessRestarting"],
  "edited or deleted": ["ChangesLate"],
  "wrong clocks": ["ClockSkewHigh"],
  "unknown codes": [],
  "queue's Redis is full": ["QueueMemoryHigh", "CacheEvicting"],
  "rolling restart": ["ReplicaDown"],
  "disks of": ["DiskFull"],
  "three times": ["ErrorBudgetFastBurn", "RequestsRefused"],
  "Amazon hangs": ["AmazonReadsFailing"],
  "clicks are counted": ["ClicksLate"],
  "a strategy": ["AppOpenRateLow"],
  "TLS=on": ["ServiceDown", "CertificateExpiring"],
  "Redis Cluster": ["RedisDown", "ApiFailing"],
};

it("each failure of docs/resilience.md has an alert", () => {
  const table = readFileSync(join(CHECKOUT, "docs/resilience.md"), "utf8").match(/^\| (?!what)[^|]+/gm) ?? [];
  const keysOf = (row: string) => Object.keys(FAILURES).filter((key) => row.includes(key));
  expect(table.map((row) => [row, keysOf(row).length])).toEqual(table.map((row) => [row, 1]));
  expect(table).toHaveLength(Object.keys(FAILURES).length);
  const names = alerts.map(({ alert }) => alert);
  expect(names).toEqual(expect.arrayContaining(Object.values(FAILURES).flat()));
});

it("uses only metrics that the services expose", () => {
  const exposed = new Set([...exposedMetrics(), ...processMetrics()]);
  const used = rules.flatMap(({ expr }) => metricsIn(expr));
  expect(used.length).toBeGreaterThan(20);
  expect(used.filter((name) => !exposed.has(name))).toEqual([]);
});

it("uses only recorded series that a rule defines", () => {
  const recorded = rules.flatMap((rule) => ("record" in rule ? [rule.record] : []));
  const used = rules.flatMap(({ expr }) => recordedSeriesIn(expr));
  expect(used.length).toBeGreaterThan(10);
  expect(used.filter((name) => !recorded.includes(name))).toEqual([]);
});

it("uses only jobs that Prometheus scrapes", () => {
  const { scrape_configs } = parse(readFileSync(PROMETHEUS_CONFIG, "utf8")) as {
    scrape_configs: { job_name: string }[];
  };
  const scraped = new Set(scrape_configs.map(({ job_name }) => job_name));
  const used = rules.flatMap(({ expr }) => expr.match(/(?<=\bjob=")[\w-]+/g) ?? []);
  expect(used.length).toBeGreaterThan(3);
  expect(used.filter((job) => !scraped.has(job))).toEqual([]);
});

const promtool = findOnPath("promtool");
describe("promtool", () => {
  skipWithout("promtool");

  it("accepts the configuration and the rules", async () => {
    const { stdout } = await execa(String(promtool), ["check", "config", PROMETHEUS_CONFIG]);
    expect(stdout).toMatch(/\d+ rules found/);
  });
});
