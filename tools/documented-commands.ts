import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ALL_SETTINGS } from '../apps/server/src/main/settings/read-settings.ts'
import { ROOT, readSource, sourceFiles } from './repository.ts'

/** A command that a document tells its reader to run. */
export type Documented = { page: string; command: string }

const PAGES = ['README.md', ...sourceFiles('docs', /\.md$/)]
/** The programs with which a command in a sentence begins. */
const PROGRAM = 'npm|npx|node|docker|systemctl|systemd-analyze|sudo|sh|curl|git|psql'
const FENCE = /^```(\w*)\n([\s\S]*?)^```$/gm
const INDENTED = /(?<=\n\n)(?: {4}\S.*\n(?: {6}\S.*\n)*)+/g
const IN_SENTENCE = new RegExp(`\`((?:${PROGRAM}) [^\`]+)\``, 'g')
const SHELLS = new Set(['sh', 'bash', 'console'])

/** Every command of the documents for users, operators and developers, each once per page. */
export function documentedCommands(): Documented[] {
  return PAGES.flatMap((page) =>
    [...new Set(commandsIn(readSource(page)))].map((command) => ({ page, command })),
  )
}

/** The commands in the blocks and sentences of a page. */
export function commandsIn(text: string): string[] {
  const fenced = [...text.matchAll(FENCE)].filter(([, language = '']) => SHELLS.has(language))
  const prose = text.replace(FENCE, '\n')
  const blocks = [
    ...fenced.map(([, , body = '']) => body),
    ...[...prose.matchAll(INDENTED)].map(([block]) => block),
  ]
  const sentences = prose.replace(INDENTED, '\n').replaceAll('\n', ' ')
  return [
    ...blocks.flatMap(linesOf),
    ...[...sentences.matchAll(IN_SENTENCE)].map(([, command = '']) => command),
  ]
}

function linesOf(block: string): string[] {
  return block
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => line.replace(/\s+# .*$/, '').trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
}

const { scripts }: { scripts: Record<string, string> } = JSON.parse(readSource('package.json'))
/** Variables that only tests and benchmarks read. */
const OUTSIDE_DATABASES = ['TEST_DATABASE_URL', 'BENCH_DATABASE_URL']
const SETTING_NAMES = new Set([
  ...ALL_SETTINGS.flatMap(([name]) => [name, `${name}_FILE`]),
  ...OUTSIDE_DATABASES,
])

/** The scripts, files, options and settings that a command names and that do not exist. */
export function findAbsent(command: string): string[] {
  const [, script] = /^npm (?:run )?([\w:-]+)/.exec(command) ?? []
  const isOwnScript = /^npm (run|start|test)\b/.test(command)
  if (isOwnScript && !(script !== undefined && script in scripts)) return [`script ${script}`]
  const files = [...command.matchAll(/(?<![\w./:])[\w-]+(?:\/[\w-]+)+\.(?:ts|mjs|sh|yaml)/g)].map(
    ([path]) => path,
  )
  const settings = [...command.matchAll(/\b([A-Z][A-Z0-9_]{3,})=/g)].map(([, name = '']) => name)
  const absent = files.filter((path) => !existsSync(join(ROOT, path))).map((path) => `file ${path}`)
  // Settings and options may belong to docker itself.
  if (command.startsWith('docker ')) return absent
  return [
    ...absent,
    ...settings.filter((name) => !SETTING_NAMES.has(name)).map((name) => `setting ${name}`),
    ...(isOwnScript || files.length > 0
      ? unknownOptions(command, [scripts[script ?? ''] ?? '', command])
      : []),
  ]
}

function unknownOptions(command: string, programs: readonly string[]): string[] {
  const text = programs.flatMap(programFiles).map(readSource).join('\n')
  return [...command.matchAll(/(?<=\s)--([a-z][\w-]+)/g)]
    .map(([, name = '']) => name)
    .filter((name) => !new RegExp(`--${name}\\b|['"]?\\b${name}['"]?:`).test(text))
    .map((name) => `option --${name}`)
}

/** Launchers in plain JavaScript, and the files that they run. */
const LAUNCHED: readonly (readonly [RegExp, (name: string) => string])[] = [
  [/tools\/start\.mjs()/, () => 'devnet/src/supervisor/settings.ts'],
  [/tools\/deploy\.mjs()/, () => 'tools/deploy.ts'],
  [/apps\/server\/command\.mjs ([\w-]+)/, (name) => `apps/server/src/main/${name}.ts`],
]

/** The files that a command runs, and the files that those import by a relative path. */
function programFiles(command: string): string[] {
  const launched = LAUNCHED.flatMap(([pattern, fileOf]) => {
    const found = pattern.exec(command)
    return found === null ? [] : [fileOf(found[1] ?? '')]
  })
  const named = command.match(/[\w-]+(?:\/[\w.-]+)+\.(?:ts|mjs)/g) ?? []
  return [...named, ...launched]
    .filter((path) => existsSync(join(ROOT, path)))
    .flatMap((path) => [path, ...importedBy(path)])
}

function importedBy(path: string): string[] {
  return [...readSource(path).matchAll(/from '(\.[^']+\.(?:ts|mjs))'/g)]
    .map(([, target = '']) => join(dirname(path), target))
    .filter((target) => existsSync(join(ROOT, target)))
}
