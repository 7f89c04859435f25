import { describe, expect, it } from "vitest";
import { isPublicAddress, standInUrlError } from "./address.ts";

describe("isPublicAddress", () => {
  it("accepts addresses of the public internet", () => {
    const addresses =
      "1.1.1.1 52.94.236.248 172.15.255.255 172.32.0.1 100.128.0.1 2600:9000:2000::1 2a00:1450:4001:830::1";
    expect(addresses.split(" ").filter((address) => !isPublicAddress(address))).toEqual([]);
  });

  it.each([
    ["this network", "0.0.0.0 0.1.2.3 ::"],
    ["a private network", "10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 fc00::1"],
    ["carrier-grade NAT", "100.64.0.1"],
    ["loopback", "127.0.0.1 127.255.255.254 ::1 0:0:0:0:0:0:0:1"],
    ["cloud metadata", "169.254.169.254 fd00:ec2::254"],
    ["protocol assignments", "192.0.0.1"],
    ["documentation", "192.0.2.1 198.51.100.1 203.0.113.1 2001:db8::1 3fff::1"],
    ["6to4", "192.88.99.1 2002:7f00:1::1 2002:a00:1::1"],
    ["benchmarking", "198.18.0.1"],
    ["multicast and broadcast", "224.0.0.1 255.255.255.255 ff02::1"],
    ["reserved and unassigned networks", "240.0.0.1 4000::1 5f00::1 100::1"],
    ["IPv4 addresses in IPv6", "::127.0.0.1 ::7f00:1 ::1.1.1.1 ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:1.1.1.1"],
    ["translated addresses", "::ffff:0:127.0.0.1 64:ff9b::7f00:1 64:ff9b::10.0.0.1 64:ff9b:1::10.0.0.1"],
    ["tunnels", "2001:0:53aa:64c:0:fbfe:f5ff:fffe 2001:20::1"],
    ["link-local and site-local addresses", "fe80::1 fe80::1%eth0 fec0::1"],
    ["other spellings", "2130706433 0x7f000001 0177.0.0.1 01.01.01.01 127.1"],
    ["names and nothing", "localhost "],
  ])("refuses %s", (_what, addresses) => {
    expect(addresses.split(" ").filter(isPublicAddress)).toEqual([]);
  });
});

describe("standInUrlError", () => {
  it.each([
    ["http://127.0.0.1:9400", null, null],
    ["http://127.8.8.8:9400", null, null],
    ["http://[::1]:9400", null, null],
    ["http://10.0.0.2:80", null, "must be a loopback address"],
    ["http://172.18.0.5:9400", null, "must be a loopback address"],
    ["http://[fd00::5]:9400", null, "must be a loopback address"],
    ["http://amazon-stand-in:8090", null, "must be a loopback address"],
    ["http://1.1.1.1:80", "must be a private address", expect.any(String)],
    ["http://[2a00::1]:80", "must be a private address", expect.any(String)],
    ["http://169.254.169.254:80", "must be a private address", expect.any(String)],
    ["http://[fe80::1]:80", "must be a private address", expect.any(String)],
    ["http://[::ffff:10.0.0.1]:80", "must be a private address", expect.any(String)],
  ])("the error of %s is %o in the demo and %o locally", (url, inDemo, inLocal) => {
    expect([standInUrlError(url, "demo"), standInUrlError(url, "local")]).toEqual([inDemo, inLocal]);
  });

  it.each([
    "https://127.0.0.1:9400",
    "http://127.0.0.1",
    "http://127.0.0.1:9400/",
    "http://127.0.0.1:9400/path",
    "",
    "http://127.0.0.1:99999",
    "http://stand.in:9400",
    "http://me@127.0.0.1:9400",
    "http://127.1:9400",
    "127.0.0.1:9400",
  ])("refuses '%s', which has another format", (url) => {
    expect(standInUrlError(url, "local")).not.toBeNull();
    expect(standInUrlError(url, "demo")).not.toBeNull();
  });
});
