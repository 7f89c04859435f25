import { createSocket } from "node:dgram";
import { once } from "node:events";

export interface NameServer {
  /** "host:port" */
  address: string;
  stop(): void;
}

const TYPE_A = 1;
const RESPONSE_FLAGS = 0x8180;
const HEADER_BYTES = 12;

/** Responds to every query for IPv4 addresses with the result of `currentAddresses`, with a TTL of 60 s. */
export async function startNameServer(
  currentAddresses: () => readonly string[],
): Promise<NameServer> {
  const socket = createSocket("udp4", (query, { address, port }) => {
    socket.send(encodeResponse(query, currentAddresses()), port, address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return { address: `127.0.0.1:${socket.address().port}`, stop: () => socket.close() };
}

function encodeResponse(query: Buffer, ipv4: readonly string[]): Buffer {
  const nameEnd = query.indexOf(0, HEADER_BYTES) + 1;
  const questionSection = query.subarray(HEADER_BYTES, nameEnd + 4);
  const isForIpv4 = query.readUInt16BE(nameEnd) === TYPE_A;
  const header = Buffer.alloc(HEADER_BYTES);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(RESPONSE_FLAGS, 2);
  header.writeUInt16BE(1, 4);
  const records = isForIpv4 ? ipv4 : [];
  header.writeUInt16BE(records.length, 6);
  // A pointer to the name in the question, type A, class IN, TTL 60 s, four bytes.
  const record = [0xc0, HEADER_BYTES, 0, TYPE_A, 0, 1, 0, 0, 0, 60, 0, 4];
  const bytes = records.flatMap((address) => [...record, ...address.split(".").map(Number)]);
  return Buffer.concat([header, questionSection, Buffer.from(bytes)]);
}
