import * as z from "zod/mini";

/** The part of the output of `go mod edit -json` that is used. */
export const GoMod = z.object({
  Replace: z.array(
    z.object({ Old: z.object({ Path: z.string() }), New: z.object({ Path: z.string() }) }),
  ),
});

/**
 * Returns a go.mod that builds the programs of a Kubernetes release. Kubernetes' own go.mod replaces its libraries with
 * folders of its repository, which the module on the proxy does not contain; each is also published as v0.x.
 * @param version of Kubernetes, such as v1.34.4
 * @param others versions of other modules by path
 */
export function kubernetesGoMod(
  { Replace }: z.infer<typeof GoMod>,
  version: string,
  others: Record<string, string>,
): string {
  const published = version.replace("v1.", "v0.");
  const libraries = Replace.filter((replace) => replace.New.Path.startsWith("./staging/"));
  return `${goMod({ "k8s.io/kubernetes": version, ...others })}
replace (
${libraries.map(({ Old }) => `\t${Old.Path} => ${Old.Path} ${published}`).join("\n")}
)
`;
}

/** @param required versions by module path */
export function goMod(required: Record<string, string>): string {
  return `module tapthru.example/cluster

go 1.24.0

require (
${Object.entries(required)
  .map(([path, version]) => `\t${path} ${version}`)
  .join("\n")}
)
`;
}
