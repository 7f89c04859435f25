import { createSocket } from "node:dgram";
import { once } from "node:events";

export interface NameServer {
  /** "host:port" */
  address: string;
  stop(): void;
}

const TYPE_A = 1;
const ANSWERED = 0x8180;
const HEADER_BYTES = 12;

/** Answers every question for IPv4 addresses with what `addressesOf` says then, for a minute. */
export async function startNameServer(addressesOf: () => readonly string[]): Promise<NameServer> {
  const socket = createSocket("udp4", (question, { address, port }) => {
    socket.send(answer(question, addressesOf()), port, address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return { address: `127.0.0.1:${socket.address().port}`, stop: () => socket.close() };
}

function answer(question: Buffer, ipv4: readonly string[]): Buffer {
  const nameEnd = question.indexOf(0, HEADER_BYTES) + 1;
  const asked = question.subarray(HEADER_BYTES, nameEnd + 4);
  const isForIpv4 = question.readUInt16BE(nameEnd) === TYPE_A;
  const header = Buffer.alloc(HEADER_BYTES);
  question.copy(header, 0, 0, 2);
  header.writeUInt16BE(ANSWERED, 2);
  header.writeUInt16BE(1, 4);
  const records = isForIpv4 ? ipv4 : [];
  header.writeUInt16BE(records.length, 6);
  // A pointer to the name above, type A, class IN, sixty seconds, four bytes.
  const record = [0xc0, HEADER_BYTES, 0, TYPE_A, 0, 1, 0, 0, 0, 60, 0, 4];
  const bytes = records.flatMap((address) => [...record, ...address.split(".").map(Number)]);
  return Buffer.concat([header, asked, Buffer.from(bytes)]);
}
