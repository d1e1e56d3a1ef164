// npm test -- [FILTER]: every test, or those whose file path holds FILTER.
import process from 'node:process'
import { bootstrap, exitWith, runFile } from './bootstrap.mjs'

await exitWith(async () => {
  const node = await bootstrap({ say: (line) => console.error(line) })
  return runFile(node, 'tools/test-all.ts', process.argv.slice(2))
})
