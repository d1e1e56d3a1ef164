const NAMES = ['PATH', 'HOME', 'NODE_COMPILE_CACHE']

/** What the product's processes get of this process's environment: nothing that configures a product. */
export function ownEnvironment(): Record<string, string> {
  return Object.fromEntries(NAMES.flatMap((name) => asEntry(name, process.env[name])))
}

function asEntry(name: string, value: string | undefined): [string, string][] {
  return value === undefined ? [] : [[name, value]]
}
