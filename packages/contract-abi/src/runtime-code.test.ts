import { expect, test } from 'vitest'
import { stakingRuntime } from './generated/runtime.ts'
import { isCodeOf } from './runtime-code.ts'

const { code, immutables } = stakingRuntime
const bytes = Buffer.from(code.slice(2), 'hex')
const metadataLength = bytes.readUInt16BE(bytes.length - 2)
const withByte = (at: number, value: number) => {
  const changed = Buffer.from(bytes)
  changed[at] = value
  return `0x${changed.toString('hex')}`
}

test('values set by the constructor, and the compiler’s metadata, make no difference', () => {
  expect(isCodeOf(code, stakingRuntime)).toBe(true)
  expect(immutables.length).toBeGreaterThan(0)
  for (const { start } of immutables) {
    expect(isCodeOf(withByte(start, 0xee), stakingRuntime)).toBe(true)
  }
  expect(isCodeOf(withByte(bytes.length - 12, 0xee), stakingRuntime)).toBe(true)
})

test('any other changed byte makes a difference, and so does code that is shorter, longer or missing', () => {
  expect(isCodeOf(withByte(10, 0xee), stakingRuntime)).toBe(false)
  expect(isCodeOf(withByte(bytes.length - metadataLength - 3, 0xee), stakingRuntime)).toBe(false)
  expect(isCodeOf(code.slice(0, 400), stakingRuntime)).toBe(false)
  expect(isCodeOf(`${code}00`, stakingRuntime)).toBe(false)
  expect(isCodeOf('0x', stakingRuntime)).toBe(false)
})
