import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";

interface Alert {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; runbook_url: string };
}

type Recording = { record: string; expr: string; labels?: { slo?: string } };
type Rule = Alert | Recording;

interface RuleGroup {
  rules: Rule[];
}

interface RuleTest {
  promql_expr_test: { exp_samples?: { labels: string }[] }[];
}

const MONITORING = join(import.meta.dirname, "..");
export const PROMETHEUS_CONFIG: string = join(MONITORING, "prometheus", "prometheus.yml");

/** The address of this repository's files in the rules. */
export const REPOSITORY = "{{ $externalLabels.repository }}";

export function readRules(): Rule[] {
  const files = yamlFiles(join(MONITORING, "prometheus", "rules"));
  return files
    .flatMap((file) => (parse(readFileSync(file, "utf8")) as { groups: RuleGroup[] }).groups)
    .flatMap(({ rules }) => rules);
}

export function ruleTestFiles(): string[] {
  return yamlFiles(join(MONITORING, "rule-tests"));
}

export function readRuleTests(): RuleTest[] {
  return ruleTestFiles().flatMap((file) => (parse(readFileSync(file, "utf8")) as { tests: RuleTest[] }).tests);
}

function yamlFiles(folder: string): string[] {
  return readdirSync(folder).map((name) => join(folder, name));
}
