import { expect, it } from "vitest";
import { runRow } from "../run-case.ts";
import { orderAndProbes, takeDependenciesAway } from "./r18-order-and-probes.ts";

const SIZE = { absentMs: 1_000, awayMs: 1_000 };

it("keeps services alive without anything they need, and the redirect ready", async () => {
  const row = { ...orderAndProbes, run: takeSome };

  const { findings } = await runRow(row, 1, new AbortController().signal);

  expect(findings.filter(({ holds, limit }) => !holds && !isTime(limit))).toEqual([]);
}, 120_000);

const takeSome: typeof orderAndProbes.run = (trial) => takeDependenciesAway(trial, SIZE);

/** How long it takes is for a machine that does nothing else. */
const isTime = (limit: string | null) => limit?.endsWith(" s");
