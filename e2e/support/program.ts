import { fileURLToPath } from 'node:url'

/** The programs of one version: their folder, and each program's file within it. */
export type Program = { folder: string; fileOf(name: string): string }

/** This version, run from the repository's sources. */
export const SOURCES: Program = {
  folder: fileURLToPath(new URL('../../', import.meta.url)),
  fileOf: (name) => `apps/server/src/main/${name}.ts`,
}
