/** MAJOR.MINOR.PATCH. */
export type Version = string

/** Negative when `one` is the earlier version, positive when it is the later one. */
export function compareVersions(one: Version, other: Version): number {
  return one.localeCompare(other, 'en', { numeric: true })
}

/** The next minor version. While it is being installed, its migrations let this one keep running. */
export function nextMinor(version: Version): Version {
  const [major, minor] = version.split('.').map(Number)
  return `${major}.${Number(minor) + 1}.0`
}
