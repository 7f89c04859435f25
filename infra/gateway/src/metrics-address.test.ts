import { expect, it, vi } from "vitest";
import { metricsAddressOf } from "./metrics-address.ts";

it("gives nginx an IP address", async () => {
  const logger = { warn: vi.fn() };
  expect(await metricsAddressOf("127.0.0.1:5514", logger)).toBe("127.0.0.1:5514");
  expect(await metricsAddressOf("localhost:5514", logger)).toMatch(/^(127\.0\.0\.1|\[::1\]):5514$/);
  expect(logger.warn).not.toHaveBeenCalled();
});

it("lets the gateway start without metrics where the name is unknown", async () => {
  const logger = { warn: vi.fn() };
  expect(await metricsAddressOf("gateway-metrics.invalid:5514", logger)).toBeNull();
  expect(logger.warn).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ event: "gateway_metrics_unavailable" }),
    expect.any(String),
  );
});
