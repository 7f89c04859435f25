import { earningsFileTooLarge } from "@tapthru/proto/earnings-imports";
import { expect, it, vi } from "vitest";
import { createUploads } from "./uploads.ts";

const MIB = 1_024 * 1_024;
const FILE = { maxBytes: 10 * MIB, tooLarge: earningsFileTooLarge };

function slowFile() {
  const { readable, writable } = new TransformStream<Buffer, Buffer>();
  const writer = writable.getWriter();
  return { body: readable, write: (bytes: number) => writer.write(Buffer.alloc(bytes)), end: () => writer.close() };
}

function start(uploads: ReturnType<typeof createUploads>, userId: number, address: string) {
  const file = slowFile();
  const result = uploads
    .receive({ userId, address }, file.body, FILE)
    .then(({ length }) => length)
    .catch(({ code }) => code);
  return { ...file, result };
}

async function* wholeFile() {
  yield Buffer.alloc(MIB);
}
const send = (uploads: ReturnType<typeof createUploads>, userId: number, address: string) =>
  uploads.receive({ userId, address }, wholeFile(), FILE).catch(({ code }) => code);

it("a user sends one file at a time, and an address three", async () => {
  const uploads = createUploads();
  const files = [1, 2, 3].map((userId) => start(uploads, userId, "a"));
  expect(await send(uploads, 1, "b")).toBe("unavailable");
  expect(await send(uploads, 4, "a")).toBe("unavailable");

  await files[0]?.end();
  expect(await files[0]?.result).toBe(0);
  expect(await send(uploads, 1, "a")).toHaveLength(MIB);
});

it("a file that fails leaves its place", async () => {
  const uploads = createUploads();
  async function* failing(): AsyncGenerator<Buffer> {
    yield Buffer.alloc(1);
    throw new Error("aborted");
  }
  await expect(uploads.receive({ userId: 1, address: "a" }, failing(), FILE)).rejects.toMatchObject({
    code: "malformed-body",
  });
  expect(await send(uploads, 1, "a")).toHaveLength(MIB);
});

it("refuses the slowest file when uploads exceed 100 MB in all", async () => {
  const now = vi.spyOn(performance, "now").mockReturnValue(0);
  const uploads = createUploads();
  const slowest = start(uploads, 0, "slowest");
  await slowest.write(9 * MIB);
  now.mockReturnValue(60_000);
  const others = Array.from({ length: 11 }, (_, n) => start(uploads, n + 1, `address ${n}`));
  for (const other of others) await other.write(9 * MIB);
  now.mockRestore();

  await slowest.end();
  expect(await slowest.result).toBe("unavailable");
  for (const other of others) await other.end();
  expect(await Promise.all(others.map(({ result }) => result))).toEqual(Array(11).fill(9 * MIB));
});

it("a file that is taken in parts is never whole in memory", async () => {
  const parts: number[] = [];
  const takePart = async ({ length }: Buffer) => void parts.push(length);
  async function* largeFile() {
    for (let n = 0; n < 9; n++) yield Buffer.alloc(MIB / 2 + 1);
  }
  const uploads = createUploads();
  const rest = await uploads.receive({ userId: 1, address: "a" }, largeFile(), { ...FILE, takePart });
  expect(rest).toHaveLength(0);
  expect(parts).toEqual([...Array(4).fill(MIB + 2), MIB / 2 + 1]);
});
