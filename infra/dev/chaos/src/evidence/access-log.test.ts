import { expect, it } from "vitest";
import { retriedRequests } from "./access-log.ts";

const line = (requestId: string, upstreamStatus: string, upstreamConnectSeconds: string) =>
  JSON.stringify({ requestId, method: "POST", upstreamStatus, upstreamConnectSeconds });

it("separates requests that the first replica refused from those that it may have received", () => {
  const log = [
    line("one", "201", "0.000"),
    line("refused", "502, 201", "-, 0.001"),
    line("had", "502, 201", "0.000, 0.001"),
    "",
  ].join("\n");

  expect(retriedRequests(log, "POST")).toEqual({ all: 2, repeated: ["had"] });
  expect(retriedRequests(log, "GET")).toEqual({ all: 0, repeated: [] });
});
