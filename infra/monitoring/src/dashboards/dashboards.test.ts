import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { findOnPath } from "@tapthru/local/programs/on-path";
import { skipWithout } from "@tapthru/local/testing/skip-tests";
import { execa } from "execa";
import { describe, expect, it, onTestFinished } from "vitest";
import { stringify } from "yaml";
import { exposedMetrics, metricsIn, processMetrics, recordedSeriesIn } from "../exposed-metrics.ts";
import { readRules } from "../rules.ts";
import { DASHBOARDS } from "./catalogue.ts";
import { grafanaFile, grafanaJson } from "./grafana.ts";
import { restrictToInstallation } from "./restrict-to-installation.ts";

const files = DASHBOARDS.map(grafanaFile);
const queries = DASHBOARDS.flatMap(({ panels }) =>
  panels.flatMap(({ queries }) => queries.map(({ expr }) => restrictToInstallation(expr))),
);

it.each(DASHBOARDS)("$uid.json matches its module (`pnpm dashboards` writes it)", (dashboard) => {
  expect(readFileSync(grafanaFile(dashboard), "utf8")).toBe(grafanaJson(dashboard));
});

it("every query uses the selected installation and Prometheus", () => {
  for (const dashboard of DASHBOARDS) {
    const { panels, templating } = JSON.parse(grafanaJson(dashboard));
    const names = templating.list.map(({ name }: { name: string }) => name);
    expect(names).toEqual(["datasource", "installation"]);
    for (const { targets } of panels) {
      for (const { expr, datasource } of targets) {
        expect(datasource.uid).toBe("$datasource");
        expect(expr).toContain('installation=~"$installation"');
      }
    }
  }
});

it("Grafana's folder contains no other dashboard", () => {
  const found = readdirSync(dirname(files[0] as string)).filter((name) => name.endsWith(".json"));
  expect(found.toSorted()).toEqual(files.map((file) => basename(file)).toSorted());
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
