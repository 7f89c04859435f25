import { prometheusRule } from "./prometheus-rule.ts";
import { readRuleGroups } from "./rules.ts";

const [baseUrl = ""] = process.argv.slice(2);
console.log(JSON.stringify(prometheusRule(readRuleGroups(), baseUrl)));
