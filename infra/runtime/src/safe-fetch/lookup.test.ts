import { createSocket } from "node:dgram";
import { once } from "node:events";
import ipaddr from "ipaddr.js";
import { describe, expect, it, onTestFinished } from "vitest";
import { resolveAllAddresses } from "./client.ts";

const HEADER_BYTES = 12;
const SERVER_FAILURE = 2;
const A = 1;
const AAAA = 28;
/** A pointer to the name of the question, no type, class IN, time to live 1 s, no length. */
const RECORD_HEAD = Buffer.from("c00c00000001000000010000", "hex");

/** A name server that returns these addresses for every name, and fails for an address family without addresses. */
async function startNameServer(addresses: { v4?: string[]; v6?: string[] }): Promise<string> {
  const questions = createSocket("udp4", (query, from) => {
    const question = query.subarray(HEADER_BYTES, query.indexOf(0, HEADER_BYTES) + 5);
    const type = question.readUInt16BE(question.length - 4);
    const known = type === AAAA ? addresses.v6 : addresses.v4;
    questions.send(replyTo(query, question, known), from.port, from.address);
  });
  questions.bind(0, "127.0.0.1");
  await once(questions, "listening");
  onTestFinished(() => void questions.close());
  return `127.0.0.1:${questions.address().port}`;
}

/** RFC 1035, section 4: the reply repeats the question, followed by one record for each address. */
function replyTo(query: Buffer, question: Buffer, addresses: string[] | undefined): Buffer {
  const header = Buffer.from(query.subarray(0, HEADER_BYTES));
  header.writeUInt16BE(0x8180 | (addresses === undefined ? SERVER_FAILURE : 0), 2);
  header.writeUInt16BE(addresses?.length ?? 0, 6);
  header.writeUInt16BE(0, 10);
  const records = (addresses ?? []).map((address) => {
    const bytes = Buffer.from(ipaddr.parse(address).toByteArray());
    const head = Buffer.from(RECORD_HEAD);
    head.writeUInt16BE(bytes.length === 16 ? AAAA : A, 2);
    head.writeUInt16BE(bytes.length, 10);
    return Buffer.concat([head, bytes]);
  });
  return Buffer.concat([header, question, ...records]);
}

describe("resolveAllAddresses", () => {
  it("returns the addresses of both families", async () => {
    const server = await startNameServer({ v4: ["1.1.1.1", "10.0.0.1"], v6: ["2a00::1"] });
    expect(await resolveAllAddresses("amzn.to", [server])).toEqual([
      { address: "1.1.1.1", family: 4 },
      { address: "10.0.0.1", family: 4 },
      { address: "2a00::1", family: 6 },
    ]);
  });

  it("returns those of one family if the other fails", async () => {
    const server = await startNameServer({ v4: ["1.1.1.1"] });
    expect(await resolveAllAddresses("amzn.to", [server])).toEqual([
      { address: "1.1.1.1", family: 4 },
    ]);
  });

  it("rejects if there is no address", async () => {
    const server = await startNameServer({ v4: [], v6: [] });
    await expect(resolveAllAddresses("amzn.to", [server])).rejects.toThrow("no address");
  });
});
