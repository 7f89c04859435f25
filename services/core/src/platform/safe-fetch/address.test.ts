import { describe, expect, it } from "vitest";
import { isPublicAddress, standInUrlError } from "./address.ts";

describe("isPublicAddress", () => {
  it.each([
    "1.1.1.1",
    "52.94.236.248",
    "172.15.255.255",
    "172.32.0.1",
    "100.128.0.1",
    "2600:9000:2000::1",
    "2a00:1450:4001:830::200e",
  ])("accepts %s", (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    ["this network", "0.0.0.0"],
    ["this network", "0.1.2.3"],
    ["private", "10.0.0.1"],
    ["carrier-grade NAT", "100.64.0.1"],
    ["loopback", "127.0.0.1"],
    ["loopback", "127.255.255.254"],
    ["cloud metadata", "169.254.169.254"],
    ["private", "172.16.0.1"],
    ["private", "172.31.255.255"],
    ["protocol assignments", "192.0.0.1"],
    ["documentation", "192.0.2.1"],
    ["6to4 relay", "192.88.99.1"],
    ["private", "192.168.1.1"],
    ["benchmarking", "198.18.0.1"],
    ["documentation", "198.51.100.1"],
    ["documentation", "203.0.113.1"],
    ["multicast", "224.0.0.1"],
    ["reserved", "240.0.0.1"],
    ["broadcast", "255.255.255.255"],
    ["unspecified", "::"],
    ["loopback", "::1"],
    ["loopback, written out", "0:0:0:0:0:0:0:1"],
    ["IPv4-compatible", "::127.0.0.1"],
    ["IPv4-compatible in hexadecimal", "::7f00:1"],
    ["IPv4-compatible public", "::1.1.1.1"],
    ["IPv4-mapped", "::ffff:127.0.0.1"],
    ["IPv4-mapped in hexadecimal", "::ffff:7f00:1"],
    ["IPv4-mapped public", "::ffff:1.1.1.1"],
    ["IPv4-translated", "::ffff:0:127.0.0.1"],
    ["NAT64", "64:ff9b::7f00:1"],
    ["NAT64", "64:ff9b::10.0.0.1"],
    ["local NAT64", "64:ff9b:1::10.0.0.1"],
    ["discard", "100::1"],
    ["Teredo", "2001:0:53aa:64c:0:fbfe:f5ff:fffe"],
    ["ORCHID", "2001:20::1"],
    ["documentation", "2001:db8::1"],
    ["6to4 of loopback", "2002:7f00:1::1"],
    ["6to4 of 10.0.0.1", "2002:a00:1::1"],
    ["documentation", "3fff::1"],
    ["unassigned", "4000::1"],
    ["segment routing", "5f00::1"],
    ["cloud metadata", "fd00:ec2::254"],
    ["unique local", "fc00::1"],
    ["link-local", "fe80::1"],
    ["link-local with a zone", "fe80::1%eth0"],
    ["site-local", "fec0::1"],
    ["multicast", "ff02::1"],
    ["a decimal number", "2130706433"],
    ["hexadecimal", "0x7f000001"],
    ["octal", "0177.0.0.1"],
    ["octal of a public address", "01.01.01.01"],
    ["a short form", "127.1"],
    ["a name", "localhost"],
    ["nothing", ""],
  ])("refuses %s: %s", (_what, address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

describe("standInUrlError", () => {
  it.each(["http://127.0.0.1:9400", "http://127.8.8.8:9400", "http://[::1]:9400"])(
    "accepts %s in local and demo",
    (url) => {
      expect(standInUrlError(url, "local")).toBeNull();
      expect(standInUrlError(url, "demo")).toBeNull();
    },
  );

  it.each([
    "http://10.0.0.2:80",
    "http://172.18.0.5:9400",
    "http://192.168.0.9:80",
    "http://[fd00::5]:9400",
    "http://amazon-stand-in:8090",
  ])("accepts %s in demo only", (url) => {
    expect(standInUrlError(url, "demo")).toBeNull();
    expect(standInUrlError(url, "local")).toBe("must be a loopback address");
  });

  it.each([
    "http://1.1.1.1:80",
    "http://[2a00::1]:80",
    "http://169.254.169.254:80",
    "http://[fe80::1]:80",
    "http://[::ffff:10.0.0.1]:80",
  ])("refuses %s, which is not a private address", (url) => {
    expect(standInUrlError(url, "demo")).toBe("must be a private address");
  });

  it.each([
    "https://127.0.0.1:9400",
    "http://127.0.0.1",
    "http://127.0.0.1:9400/",
    "http://127.0.0.1:9400/path",
    "http://127.0.0.1:99999",
    "http://stand.in:9400",
    "http://me@127.0.0.1:9400",
    "http://127.1:9400",
    "127.0.0.1:9400",
    "",
  ])("refuses '%s', which has another format", (url) => {
    expect(standInUrlError(url, "local")).not.toBeNull();
    expect(standInUrlError(url, "demo")).not.toBeNull();
  });
});
