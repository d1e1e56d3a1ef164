/** Where a story is played: the world, the model beside it, and the people in it. */
import type { VaultClaim } from '../chains/payout-vault.ts'
import { type Books, copyOf, earningOf, emptyBooks } from '../model/books.ts'
import type { Earning } from '../model/earning.ts'
import { Api, type Reply } from '../world/api.ts'
import type { Random } from '../world/random.ts'
import { type Wallet, walletOf } from '../world/wallet.ts'
import type { World } from '../world/world.ts'
import type { Coverage } from './coverage.ts'

export const HOLDERS = 5

export type Positions = { tron: number; bsc: number }
/** What the model and the actors know at one moment. */
export type Memory = {
  books: Books
  positions: Positions
  codes: ReadonlyMap<string, string>
  seen: ReadonlySet<string>
}
/** A copy of the service's database, and what was known then. */
export type Backup = Memory & { database: string; at: number }

/** Where a holder receives messages, confirmed at `from`. */
export type Box = {
  holder: string
  channel: 'email' | 'push'
  to: string
  from: number
  /** Whether messages may have been given up, or it is gone. */
  isTroubled: boolean
}

/** A law that was broken. `law` is stable; the rest is for people. */
export type Violation = { law: string; subject: string; words: string }

export class Stage {
  readonly world: World
  readonly api: Api
  readonly coverage: Coverage
  readonly holders: readonly Wallet[]
  books: Books
  /** The last blocks whose facts the model has. */
  positions: Positions = { tron: -1, bsc: -1 }
  backups: Backup[] = []
  /** Referral codes by Tron address. */
  readonly codes = new Map<string, string>()
  /** Stakes, and claims with a paid fee, that the screens showed when a day ended. */
  seen = new Set<string>()
  /** DCT that a thief made the contract pay, by plan and staker. */
  readonly stolenDct = new Map<string, bigint>()
  stolenUsdt = 0n
  /** Totals that payments made by hand reached, by account, and up to which blocks they were looked for. */
  readonly byHand = { tron: 0, bsc: 0, totals: new Map<string, bigint>() }
  /** What referrers signed for the vault, in order. Whoever makes it pay can have seen it. */
  readonly signedClaims: VaultClaim[] = []
  /** The price that admins set last where the service follows the market. */
  adminPrice: { price: bigint; at: number } | undefined
  /** What was paid before a restore for claims that the restore lost: the most that may count as an advance. */
  readonly advances = new Map<string, bigint>()
  /** Days of which it is open whether they are excused: the rules leave it to the service. */
  readonly doubtful = new Set<number>()
  readonly boxes: Box[] = []
  /** Fees that were paid by a final payment, by holder and code, and when. */
  readonly paidFees: { holder: string; code: string; at: number }[] = []
  /** Whether processes are killed, or lose their database, in this story. */
  hasDeaths = false
  /** Numbers of restores and thefts so far: what they leave is judged by looser laws. */
  restores = 0
  rotations = 0
  thefts = 0
  /** Whether all faults are over, and the service has had its turn. */
  isCalm = false
  readonly violations: Violation[] = []
  readonly words: string[] = []
  /** Chance for what an act itself draws. */
  random: Random

  constructor(
    world: World,
    coverage: Coverage,
    random: Random,
    books: Books = emptyBooks(FIRST_TERMS),
  ) {
    this.world = world
    this.coverage = coverage
    this.random = random
    this.books = books
    this.api = new Api(world)
    this.holders = Array.from({ length: HOLDERS }, (_, at) => walletOf(`holder ${at + 1}`))
  }

  /** Whether the rules leave nothing about excused days open: a price that grows too old excuses days as well. */
  get isSure(): boolean {
    const { hasPause, installation } = this.world
    return this.doubtful.size === 0 && !hasPause && installation.settings?.PRICE_PAIR === undefined
  }

  say(words: string): void {
    this.words.push(words)
  }

  accuse(law: string, subject: string, words: string): void {
    const isKnown = this.violations.some((one) => one.law === law && one.subject === subject)
    if (!isKnown) this.violations.push({ law, subject, words })
  }

  holder(number: number): Wallet {
    const holder = this.holders[number % this.holders.length]
    if (holder === undefined) throw new Error('there are holders')
    return holder
  }

  plan(number: number): string {
    const codes = [...this.books.plans.keys()]
    return codes[number % codes.length] ?? ''
  }

  /** The earnings that the model knows, of anybody. */
  earnings(): Earning[] {
    return [...this.books.earnings.values()]
  }

  earningOf(holder: Wallet, plan: string): Earning | undefined {
    return earningOf(this.books, plan, holder.tronAddress)
  }

  /** Notes how the service answered a use case. */
  answered(useCase: string, { status, body }: Reply): void {
    const outcome = status === 0 ? 'no answer' : status < 300 ? 'done' : String(body.code ?? status)
    this.coverage.reach('answer', `${useCase} → ${outcome}`)
    if (status >= 500 && status !== 503) {
      this.accuse('no call fails', useCase, `${useCase}: ${status} ${String(body.message)}`)
    }
  }

  memory(database: string): Backup {
    const { books, positions, codes, seen, world } = this
    return {
      database,
      at: world.now,
      books: copyOf(books),
      positions: { ...positions },
      codes: new Map(codes),
      seen: new Set(seen),
    }
  }

  remember({ books, positions, codes, seen }: Memory): void {
    this.books = copyOf(books)
    this.seen = new Set(seen)
    this.positions = { ...positions }
    this.codes.clear()
    for (const [address, code] of codes) this.codes.set(address, code)
  }
}

const FIRST_TERMS = {
  price: 100_000_000n,
  energyFee: (10n ** 17n) as Books['energyFee'],
  directBps: 1_000n,
}
