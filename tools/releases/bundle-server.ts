import { dirname, relative, sep } from 'node:path'
import { build, type Plugin } from 'rolldown'
import { ROOT, readSource, sourceFiles } from '../repository.ts'
import type { ReleaseFiles } from './archive.ts'
import type { Version } from './versions.ts'

const SERVER = 'apps/server'
/** The processes and commands of the service: `server/api.js`. */
export const PROGRAMS: readonly string[] = [
  'all',
  'api',
  'audit',
  'doctor',
  'end-halt',
  'end-sessions',
  'keystore',
  'migrate',
  'set-admin',
  'watcher',
  'worker',
]
/** Files that the programs read at run time. The web app and the scripts of the API documentation are left out. */
const READ = [
  `${SERVER}/src/modules/messages/generated/translations.json`,
  'node_modules/@fastify/swagger-ui/static/logo.svg',
]
/** Optional packages that are not installed. */
const ABSENT = ['pg-native']
const ROOT_OF_BUILD = '__rootOfBuild'

/** Bundles the server as `version`, with its packages and migrations, so that it needs only Node.js to run. */
export async function bundleServer(version: Version): Promise<ReleaseFiles> {
  const { output } = await build({
    cwd: ROOT,
    input: Object.fromEntries(PROGRAMS.map((name) => [name, `${SERVER}/src/main/${name}.ts`])),
    platform: 'node',
    external: ABSENT,
    plugins: [keepPlaces],
    logLevel: 'silent',
    write: false,
    output: {
      format: 'esm',
      minify: true,
      keepNames: true,
      comments: false,
      banner: ({ fileName }) =>
        `const ${ROOT_OF_BUILD} = new URL('${pathToRoot(fileName)}', import.meta.url);`,
      entryFileNames: 'server/[name].js',
      chunkFileNames: 'server/chunks/[name]-[hash].js',
    },
  })
  const migrations = sourceFiles(`${SERVER}/migrations`, /\.sql$/)
  return new Map([
    ...output.map((file): [string, string] => [
      file.fileName,
      file.type === 'chunk' ? file.code : `${file.source}`,
    ]),
    ...[...READ, ...migrations].map((path): [string, string] => [path, readSource(path)]),
    ['package.json', JSON.stringify({ type: 'module', version })],
  ])
}

/** From a file of the build to its root: `../` for `server/api.js`. */
function pathToRoot(fileName: string): string {
  return '../'.repeat(fileName.split('/').length - 1)
}

/**
 * Some modules find files relative to their own location, which bundling changes. So each module's location is replaced
 * by the one that it had in the repository, now relative to the root of the build.
 */
const keepPlaces: Plugin = {
  name: 'keep-places',
  transform: {
    filter: { code: /\bimport\.meta\.url\b|\b__dirname\b/ },
    handler(code, id) {
      const place = JSON.stringify(`./${relative(ROOT, id).replaceAll(sep, '/')}`)
      const folder = JSON.stringify(`./${relative(ROOT, dirname(id)).replaceAll(sep, '/')}`)
      return code
        .replace(/\bimport\.meta\.url\b/g, `new URL(${place}, ${ROOT_OF_BUILD}).href`)
        .replace(
          /\b__dirname\b/g,
          `decodeURIComponent(new URL(${folder}, ${ROOT_OF_BUILD}).pathname)`,
        )
    },
  },
}
