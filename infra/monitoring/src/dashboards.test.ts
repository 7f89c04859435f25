import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findOnPath } from "@tapthru/stack/programs/on-path";
import { skipWithout } from "@tapthru/stack/testing/skip-tests";
import { execa } from "execa";
import { describe, expect, it, onTestFinished } from "vitest";
import { stringify } from "yaml";
import { exposedMetrics, metricsIn, processMetrics, recordedSeriesIn } from "./exposed-metrics.ts";
import { readRules } from "./rules.ts";

interface Dashboard {
  panels: { targets: { expr: string; datasource: { uid: string } }[] }[];
}

const FOLDER = join(import.meta.dirname, "..", "grafana", "dashboards");
const targets = readdirSync(FOLDER)
  .map((name): Dashboard => JSON.parse(readFileSync(join(FOLDER, name), "utf8")))
  .flatMap(({ panels }) => panels.flatMap(({ targets }) => targets));
const queries = targets.map(({ expr }) => expr);

it("every query uses the selected installation and Prometheus", () => {
  for (const { expr, datasource } of targets) {
    expect(datasource.uid).toBe("$datasource");
    expect(expr).toContain('installation=~"$installation"');
  }
});

it("panels use only existing metrics, and all of Tapthru's", () => {
  const exposed = exposedMetrics();
  const known = new Set([...exposed, ...processMetrics()]);
  const queried = new Set(queries.flatMap(metricsIn));
  expect([...queried].filter((name) => !known.has(name))).toEqual([]);
  expect([...exposed].filter((name) => !queried.has(name))).toEqual([]);
});

it("panels use only recorded series that a rule defines", () => {
  const recorded = readRules().flatMap((rule) => ("record" in rule ? [rule.record] : []));
  const queried = queries.flatMap(recordedSeriesIn);
  expect(queried.length).toBeGreaterThan(0);
  expect(queried.filter((name) => !recorded.includes(name))).toEqual([]);
});

const promtool = findOnPath("promtool");
describe("promtool", () => {
  skipWithout("promtool");

  it("accepts every query", async () => {
    const folder = mkdtempSync(join(tmpdir(), "tapthru-panels-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const rules = queries.map((expr, index) => ({
      record: `panel:${index}`,
      expr: expr.replaceAll("$__rate_interval", "1m"),
    }));
    const file = join(folder, "panels.yml");
    writeFileSync(file, stringify({ groups: [{ name: "panels", rules }] }));

    const { stdout } = await execa(String(promtool), ["check", "rules", file]);

    expect(stdout).toContain(`${queries.length} rules found`);
  });
});
