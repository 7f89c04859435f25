import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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

const FILE = join(import.meta.dirname, "..", "grafana", "dashboards", "tapthru-overview.json");
const { panels }: Dashboard = JSON.parse(readFileSync(FILE, "utf8"));
const targets = panels.flatMap(({ targets }) => targets);
const queries = targets.map(({ expr }) => expr);

it("every query uses the selected installation and Prometheus", () => {
  for (const { expr, datasource } of targets) {
    expect(datasource.uid).toBe("$datasource");
    expect(expr).toContain('installation=~"$installation"');
  }
});

it("panels use only metrics and recorded series that exist", () => {
  const recorded = readRules().flatMap((rule) => ("record" in rule ? [rule.record] : []));
  const known = new Set([...exposedMetrics(), ...processMetrics(), ...recorded]);
  const queried = queries.flatMap((query) => [...metricsIn(query), ...recordedSeriesIn(query)]);
  expect(queried.length).toBeGreaterThan(0);
  expect(queried.filter((name) => !known.has(name))).toEqual([]);
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
