import { readFileSync } from 'node:fs'
import { createContext, runInContext } from 'node:vm'
import { expect, test } from 'vitest'
import { ADDED, HARMLESS_USES } from '../build/browsers/harmless.ts'

const SCRIPT = readFileSync(new URL('./old-browsers.js', import.meta.url), 'utf8')

/** Runs code in a browser that lacks everything that the script adds, after the script. */
function inOldBrowser(code: string): unknown {
  class Form extends EventTarget {
    noValidate = false
    isValid = true
    reportValidity = () => this.isValid
  }
  class OldSignal extends EventTarget {
    aborted = false
    reason: unknown = undefined
  }
  class OldController {
    signal = new OldSignal()
    abort(reason: unknown) {
      Object.assign(this.signal, { aborted: true, reason })
    }
  }
  const crypto = { getRandomValues: (bytes: Uint8Array) => bytes.fill(255) }
  const context = createContext({
    ...{ HTMLFormElement: Form, AbortSignal: OldSignal, AbortController: OldController },
    ...{ Event, DOMException, setTimeout, crypto, addEventListener: () => undefined },
  })
  const REMOVE = `
    globalThis.window = globalThis
    for (const list of [Array, Object.getPrototypeOf(Uint8Array)]) {
      for (const name of ['at', 'findLast', 'findLastIndex', 'toReversed', 'toSorted', 'toSpliced', 'with']) {
        delete list.prototype[name]
      }
    }
    delete String.prototype.at
    delete Object.hasOwn
    delete Object.groupBy
    delete Map.groupBy
  `
  return runInContext(`${REMOVE};${SCRIPT};${code}`, context)
}
const text = (code: string) => JSON.stringify(inOldBrowser(code))

test.each([
  ['[1, 2, 3].at(-1)', 3],
  ['[1, 2, 3].at(5)', undefined],
  ['"abc".at(-1)', 'c'],
  ['[1, 2, 3].findLast((each) => each < 3)', 2],
  ['[1, 2, 3].findLastIndex((each) => each > 3)', -1],
  [
    'const list = [1, 2, 3]; [list.toReversed(), list]',
    [
      [3, 2, 1],
      [1, 2, 3],
    ],
  ],
  [
    'const list = [2, 1]; [list.toSorted((a, b) => a - b), list]',
    [
      [1, 2],
      [2, 1],
    ],
  ],
  ['Array.from(new Uint8Array([2, 1]).toSorted())', [1, 2]],
  ['[1, 2, 3].toSpliced(1, 1, 4, 5)', [1, 4, 5, 3]],
  ['[1, 2].with(-1, 3)', [1, 3]],
  ['[Object.hasOwn({ a: 1 }, "a"), Object.hasOwn({}, "toString")]', [true, false]],
  ['Object.groupBy([1, 2, 3], (each) => each % 2)', { 0: [2], 1: [1, 3] }],
  [
    '[...Map.groupBy([1, 2, 3], (each) => each % 2)]',
    [
      [1, [1, 3]],
      [0, [2]],
    ],
  ],
  ['crypto.randomUUID()', 'ffffffff-ffff-4fff-bfff-ffffffffffff'],
  ['AbortSignal.timeout(1).aborted', false],
  [
    'const form = new HTMLFormElement(); let sent = 0; form.addEventListener("submit", () => { sent += 1 }); form.requestSubmit(); form.isValid = false; form.requestSubmit(); sent',
    1,
  ],
  [
    'const signal = new AbortSignal(); signal.throwIfAborted(); Object.assign(signal, { aborted: true, reason: "why" }); let thrown; try { signal.throwIfAborted() } catch (error) { thrown = error }; thrown',
    'why',
  ],
])('in a browser that lacks it, %s works', (code, result) => {
  expect(text(code)).toBe(JSON.stringify(result))
})

test('a time-out comes in a browser that has none', async () => {
  const signal = inOldBrowser('AbortSignal.timeout(1)') as { aborted: boolean; reason: Error }
  await expect.poll(() => signal.aborted).toBe(true)
  expect(signal.reason.name).toBe('TimeoutError')
})

test('whatever the check of built-ins takes for added is added', () => {
  const uses = Object.keys(HARMLESS_USES).filter((use) => HARMLESS_USES[use] === ADDED)
  const owners = ['Array.prototype', 'HTMLFormElement.prototype', 'AbortSignal.prototype']
  for (const use of uses) {
    const paths = use.startsWith('.') ? owners.map((owner) => owner + use) : [use]
    const found = paths.map((path) => text(`typeof ${path}`))
    expect(found, use).toContain('"function"')
  }
})
