import { expect, it } from "vitest";
import { passedOn } from "./access-log.ts";

const line = (requestId: string, upstreamStatus: string, upstreamConnectSeconds: string) =>
  JSON.stringify({ requestId, method: "POST", upstreamStatus, upstreamConnectSeconds });

it("tells requests that a replica did not take from those that it may have had", () => {
  const log = [
    line("one", "201", "0.000"),
    line("refused", "502, 201", "-, 0.001"),
    line("had", "502, 201", "0.000, 0.001"),
    "",
  ].join("\n");

  expect(passedOn(log, "POST")).toEqual({ all: 2, repeated: ["had"] });
  expect(passedOn(log, "GET")).toEqual({ all: 0, repeated: [] });
});
