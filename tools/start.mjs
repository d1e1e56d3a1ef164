import process from 'node:process'
import { exitWith, runFile } from '../apps/server/launch.mjs'
import { bootstrap } from './bootstrap.mjs'

await exitWith(async () => {
  const node = await bootstrap({ say: (line) => console.log(line) })
  // A devnet creates few new objects, so a small young generation suffices and saves a fifth of the memory.
  process.env.NODE_OPTIONS ??= '--max-semi-space-size=8'
  return runFile(node, 'devnet/src/main.ts', process.argv.slice(2))
})
