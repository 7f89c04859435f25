import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { generatedFiles } from "../generated-files.ts";
import { CHECKOUT } from "../stack/settings.ts";

for (const [path, text] of Object.entries(generatedFiles())) {
  writeFileSync(join(CHECKOUT, path), text);
}
