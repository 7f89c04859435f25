import { describe, expect, it } from "vitest";
import { standInUrlError } from "./address.ts";

describe("standInUrlError", () => {
  it.each(["http://127.0.0.1:9400", "http://[::1]:9400"])("accepts %s in local and demo", (url) => {
    expect(standInUrlError(url, "local")).toBeNull();
    expect(standInUrlError(url, "demo")).toBeNull();
  });

  it.each(["http://10.0.0.2:80", "http://172.18.0.5:9400", "http://[fd00::5]:9400"])(
    "accepts %s in demo only",
    (url) => {
      expect(standInUrlError(url, "demo")).toBeNull();
      expect(standInUrlError(url, "local")).toBe("must be a loopback address");
    },
  );

  it.each(["http://1.1.1.1:80", "http://169.254.169.254:80", "http://[::ffff:10.0.0.1]:80"])(
    "refuses %s, which is not a private address",
    (url) => {
      expect(standInUrlError(url, "demo")).toBe("must be a private address");
    },
  );

  it.each([
    "https://127.0.0.1:9400",
    "http://127.0.0.1",
    "http://127.0.0.1:9400/",
    "http://127.0.0.1:9400/path",
    "http://127.0.0.1:99999",
    "http://localhost:9400",
    "http://me@127.0.0.1:9400",
    "http://127.1:9400",
    "127.0.0.1:9400",
    "",
  ])("refuses '%s', which has another format", (url) => {
    expect(standInUrlError(url, "local")).not.toBeNull();
    expect(standInUrlError(url, "demo")).not.toBeNull();
  });
});
