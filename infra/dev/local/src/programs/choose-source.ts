/** Where a program that is not installed comes from. */
export type Source = "apt" | "homebrew" | "docker";

interface PackageManagers {
  /** May take seconds: updates the package lists. */
  hasAptPackage(): Promise<boolean>;
  hasHomebrew(): boolean;
  isDockerAvailable(): Promise<boolean>;
}

/** The first available source; null if the user has to install the program. */
export async function chooseSource(managers: PackageManagers): Promise<Source | null> {
  if (await managers.hasAptPackage()) return "apt";
  if (managers.hasHomebrew()) return "homebrew";
  return (await managers.isDockerAvailable()) ? "docker" : null;
}
