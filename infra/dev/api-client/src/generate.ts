import { hash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "@hey-api/openapi-ts";
import { createDocument } from "@tapthru/proto/documentation/openapi/document";

const OUTPUT = join(import.meta.dirname, "../generated");
const HASH_FILE = join(OUTPUT, "document-hash.txt");

/** Writes the client of the api into the folder `generated`, if the OpenAPI document has changed. */
export async function generateClient(): Promise<void> {
  const document = createDocument({
    publicBaseUrl: "http://localhost:8080",
    productName: "Tapthru",
    contactEmail: "hello@localhost",
  });
  const documentHash = hash("sha256", JSON.stringify(document));
  if (documentHash === (await readFile(HASH_FILE, "utf8").catch(() => null))) return;
  await createClient({
    input: document as Record<string, unknown>,
    output: {
      path: OUTPUT,
      importFileExtension: ".ts",
      // The generated files do not compile with `exactOptionalPropertyTypes`.
      header: ["// @ts-nocheck"],
    },
    plugins: ["@hey-api/client-fetch", "@hey-api/typescript", "@hey-api/sdk"],
    logs: { level: "silent" },
  });
  await writeFile(HASH_FILE, documentHash);
}
