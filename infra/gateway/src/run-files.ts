import { nginxArgument } from "./nginx-text.ts";

/** The paths that nginx was built with, inside `http`; the package that makes them may not be installed. */
const TEMPORARY = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];

/** @param directory absolute and present; nginx makes the directories in it */
export function temporaryPaths(directory: string): string {
  return TEMPORARY.map(
    (name) => `${name}_temp_path ${nginxArgument(`${directory}/${name.replace("_", "-")}`)};`,
  ).join("\n");
}
