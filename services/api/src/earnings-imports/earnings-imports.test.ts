import { EarningsImport } from "@tapthru/proto/earnings-imports";
import { EARNINGS_FILE_MAX_BYTES } from "@tapthru/proto/rules/limits";
import { beforeEach, describe, expect, it } from "vitest";
import * as z from "zod/mini";
import type { TestUser } from "../testing/test-user.ts";
import { startWorld } from "../testing/world.ts";

const { api, ada, eve } = await startWorld();
beforeEach(() => api.query("TRUNCATE earnings_imports CASCADE"));

const PATH = "/api/earnings/imports";
const TYPE = "application/octet-stream";

function upload(
  file: string | Uint8Array<ArrayBuffer> | ReadableStream,
  { user = ada, query = "", type = TYPE } = {},
): Promise<Response> {
  return fetch(`${api.url}${PATH}?${query}`, {
    method: "POST",
    headers: { ...user.browser, "content-type": type, accept: "application/problem+json" },
    body: file,
    duplex: "half",
  } as RequestInit);
}
const received = async (user = ada, query = "") => {
  const response = await upload("a file", { user, query });
  expect(response.status).toBe(202);
  return EarningsImport.parse(await response.json());
};
const request = (method: string, path: string, { user = ada, body }: Options = {}) =>
  api.request(method, path, { ...user.browser, accept: "application/problem+json" }, body);
interface Options {
  user?: TestUser;
  body?: unknown;
}
const Reply = z.looseObject({ code: z.optional(z.string()) });
const resultOf = async (response: Promise<Response>) => {
  const reply = await response;
  const { code } = Reply.parse(await reply.json());
  return code ?? reply.status;
};
const getImport = async (id: string) => EarningsImport.parse(await (await request("GET", `${PATH}/${id}`)).json());
const store = (id: string, user = ada) => resultOf(request("POST", `${PATH}/${id}/store`, { user }));

async function finishReading(id: string, firstDay: string, lastDay: string, state = "ready") {
  await api.query(`
    UPDATE earnings_imports SET state = '${state}', marketplace = 'de' WHERE id = '${id}';
    INSERT INTO earnings_reports (
      import_id, user_id, marketplace, store_id, file_name, kind, first_day, last_day, currency, row_count, sums,
      unread_lines
    )
    SELECT id, user_id, 'de', store_id, 'Fee-Earnings.csv', 'earnings', '${firstDay}', '${lastDay}', 'EUR', 3,
      '{"earnings": 1234, "shipped": 2, "revenue": null, "ordered": null, "returned": null, "clicks": null}', '[{"line": 6, "text": "Total, 12.34"}]'
    FROM earnings_imports WHERE id = '${id}'
  `);
}
const days = async () =>
  (await api.query("SELECT days::text FROM earnings_reports ORDER BY id")).map((row) => row.days);

describe("POST /api/earnings/imports", () => {
  it("stores the parts of the file in order, with what the user said", async () => {
    const file = new Uint8Array(2_500_000).map((_, index) => (index * 7) % 251);
    const response = await upload(file, { query: "name=a+b.zip&marketplace=de&dateOrder=day-first" });
    expect(await response.json()).toMatchObject({
      fileName: "a b.zip",
      state: "reading",
      marketplace: "de",
      reports: [],
    });
    const parts = await api.query("SELECT bytes FROM earnings_file_parts ORDER BY part");
    expect(parts.length).toBeGreaterThan(1);
    expect(Buffer.concat(parts.map(({ bytes }) => bytes as Buffer)).equals(file)).toBe(true);
  });

  it("removes the user's file that was not stored, and no other", async () => {
    const [first, others, stored] = [await received(), await received(eve), await received()];
    await finishReading(stored.id, "2026-10-01", "2026-10-31", "stored");
    const last = await received();
    expect(await resultOf(request("GET", `${PATH}/${first.id}`))).toBe("import-not-found");
    const list = z.array(EarningsImport).parse(await (await request("GET", PATH)).json());
    expect(list.map(({ id }) => id)).toEqual([last.id, stored.id]);
    expect(await resultOf(request("GET", `${PATH}/${others.id}`, { user: eve }))).toBe(200);
  });

  it("refuses a file that is too large before and while it arrives, and another type", async () => {
    const large = new Uint8Array(EARNINGS_FILE_MAX_BYTES + 1);
    expect(await resultOf(upload(large))).toBe("earnings-file-too-large");
    const unknownLength = new Blob([large]).stream();
    expect(await resultOf(upload(unknownLength))).toBe("earnings-file-too-large");
    expect(await resultOf(upload("a,b", { type: "text/csv" }))).toBe("file-expected");
    expect(await (await request("GET", PATH)).json()).toEqual([]);
  });
});

