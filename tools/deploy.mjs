// npm run deploy: runs tools/deploy.ts with the packages that are installed; like the commands of the service, it never
// installs any.
import process from 'node:process'
import { exitWith, findNode, requirePackages, runFile } from '../apps/server/launch.mjs'

await exitWith(async () => {
  requirePackages('@dct/contracts')
  return runFile(findNode(), 'tools/deploy.ts', process.argv.slice(2))
})
