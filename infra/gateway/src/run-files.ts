import { nginxArgument } from "./nginx/nginx-text.ts";

/** nginx's temporary paths. Their built-in defaults may not exist. */
const TEMPORARY_PATHS = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];

/** @param directory an existing absolute path; nginx creates the directories in it */
export function temporaryPaths(directory: string): string {
  return TEMPORARY_PATHS.map(
    (name) => `${name}_temp_path ${nginxArgument(`${directory}/${name.replace("_", "-")}`)};`,
  ).join("\n");
}
