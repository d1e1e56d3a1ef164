/** Why a payment was not sent, or, for `failed` and `leftOpen`, why it is not known whether it was. */
export type PaymentProblem =
  | 'noAccount'
  /** The wallet gave an address of another kind of chain. */
  | 'otherKind'
  | 'otherNetwork'
  /** Of the token. */
  | 'tooLittle'
  /** The network's own coin does not cover the fee. */
  | 'noFee'
  | 'rejected'
  | 'pending'
  | 'notSent'
  /** The wait was ended before the wallet was asked to send. */
  | 'cancelled'
  /** The wait was ended while the wallet's question was open: whoever answers it there still sends. */
  | 'leftOpen'
  | 'failed'

const MAYBE_SENT: ReadonlySet<PaymentProblem> = new Set(['leftOpen', 'failed'])

export class PaymentError extends Error {
  override name = 'PaymentError'
  readonly problem: PaymentProblem
  /** What the wallet answers after the wait was ended: the hash if it sent, otherwise a `PaymentError`. */
  readonly late: Promise<string> | undefined
  constructor(problem: PaymentProblem, options: ErrorOptions & { late?: Promise<string> } = {}) {
    super(problem, options)
    this.problem = problem
    this.late = options.late
  }

  /** Whether the wallet may have sent it all the same; then paying again could be paying twice. */
  get mayBeSent(): boolean {
    return MAYBE_SENT.has(this.problem)
  }
}
