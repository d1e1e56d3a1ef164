/**
 * npm run mutate -- [PART …] [--sample N] [--seed S]: changes the code of the money rules, or of a module of the server,
 * one place at a time, and counts the changes that the tests beside it notice. Fails when fewer than nine of ten of a
 * part are noticed. See docs/mutation.md.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Draw } from './mutation/drawn.ts'
import { ROOT } from './repository.ts'

const PACKAGES = ['money', 'rules']
const MODULES = ['ledger', 'claims', 'payouts', 'earnings', 'referrals', 'chain']
const LEAST_PERCENT = 90
const PATIENCE_MS = 20_000
const STRYKER = join('node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js')
const CACHE = '.cache'

const { values, positionals } = parseArgs({
  options: { sample: { type: 'string' }, seed: { type: 'string', default: '1' } },
  allowPositionals: true,
})
const draw: Draw = {
  sample: values.sample === undefined ? undefined : Number(values.sample),
  seed: Number(values.seed),
}
const names = positionals.length > 0 ? positionals : [...PACKAGES, ...MODULES]
const results = names.map(mutate)
process.exitCode = results.every(Boolean) ? 0 : 1

/** @returns whether enough changes were noticed */
function mutate(name: string): boolean {
  const config = join(CACHE, `mutation-${name}.json`)
  mkdirSync(join(ROOT, CACHE), { recursive: true })
  writeFileSync(join(ROOT, config), JSON.stringify(configOf(name)))
  const options = { cwd: ROOT, stdio: 'inherit' } as const
  return spawnSync(process.execPath, [STRYKER, 'run', config], options).status === 0
}

function configOf(name: string) {
  return {
    ...(PACKAGES.includes(name) ? packageOf(name) : moduleOf(name)),
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner', './tools/mutation/drawn.ts'],
    checkers: draw.sample === undefined ? [] : ['drawn'],
    draw,
    coverageAnalysis: 'perTest',
    thresholds: { high: 100, low: LEAST_PERCENT, break: LEAST_PERCENT },
    reporters: ['clear-text', 'json'],
    clearTextReporter: { reportTests: false, logTests: false },
    jsonReporter: { fileName: `reports/mutation-${name}.json` },
    tempDirName: join(CACHE, 'mutation'),
    // It would also rewrite a tsconfig, with a TypeScript that it does not find.
    tsconfigFile: 'none.json',
  }
}

function packageOf(name: string) {
  return {
    mutate: [`packages/${name}/src/**/*.ts`, '!packages/*/src/**/*.test.ts'],
    vitest: { configFile: 'tools/mutation/vitest.config.ts', dir: `packages/${name}` },
    timeoutMS: PATIENCE_MS,
    concurrency: 2,
    ignorePatterns: ['**', '!packages/**', '!tools/mutation/**', '!package.json', '!tsconfig.json'],
  }
}

/** Its tests need a database, and some of them the development chains. */
function moduleOf(name: string) {
  const folder = `apps/server/src/modules/${name}`
  return {
    mutate: [`${folder}/**/*.ts`, `!${folder}/**/*.test.ts`, `!${folder}/**/*.tables.ts`],
    vitest: { configFile: 'tools/mutation/server.config.ts', dir: folder, related: false },
    timeoutMS: 2 * PATIENCE_MS,
    // Each has a database of its own.
    concurrency: 1,
    dryRunTimeoutMinutes: 15,
    ignorePatterns: [
      ...['**', '!apps/server/**', '!packages/**', '!devnet/**', '!contracts/**'],
      ...['!tools/mutation/**', '!package.json', '!tsconfig.json', '**/node_modules', '**/dist'],
    ],
  }
}
