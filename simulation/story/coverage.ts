/** What a run reached, and how often. Something that is never reached is a fault of the simulator. */
export class Coverage {
  readonly #counts = new Map<string, number>()
  readonly #ofStory = new Set<string>()

  /** `kind` groups: act, answer, state, fault, exit, pair. */
  reach(kind: string, what: string): void {
    const key = `${kind}: ${what}`
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1)
    if (kind === 'act' || kind === 'fault') this.#ofStory.add(what)
  }

  /** Counts which two things met in this story. */
  endStory(): void {
    const met = [...this.#ofStory].toSorted()
    this.#ofStory.clear()
    met.forEach((one, at) => {
      for (const other of met.slice(at + 1)) this.reach('pair', `${one} + ${other}`)
    })
    this.#ofStory.clear()
  }

  add(counts: Readonly<Record<string, number>>): void {
    for (const [key, count] of Object.entries(counts)) {
      this.#counts.set(key, (this.#counts.get(key) ?? 0) + count)
    }
  }

  toJSON(): Record<string, number> {
    return Object.fromEntries([...this.#counts].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  }

  /** All but the pairs in full, and what was expected and reached never, or in fewer than one of a hundred stories. */
  print(expected: readonly string[], stories: number): string[] {
    const entries = Object.entries(this.toJSON())
    const single = entries.filter(([key]) => !key.startsWith('pair: '))
    const pairs = entries.filter(([key]) => key.startsWith('pair: '))
    const missing = expected.filter((key) => !this.#counts.has(key))
    const seldom = expected.filter((key) => {
      const count = this.#counts.get(key) ?? 0
      return count > 0 && count * SELDOM_PART < stories
    })
    return [
      ...single.map(([key, count]) => `${`${count}`.padStart(8)}  ${key}`),
      `${`${pairs.length}`.padStart(8)}  pairs that met in a story`,
      ...seldom.map((key) => `  SELDOM  ${key}`),
      ...missing.map((key) => `   NEVER  ${key}`),
      ...this.#unmetPairs(expected),
    ]
  }

  /** Pairs of what was expected that never met in a story: their number, and some of them. */
  #unmetPairs(expected: readonly string[]): string[] {
    const parts = expected.filter((key) => /^(act|fault): /.test(key))
    const names = [...new Set(parts.map((key) => key.replace(/^\w+: /, '')))].toSorted()
    const unmet = names.flatMap((one, at) =>
      names
        .slice(at + 1)
        .map((other) => `${one} + ${other}`)
        .filter((pair) => !this.#counts.has(`pair: ${pair}`)),
    )
    if (unmet.length === 0) return []
    const some = unmet.slice(0, MOST_PAIRS_SHOWN).join('; ')
    const possible = (names.length * (names.length - 1)) / 2
    return [`   NEVER  ${unmet.length} of ${possible} pairs: ${some}`]
  }
}

const SELDOM_PART = 100
const MOST_PAIRS_SHOWN = 12
