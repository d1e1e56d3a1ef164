import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { count, type Figure, latency, ratio, speed } from './figures.ts'
import { changeOf, createResults } from './results.ts'

const share = (value: number) => ratio(value, { wanted: 'more' })
const verdictOf = (now: Figure, before: Figure) => changeOf(now, before)?.verdict

test('a figure within its noise is the same in either direction; beyond it, what is wanted decides between better and worse', () => {
  expect(verdictOf(share(1.2), share(1))).toBe('same')
  expect(verdictOf(share(1), share(1.2))).toBe('same')
  expect(verdictOf(share(1.4), share(1))).toBe('better')
  expect(verdictOf(share(1), share(1.4))).toBe('worse')
  const slow = latency({ p50: 30, p99: 90 })
  expect(verdictOf(slow, latency({ p50: 10, p99: 90 }))).toBe('worse')
  expect(verdictOf(speed(500), speed(1_000))).toBe('worse')
})

test('a count that rises from zero has changed, and two zeros are the same', () => {
  const failures = (value: number) => count(value, { wanted: 'less' })
  expect(changeOf(failures(1), failures(0))).toMatchObject({ before: '0', verdict: 'worse' })
  expect(changeOf(failures(0), failures(0))).toMatchObject({ share: 0, verdict: 'same' })
})

test('a figure without one before, or one that could not be measured, is not compared', () => {
  expect(changeOf(share(1), undefined)).toBeUndefined()
  expect(changeOf(share(Number.NaN), share(1))).toBeUndefined()
})

test('a part that fails is named, and the others are still measured', async () => {
  const lines: string[] = []
  const results = createResults(new Date(), { print: (line) => lines.push(line) })
  await results.run('lists', async () => {
    throw new Error('no such list')
  })
  await results.run('http', async (report) => report('dashboard', { share: share(0.8) }))
  expect(results.failed).toEqual(['lists'])
  expect(lines.join('\n')).toMatch(
    /lists failed: Error: no such list.*dashboard\n {2}share +0\.80/s,
  )
})

test('a run is compared with what was measured before, also when a run between them measured other parts', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'dct-bench-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const measure = async (part: string, value: number) => {
    const lines: string[] = []
    const print = (line: string) => lines.push(line)
    const results = createResults(new Date(), { print, file: join(folder, 'bench.json') })
    await results.run(part, async (report) => report('title', { share: share(value) }))
    results.finish([])
    return lines.join('\n')
  }
  expect(await measure('http', 1)).not.toContain('before')
  await measure('lists', 1)
  expect(await measure('http', 2)).toMatch(/share +2\.00 {3}before: 1\.00, \+100 % {2}BETTER/)
})