it("GET /api/earnings/imports lists 100 imports at once, newest first", async () => {
  await api.query(`
    INSERT INTO earnings_imports (user_id, state, created_at)
    SELECT ${ada.user.id}, 'stored', now() - least(age, 99) * interval '1 minute'
    FROM generate_series(1, 101) AS age
  `);
  const stored = await api.query("SELECT id FROM earnings_imports ORDER BY created_at DESC, id DESC");
  const list = async (query: string, user = ada) => {
    const reply = await request("GET", PATH + query, { user });
    return z
      .array(EarningsImport)
      .parse(await reply.json())
      .map(({ id }) => id);
  };
  const first = await list("");
  const after = `?after=${first.at(-1)}`;
  expect(first).toHaveLength(100);
  expect([...first, ...(await list(after))]).toEqual(stored.map(({ id }) => id));
  expect(await list(after, eve)).toEqual([]);
});

describe("an import", () => {
  it("an answer makes the worker read an import again, until it is stored or refused", async () => {
    const { id } = await received();
    await api.query(
      "UPDATE earnings_imports SET state = 'question', question = 'marketplace', reader = gen_random_uuid()",
    );
    expect(await getImport(id)).toMatchObject({ state: "question", question: "marketplace" });
    const answer = (body: object) => resultOf(request("PATCH", `${PATH}/${id}`, { body }));
    expect(await answer({ marketplace: "fr", storeId: "other-21" })).toBe(202);
    expect(await getImport(id)).toMatchObject({
      state: "reading",
      question: null,
      marketplace: "fr",
      storeId: "other-21",
    });
    expect(await api.query("SELECT reader FROM earnings_imports")).toEqual([{ reader: null }]);
    for (const [state, code] of [
      ["stored", "earnings-stored"],
      ["refused", "earnings-not-ready"],
    ]) {
      await api.query(`UPDATE earnings_imports SET state = '${state}'`);
      expect(await answer({ dateOrder: "month-first" })).toBe(code);
    }
  });

  it("counts once it is stored, instead of earlier days, which count again once it is deleted", async () => {
    const first = await received();
    expect(await store(first.id)).toBe("earnings-not-ready");
    await finishReading(first.id, "2026-10-01", "2026-10-31");
    expect(await days()).toEqual(["{}"]);
    expect([await store(first.id), await store(first.id)]).toEqual([200, 200]);
    const second = await received();
    await finishReading(second.id, "2026-10-20", "2026-11-10");
    expect((await getImport(second.id)).reports).toMatchObject([
      {
        earnings: 1_234,
        shipped: 2,
        clicks: null,
        rowCount: 3,
        unreadLines: [{ line: 6, text: "Total, 12.34" }],
        replacedDayCount: 12,
      },
    ]);
    await store(second.id);
    expect(await days()).toEqual(["{[2026-10-01,2026-10-20)}", "{[2026-10-20,2026-11-11)}"]);
    expect((await getImport(second.id)).reports).toMatchObject([{ replacedDayCount: 0, countedDayCount: 22 }]);
    expect(await resultOf(request("DELETE", `${PATH}/${second.id}`))).toBe(200);
    expect(await days()).toEqual(["{[2026-10-01,2026-11-01)}", "{}"]);
    expect(await resultOf(request("DELETE", `${PATH}/${second.id}`))).toBe("import-not-found");
  });

  it("says for how many days another account of the user has figures, which count too", async () => {
    const stored = await received();
    await finishReading(stored.id, "2026-10-01", "2026-10-31");
    await store(stored.id);
    const others = await received(eve);
    await finishReading(others.id, "2026-10-01", "2026-11-30");
    await store(others.id, eve);
    const next = await received(ada, "storeId=Other-21");
    await finishReading(next.id, "2026-10-30", "2026-11-10");
    expect(await getImport(next.id)).toMatchObject({
      storeId: "other-21",
      reports: [{ replacedDayCount: 0, otherAccountDayCount: 2 }],
    });
  });
});
