import { type Memory, storedList } from '../lib/stored-list.ts'

/**
 * Transactions that were signed but are not yet known to be final. They are stored before they are broadcast, so that a
 * reload, a crash or a closed window loses none of them.
 */
export type SentTransaction = {
  /** The action that resumes it, e.g. `join`. */
  kind: string
  hash: string
  /** When it expires, by the chain's clock in milliseconds. */
  expiresAt?: number | undefined
  /** The address that signed it. */
  owner: string
  /** When its countdown ends, in milliseconds since 1970. */
  deadline: number
  /** What the action needs to resume. */
  facts: Readonly<Record<string, string>>
}

const KEY = 'sentTransactions'
/** Older ones are left to the service, which reads the chain itself. */
const KEPT = 20

export class SentTransactions {
  readonly #memory: Memory
  constructor(memory: Memory) {
    this.#memory = memory
  }

  /** The transactions of one action and account, oldest first. */
  list(of: { kind: string; owner: string }): SentTransaction[] {
    return this.#read().filter(({ kind, owner }) => kind === of.kind && owner === of.owner)
  }

  find(hash: string): SentTransaction | undefined {
    return this.#read().find((sent) => sent.hash === hash)
  }

  /** Adding a hash that is already stored replaces its entry. */
  add(sent: SentTransaction): void {
    this.#write([...this.#read().filter(({ hash }) => hash !== sent.hash), sent].slice(-KEPT))
  }

  remove(hash: string): void {
    this.#write(this.#read().filter((sent) => sent.hash !== hash))
  }

  #read(): SentTransaction[] {
    return storedList(this.#memory, KEY, isSentTransaction)
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
