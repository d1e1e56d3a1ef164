const NAMES = ['PATH', 'HOME', 'NODE_COMPILE_CACHE', 'NODE_OPTIONS']

/** The part of this process's environment that a started program inherits; contains none of the product's settings. */
export function ownEnvironment(): Record<string, string> {
  return Object.fromEntries(NAMES.flatMap((name) => asEntry(name, process.env[name])))
}

function asEntry(name: string, value: string | undefined): [string, string][] {
  return value === undefined ? [] : [[name, value]]
}
