// node tools/run.mjs FILE [ARGUMENTS]: runs a TypeScript file of this repository in any clone.
import process from 'node:process'
import { BootstrapError, bootstrap, exitWith, runFile } from './bootstrap.mjs'

await exitWith(async () => {
  const [file, ...args] = process.argv.slice(2)
  if (file === undefined) throw new BootstrapError('usage: node tools/run.mjs FILE [ARGUMENTS]')
  const node = await bootstrap({ say: (line) => console.error(line) })
  return runFile(node, file, args)
})
