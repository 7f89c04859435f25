import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask } from "./test/ask.ts";
import { type RunningGateway, startGateway } from "./test/start-gateway.ts";
import { startUpstream, type Upstream } from "./test/upstream.ts";

let silent: Upstream;
let gateway: RunningGateway;
beforeAll(async () => {
  silent = await startUpstream(() => {});
  gateway = await startGateway({ api: [silent.address] });
});
afterAll(async () => {
  await gateway.stop();
  silent.stop();
});

const GRACE = { timeout: 15_000 };

/** Sends a beginning and then a byte every five seconds, until the gateway closes. */
function closedWhileTrickling(beginning: string) {
  const socket = connect(gateway.port, "127.0.0.1");
  const trickle = setInterval(() => socket.write("A"), 5_000);
  socket.resume().write(beginning);
  return new Promise<string>((resolve) => {
    // An error (the gateway resets) is followed by the close.
    socket
      .on("error", () => {})
      .on("close", () => {
        clearInterval(trickle);
        resolve("closed");
      });
  });
}

describe.concurrent("a client that is slow", () => {
  it("to begin is let go within 15 s", GRACE, async () => {
    expect(await closedWhileTrickling("")).toBe("closed");
  });

  it("with its headers is let go within 15 s", GRACE, async () => {
    const beginning = "GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ";

    expect(await closedWhileTrickling(beginning)).toBe("closed");
  });

  it("with its body is let go within 15 s", GRACE, async () => {
    const beginning = "POST /api/generate HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n";

    expect(await closedWhileTrickling(beginning)).toBe("closed");
  });
});

describe.concurrent("a service that never answers", () => {
  it("is given up within 15 s", GRACE, async () => {
    const answer = await ask(`${gateway.url}/api/metadata`);

    expect(answer).toMatchObject({
      status: 504,
      headers: { "retry-after": "5", "content-type": "text/plain; charset=utf-8" },
    });
  });
});
