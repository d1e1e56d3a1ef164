import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'rolldown'
import { ROOT } from '../repository.ts'
import { BUNDLES, PROGRAMS } from './places.ts'

/** Optional packages that are not installed. */
const ABSENT = ['pg-native']

/**
 * Bundles the programs that tests start with all their packages. From its source, a server loads about a thousand
 * modules, which takes five times the processor time.
 */
export async function bundlePrograms(): Promise<void> {
  await build({
    cwd: ROOT,
    input: Object.fromEntries(PROGRAMS.map((name) => [name, `${name}.ts`])),
    platform: 'node',
    external: ABSENT,
    plugins: [keepPlaces],
    logLevel: 'silent',
    output: {
      dir: BUNDLES,
      format: 'esm',
      keepNames: true,
      entryFileNames: '[name].mjs',
      chunkFileNames: 'chunks/[name]-[hash].mjs',
    },
  })
}

/** Modules find files relative to themselves: in a bundle, each still gets its own location in the repository. */
const keepPlaces: Plugin = {
  name: 'keep-places',
  transform: {
    filter: { code: /\bimport\.meta\.(?:url|dirname|filename)\b|\b__dirname\b/ },
    handler: (code, id) =>
      code
        .replace(/\bimport\.meta\.url\b/g, JSON.stringify(pathToFileURL(id).href))
        .replace(/\bimport\.meta\.filename\b/g, JSON.stringify(id))
        .replace(/\b(?:import\.meta\.dirname|__dirname)\b/g, JSON.stringify(dirname(id))),
  },
}
