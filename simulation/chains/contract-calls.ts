import type { Hex } from 'viem'
import { type Chain, Reverted as Refused } from '../../contracts/test/support/chain.ts'
import { Reverted } from './abi.ts'
import { copyOf } from './copy.ts'
import { lower } from './token.ts'

export type Call = { from: Hex; to: Hex; data: Hex }

/** What Solidity does with a call: its logs, or its refusal. */
export async function real(chain: Chain, { from, to, data }: Call) {
  try {
    const { logs } = await chain.sendRaw(from, to, data)
    return logs.map((log) => ({ address: lower(log.address), topics: log.topics, data: log.data }))
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return error.data
  }
}

/** What TypeScript does with it: its logs, after the state has changed, or its refusal. */
export function simulated<State extends object, Logs>(
  state: State,
  call: (trial: State) => { logs: Logs },
): Logs | Hex {
  const trial = copyOf(state)
  try {
    const { logs } = call(trial)
    Object.assign(state, trial)
    return logs
  } catch (error) {
    if (!(error instanceof Reverted)) throw error
    return error.data
  }
}
