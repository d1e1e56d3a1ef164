import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { differencesOf, hashFolder } from './hash-files.ts'

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

function folderOf(files: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'dct-hashes-'))
  folders.push(folder)
  mkdirSync(join(folder, 'server'))
  for (const [path, content] of Object.entries(files)) writeFileSync(join(folder, path), content)
  return hashFolder(folder)
}

test('a folder that was changed anywhere is told from what the sources make, file by file', () => {
  const made = folderOf({ dct: 'run', 'server/api.js': 'serve()', 'server/worker.js': 'pay()' })
  expect(
    differencesOf(
      made,
      folderOf({ dct: 'run', 'server/api.js': 'serve()', 'server/worker.js': 'pay()' }),
    ),
  ).toEqual([])
  const shipped = folderOf({ dct: 'run', 'server/.extra': 'steal()', 'server/worker.js': 'pay( )' })
  expect(differencesOf(made, shipped)).toEqual([
    'server/.extra is in no source',
    'server/api.js is missing',
    'server/worker.js differs',
  ])
})
