import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import {
  BOUNDARY_CHECK,
  CODE_FOLDERS,
  EXPORTS_CHECK,
  PRODUCT_FOLDERS,
  ROOT,
  readSource,
  sourceFiles,
} from './repository.ts'

const CODE = /\.(ts|tsx|mjs)$/
const TESTS = /\.(test|spec)\.tsx?$/

type Ban = {
  text: RegExp
  instead: string
  folders: readonly string[]
  files?: RegExp
  except?: RegExp
}

const BANS: readonly Ban[] = [
  {
    text: /new Date\(\)|Date\.now\(\)/,
    instead: 'the injected clock',
    folders: PRODUCT_FOLDERS,
    except: /\/clock\.ts$/,
  },
  {
    text: /Intl\.DateTimeFormat|\.toLocale(Date|Time)?String\((?!i18n\.locale\))/,
    instead: 'shared/lib/date.ts, which knows the business zone',
    folders: ['apps/web/src'],
    except: /\/lib\/date\.ts$/,
  },
  {
    text: /type="date"(?![^>]*onType)/,
    instead: 'DateField, in which a day can be typed',
    folders: ['apps/web/src/features', 'apps/web/src/app'],
  },
  {
    text: /message\.includes\(/,
    instead: 'the class or code of the error',
    folders: PRODUCT_FOLDERS,
    except: TESTS,
  },
  {
    // Allowed with a comment on the line above.
    text: /(?<!\/\/.*\n.*)(catch \{\s*\}|\.catch\(\(\) => (undefined|\{\s*\})\))/,
    instead: 'a comment with the reason',
    folders: CODE_FOLDERS,
  },
  {
    // Others wait without an end of their own.
    text: /(?<![.\w])fetch\(|\bnew pg\.(Client|Pool)\(/,
    instead: '`askHttp`, or `openDatabase` and `WatchedClient`',
    folders: ['apps/server/src', 'packages/chain-clients/src'],
    except: new RegExp(
      [
        ...['[.]test[.]ts$', '/testing/', '/modules/devnet/chain-control[.]ts$'],
        ...['/database/(db|watched-client)[.]ts$'],
      ].join('|'),
    ),
  },
  { text: /\b(FIXME|TODO|XXX)\b/, instead: 'finish it', folders: CODE_FOLDERS },
  { text: /@ts-(ignore|expect-error|nocheck)/, instead: 'a correct type', folders: CODE_FOLDERS },
  {
    text: /\.(only|skip|skipIf|runIf|todo|fixme)\(/,
    instead: 'run every test',
    folders: CODE_FOLDERS,
    files: TESTS,
  },
  {
    text: /\bif \([^()\n]* === undefined\b[^\n]*\) (return|continue)$/m,
    instead: 'fail if the subject of the test is missing',
    folders: CODE_FOLDERS,
    files: TESTS,
  },
  {
    // A toast closes on its own, so asserting that none is shown merely waits until it has closed.
    text: /expect\(\s*toast(Area)?\(((?!\bexpect\b)[\s\S]){0,200}?\)\s*\.(toHaveCount\(0\)|toBeHidden|not\.toBeVisible)/,
    instead: 'check the `toasts` of the visit',
    folders: ['e2e'],
    files: TESTS,
  },
  { text: /\bvi\.(mock|spyOn)\(/, instead: 'the real thing', folders: CODE_FOLDERS, files: TESTS },
  {
    text: /dangerouslySetInnerHTML|\.(inner|outer)HTML\b|insertAdjacentHTML|document\.write\(/,
    instead: 'text, which no browser executes',
    folders: PRODUCT_FOLDERS,
    except: TESTS,
  },
  {
    // Storage may be blocked or full, and then even looking it up throws.
    text: /\b(localStorage|sessionStorage|indexedDB|BroadcastChannel|cookieStore)\b|\bcaches\.|document\.cookie|\bserviceWorker\b/,
    instead: 'shared/storage',
    folders: ['apps/web/src'],
    files: /\.(ts|tsx|js)$/,
    except: /\/shared\/storage\/|\/testing\/|\/start\.js$|\.test\.tsx?$/,
  },
  {
    // A second click can arrive before the button is disabled.
    text: /\buseMutation\(/,
    instead: 'useAction',
    folders: ['apps/web'],
    except: /\/use-once\.ts$|\/session\.tsx$/,
  },
  {
    text: /<a\b(?=[^>]*(target="_blank"|href=\{(?!`(mailto:|\/))))(?![^>]*rel="noopener noreferrer")/,
    instead: 'a link outside with rel="noopener noreferrer"',
    folders: ['apps/web/src'],
    files: /\.tsx$/,
  },
  {
    text: /\btext\([^;]{0,200}?\b(percentage|rate): (?!(shown|fee|rate)Percentage\()/,
    instead: 'shownPercentage, which every screen shows alike',
    folders: ['apps/web/src'],
    files: CODE,
  },
  { text: /\bretry: ?[1-9]/, instead: 'fix the flaky test', folders: CODE_FOLDERS, files: TESTS },
]

test('[T096] banned text is not used anywhere, including anything that would make a browser execute stored text', () => {
  const found = BANS.flatMap(({ text, instead, folders, files = CODE, except }) =>
    folders
      .flatMap((folder) => sourceFiles(folder, files))
      .filter((path) => path !== 'tools/tidy.test.ts' && !except?.test(path))
      .filter((path) => text.test(readSource(path)))
      .map((path) => `${path}: ${text.source}: ${instead}`),
  )
  expect(found).toEqual([])
})

test('nothing is defined after a statement that a file awaits: what it calls would use constants without a value', () => {
  const late = CODE_FOLDERS.flatMap((folder) => sourceFiles(folder, CODE)).filter((path) => {
    const [, ...rest] = readSource(path).split(/^await \w+\(/m)
    return (
      rest.length > 0 && /^(export )?(const|let|class|enum) (?!.* = await )/m.test(rest.join(''))
    )
  })
  expect(late.filter((path) => path !== 'apps/server/src/testing/run-in-time-zone.ts')).toEqual([])
})

test('every test file is found by a project of vitest.config.ts', () => {
  const args = ['node_modules/vitest/vitest.mjs', 'list', '--filesOnly', '--json']
  const { stdout } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' })
  const listed: { file: string }[] = JSON.parse(stdout)
  const found = new Set(listed.map(({ file }) => file))
  const written = CODE_FOLDERS.flatMap((folder) => sourceFiles(folder, /\.test\.tsx?$/))
  expect(written.filter((path) => !found.has(join(ROOT, path)))).toEqual([])
})

type Cruise = {
  modules: { source: string }[]
  summary: { violations: { rule: { name: string }; from: string }[] }
}

function cruise(cwd: string, folders: readonly string[]): Cruise {
  const args = [...BOUNDARY_CHECK, '--output-type', 'json', ...folders]
  const maxBuffer = 256 * 1024 * 1024
  const { stdout } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8', maxBuffer })
  return JSON.parse(stdout)
}

/** Reading the whole repository takes seconds on an idle machine and minutes on a busy one. */
const CRUISE_PATIENCE_MS = 300_000

test('the boundary check reads every file', { timeout: CRUISE_PATIENCE_MS }, () => {
  const written = CODE_FOLDERS.flatMap((folder) => sourceFiles(folder, /\.tsx?$/))
  const read = new Set(cruise(ROOT, CODE_FOLDERS).modules.map(({ source }) => source))
  expect(written.length).toBeGreaterThan(100)
  expect(written.filter((path) => !read.has(path) && !path.endsWith('.d.ts'))).toEqual([])
})

test('the boundary check lists every module of the server', () => {
  const rules = readSource('.dependency-cruiser.mjs')
  const modules = readdirSync(join(ROOT, 'apps/server/src/modules'))
  expect(modules.filter((name) => !rules.includes(`\n  ${name}: [`))).toEqual([])
})

const SERVER = 'apps/server/src'
const CROSSINGS = [
  ['plans-imports', `${SERVER}/modules/plans/a.ts`, `${SERVER}/modules/claims/index.ts`],
  ['front-door-only', `${SERVER}/modules/claims/a.ts`, `${SERVER}/modules/ledger/inside.ts`],
  ['main-uses-front-doors', `${SERVER}/main/c.ts`, `${SERVER}/modules/claims/inside.ts`],
  ['unlisted-module', `${SERVER}/modules/newcomer/a.ts`, `${SERVER}/platform/database/db.ts`],
  ['platform-has-no-domain', `${SERVER}/platform/a.ts`, `${SERVER}/modules/claims/index.ts`],
  ['only-main-builds', `${SERVER}/modules/earnings/a.ts`, `${SERVER}/main/config.ts`],
  ['features-are-independent', 'apps/web/src/features/a/a.ts', 'apps/web/src/features/b/b.ts'],
  ['shared-has-no-feature', 'apps/web/src/shared/a.ts', 'apps/web/src/features/b/b.ts'],
  ['apps-share-only-packages', 'apps/web/src/app/a.ts', `${SERVER}/platform/database/db.ts`],
  ['packages-are-independent', 'packages/money/src/a.ts', `${SERVER}/platform/database/db.ts`],
  ['the-product-needs-no-devnet', `${SERVER}/main/a.ts`, 'devnet/src/main.ts'],
  [
    'local-services-are-for-development',
    `${SERVER}/main/b.ts`,
    'packages/local-services/src/index.ts',
  ],
] as const

/** Creates a temporary folder with these files, which is removed after the test. */
function makeTree(prefix: string, files: Readonly<Record<string, string>>): string {
  const tree = mkdtempSync(join(tmpdir(), prefix))
  onTestFinished(() => rmSync(tree, { recursive: true }))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(tree, path)), { recursive: true })
    writeFileSync(join(tree, path), text)
  }
  return tree
}

/** Creates a folder in which each source file of `CROSSINGS` imports a type from its forbidden target. */
function makeForbiddenTree(): string {
  const crossings = CROSSINGS.flatMap(([, from, to]) => {
    const up = '../'.repeat(from.split('/').length - 1)
    const text = `import type { Thing } from '${up}${to}'\nexport type Other = Thing\n`
    return [
      [to, 'export type Thing = string\n'],
      [from, text],
    ]
  })
  return makeTree('dct-boundaries-', {
    'tsconfig.json': '{}',
    ...Object.fromEntries(crossings),
    'packages/rules/src/a.ts': "import './b.ts'\n",
    'packages/rules/src/b.ts': "import './a.ts'\n",
  })
}

test('the boundary check detects forbidden imports, including type imports', () => {
  const { violations } = cruise(makeForbiddenTree(), ['apps', 'packages', 'devnet']).summary
  const found = violations.map(({ rule, from }) => `${rule.name}: ${from}`)
  const planted = CROSSINGS.map(([rule, from]) => `${rule}: ${from}`)
  expect(found).toEqual(expect.arrayContaining([...planted, 'no-cycles: packages/rules/src/a.ts']))
})

test('the export check reports exports that only tests use', () => {
  const tree = makeTree('dct-exports-', {
    'package.json': '{ "name": "planted", "workspaces": ["apps/*"] }',
    'apps/server/package.json': '{ "name": "server" }',
    'knip.json': readSource('knip.json'),
    [`${SERVER}/main/api.ts`]: "import { used } from '../platform/a.ts'\nconsole.log(used)\n",
    [`${SERVER}/platform/a.ts`]: 'export const used = 1\nexport const tested = 2\n',
    [`${SERVER}/platform/a.test.ts`]: "import { tested } from './a.ts'\nconsole.log(tested)\n",
  })
  const { stdout } = spawnSync(process.execPath, EXPORTS_CHECK, { cwd: tree, encoding: 'utf8' })
  expect(stdout).toContain('Unused exports (1)')
  expect(stdout).toContain('tested')
})
