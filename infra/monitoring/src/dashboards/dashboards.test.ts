import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { onPath } from "@tapthru/local/programs/on-path";
import { skipWithout } from "@tapthru/local/testing/skip-tests";
import { execa } from "execa";
import { describe, expect, it, onTestFinished } from "vitest";
import { stringify } from "yaml";
import { exposedMetrics, metricsIn, processMetrics, recordsIn } from "../exposed-metrics.ts";
import { readRules } from "../rules.ts";
import { DASHBOARDS } from "./catalogue.ts";
import { grafanaFile, grafanaJson } from "./grafana.ts";
import { ofInstallation } from "./of-installation.ts";

const files = DASHBOARDS.map(grafanaFile);
const queries = DASHBOARDS.flatMap(({ panels }) =>
  panels.flatMap(({ queries }) => queries.map(({ expr }) => ofInstallation(expr))),
);

it.each(DASHBOARDS)(
  "Grafana's $uid.json is what the module says (pnpm dashboards writes it)",
  (dashboard) => {
    expect(readFileSync(grafanaFile(dashboard), "utf8")).toBe(grafanaJson(dashboard));
  },
);

it("every query is about the chosen installation, in the chosen Prometheus", () => {
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

it("Grafana finds no other dashboard", () => {
  const found = readdirSync(dirname(files[0] as string)).filter((name) => name.endsWith(".json"));
  expect(found.toSorted()).toEqual(files.map((file) => basename(file)).toSorted());
});

it("panels ask for metrics that the services have, and for each of ours", () => {
  const ours = exposedMetrics();
  const known = new Set([...ours, ...processMetrics()]);
  const asked = new Set(queries.flatMap(metricsIn));
  expect([...asked].filter((name) => !known.has(name))).toEqual([]);
  expect([...ours].filter((name) => !asked.has(name))).toEqual([]);
});

it("panels ask for nothing that no rule records", () => {
  const recorded = readRules().flatMap((rule) => ("record" in rule ? [rule.record] : []));
  const asked = queries.flatMap(recordsIn);
  expect(asked.length).toBeGreaterThan(0);
  expect(asked.filter((name) => !recorded.includes(name))).toEqual([]);
});

const promtool = onPath("promtool");
describe("promtool", () => {
  skipWithout("promtool");

  it("understands every query", async () => {
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
