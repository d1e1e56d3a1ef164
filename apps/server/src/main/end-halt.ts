/**
 * `end-halt.ts TRON|BSC`: reads the doubtful blocks of a halted chain again, shows the changes, and asks for
 * confirmation. Run it in an interactive terminal; `end-halt.ts BSC DIGEST` ends the halt without asking if the digest
 * of the changes is still the same.
 */
import { createInterface } from 'node:readline/promises'
import { describeChanges, endHalt, type HaltReview, inspectHalt } from '../modules/chain/index.ts'
import { Refusal } from '../platform/errors.ts'
import { watchedChains } from './chains/streams.ts'
import { runCommand } from './run.ts'

const [name, given] = process.argv.slice(2)

await runCommand(async (context) => {
  const watched = watchedChains(context).find(({ chain }) => chain === name)
  if (watched === undefined) {
    process.stderr.write('Name the chain: TRON or BSC.\n')
    return 2
  }
  try {
    const look = await inspectHalt(watched)
    process.stdout.write(`${describeChanges(look)}\n`)
    const digest = given ?? (await ask(look))
    if (digest === undefined) {
      process.stdout.write('Nothing was changed.\n')
      return 3
    }
    await endHalt({ ...watched, clock: context.clock }, digest, async () => undefined)
    process.stdout.write(`${name} is read again, starting with block ${look.halt.blockNumber}.\n`)
    return 0
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    process.stderr.write(`${error.message}\n`)
    return 1
  }
})

/** The digest of the changes shown, if the operator confirms them. */
async function ask({ halt, digest }: HaltReview): Promise<string | undefined> {
  if (!process.stdin.isTTY) {
    process.stdout.write(`To end the halt, run this again with ${digest} as the second argument.\n`)
    return undefined
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await terminal.question(
    `Continue from block ${halt.blockNumber} as it is on chain now? Type yes to confirm:  `,
  )
  terminal.close()
  return answer.trim() === 'yes' ? digest : undefined
}
