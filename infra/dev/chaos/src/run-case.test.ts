import { expect, it } from "vitest";
import { crashDuringCreates, crashOfAnyProcess } from "./cases/r08-crash-of-any-process.ts";
import type { FaultCase } from "./fault-case.ts";
import { runRow } from "./run-case.ts";

const SIZE = { creates: 100, perSecond: 100, crashes: 1 };
const SEED_THAT_KILLS_POSTGRES = 44;

it("loses no link of a small trial in which Postgres is killed", async () => {
  const row: FaultCase = { ...crashOfAnyProcess, run: (trial) => crashDuringCreates(trial, SIZE) };

  const { findings } = await runRow(row, SEED_THAT_KILLS_POSTGRES, new AbortController().signal);

  expect(findings.filter(({ holds }) => !holds)).toEqual([]);
  expect(findings).toContainEqual(
    expect.objectContaining({ what: "killed", measured: "Postgres" }),
  );
}, 120_000);
