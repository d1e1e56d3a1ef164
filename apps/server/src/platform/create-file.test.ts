import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createFile, FileNotWritten } from './create-file.ts'

function givenPath() {
  const folder = mkdtempSync(join(tmpdir(), 'dct-file-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return { folder, path: join(folder, 'keystore') }
}

test('on a full disk nothing of a file is left, the folder is named, and a repeat works', () => {
  const { folder, path } = givenPath()
  const writeHalf = (file: number) => {
    writeSync(file, 'half')
    throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
  }
  expect(() => createFile(path, writeHalf)).toThrow(FileNotWritten)
  expect(() => createFile(path, writeHalf)).toThrow(`the disk of ${folder} is full`)
  expect(existsSync(path)).toBe(false)
  createFile(path, (file) => writeSync(file, 'whole'))
  expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual(['whole', 0o600])
})

test('a folder in which no file can be created is named, too', () => {
  const { folder } = givenPath()
  const path = join(folder, 'missing', 'keystore')
  const create = () => createFile(path, (file) => writeSync(file, 'whole'))
  expect(create).toThrow(FileNotWritten)
  expect(create).toThrow(`the disk of ${join(folder, 'missing')} refuses it (ENOENT)`)
})

test('an existing file is neither overwritten nor removed', () => {
  const { path } = givenPath()
  createFile(path, (file) => writeSync(file, 'first'))
  expect(() => createFile(path, (file) => writeSync(file, 'second'))).toThrow(/EEXIST/)
  expect(readFileSync(path, 'utf8')).toBe('first')
})
