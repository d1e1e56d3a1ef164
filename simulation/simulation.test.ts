import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

/** The simulation takes time and chance away from its process, so it has one of its own. */
async function simulate(...args: readonly string[]): Promise<string> {
  const script = join(import.meta.dirname, 'simulate.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...args]).catch(
    (failed: { stdout?: string; stderr?: string }) => ({
      stdout: `FAILED\n${failed.stdout}${failed.stderr}`,
    }),
  )
  return stdout
}

test('the simulator still finds every known fault, and every mended one whose mend is taken back', async () => {
  expect(await simulate('--calibrate')).not.toMatch(/NOT FOUND|FAILED/)
}, 1_800_000)

test('no story breaks a law, apart from what a known fault explains', async () => {
  const told = await simulate('--seeds', '200', '--steps', '12', '--jobs', '2', '--known')
  expect(told).not.toMatch(/FAILED/)
  expect(told).toContain('200 stories of 12 acts')
}, 1_800_000)

test('after a restore, a paid claim is made again from its payment, though it has grown since', async () => {
  const pattern = 'a fee that a restore lost, whose claim has grown since'
  const told = await simulate('--pattern', pattern, '--seeds', '1')
  expect(told).not.toMatch(/FAILED/)
  expect(told).toContain('state: a fee paid for a lost claim')
}, 1_800_000)

test('a seed repeats exactly', async () => {
  const play = () => simulate('--seed', '4', '--steps', '20', '--verbose', '--no-shrink', '--known')
  const told = (text: string) => text.split('\n').filter((line) => line.startsWith('  '))
  const [once, again] = [told(await play()), told(await play())]
  expect(once.length).toBeGreaterThan(5)
  expect(again).toEqual(once)
}, 1_800_000)
