/**
 * How nodes and providers report that a search for logs covers too many blocks. The group is the number of blocks that
 * they allow, if they state it.
 */
const WITH_SIZE = [
  /exceed(?:s|ed)? max(?:imum)? block range:? (\d+)/i,
  /max block range = (\d+)/i,
  /maximum (?:block range|is set to|allowed is|allowed number of requested blocks is):? (\d+)/i,
  /max(?:imum)? range:? (\d+)/i,
  /limited to (?:a )?(\d+(?:,\d{3})*)/i,
  /exceeds (?:the )?limit of (\d+)/i,
  /exceeds the range allowed for your plan \(\d+ > (\d+)\)/i,
  /(?:at most|up to an?) (\d+(?:,\d{3})*k?) blocks?/i,
  /block range (?:greater than|exceeds) (\d+)/i,
  /max is (\d+k?) blocks/i,
  /query must be smaller than size (\d+)/i,
  /blocks distance: (\d+)/i,
  /ranges over (\d+) blocks are not supported/i,
]

/** A range of blocks that a node proposes instead: `[0xA, 0xB]`. */
const PROPOSED = /block range(?: should work)?:? \[(0x[0-9a-f]+), ?(0x[0-9a-f]+)\]/i

const WITHOUT_SIZE =
  /block range (?:is )?too (?:wide|large)|block range limit exceeded|range threshold exceeded|exceed(?:s|ed)? max(?:imum)? (?:allowed|results|block range)|requested too many blocks|returned more than \d+ results|logs matched by query exceeds|response size (?:should not|is larger|exceed)|backend response too large|response exceeds the limit/i

const LARGEST = 1_000_000

/**
 * Reads from a message how many blocks a search may cover.
 * @returns undefined if the message is about something else
 */
export function readRangeWords(message: string): { allowed: number | undefined } | undefined {
  const pair = PROPOSED.exec(message)
  if (pair !== null) return { allowed: sizeOf(Number(pair[2]) - Number(pair[1]) + 1) }
  // The number of results says nothing about blocks.
  if (/\d+ results/i.test(message)) return { allowed: undefined }
  for (const words of WITH_SIZE) {
    const found = words.exec(message)?.[1]
    if (found === undefined) continue
    const size = Number(found.replace(/,/g, '').replace(/k$/i, '000'))
    if (/range|block/i.test(message)) return { allowed: sizeOf(size) }
  }
  return WITHOUT_SIZE.test(message) ? { allowed: undefined } : undefined
}

function sizeOf(blocks: number): number | undefined {
  return Number.isSafeInteger(blocks) && blocks >= 1 && blocks <= LARGEST ? blocks : undefined
}
