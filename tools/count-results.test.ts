import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ROOT } from './repository.ts'

function count(reports: Record<string, string>, ...steps: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'dct-reports-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [name, xml] of Object.entries(reports)) writeFileSync(join(folder, name), xml)
  const args = [join(ROOT, 'tools/count-results.mjs'), folder, ...steps]
  const ended = spawnSync(process.execPath, args, { encoding: 'utf8' })
  return { lines: ended.stdout.trimEnd().split('\n'), status: ended.status }
}

const GOOD =
  '<testsuite><testcase name="a &gt; b" time="1"/><testcase name="c"></testcase></testsuite>'
const BAD = `<testcase name="d"><failure message="x > y">at z</failure></testcase>
  <testcase name="e"><error/></testcase><testcase name="f"><skipped/></testcase>`

test('the last line sums up all reports; skipped tests count as neither passed nor failed', () => {
  expect(count({ 'a.xml': GOOD, 'b.xml': BAD }, 'npm run check=0', 'npm test=1')).toEqual({
    lines: ['failed: b.xml: d', '    at z', 'failed: b.xml: e', '2 passed, 2 failed'],
    status: 1,
  })
  expect(count({ 'a.xml': GOOD }, 'npm test=0')).toEqual({
    lines: ['2 passed, 0 failed'],
    status: 0,
  })
})

test('the report of a failed test is shown, up to 20 lines of it', () => {
  const text = `AssertionError:\n\n${'at x\n'.repeat(50)}`
  const xml = `<testcase name="g"><failure message="a > b"><![CDATA[${text}]]></failure></testcase>`
  const { lines } = count({ 'a.xml': xml }, 'npm test=1')
  expect(lines.slice(0, 3)).toEqual(['failed: a.xml: g', '    AssertionError:', '    at x'])
  expect(lines).toHaveLength(1 + 20 + 1)
})

test('a failed step is named and counted, unless its failed tests are already counted', () => {
  expect(count({ 'a.xml': GOOD }, 'npm test=1')).toMatchObject({
    lines: ["failed: 'npm test' ended with status 1, though no test failed", '2 passed, 1 failed'],
    status: 1,
  })
  expect(count({ 'b.xml': BAD }, 'npm run check=2', 'npm test=1')).toMatchObject({
    lines: [
      'failed: b.xml: d',
      '    at z',
      'failed: b.xml: e',
      "failed: 'npm run check' ended with status 2",
      '0 passed, 3 failed',
    ],
  })
  expect(count({}, 'npm test=0')).toMatchObject({ status: 1 })
})

test('a step that ran out of time is named, regardless of its test results so far', () => {
  expect(count({ 'a.xml': GOOD }, 'npm test=124')).toMatchObject({
    lines: ["failed: 'npm test' was stopped at its time limit", '2 passed, 1 failed'],
    status: 1,
  })
})
