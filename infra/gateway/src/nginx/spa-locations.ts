import { PRERENDERED_PAGES } from "@tapthru/proto/rules/prerendered-pages";
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
${Object.entries(PRERENDERED_PAGES)
  .map(([path, file]) => prerenderedPage(path, file, publicFiles))
  .join("\n")}
location = /index.html {
  root ${publicFiles};
  ${indented(1, serveCopyOf("/index.html", "text/html"))}
}
location / {
  try_files $uri /index.html;
}`;
}

function prerenderedPage(path: string, file: string, publicFiles: string): string {
  return `location = ${path} {
  root ${publicFiles};
  ${indented(1, serveCopyOf(`/${file}`, "text/html"))}
}
location = /${file} {
  return 404;
}`;
}
