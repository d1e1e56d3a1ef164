import { callContract } from '../chain/call-contract.ts'
import { approveCall } from '../chain/contract-call.ts'
import { readAllowance } from '../chain/read-token.ts'
import { revertSentence } from '../chain/revert-reason.ts'
import { lookAgain } from '../lib/look-again.ts'
import { type ExecuteDeps, type ExecuteInput, executeCall, TxRefusal } from './execute-call.ts'

export type Approval = Pick<ExecuteInput, 'from' | 'report' | 'signal'> & {
  token: string
  spender: string
  /** In base units. */
  amount: bigint
  /** What the spender may already take, in base units: less than `amount`. */
  allowance: bigint
}

/**
 * Approves exactly `amount`. Some tokens change an allowance only from or to zero; an earlier one is then set to zero
 * first, as a step of its own.
 * @throws TxRefusal before anything is signed if the token refuses both; otherwise as `executeCall`
 */
export async function approveExactly(deps: ExecuteDeps, approval: Approval): Promise<void> {
  const { from, token, spender, amount, allowance, report, signal } = approval
  const approve = (base: bigint) => approveCall(token, spender, base)
  const refusalOf = async (base: bigint) => {
    const outcome = await callContract(deps.node(), from, approve(base))
    return outcome.ok ? undefined : outcome.reason
  }

  const send = (base: bigint) => {
    const readAllowed = () => readAllowance(deps.node(), { token, owner: from, spender })
    const isDone = async () => (await readAllowed()) === base
    return executeCall(deps, { from, call: approve(base), report, signal, isDone })
  }

  const refusal = allowance > 0n ? await refusalOf(amount) : undefined
  if (refusal) {
    if (await refusalOf(0n)) throw new TxRefusal(revertSentence(deps.chainText, refusal))
    report.step('reset', () => deps.text('stepReset'))
    report.log(() => deps.text('logReset'))
    await send(0n)
    // Another node behind the same address may be a block behind.
    await lookAgain(async () => (await refusalOf(amount)) === undefined)
  }
  report.step('approve')
  await send(amount)
}
