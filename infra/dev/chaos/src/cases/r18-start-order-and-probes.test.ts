import { expect, it } from "vitest";
import { runFaultCase } from "../run-case.ts";
import { startOrderAndProbes, stopDependencies } from "./r18-start-order-and-probes.ts";

const SIZE = { startOutageMs: 1_000, outageMs: 1_000 };

it("keeps services live without dependencies, and the redirect ready", async () => {
  const faultCase = { ...startOrderAndProbes, run: runShort };

  const { results } = await runFaultCase(faultCase, 1, new AbortController().signal);

  expect(results.filter(({ passed, limit }) => !passed && !isDuration(limit))).toEqual([]);
}, 120_000);

const runShort: typeof startOrderAndProbes.run = (trial) => stopDependencies(trial, SIZE);

/** Durations are checked on an idle machine only. */
const isDuration = (limit: string | null) => limit?.endsWith(" s");
