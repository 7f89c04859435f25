import { findOnPath } from "@tapthru/stack/programs/on-path";
import { skipWithout } from "@tapthru/stack/testing/skip-tests";
import { execa } from "execa";
import { it } from "vitest";
import { ruleTestFiles } from "./rules.ts";

skipWithout("promtool");

it("promtool passes all rule tests", async () => {
  await execa(String(findOnPath("promtool")), ["test", "rules", ...ruleTestFiles()]);
}, 600_000);
