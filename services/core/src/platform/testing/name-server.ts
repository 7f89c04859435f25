import { createSocket } from "node:dgram";
import { once } from "node:events";
import ipaddr from "ipaddr.js";
import { onTestFinished } from "vitest";

const HEADER_BYTES = 12;
const SERVER_FAILURE = 2;
const TYPES = { A: 1, AAAA: 28 };
/** A pointer to the name of the question, no type, class IN, a TTL of 60 s, no length. */
const RECORD_HEAD = Buffer.from("c00c000000010000003c0000", "hex");

/**
 * A name server until the end of the test, which responds to every query with the addresses of its family.
 * @param addressesOf null: the query fails
 * @returns its "host:port"
 */
export async function startNameServer(
  addressesOf: (type: keyof typeof TYPES) => readonly string[] | null,
): Promise<string> {
  const socket = createSocket("udp4", (query, from) => {
    const question = query.subarray(HEADER_BYTES, query.indexOf(0, HEADER_BYTES) + 5);
    const type = question.readUInt16BE(question.length - 4) === TYPES.AAAA ? "AAAA" : "A";
    socket.send(replyTo(query, question, addressesOf(type)), from.port, from.address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  onTestFinished(() => void socket.close());
  return `127.0.0.1:${socket.address().port}`;
}

/** RFC 1035, section 4: the reply repeats the question, followed by one record for each address. */
function replyTo(query: Buffer, question: Buffer, addresses: readonly string[] | null): Buffer {
  const header = Buffer.from(query.subarray(0, HEADER_BYTES));
  header.writeUInt16BE(0x8180 | (addresses === null ? SERVER_FAILURE : 0), 2);
  header.writeUInt16BE(addresses?.length ?? 0, 6);
  header.writeUInt16BE(0, 10);
  const records = (addresses ?? []).map((address) => {
    const bytes = Buffer.from(ipaddr.parse(address).toByteArray());
    const head = Buffer.from(RECORD_HEAD);
    head.writeUInt16BE(bytes.length === 16 ? TYPES.AAAA : TYPES.A, 2);
    head.writeUInt16BE(bytes.length, 10);
    return Buffer.concat([head, bytes]);
  });
  return Buffer.concat([header, question, ...records]);
}
