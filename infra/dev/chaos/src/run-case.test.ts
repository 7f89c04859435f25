import { expect, it } from "vitest";
import { crashDuringCreates, crashOfAnyProcess } from "./cases/r08-crash-of-any-process.ts";
import type { FaultCase } from "./fault-case.ts";
import { runFaultCase } from "./run-case.ts";

const SIZE = { creates: 100, perSecond: 100, crashes: 1 };
/** With this seed the crash hits Postgres. */
const SEED = 44;

it("loses no link in a short run in which Postgres is killed", async () => {
  const faultCase: FaultCase = {
    ...crashOfAnyProcess,
    run: (trial) => crashDuringCreates(trial, SIZE),
  };

  const { results } = await runFaultCase(faultCase, SEED, new AbortController().signal);

  expect(results.filter(({ passed }) => !passed)).toEqual([]);
  expect(results).toContainEqual(
    expect.objectContaining({ label: "killed", measured: "Postgres" }),
  );
}, 120_000);
