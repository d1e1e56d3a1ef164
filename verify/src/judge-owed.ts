import {
  checkInclusion,
  type InclusionFault,
  type InclusionProof,
  type PublishedSum,
} from '@dct/rules/sum-tree'

/** The file that a holder downloads: the day's public figures, and the holder's own place. */
export type OwedFile = {
  readonly published: PublishedSum
  readonly proof: InclusionProof | null
}

export type OwedQuestion = OwedFile & {
  /** USDT base units that the holder's pages showed as owed at that day's end, if the holder knows. */
  readonly shown: bigint | undefined
  /** USDT base units that the vault holds, by a node that the holder chose. */
  readonly held: bigint | undefined
  /** What the vault states of that day, by the same node. */
  readonly stated: StatedOwed | undefined
}

/** What the service published of a day in the vault: the last time, and how often. Never, if `times` is 0. */
export type StatedOwed = {
  /** Hex without 0x. */
  readonly root: string
  readonly sum: bigint
  readonly times: bigint
}

export type OwedFinding =
  | {
      readonly isGood: true
      readonly code:
        | 'IN_LIST'
        | 'NOTHING_OWED'
        | 'AS_SHOWN'
        | 'HELD_COVERS'
        | 'AS_STATED'
        | 'CORRECTED'
    }
  | {
      readonly isGood: false
      readonly code:
        | InclusionFault
        | 'LEFT_OUT'
        | 'SHOWN_DIFFERS'
        | 'HELD_IS_LESS'
        | 'NOT_STATED'
        | 'STATED_DIFFERS'
    }

const good = (code: Extract<OwedFinding, { isGood: true }>['code']) =>
  ({ isGood: true, code }) as const
const bad = (code: Extract<OwedFinding, { isGood: false }>['code']) =>
  ({ isGood: false, code }) as const

/** What a holder can conclude from what everybody is shown, the own place in it, and what the vault holds and states. */
export function judgeOwed({ published, proof, shown, held, stated }: OwedQuestion): OwedFinding[] {
  const findings: OwedFinding[] = [judgePlace({ published, proof, shown })]
  if (proof !== null && shown !== undefined) {
    findings.push(proof.owed === `${shown}` ? good('AS_SHOWN') : bad('SHOWN_DIFFERS'))
  }
  if (held !== undefined && /^\d+$/.test(published.sum)) {
    findings.push(held >= BigInt(published.sum) ? good('HELD_COVERS') : bad('HELD_IS_LESS'))
  }
  return [...findings, ...(stated === undefined ? [] : judgeStated(published, stated))]
}

function judgeStated({ root, sum }: PublishedSum, stated: StatedOwed): OwedFinding[] {
  if (stated.times === 0n) return [bad('NOT_STATED')]
  const isSame = stated.root === root.toLowerCase() && `${stated.sum}` === sum
  const said = isSame ? good('AS_STATED') : bad('STATED_DIFFERS')
  return stated.times === 1n ? [said] : [said, good('CORRECTED')]
}

function judgePlace({
  published,
  proof,
  shown,
}: Pick<OwedQuestion, 'published' | 'proof' | 'shown'>): OwedFinding {
  if (proof === null) {
    return shown === undefined || shown === 0n ? good('NOTHING_OWED') : bad('LEFT_OUT')
  }
  const fault = checkInclusion(proof, published)
  return fault === undefined ? good('IN_LIST') : bad(fault)
}

/** Reads a downloaded file. @throws Error with what is wrong with it, in words */
export function readOwedFile(text: string): OwedFile {
  const file: unknown = JSON.parse(text)
  if (!isRecord(file) || !isRecord(file.published))
    throw new Error('there is no published day in it')
  const { published, proof = null } = file
  if (!hasTexts(published, ['day', 'root', 'sum']))
    throw new Error('the published day is incomplete')
  if (proof === null) return { published, proof: null }
  if (!isRecord(proof) || !hasTexts(proof, ['day', 'tron_address', 'owed', 'salt'])) {
    throw new Error('the own place is incomplete')
  }
  return { published, proof: { ...proof, path: readPath(proof.path) } }
}

function readPath(path: unknown): InclusionProof['path'] {
  if (!Array.isArray(path)) throw new Error('the own place has no path')
  return path.map((step: unknown) => {
    if (!isRecord(step) || !hasTexts(step, ['side', 'hash', 'sum']))
      throw new Error('a step is incomplete')
    const { side, hash, sum } = step
    if (side !== 'left' && side !== 'right') throw new Error('a step has no side')
    return { side, hash, sum }
  })
}

type AnyRecord = Readonly<Record<string, unknown>>

function isRecord(value: unknown): value is AnyRecord {
  return typeof value === 'object' && value !== null
}

function hasTexts<K extends string>(
  value: AnyRecord,
  keys: readonly K[],
): value is AnyRecord & Record<K, string> {
  return keys.every((key) => typeof value[key] === 'string')
}
