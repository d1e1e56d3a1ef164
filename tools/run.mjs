// node tools/run.mjs FILE [ARGUMENTS]: runs one of the TypeScript files for development, even in a clone without packages.
import process from 'node:process'
import { exitWith, LaunchError, runFile } from '../apps/server/launch.mjs'
import { bootstrap } from './bootstrap.mjs'

await exitWith(async () => {
  const [file, ...args] = process.argv.slice(2)
  if (file === undefined) throw new LaunchError('usage: node tools/run.mjs FILE [ARGUMENTS]')
  const node = await bootstrap({ say: (line) => console.error(line) })
  return runFile(node, file, args)
})
