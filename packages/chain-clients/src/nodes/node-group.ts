import { NodeUnavailable } from './failures.ts'
import { type NodeStanding, withStanding } from './standing.ts'

/** Two nodes disagree about what is final. Neither answer may be used. */
export class NodesDisagree extends NodeUnavailable {
  override name = 'NodesDisagree'
}

export type GroupNode<T> = { standing: NodeStanding; client: T }
export type Answer<R> = { standing: NodeStanding; value: R }

/** Several nodes of one chain, of which `needed` must agree. */
export type NodeGroup<T> = {
  nodes: readonly GroupNode<T>[]
  /**
   * Asks every node that is not set aside. A node that fails counts as lost.
   * @throws the failure of a node when fewer than `needed` answered
   */
  all<R>(
    ask: (client: T, standing: NodeStanding) => Promise<R>,
    of?: readonly GroupNode<T>[],
  ): Promise<Answer<R>[]>
  /** The answer of the first node that gives one. Only for questions to which a wrong answer does no harm. */
  first<R>(ask: (client: T) => Promise<R>): Promise<R>
  /**
   * Like `first`, but an answer that would stop something is believed only if enough nodes give it: all are asked then.
   * @param isUnusual whether it is such an answer
   * @param spelled returns the same text for answers that count as the same
   */
  confirmed<R>(
    what: string,
    ask: (client: T) => Promise<R>,
    isUnusual: (value: R) => boolean,
    spelled: (value: R) => string,
  ): Promise<R>
  /** How many of a number of answers must be the same: more than half of them, and at least `needed`. */
  required(answers: number): number
  /**
   * The answer that enough nodes gave. Nodes that gave a different one are recorded as such.
   * @param spelled returns the same text for answers that count as the same
   * @param needed default: `required` of the number of answers
   * @throws NodesDisagree when too few nodes gave the same answer
   * @throws NodeUnavailable when others are yet to be asked, which the next question will do
   */
  agreed<R>(
    what: string,
    answers: readonly Answer<R>[],
    spelled: (value: R) => string,
    needed?: number,
  ): R
}

/**
 * The default number of nodes that must agree: of two both, because one alone is not confirmed by anything; of more all
 * but one, so that the loss of one stops nothing.
 */
function usualAgreement(nodes: number): number {
  return nodes <= 2 ? Math.max(1, nodes) : nodes - 1
}

export function createNodeGroup<T>(
  nodes: readonly GroupNode<T>[],
  needed = usualAgreement(nodes.length),
): NodeGroup<T> {
  const usable = () => nodes.filter(({ standing }) => !standing.isAside())
  const required = (answers: number) => Math.max(needed, Math.floor(answers / 2) + 1)
  const group: NodeGroup<T> = {
    nodes,
    required,
    async all<R>(ask: (client: T, standing: NodeStanding) => Promise<R>, of = usable()) {
      const settled = await Promise.allSettled(
        awake(of, needed).map(async ({ standing, client }) => {
          const value = await withStanding(standing, () => ask(client, standing))
          return { standing, value }
        }),
      )
      return answersIn(settled, needed)
    },
    async first(ask) {
      let failure = new NodeUnavailable('no node can be used')
      const inOrder = usable().toSorted(
        (a, b) => Number(a.standing.isResting()) - Number(b.standing.isResting()),
      )
      for (const { standing, client } of inOrder) {
        try {
          return await withStanding(standing, () => ask(client))
        } catch (error) {
          if (!(error instanceof NodeUnavailable)) throw error
          failure = error
        }
      }
      throw failure
    },
    async confirmed(what, ask, isUnusual, spelled) {
      const answer = await group.first(ask)
      if (nodes.length === 1 || !isUnusual(answer)) return answer
      return group.agreed(what, await group.all(ask), spelled)
    },
    agreed(what, answers, spelled, enough = required(answers.length)) {
      const spellings = answers.map(({ value }) => spelled(value))
      const votes = (spelling: string) => spellings.filter((other) => other === spelling).length
      const winner = spellings.findIndex((spelling) => votes(spelling) >= enough)
      const won = answers[winner]
      if (won === undefined) {
        const names = answers.map(({ standing }) => standing.name).join(' and ')
        const message = `${names} disagree about ${what}`
        // Whoever has not been asked decides: the next question reaches all.
        const resting = usable().filter(({ standing }) => standing.isResting())
        for (const { standing } of resting) standing.wake()
        throw resting.length > 0 ? new NodeUnavailable(message) : new NodesDisagree(message)
      }
      answers.forEach(({ standing }, at) => {
        if (spellings[at] !== spellings[winner]) standing.differed(what)
      })
      return won.value
    },
  }
  return group
}

/** The middle one of some figures, so that no single node decides: of an even number, the lower of the two. */
export function middleOf(figures: readonly bigint[]): bigint {
  const [middle = 0n] = figures.toSorted(ascending).slice(Math.floor((figures.length - 1) / 2))
  return middle
}

export function ascending(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/**
 * Leaves out the nodes that have just failed, if enough others remain: their time-outs would slow every answer down.
 */
function awake<T>(nodes: readonly GroupNode<T>[], needed: number): readonly GroupNode<T>[] {
  const rested = nodes.filter(({ standing }) => !standing.isResting())
  return rested.length >= needed ? rested : nodes
}

function answersIn<R>(settled: readonly PromiseSettledResult<Answer<R>>[], needed: number) {
  const answers: Answer<R>[] = []
  let failure: unknown
  for (const one of settled) {
    if (one.status === 'fulfilled') answers.push(one.value)
    else if (!(one.reason instanceof NodeUnavailable)) throw one.reason
    else failure ??= one.reason
  }
  if (answers.length >= needed) return answers
  throw failure ?? new NodeUnavailable(`${answers.length} of ${needed} needed nodes can be used`)
}
