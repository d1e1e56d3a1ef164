// npm test -- [FILTER]: runs all tests, or those whose path contains FILTER.
import process from 'node:process'
import { exitWith, runFile } from '../apps/server/launch.mjs'
import { bootstrap } from './bootstrap.mjs'

await exitWith(async () => {
  const node = await bootstrap({ say: (line) => console.error(line) })
  return runFile(node, 'tools/test-all.ts', process.argv.slice(2))
})
