import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { HTTP_REPLIES, RPC_ERRORS, RPC_RESULTS } from '../testing/recorded-replies.ts'
import { differences } from '../testing/reply-shape.ts'

const FOLDER = join(import.meta.dirname, '../testing/recorded')

type Envelope = { jsonrpc: string; id: number; result?: unknown; error?: { code: number } }
type Recorded = { call: string; status: number; type: string; reply: unknown }

const recorded = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.json'))
  .flatMap((name) => {
    const replies: Recorded[] = JSON.parse(readFileSync(join(FOLDER, name), 'utf8'))
    return replies.map((reply, at) => ({ ...reply, name: `${name} ${at}` }))
  })

/** The names of the shapes that a reply has. */
function shapesOf(reply: unknown, shapes: typeof HTTP_REPLIES | typeof RPC_RESULTS): string[] {
  return Object.entries(shapes)
    .filter(([, shape]) => differences(shape, reply).length === 0)
    .map(([name]) => name)
}

test('all recorded replies are here', () => {
  expect(recorded.length).toBeGreaterThan(100)
})

test.each(recorded.filter(({ call }) => !call.endsWith('/jsonrpc')))(
  '$name, a reply to $call, has a shape that the gateway is checked against',
  ({ status, type, reply }) => {
    if (status === 405) expect(type).toBe('text/html;charset=iso-8859-1')
    else {
      expect([status, type]).toEqual([200, 'application/json;charset=utf-8'])
      expect(shapesOf(reply, HTTP_REPLIES)).not.toEqual([])
    }
  },
)

test.each(recorded.filter(({ call }) => call.endsWith('/jsonrpc')))(
  '$name, a reply over JSON-RPC, has a shape that the gateway is checked against',
  ({ status, type, reply }) => {
    expect([status, type]).toEqual([200, 'application/json-rpc'])
    for (const { result, error } of Array.isArray(reply) ? reply : [reply as Envelope]) {
      if (error === undefined) expect(shapesOf(result, RPC_RESULTS)).not.toEqual([])
      else expect(Object.values(RPC_ERRORS)).toContainEqual(withoutOldRevertData(error))
    }
  },
)

/** Treats every revert alike: the recorded node is too old to send revert data. */
function withoutOldRevertData(error: { code: number }): object {
  const { code, ...rest } = error
  return code === RPC_ERRORS.reverted.code ? RPC_ERRORS.reverted : { code, ...rest }
}
