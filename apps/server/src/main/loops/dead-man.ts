import { latestAudit } from '../../modules/audit/index.ts'
import { chainFacts } from '../../modules/chain/index.ts'
import { createDeadManLoop } from '../../platform/loops/dead-man.ts'
import type { Loop } from '../../platform/loops/loop.ts'
import type { Context } from '../context.ts'

/** Loops that report progress on the chains and passed audits to the external services that the settings name. */
export function deadManLoops({ config, db }: Context): Loop[] {
  const { chains, audit } = config.deadMan
  return [
    ...(chains === undefined
      ? []
      : [
          createDeadManLoop({
            ...{ name: 'dead man: chains', url: chains },
            readProgress: async () => (await chainFacts(db)).map(({ blockNumber }) => blockNumber),
          }),
        ]),
    ...(audit === undefined
      ? []
      : [
          createDeadManLoop({
            ...{ name: 'dead man: audit', url: audit },
            async readProgress() {
              const last = await latestAudit(db)
              return last?.isPassed === true ? [BigInt(last.finishedAt.getTime())] : []
            },
          }),
        ]),
  ]
}
