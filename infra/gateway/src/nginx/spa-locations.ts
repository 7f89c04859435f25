import { paths } from "@tapthru/proto/rules/paths";
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
# React Router ignores case and a slash at the end.
location ~* ^(${PAGES.join("|")})/?$ {
  rewrite ^ /index.html last;
}
location / {
  try_files $uri @not_found;
}
# The SPA says that there is no such page.
location @not_found {
  error_page 404 /index.html;
  return 404;
}`;
}

/** Regular expressions of the SPA's paths. */
const PAGES = Object.values(paths).map((path) => (typeof path === "string" ? path : path("[^/]+")));

function prerenderedPage(path: string, file: string, publicFiles: string): string {
  return `location = ${path} {
  root ${publicFiles};
  ${indented(1, serveCopyOf(`/${file}`, "text/html"))}
}
location = /${file} {
  return 404;
}`;
}
