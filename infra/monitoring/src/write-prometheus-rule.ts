import { prometheusRule } from "./prometheus-rule.ts";
import { readRuleGroups } from "./rules.ts";

const [checkout = ""] = process.argv.slice(2);
console.log(JSON.stringify(prometheusRule(readRuleGroups(), checkout)));
