/**
 * Transactions that were signed and not yet seen to their end. They are written down before they leave, so that a
 * reload, a crash or a closed window loses none of them.
 */
export type SentTransaction = {
  /** Which action goes on with it, e.g. `join`. */
  kind: string
  hash: string
  /** When no block takes it any more, by the chain's clock in milliseconds. */
  expiresAt?: number | undefined
  /** Who signed it. */
  owner: string
  /** When its countdown ends, in milliseconds since 1970. */
  deadline: number
  /** What the action needs to go on. */
  facts: Readonly<Record<string, string>>
}

type Memory = Pick<Storage, 'getItem' | 'setItem'>

const KEY = 'sentTransactions'
/** Older ones are left to the service, which reads the chain itself. */
const KEPT = 20

export class SentTransactions {
  readonly #memory: Memory
  constructor(memory: Memory) {
    this.#memory = memory
  }

  /** Those of one action and account, oldest first. */
  list(of: { kind: string; owner: string }): SentTransaction[] {
    return this.#read().filter(({ kind, owner }) => kind === of.kind && owner === of.owner)
  }

  /** Writing the same hash twice keeps one. */
  add(sent: SentTransaction): void {
    this.#write([...this.#read().filter(({ hash }) => hash !== sent.hash), sent].slice(-KEPT))
  }

  remove(hash: string): void {
    this.#write(this.#read().filter((sent) => sent.hash !== hash))
  }

  #read(): SentTransaction[] {
    try {
      const stored: unknown = JSON.parse(this.#memory.getItem(KEY) ?? '[]')
      return Array.isArray(stored) ? stored.filter(isSentTransaction) : []
    } catch {
      return [] // somebody else wrote there; the service still finds the transactions on chain
    }
  }

  #write(sent: SentTransaction[]): void {
    this.#memory.setItem(KEY, JSON.stringify(sent))
  }
}

function isSentTransaction(value: unknown): value is SentTransaction {
  const { kind, hash, owner, deadline, facts } = (value ?? {}) as Partial<SentTransaction>
  return (
    typeof kind === 'string' &&
    typeof hash === 'string' &&
    typeof owner === 'string' &&
    typeof deadline === 'number' &&
    typeof facts === 'object' &&
    facts !== null
  )
}
