/** A checker for Stryker that lets only some of all changes be tried, drawn by a seed. The others count as neither. */
import { createHash } from 'node:crypto'

/** The parts of Stryker's changes that a draw needs. */
type Mutant = { id: string; fileName: string; location: object; replacement: string }
type CheckResult = { status: 'passed' } | { status: 'compileError'; reason: string }

/** How many changes are drawn; all if undefined. */
export type Draw = { sample: number | undefined; seed: number }

class Drawn {
  static inject = ['options']
  readonly #draw: Draw

  constructor({ draw }: { draw: Draw }) {
    this.#draw = draw
  }

  async init(): Promise<void> {}

  /** All together, so that one call sees how many there are. */
  async group(mutants: readonly Mutant[]): Promise<string[][]> {
    return [mutants.map(({ id }) => id)]
  }

  async check(mutants: readonly Mutant[]): Promise<Record<string, CheckResult>> {
    const { sample = mutants.length, seed } = this.#draw
    const places = mutants.map((mutant) => ({ id: mutant.id, at: placeOf(mutant, seed) }))
    const drawn = new Set(
      places
        .toSorted((one, other) => (one.at < other.at ? -1 : 1))
        .slice(0, sample)
        .map(({ id }) => id),
    )
    return Object.fromEntries(places.map(({ id }) => [id, drawn.has(id) ? PASSED : LEFT_OUT]))
  }
}

/** The same for the same change and seed, wherever the repository is. */
function placeOf({ fileName, location, replacement }: Mutant, seed: number): string {
  const file = fileName.replace(/^.*\/(apps|packages)\//, '')
  const what = JSON.stringify([seed, file, location, replacement])
  return createHash('sha256').update(what).digest('hex')
}

const PASSED: CheckResult = { status: 'passed' }
const LEFT_OUT: CheckResult = { status: 'compileError', reason: 'not drawn' }

export const strykerPlugins = [{ kind: 'Checker', name: 'drawn', injectableClass: Drawn }]

export const strykerValidationSchema = { properties: { draw: { type: 'object' } } }
