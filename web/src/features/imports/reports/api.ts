import { infiniteQueryOptions } from "@tanstack/react-query";
import type { EarningsImport } from "@tapthru/proto/earnings-imports";
import { earningsImportsOptions } from "../../../lib/earnings.ts";
import { pollDelay } from "../../../lib/http/query-presets.ts";

/** Refetched while a file is read. */
export const importsOptions = infiniteQueryOptions({
  ...earningsImportsOptions,
  refetchInterval({ state: { data, error } }) {
    const reading = data?.pages.flat().find(({ state }) => state === "reading");
    return reading ? pollDelay(reading.createdAt, error) : false;
  },
});

export const nameOfReports = ({ fileName }: EarningsImport) => fileName ?? "Reports from Amazon";
