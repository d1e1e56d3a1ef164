// node tools/run.mjs FILE [ARGUMENTS]: runs one of this repository's TypeScript files, even in a clone without packages.
import process from 'node:process'
import { BootstrapError, bootstrap, exitWith, runFile } from './bootstrap.mjs'

await exitWith(async () => {
  const [file, ...args] = process.argv.slice(2)
  if (file === undefined) throw new BootstrapError('usage: node tools/run.mjs FILE [ARGUMENTS]')
  const node = await bootstrap({ say: (line) => console.error(line) })
  return runFile(node, file, args)
})
