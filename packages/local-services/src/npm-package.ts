import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const { resolve } = createRequire(import.meta.url)

/** The folder of an installed package, or undefined. Also works for packages without exports. */
export function packageFolder(name: string): string | undefined {
  const roots = resolve.paths(name) ?? []
  return roots.map((root) => join(root, name)).find((folder) => existsSync(folder))
}
