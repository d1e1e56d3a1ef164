import { fileURLToPath } from 'node:url'

/** Where the programs of a version are, and what the file of each is called. */
export type Program = { folder: string; fileOf(name: string): string }

/** This version as it is in the repository. */
export const SOURCES: Program = {
  folder: fileURLToPath(new URL('../../', import.meta.url)),
  fileOf: (name) => `apps/server/src/main/${name}.ts`,
}
