import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { updateSettingsFile } from './settings-file.ts'

const BLOCK_BYTES = 512
const OURS = `# Ours\nADMINS=T1\n${'# kept\n'.repeat(100)}`

function givenFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'dct-deploy-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** Runs a call in a process whose files must not grow beyond this many blocks: part of a write succeeds. */
function runCramped(blocks: number, module: string, call: string): string {
  const url = pathToFileURL(join(import.meta.dirname, module)).href
  const code = `import * as module from ${JSON.stringify(url)}; try { module.${call} } catch (error) { process.stdout.write(error.message) }`
  const script = 'ulimit -f "$1"; exec "$2" --input-type=module --eval "$3"'
  const args = ['-c', script, 'sh', `${blocks}`, process.execPath, code]
  return spawnSync('sh', args, { encoding: 'utf8' }).stdout
}

test('where a file cannot be written whole, settings and the state of a deployment keep their old content, the folder is named, and a repeat works', () => {
  const folder = givenFolder()
  const [settings, state] = [join(folder, 'nile.env'), join(folder, 'state.json')]
  writeFileSync(settings, OURS)
  const former = { version: 1, inputs: {} }
  writeFileSync(state, JSON.stringify(former))
  const longer = { version: 1, steps: 'x'.repeat(3 * BLOCK_BYTES) }
  const says = [
    runCramped(
      1,
      'settings-file.ts',
      `updateSettingsFile(${JSON.stringify(settings)}, { MODE: 'live' })`,
    ),
    runCramped(
      2,
      '../../contracts/deployment/state-file.ts',
      `writeState(${JSON.stringify(state)}, ${JSON.stringify(longer)})`,
    ),
  ]
  expect(says).toEqual([
    `${settings} was not written: ${folder} refuses it (EFBIG).`,
    `${state} was not written: ${folder} refuses it (EFBIG).`,
  ])
  expect(readFileSync(settings, 'utf8')).toBe(OURS)
  expect(JSON.parse(readFileSync(state, 'utf8'))).toEqual(former)
  expect(readdirSync(folder).toSorted()).toEqual(['nile.env', 'state.json'])
  updateSettingsFile(settings, { MODE: 'live' })
  expect(readFileSync(settings, 'utf8')).toContain('ADMINS=T1\n')
  expect(readFileSync(settings, 'utf8')).toContain('\nMODE=live\n')
})

test('a value replaces the comment that asked for it', () => {
  const path = join(givenFolder(), 'live.env')
  updateSettingsFile(path, { MODE: 'live' })
  updateSettingsFile(path, { BSC_RPC: 'https://bsc.example.org' })
  const lines = readFileSync(path, 'utf8').split('\n')
  expect(lines.filter((line) => line.includes('BSC_RPC'))).toEqual([
    'BSC_RPC=https://bsc.example.org',
  ])
})

test('a settings file keeps its mode, and one behind a link stays there', () => {
  const folder = givenFolder()
  const [path, link] = [join(folder, 'real.env'), join(folder, 'link.env')]
  writeFileSync(path, OURS)
  chmodSync(path, 0o640)
  symlinkSync(path, link)
  updateSettingsFile(link, { MODE: 'live' })
  expect(readFileSync(path, 'utf8')).toContain('MODE=live')
  expect(statSync(path).mode & 0o777).toBe(0o640)
  updateSettingsFile(join(folder, 'new.env'), { MODE: 'live' })
  expect(statSync(join(folder, 'new.env')).mode & 0o777).toBe(0o600)
})
