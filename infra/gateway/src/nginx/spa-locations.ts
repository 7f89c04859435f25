import { PRERENDERED_HOME } from "@tapthru/proto/rules/prerendered-home";
import { indented, nginxArgument } from "./nginx-text.ts";
import { ASSET_LOCATIONS, serveCopyOf } from "./precompressed-files.ts";

/**
 * For the server block: the files of the built SPA.
 * @param publicFiles directory of the rendered pages, as an nginx argument
 */
export function builtSpaLocations(webRoot: string, publicFiles: string): string {
  return `
root ${nginxArgument(webRoot)};
location ~ (/\\.|\\.(map|br|gz)$) {
  return 404;
}
${ASSET_LOCATIONS}
location /assets/ {
  try_files $uri =404;
}
location = /version.txt {
  try_files $uri =404;
}
location = / {
  root ${publicFiles};
  ${indented(1, serveCopyOf(`/${PRERENDERED_HOME}`, "text/html"))}
}
location = /${PRERENDERED_HOME} {
  return 404;
}
location = /index.html {
  root ${publicFiles};
  ${indented(1, serveCopyOf("/index.html", "text/html"))}
}
location / {
  try_files $uri /index.html;
}`;
}
