import { getDefaultResultOrder, setDefaultResultOrder } from "node:dns";
import { expect, it, onTestFinished, vi } from "vitest";
import { metricsAddressOf } from "./metrics-address.ts";

it("resolves the host to an IPv4 address, even if IPv6 is preferred", async () => {
  const order = getDefaultResultOrder();
  onTestFinished(() => setDefaultResultOrder(order));
  setDefaultResultOrder("ipv6first");
  const logger = { warn: vi.fn() };
  expect(await metricsAddressOf("127.0.0.1:5514", logger)).toBe("127.0.0.1:5514");
  expect(await metricsAddressOf("localhost:5514", logger)).toBe("127.0.0.1:5514");
  expect(logger.warn).not.toHaveBeenCalled();
});

it("logs a warning and returns null if the name is unknown", async () => {
  const logger = { warn: vi.fn() };
  expect(await metricsAddressOf("gateway-metrics.invalid:5514", logger)).toBeNull();
  expect(logger.warn).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ event: "gateway_metrics_unavailable" }),
    expect.any(String),
  );
});
