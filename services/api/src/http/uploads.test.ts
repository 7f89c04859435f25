import type { Call } from "@tapthru/proto/call";
import { CALLS } from "@tapthru/proto/calls";
import { earningsFileTooLarge } from "@tapthru/proto/earnings-imports";
import { expect, it, vi } from "vitest";
import { MAX_REQUEST_MS } from "../server.ts";
import { createUploads, uploadMs } from "./uploads.ts";

const MIB = 1_024 * 1_024;
type Uploads = ReturnType<typeof createUploads>;

/** @returns the sizes of the parts of a file, or the code of the error */
async function receive(uploads: Uploads, userId: number, address: string, file: AsyncIterable<Buffer>) {
  const parts: number[] = [];
  const takePart = async ({ length }: Buffer) => void parts.push(length);
  const options = { maxBytes: 10 * MIB, tooLarge: earningsFileTooLarge, takePart };
  return uploads.receive({ userId, address }, file, options).then(
    () => parts,
    ({ code }) => code,
  );
}

async function* fileOf(...sizes: number[]) {
  for (const size of sizes) yield Buffer.alloc(size);
}
const send = (uploads: Uploads, userId: number, address: string) => receive(uploads, userId, address, fileOf(MIB));

function start(uploads: Uploads, userId: number, address: string) {
  const { readable, writable } = new TransformStream<Buffer, Buffer>();
  const result = receive(uploads, userId, address, readable);
  return { end: () => writable.close(), result };
}

it("the server waits for the slowest file of each call", () => {
  const sizes = Object.values<Call>(CALLS).flatMap(({ file }) => file?.maxBytes ?? []);
  expect(sizes).not.toEqual([]);
  expect(Math.max(...sizes.map(uploadMs))).toBeLessThan(MAX_REQUEST_MS);
});

it("a user sends one file at a time, an address three, and all together 50", async () => {
  const uploads = createUploads();
  const files = [1, 2, 3].map((userId) => start(uploads, userId, "a"));
  expect(await send(uploads, 1, "b")).toBe("unavailable");
  expect(await send(uploads, 4, "a")).toBe("unavailable");
  await files[0]?.end();
  expect(await files[0]?.result).toEqual([]);
  expect(await send(uploads, 1, "a")).toEqual([MIB]);
  for (let n = 0; n < 48; n++) start(uploads, 10 + n, `address ${n}`);
  expect(await send(uploads, 1, "c")).toBe("unavailable");
});

it("a file that fails leaves its place", async () => {
  const uploads = createUploads();
  async function* failing(): AsyncGenerator<Buffer> {
    yield Buffer.alloc(1);
    throw new Error("aborted");
  }
  expect(await receive(uploads, 1, "a", failing())).toBe("malformed-body");
  expect(await send(uploads, 1, "a")).toEqual([MIB]);
});

it("a file is taken in parts, so that it is never whole in memory", async () => {
  const sizes = Array(9).fill(MIB / 2 + 1);
  expect(await receive(createUploads(), 1, "a", fileOf(...sizes))).toEqual([...Array(4).fill(MIB + 2), MIB / 2 + 1]);
});

it("a file that arrives too slowly, or is too large, is refused", async () => {
  const now = vi.spyOn(performance, "now").mockReturnValueOnce(0).mockReturnValue(60_000);
  expect(await send(createUploads(), 1, "a")).toBe("upload-too-slow");
  now.mockRestore();
  expect(await receive(createUploads(), 1, "a", fileOf(6 * MIB, 5 * MIB))).toBe(earningsFileTooLarge.code);
});
