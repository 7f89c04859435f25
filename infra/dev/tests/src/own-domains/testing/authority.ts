import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { Agent, createServer, get, request } from "node:https";
import { isIP } from "node:net";
import { join } from "node:path";
import { buffer, text } from "node:stream/consumers";
import { freePort } from "@tapthru/core/platform/testing/free-port";
import { createTestAuthority } from "@tapthru/core/platform/testing/test-certificates";
import { startTemporarily } from "@tapthru/stack/processes/start-temporarily";

/** pebble behind a proxy that counts orders and simulates what pebble cannot, with a name server of its own. */
export interface TestAuthority {
  directoryUrl: string;
  /** "address:port" */
  nameServer: string;
  /** PEM: the roots of the authority's own https and of the certificates that it issues. */
  roots: string;
  rootsFile: string;
  orders: string[];
  isDown: boolean;
  /** Replaces the records of a host by an A record, or by a CNAME record with another host; null: none. */
  setRecord(host: string, value: string | null): Promise<void>;
  stop(): Promise<void>;
}

/** @param ports of the gateway that receives challenges */
export async function startTestAuthority(ports: { http: number; https: number }): Promise<TestAuthority> {
  const [pebblePort, rootsPort, dnsPort, managementPort, proxyPort] = await Promise.all(
    Array.from({ length: 5 }, freePort),
  );
  const ca = await createTestAuthority();
  const own = await ca.issue("127.0.0.1");

  const servers = await startTemporarily(async (folder, stack) => {
    const file = (name: string, content: string) => {
      writeFileSync(join(folder, name), content);
      return join(folder, name);
    };
    const config = file(
      "pebble.json",
      JSON.stringify({
        pebble: {
          listenAddress: `127.0.0.1:${pebblePort}`,
          managementListenAddress: `127.0.0.1:${rootsPort}`,
          certificate: file("pebble.pem", own.certificate),
          privateKey: file("pebble-key.pem", own.key),
          httpPort: ports.http,
          tlsPort: ports.https,
        },
      }),
    );
    const dnsLog = join(folder, "challtestsrv.log");
    await stack.start(
      {
        name: "pebble-challtestsrv",
        command: "pebble-challtestsrv",
        args: [
          ...["-defaultIPv4=", "-defaultIPv6=", "-http01=", "-https01=", "-tlsalpn01="],
          ...[`-dns01=127.0.0.1:${dnsPort}`, `-management=127.0.0.1:${managementPort}`],
        ],
        logFile: dnsLog,
      },
      async () => /Starting management server/i.test(readFileSync(dnsLog, "utf8")),
    );
    const log = join(folder, "pebble.log");
    await stack.start(
      {
        name: "pebble",
        command: "pebble",
        args: ["-config", config, "-dnsserver", `127.0.0.1:${dnsPort}`],
        env: { ...process.env, PEBBLE_VA_NOSLEEP: "1" },
        logFile: log,
      },
      async () => /ACME directory available/.test(readFileSync(log, "utf8")),
    );
    return { folder };
  });

  const [response] = await once(get(`https://127.0.0.1:${rootsPort}/roots/0`, { ca: ca.certificate }), "response");
  const roots = `${ca.certificate}\n${await text(response)}`;
  const rootsFile = join(servers.folder, "roots.pem");
  writeFileSync(rootsFile, roots);

  const agent = new Agent({ ca: ca.certificate, keepAlive: true });
  const proxy = createServer({ cert: own.certificate, key: own.key }, async (incoming, outgoing) => {
    const body = await buffer(incoming);
    const path = incoming.url ?? "";
    if (authority.isDown) return outgoing.writeHead(503).end("service unavailable");
    if (path === "/order-plz") {
      const { payload } = JSON.parse(body.toString());
      const { identifiers } = JSON.parse(Buffer.from(payload, "base64url").toString());
      const [{ value }] = identifiers;
      authority.orders.push(value);
    }
    const passed = request(
      { host: "127.0.0.1", port: pebblePort, agent, path, method: incoming.method, headers: incoming.headers },
      async (reply) => {
        const replyBody = await buffer(reply);
        const { "content-length": _length, ...headers } = reply.headers;
        outgoing.writeHead(reply.statusCode ?? 502, headers).end(replyBody);
      },
    );
    passed.end(body);
    return undefined;
  });
  proxy.listen(proxyPort, "127.0.0.1");
  await once(proxy, "listening");

  const authority: TestAuthority = {
    directoryUrl: `https://127.0.0.1:${proxyPort}/dir`,
    nameServer: `127.0.0.1:${dnsPort}`,
    roots,
    rootsFile,
    orders: [],
    isDown: false,
    async setRecord(host, value) {
      const call = (path: string, body: object) =>
        fetch(`http://127.0.0.1:${managementPort}/${path}`, {
          method: "POST",
          body: JSON.stringify({ host, ...body }),
        });
      await call("clear-a", {});
      await call("clear-cname", {});
      if (value === null) return;
      await (isIP(value) ? call("add-a", { addresses: [value] }) : call("set-cname", { target: value }));
    },
    async stop() {
      proxy.closeAllConnections();
      proxy.close();
      agent.destroy();
      await servers.stop();
    },
  };
  return authority;
}
