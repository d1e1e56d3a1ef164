/**
 * npm run mutate -- [PACKAGE …]: changes the code of the money rules, one place at a time, and counts the changes that
 * the tests beside it notice. Fails when a package has fewer than nine of ten noticed. See docs/mutation.md.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './repository.ts'

const PACKAGES = ['money', 'rules']
const LEAST_PERCENT = 90
const PATIENCE_MS = 20_000
const STRYKER = join('node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js')
const CACHE = '.cache'

const asked = process.argv.slice(2)
const names = asked.length > 0 ? asked : PACKAGES
process.exitCode = names.every(mutate) ? 0 : 1

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
    mutate: [`packages/${name}/src/**/*.ts`, '!packages/*/src/**/*.test.ts'],
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'tools/mutation/vitest.config.ts', dir: `packages/${name}` },
    coverageAnalysis: 'perTest',
    concurrency: 2,
    timeoutMS: PATIENCE_MS,
    thresholds: { high: 100, low: LEAST_PERCENT, break: LEAST_PERCENT },
    reporters: ['clear-text', 'json'],
    clearTextReporter: { reportTests: false, logTests: false },
    jsonReporter: { fileName: `reports/mutation-${name}.json` },
    tempDirName: join(CACHE, 'mutation'),
    // What it copies; it would also rewrite a tsconfig, with a TypeScript that it does not find.
    ignorePatterns: ['**', '!packages/**', '!tools/mutation/**', '!package.json', '!tsconfig.json'],
    tsconfigFile: 'none.json',
  }
}
