import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { settingsFiles } from "../settings-files.ts";
import { CHECKOUT } from "../stack/settings.ts";

for (const [path, text] of Object.entries(settingsFiles())) {
  writeFileSync(join(CHECKOUT, path), text);
}
