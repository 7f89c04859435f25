/** The child process of read-earnings.ts: gets the parts of a file from its parent, and passes on the rows. */
import { serve } from "../../child-process/child.ts";
import { type FileOptions, readFile } from "./read-file.ts";

serve<FileOptions>(async (options, call) => {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for (;;) {
    const part = await call<Uint8Array<ArrayBuffer> | null>("part", parts.length);
    if (part === null) break;
    parts.push(part);
  }
  await readFile(new Blob(parts), options, {
    begin: (reading) => call("begin", reading),
    insert: (reportId, rows) => call("insert", { reportId, rows }),
  });
});
