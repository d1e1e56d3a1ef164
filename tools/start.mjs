import process from 'node:process'
import { bootstrap, exitWith, runFile } from './bootstrap.mjs'

await exitWith(async () => {
  const node = await bootstrap({ say: (line) => console.log(line) })
  return runFile(node, 'devnet/src/main.ts', process.argv.slice(2))
})
