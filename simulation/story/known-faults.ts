/**
 * Faults of the service that the simulator has found and that are not mended yet. Each has a story that shows it, which
 * every calibration plays: it must still break one of these laws, or the fault is mended and its entry goes. Until then
 * other stories in which the same thing happens may break the laws that it breaks.
 */
import type { Story } from './draw.ts'
import { PATTERNS, type Pattern } from './patterns.ts'
import type { Violation } from './stage.ts'

export type KnownFault = {
  /** That of its story among the patterns. */
  name: keyof typeof PATTERNS
  /** What is wrong, for whoever mends it. */
  description: string
  /** What its story shows: the law that it must still break, and in which words. */
  shows: RegExp
  words: RegExp
  /** Stories in which any of these acts happens may break the laws below. */
  after: readonly string[]
  laws: readonly RegExp[]
}

const SEED = 1

/** The story of a fault, with nothing else in it. */
export function storyOf({ name }: Pick<KnownFault, 'name'>): Story {
  const { acts, settings = {}, nodes = { tron: 1, bsc: 1 }, ...pattern }: Pattern = PATTERNS[name]
  const { hasKeyService = false, few } = pattern
  return {
    seed: SEED,
    theme: 'calibration',
    nodes,
    settings,
    hasKeyService,
    few,
    acts,
    hasHarvest: true,
  }
}

export const KNOWN_FAULTS: readonly KnownFault[] = []

/**
 * The known fault that explains a violation in this story: its acts happened, and it has shown itself as it does in its
 * own story. Without that, whatever else is broken is news.
 */
export function explain(
  story: Story,
  { law }: Violation,
  all: readonly Violation[],
): KnownFault | undefined {
  const kinds = new Set(story.acts.map(({ kind }) => kind))
  return KNOWN_FAULTS.find(({ after, laws, shows, words }) => {
    const hasShown = all.some((one) => shows.test(one.law) && words.test(one.words))
    return hasShown && after.some((kind) => kinds.has(kind)) && laws.some((one) => one.test(law))
  })
}
