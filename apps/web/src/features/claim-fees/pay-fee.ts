import type { PendingClaimFee } from '@dct/api-contract/claims'
import type { MoneyStep } from '@dct/rules/money-steps'
import { PaymentError, type SendOptions } from '../../shared/bsc/send-token.ts'
import type { TakeMoneyStep } from '../../shared/money-step/use-money-step.ts'

/** The fee is not open any more: paid, cancelled or lapsed, perhaps on another device. */
export class FeeClosed extends Error {
  override name = 'FeeClosed'
}

export type PayFeeDeps = {
  take: TakeMoneyStep
  end(step: { step: string; attempt: string }): Promise<void>
  /** Fetches the fee's present state; undefined once it is not open. */
  findFee(): Promise<PendingClaimFee | undefined>
  /** Has the wallet send exactly the fee. @returns the transaction's hash */
  send(options: SendOptions): Promise<string>
  /** Called with the hash that a wallet answers after the wait for it was ended. */
  onLate(hash: string): void
}

/** The name of the step that pays a fee. */
export function feeStep({ code_claim }: Pick<PendingClaimFee, 'code_claim'>): string {
  return `fee:${code_claim}`
}

/**
 * Pays a fee from a wallet, unless a payment of it may be under way, here or anywhere.
 * @returns the transaction's hash
 * @throws StepTaken; FeeClosed; PaymentError; ApiError when the service does not answer, so that nothing was asked
 */
export function payFee(
  { take, end, findFee, send, onLate }: PayFeeDeps,
  { step, known, signal }: { step: string; known: readonly string[]; signal: AbortSignal },
): Promise<string> {
  const press = { step, known, facts: async () => feeFacts(await findFee()), mayBeSent }
  return take(press, async (held) => {
    try {
      const hash = await send({ signal, onAsked: held.asking })
      await held.sent(hash)
      return hash
    } catch (error) {
      const late = error instanceof PaymentError ? error.late : undefined
      void late?.then(
        async (hash) => {
          await held.sent(hash)
          onLate(hash)
        },
        (failure: unknown) => (mayBeSent(failure) ? undefined : end({ step, ...held })),
      )
      throw error
    }
  })
}

function mayBeSent(error: unknown): boolean {
  return !(error instanceof PaymentError) || error.mayBeSent
}

/** What the service knows of payments for this fee, whoever sent them. @throws FeeClosed */
export function feeFacts(fee: PendingClaimFee | undefined): MoneyStep[] {
  if (fee === undefined) throw new FeeClosed()
  const { hint, mismatch } = fee
  const facts: MoneyStep[] = []
  if (hint?.is_checking) facts.push(factOf(hint.tx_hash, 'checking'))
  // No node knows it yet, which proves nothing.
  if (hint?.problem_code === 'PAYMENT_NOT_FOUND') facts.push(factOf(hint.tx_hash, 'sent'))
  if (mismatch) facts.push(factOf(mismatch.tx_hash, 'arrived'))
  return facts
}

function factOf(hash: string, state: MoneyStep['state']): MoneyStep {
  return { attempt: hash, hash, state, askedAt: 0 }
}
